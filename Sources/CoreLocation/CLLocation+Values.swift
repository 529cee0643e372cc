import LocationModel

extension CLLocation {
  /// The location that an app sees of a fix: what the receiver did not say gets Core Location's sentinel
  /// (behaviour 10.3, 10.4, 10.11). One allocation, two with a floor.
  package convenience init(_ fix: Fix) {
    self.init(
      values: Values(fix),
      floor: fix.floor.map(CLFloor.init(level:)),
      sourceInformation: .shared(isSimulated: fix.isSimulated, isFromAccessory: fix.isFromAccessory))
  }
}

extension Date {
  /// The moment as exactly as a `Date` holds it: whole nanoseconds are shifted to the date's own epoch, 2001, before
  /// they lose digits as a floating-point number.
  init(_ time: WallTime) {
    let secondsFrom1970To2001: Int64 = 978_307_200
    let nanoseconds = time.nanosecondsSince1970.subtractingClamped(secondsFrom1970To2001 * 1_000_000_000)
    self.init(timeIntervalSinceReferenceDate: Double(nanoseconds) / 1e9)
  }
}

extension CLLocation.Values {
  /// The rules for what the receiver did not say are those of `LocationValues`.
  init(_ fix: Fix) {
    let values = LocationValues(fix)
    self.init(
      coordinate: CLLocationCoordinate2D(fix.coordinate), horizontalAccuracy: values.horizontalAccuracy,
      altitude: values.altitude, ellipsoidalAltitude: values.ellipsoidalAltitude,
      verticalAccuracy: values.verticalAccuracy, course: values.course, courseAccuracy: values.courseAccuracy,
      speed: values.speed, speedAccuracy: values.speedAccuracy,
      timestamp: Date(timeIntervalSince1970: fix.time.secondsSince1970))
  }

  /// Nil where a value is missing or no number.
  init?(coder: NSCoder) {
    guard let coordinate = coder.decodeCoordinate(forKey: "coordinate"),
      let horizontalAccuracy = coder.decodeNumber(forKey: "horizontalAccuracy"),
      let altitude = coder.decodeNumber(forKey: "altitude"),
      let ellipsoidalAltitude = coder.decodeNumber(forKey: "ellipsoidalAltitude"),
      let verticalAccuracy = coder.decodeNumber(forKey: "verticalAccuracy"),
      let course = coder.decodeNumber(forKey: "course"),
      let courseAccuracy = coder.decodeNumber(forKey: "courseAccuracy"),
      let speed = coder.decodeNumber(forKey: "speed"),
      let speedAccuracy = coder.decodeNumber(forKey: "speedAccuracy"),
      let timestamp = coder.decodeDate(forKey: "timestamp")
    else { return nil }
    self.init(
      coordinate: coordinate, horizontalAccuracy: horizontalAccuracy, altitude: altitude,
      ellipsoidalAltitude: ellipsoidalAltitude, verticalAccuracy: verticalAccuracy, course: course,
      courseAccuracy: courseAccuracy, speed: speed, speedAccuracy: speedAccuracy,
      timestamp: timestamp)
  }

  func encode(with coder: NSCoder) {
    coder.encodeCoordinate(coordinate, forKey: "coordinate")
    coder.encodeNumber(horizontalAccuracy, forKey: "horizontalAccuracy")
    coder.encodeNumber(altitude, forKey: "altitude")
    coder.encodeNumber(ellipsoidalAltitude, forKey: "ellipsoidalAltitude")
    coder.encodeNumber(verticalAccuracy, forKey: "verticalAccuracy")
    coder.encodeNumber(course, forKey: "course")
    coder.encodeNumber(courseAccuracy, forKey: "courseAccuracy")
    coder.encodeNumber(speed, forKey: "speed")
    coder.encodeNumber(speedAccuracy, forKey: "speedAccuracy")
    coder.encodeDate(timestamp, forKey: "timestamp")
  }
}

import LocationModel

/// A position, the moment it was measured, and how far to trust it. It never changes after it is made.
///
/// Two locations are equal only if they are the same object (behaviour 10.14).
open class CLLocation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// Every number of a location, flat, so that making one is a single allocation.
  struct Values {
    var coordinate: CLLocationCoordinate2D
    var horizontalAccuracy: CLLocationAccuracy
    var altitude: CLLocationDistance = 0
    var ellipsoidalAltitude: CLLocationDistance = 0
    var verticalAccuracy: CLLocationAccuracy = -1
    var course: CLLocationDirection = -1
    var courseAccuracy: CLLocationDirectionAccuracy = -1
    var speed: CLLocationSpeed = -1
    var speedAccuracy: CLLocationSpeedAccuracy = -1
    var timestamp: Date
  }

  let values: Values
  private let storedFloor: CLFloor?
  private let storedSourceInformation: CLLocationSourceInformation?

  init(values: Values, floor: CLFloor?, sourceInformation: CLLocationSourceInformation?) {
    self.values = values
    storedFloor = floor
    storedSourceInformation = sourceInformation
    super.init()
  }

  /// No location: the coordinate is not valid, every accuracy is -1, the timestamp is now. For subclasses.
  public override init() {
    values = Values(coordinate: kCLLocationCoordinate2DInvalid, horizontalAccuracy: -1, timestamp: Date())
    storedFloor = nil
    storedSourceInformation = nil
    super.init()
  }

  /// A place measured now: altitude 0, horizontal accuracy 0; vertical accuracy, course and speed -1
  /// (behaviour 10.1).
  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    values = Values(
      coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude),
      horizontalAccuracy: 0, timestamp: Date())
    storedFloor = nil
    storedSourceInformation = nil
    super.init()
  }

  /// Course and speed and their accuracies are -1 (behaviour 10.2, 10.3).
  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy hAccuracy: CLLocationAccuracy, verticalAccuracy vAccuracy: CLLocationAccuracy,
    timestamp: Date
  ) {
    values = Values(
      coordinate: coordinate, horizontalAccuracy: hAccuracy, altitude: altitude,
      verticalAccuracy: vAccuracy, timestamp: timestamp)
    storedFloor = nil
    storedSourceInformation = nil
    super.init()
  }

  /// The accuracies of course and speed are -1 (behaviour 10.3).
  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy hAccuracy: CLLocationAccuracy, verticalAccuracy vAccuracy: CLLocationAccuracy,
    course: CLLocationDirection, speed: CLLocationSpeed, timestamp: Date
  ) {
    values = Values(
      coordinate: coordinate, horizontalAccuracy: hAccuracy, altitude: altitude,
      verticalAccuracy: vAccuracy, course: course, speed: speed, timestamp: timestamp)
    storedFloor = nil
    storedSourceInformation = nil
    super.init()
  }

  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy hAccuracy: CLLocationAccuracy, verticalAccuracy vAccuracy: CLLocationAccuracy,
    course: CLLocationDirection, courseAccuracy: CLLocationDirectionAccuracy,
    speed: CLLocationSpeed, speedAccuracy: CLLocationSpeedAccuracy, timestamp: Date
  ) {
    values = Values(
      coordinate: coordinate, horizontalAccuracy: hAccuracy, altitude: altitude,
      verticalAccuracy: vAccuracy, course: course, courseAccuracy: courseAccuracy, speed: speed,
      speedAccuracy: speedAccuracy, timestamp: timestamp)
    storedFloor = nil
    storedSourceInformation = nil
    super.init()
  }

  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy hAccuracy: CLLocationAccuracy, verticalAccuracy vAccuracy: CLLocationAccuracy,
    course: CLLocationDirection, courseAccuracy: CLLocationDirectionAccuracy,
    speed: CLLocationSpeed, speedAccuracy: CLLocationSpeedAccuracy, timestamp: Date,
    sourceInfo: CLLocationSourceInformation
  ) {
    values = Values(
      coordinate: coordinate, horizontalAccuracy: hAccuracy, altitude: altitude,
      verticalAccuracy: vAccuracy, course: course, courseAccuracy: courseAccuracy, speed: speed,
      speedAccuracy: speedAccuracy, timestamp: timestamp)
    storedFloor = nil
    storedSourceInformation = sourceInfo
    super.init()
  }

  /// Invalid where `horizontalAccuracy` is negative (behaviour 10.4).
  open var coordinate: CLLocationCoordinate2D { values.coordinate }

  /// Metres above mean sea level; invalid where `verticalAccuracy` is zero or negative (behaviour 10.4, 10.5).
  open var altitude: CLLocationDistance { values.altitude }

  /// Metres above the WGS84 ellipsoid; 0 where it is unknown or `verticalAccuracy` is zero or negative
  /// (behaviour 10.4).
  open var ellipsoidalAltitude: CLLocationDistance { values.ellipsoidalAltitude }

  /// Radius in metres of the circle that holds the true place; negative makes the coordinate invalid, 0 does not.
  open var horizontalAccuracy: CLLocationAccuracy { values.horizontalAccuracy }

  /// 68 % error of the altitudes in metres; zero or negative makes them invalid (behaviour 10.4, 10.5).
  open var verticalAccuracy: CLLocationAccuracy { values.verticalAccuracy }

  /// Direction of travel in degrees clockwise from true north; negative is invalid (behaviour 10.6).
  open var course: CLLocationDirection { values.course }

  /// Degrees; negative makes the course invalid (behaviour 10.3).
  open var courseAccuracy: CLLocationDirectionAccuracy { values.courseAccuracy }

  /// Metres per second; negative is invalid (behaviour 10.6).
  open var speed: CLLocationSpeed { values.speed }

  /// Metres per second; negative makes the speed invalid (behaviour 10.3).
  open var speedAccuracy: CLLocationSpeedAccuracy { values.speedAccuracy }

  /// When the position was measured, never when it was delivered (behaviour 2.4).
  open var timestamp: Date { values.timestamp }

  /// The storey of the building; nil where unknown (behaviour 10.12).
  open var floor: CLFloor? { storedFloor }

  /// Nil does not mean that a receiver measured the location (behaviour 10.11).
  open var sourceInformation: CLLocationSourceInformation? { storedSourceInformation }

  /// Metres between the two coordinates along the shortest path on the WGS84 ellipsoid; altitude does not count
  /// (behaviour 10.8, 10.9).
  ///
  /// 0 where there is no such path, because a latitude is beyond 90 degrees or a number is not finite: so iOS
  /// answers when one side is `kCLLocationCoordinate2DInvalid` (algorithms 5). A finite longitude beyond 180
  /// degrees counts as the same meridian within.
  open func distance(from location: CLLocation) -> CLLocationDistance {
    let meters = Geodesic.distanceMeters(
      from: Coordinate(coordinate), to: Coordinate(location.coordinate))
    return meters.isNaN ? 0 : meters
  }

  /// `<±lat,±lon> +/- H.HHm (speed S.SS mps / course C.CC) @ date`: apps read this (behaviour 10.7). The date is in
  /// the user's locale and time zone, short, with the time and the zone's full name.
  open override var description: String {
    description(locale: .current, timeZone: .current)
  }

  /// `description` for a user of this locale and time zone.
  package func description(locale: Locale, timeZone: TimeZone) -> String {
    let dateFormatter = DateFormatter()
    dateFormatter.locale = locale
    dateFormatter.timeZone = timeZone
    dateFormatter.dateStyle = .short
    dateFormatter.timeStyle = .full
    let numbers = String(
      format: " +/- %.2fm (speed %.2f mps / course %.2f) @ ", horizontalAccuracy, speed, course)
    return coordinate.textInAngleBrackets + numbers + dateFormatter.string(from: timestamp)
  }

  // MARK: NSCopying, NSSecureCoding

  /// The same object: a location never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open class var supportsSecureCoding: Bool { true }

  /// Nil where a value is missing or of another type.
  public required init?(coder: NSCoder) {
    guard let values = Values(coder: coder),
      let floor = coder.decodeOptionalObject(of: CLFloor.self, forKey: "floor"),
      let sourceInformation = coder.decodeOptionalObject(
        of: CLLocationSourceInformation.self, forKey: "sourceInformation")
    else { return nil }
    self.values = values
    storedFloor = floor
    storedSourceInformation = sourceInformation
    super.init()
  }

  open func encode(with coder: NSCoder) {
    values.encode(with: coder)
    if let storedFloor { coder.encode(storedFloor, forKey: "floor") }
    if let storedSourceInformation {
      coder.encode(storedSourceInformation, forKey: "sourceInformation")
    }
  }
}

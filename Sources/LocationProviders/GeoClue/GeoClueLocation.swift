import LinuxIO
import LocationModel

/// One location as GeoClue and the location portal tell it: the properties of `org.freedesktop.GeoClue2.Location`.
package enum GeoClueLocation {
  /// The fix that the properties tell, or nil where they tell no place.
  ///
  /// - Accuracy is taken for the 68 % radius: GeoClue does not say which it is, its sources give it as the radius that
  ///   their receiver or network service names, and what is passed on is passed on as it stands. A radius of 0, which
  ///   GeoClue gives for a good dilution of precision, is no error of a receiver: unknown.
  /// - Altitude is unknown at the least double, speed and heading are at -1, and there is no error of the altitude, so
  ///   that apps hear of it only where one is known.
  /// - A time of 0, or one that is still to come, is no time of measurement: arrival counts.
  package static func fix(from properties: [String: BusValue], arrival: WallTime) -> Fix? {
    guard let latitude = properties["Latitude"]?.double, let longitude = properties["Longitude"]?.double else {
      return nil
    }
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    guard coordinate.isValid else { return nil }
    return Fix(
      coordinate: coordinate,
      horizontalAccuracyMeters: number(properties["Accuracy"]) { $0 > 0 },
      time: time(properties["Timestamp"], arrival: arrival),
      altitudeMeters: number(properties["Altitude"]) { $0 > -.greatestFiniteMagnitude },
      speedMetersPerSecond: number(properties["Speed"]) { $0 >= 0 },
      courseDegrees: number(properties["Heading"]) { $0 >= 0 && $0 <= 360 }.map { $0 == 360 ? 0 : $0 },
      source: .locationService)
  }

  private static func number(_ value: BusValue?, where isKnown: (Double) -> Bool) -> Double? {
    guard let number = value?.double, number.isFinite, isKnown(number) else { return nil }
    return number
  }

  /// `(tt)`: seconds and microseconds since 1970.
  private static func time(_ value: BusValue?, arrival: WallTime) -> WallTime {
    guard let fields = value?.fields, fields.count == 2,
      let seconds = fields[0].unsigned, let microseconds = fields[1].unsigned,
      seconds > 0, seconds < 1 << 33, microseconds < 1_000_000
    else { return arrival }
    let time = WallTime(nanosecondsSince1970: Int64(seconds) * 1_000_000_000 + Int64(microseconds) * 1_000)
    return min(time, arrival)
  }
}

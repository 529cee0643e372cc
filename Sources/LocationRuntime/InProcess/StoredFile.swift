import LocationEngine
import LocationModel

/// The layout of an app's state file. A change of meaning is a new version.
struct StoredFile: Codable {
  static let currentVersion = 1

  var version = StoredFile.currentVersion
  var grant = StoredGrant(Grant())
  var lastFix: StoredFix?

  struct StoredGrant: Codable {
    var level: String
    var isProvisional: Bool
    var isPrecise: Bool
    var hasRequestedAlways: Bool

    init(_ grant: Grant) {
      level = Self.names[grant.level.rawValue]
      isProvisional = grant.isProvisional
      isPrecise = grant.isPrecise
      hasRequestedAlways = grant.hasRequestedAlways
    }

    var grant: Grant {
      Grant(
        level: Self.names.firstIndex(of: level).flatMap(Grant.Level.init) ?? .notDetermined,
        isProvisional: isProvisional, isPrecise: isPrecise, hasRequestedAlways: hasRequestedAlways)
    }

    /// In the order of `Grant.Level`.
    private static let names = ["notDetermined", "denied", "whenInUse", "always"]
  }

  struct StoredFix: Codable {
    var latitude: Double
    var longitude: Double
    var horizontalAccuracy: Double?
    var altitude: Double?
    var ellipsoidalAltitude: Double?
    var verticalAccuracy: Double?
    var speed: Double?
    var course: Double?
    var timeNanoseconds: Int64
    var isSimulated: Bool

    init(_ fix: Fix) {
      latitude = fix.coordinate.latitude
      longitude = fix.coordinate.longitude
      horizontalAccuracy = fix.horizontalAccuracyMeters
      altitude = fix.altitudeMeters
      ellipsoidalAltitude = fix.ellipsoidalAltitudeMeters
      verticalAccuracy = fix.verticalAccuracyMeters
      speed = fix.speedMetersPerSecond
      course = fix.courseDegrees
      timeNanoseconds = fix.time.nanosecondsSince1970
      isSimulated = fix.isSimulated
    }

    /// Nil for a place that is none.
    var fix: Fix? {
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
      guard coordinate.isValid else { return nil }
      return Fix(
        coordinate: coordinate, horizontalAccuracyMeters: horizontalAccuracy,
        time: WallTime(nanosecondsSince1970: timeNanoseconds), altitudeMeters: altitude,
        ellipsoidalAltitudeMeters: ellipsoidalAltitude, verticalAccuracyMeters: verticalAccuracy,
        speedMetersPerSecond: speed, courseDegrees: course, isSimulated: isSimulated)
    }
  }
}

import FoundationEssentials
import LocationEngine
import LocationModel

/// The layout of an app's state file. A change of meaning is a new version.
struct StoredFile: Codable {
  static let currentVersion = 1

  var version = StoredFile.currentVersion
  var grant = StoredGrant(Grant())
  var lastFix: StoredFix?
  /// Absent where the app has registered nothing.
  var registrations: StoredRegistrations?

  init() {}

  /// A fix that is none goes alone, and so do registrations: the grant beside them is the person's word.
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    version = try container.decode(Int.self, forKey: .version)
    grant = try container.decode(StoredGrant.self, forKey: .grant)
    lastFix = try? container.decodeIfPresent(StoredFix.self, forKey: .lastFix)
    registrations = try? container.decodeIfPresent(StoredRegistrations.self, forKey: .registrations)
  }

  /// As it is written.
  var bytes: [UInt8] {
    guard let data = try? JSONEncoder().encode(self) else {
      preconditionFailure("a state file holds finite numbers only")
    }
    return Array(data)
  }

  struct StoredGrant: Codable {
    var level: Level
    var isProvisional: Bool
    var isPrecise: Bool
    var hasRequestedAlways: Bool

    init(_ grant: Grant) {
      level = Level(grant.level)
      isProvisional = grant.isProvisional
      isPrecise = grant.isPrecise
      hasRequestedAlways = grant.hasRequestedAlways
    }

    var grant: Grant {
      Grant(
        level: level.level, isProvisional: isProvisional && level == .always, isPrecise: isPrecise,
        hasRequestedAlways: hasRequestedAlways)
    }

    /// The words of the file; another word is damage, not an undecided person.
    enum Level: String, Codable {
      case notDetermined, denied, whenInUse, always

      init(_ level: Grant.Level) {
        switch level {
        case .notDetermined: self = .notDetermined
        case .denied: self = .denied
        case .whenInUse: self = .whenInUse
        case .always: self = .always
        }
      }

      var level: Grant.Level {
        switch self {
        case .notDetermined: .notDetermined
        case .denied: .denied
        case .whenInUse: .whenInUse
        case .always: .always
        }
      }
    }
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

    /// Nil where a value cannot be one that was measured: a place that is none, an error that is not positive, a time
    /// before 2000 or more than a day ahead of `now`, as clocks without a battery give them.
    func fix(now: WallTime) -> Fix? {
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
      let time = WallTime(nanosecondsSince1970: timeNanoseconds)
      let errors = [horizontalAccuracy, verticalAccuracy].compactMap { $0 }
      let numbers = [altitude, ellipsoidalAltitude].compactMap { $0 }
      guard coordinate.isValid, errors.allSatisfy({ $0 > 0 && $0.isFinite }), numbers.allSatisfy(\.isFinite),
        (speed ?? 0) >= 0, (speed ?? 0).isFinite, (0..<360).contains(course ?? 0),
        time >= Self.earliestTime, time <= now.advanced(bySeconds: 86_400)
      else { return nil }
      return Fix(
        coordinate: coordinate, horizontalAccuracyMeters: horizontalAccuracy, time: time, altitudeMeters: altitude,
        ellipsoidalAltitudeMeters: ellipsoidalAltitude, verticalAccuracyMeters: verticalAccuracy,
        speedMetersPerSecond: speed, courseDegrees: course, isSimulated: isSimulated)
    }

    /// 2000-01-01T00:00:00Z: 30 years of which 7 were leap years, 10,957 days.
    private static let earliestTime = WallTime(secondsSince1970: 10_957 * 86_400)
  }
}

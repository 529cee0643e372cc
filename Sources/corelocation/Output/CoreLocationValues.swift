import LocationEngine
import LocationModel

/// A fix with Core Location's sentinels for what the receiver did not say, by the rules of `CLLocation`
/// (behaviour 10.3, 10.4): an accuracy never makes a value valid that was not given, and one accuracy speaks for
/// both heights.
struct LocationValues {
  var altitude = 0.0
  var ellipsoidalAltitude = 0.0
  var horizontalAccuracy: Double
  var verticalAccuracy = -1.0
  var speed = -1.0
  var speedAccuracy = -1.0
  var course = -1.0
  var courseAccuracy = -1.0

  init(_ fix: Fix) {
    horizontalAccuracy = fix.horizontalAccuracyMeters ?? -1
    if let altitudeMeters = fix.altitudeMeters {
      altitude = altitudeMeters
      verticalAccuracy = fix.verticalAccuracyMeters ?? -1
      if verticalAccuracy > 0 { ellipsoidalAltitude = fix.ellipsoidalAltitudeMeters ?? 0 }
    }
    if let metersPerSecond = fix.speedMetersPerSecond {
      speed = metersPerSecond
      speedAccuracy = fix.speedAccuracyMetersPerSecond ?? -1
    }
    if let degrees = fix.courseDegrees {
      course = degrees
      courseAccuracy = fix.courseAccuracyDegrees ?? -1
    }
  }
}

extension AuthorizationStatus {
  /// Apple's name (behaviour 1.1).
  var name: StaticString {
    switch self {
    case .notDetermined: "notDetermined"
    case .restricted: "restricted"
    case .denied: "denied"
    case .authorizedAlways: "authorizedAlways"
    case .authorizedWhenInUse: "authorizedWhenInUse"
    }
  }
}

extension AccuracyAuthorization {
  /// Apple's name (behaviour 1.40).
  var name: StaticString {
    switch self {
    case .full: "fullAccuracy"
    case .reduced: "reducedAccuracy"
    }
  }
}

extension RegionState {
  var name: StaticString {
    switch self {
    case .unknown: "unknown"
    case .inside: "inside"
    case .outside: "outside"
    }
  }
}

extension LocationError {
  /// Apple's name (behaviour 12): that of the case.
  var name: String { "\(self)" }
}

import LocationEngine
import LocationModel

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

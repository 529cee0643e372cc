import LocationEngine

/// Whether an app may use location services (behaviour 1.1 to 1.4).
public enum CLAuthorizationStatus: Int32, Sendable, BitwiseCopyable {
  /// Nobody has been asked yet.
  case notDetermined = 0
  /// Not allowed, and the person in front of the device cannot change that.
  case restricted = 1
  /// Refused for this app, or location services are off (behaviour 1.3).
  case denied = 2
  /// Allowed at any time.
  case authorizedAlways = 3
  /// Allowed while the app is in use.
  case authorizedWhenInUse = 4

  /// The old name of `authorizedAlways`.
  @available(*, deprecated, renamed: "authorizedAlways")
  public static var authorized: CLAuthorizationStatus { .authorizedAlways }
}

extension CLAuthorizationStatus {
  package init(_ status: AuthorizationStatus) {
    switch status {
    case .notDetermined: self = .notDetermined
    case .restricted: self = .restricted
    case .denied: self = .denied
    case .authorizedAlways: self = .authorizedAlways
    case .authorizedWhenInUse: self = .authorizedWhenInUse
    }
  }
}

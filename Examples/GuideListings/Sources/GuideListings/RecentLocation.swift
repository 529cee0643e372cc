import CoreLocation

/// Services tell what they remember before they have found anything. What is older than fifteen seconds is not where
/// the device is; a navigation app would ask for less.
enum RecentLocation {
  static let ageLimitSeconds: TimeInterval = 15

  /// The newest of what was delivered, where it is recent.
  static func last(of locations: [CLLocation], now: Date = Date()) -> CLLocation? {
    guard let location = locations.last, abs(location.timestamp.timeIntervalSince(now)) < ageLimitSeconds else {
      return nil
    }
    return location
  }
}

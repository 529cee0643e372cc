import LocationModel

/// Updates that an app is willing to get later, in one array (behaviour 2.50 to 2.57).
struct Deferral {
  /// Where the app was when it allowed this; the first place after that if none was known (behaviour 2.57).
  var start: Coordinate?
  /// Nil is unlimited.
  let distanceMeters: Double?
  /// Nil is unlimited.
  let deadline: Instant?
  /// What has not been told yet, the oldest first.
  var batch: [Fix] = []

  /// Apple's "unlimited" is the greatest number there is; what no life can reach counts as such.
  init(start: Coordinate?, distanceMeters: Double, timeoutSeconds: Double, at now: Instant) {
    self.start = start
    self.distanceMeters = distanceMeters < 1e9 ? distanceMeters : nil
    deadline = timeoutSeconds < 1e9 ? now.advanced(bySeconds: max(0, timeoutSeconds)) : nil
  }

  func isFarEnough(_ place: Coordinate) -> Bool {
    guard let start, let distanceMeters else { return false }
    return Geodesic.distanceMeters(from: start, to: place) >= distanceMeters
  }
}

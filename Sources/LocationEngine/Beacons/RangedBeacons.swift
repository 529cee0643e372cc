import LocationModel

/// One constraint that one manager ranges (behaviour 6.13).
struct RangedBeacons {
  let constraint: BeaconConstraint
  /// When it is told next; nil while it is not served.
  var nextReport: Instant?
  /// What stands in the way and was said; nil where nothing does.
  var toldObstacle: LocationError?

  init(_ constraint: BeaconConstraint) {
    self.constraint = constraint
  }
}

import LocationModel

/// What apps without full accuracy are given instead of the place: the middle of a square of a fixed grid.
///
/// The grid does not depend on the fix, so that repeated values tell no more than one (behaviour 1.42: quantised, not
/// noise), and a value lives for a quarter of an hour (1.43).
struct CoarseLocation {
  private(set) var fix: Fix?
  private(set) var madeAt: Instant?

  /// Makes the coarse location anew if it is due.
  mutating func update(with precise: Fix, at now: Instant, policy: Policy) {
    if let madeAt, now.seconds(since: madeAt) < policy.coarseIntervalSeconds { return }
    fix = Self.coarsened(precise, policy: policy)
    madeAt = now
  }

  /// The middle of the square that holds the place. Squares are `coarseGridDegrees` high; a row has as many as make
  /// them no wider than high at the row's edge nearest to the equator. Height, speed, course and floor are left out.
  static func coarsened(_ precise: Fix, policy: Policy) -> Fix {
    let step = policy.coarseGridDegrees
    let rowCount = (180 / step).rounded(.up)
    let row = min(rowCount - 1, max(0, ((precise.coordinate.latitude + 90) / step).rounded(.down)))
    let south = -90 + row * step
    let north = min(90, south + step)
    let widest = south <= 0 && north >= 0 ? 0 : min(abs(south), abs(north))
    let columnCount = max(1, (360 * cosineOfDegrees(widest) / step).rounded(.up))
    let width = 360 / columnCount
    let column = min(
      columnCount - 1, max(0, ((precise.coordinate.longitude + 180) / width).rounded(.down)))
    // A fix that is itself vague makes the circle wider, so that it still holds the true place.
    let precision = precise.horizontalAccuracyMeters ?? 0
    let middle = Coordinate(
      latitude: (south + north) / 2, longitude: -180 + (column + 0.5) * width)
    let isCoarseAlready = precise.coordinate == middle && precision >= policy.coarseAccuracyMeters
    let accuracy =
      isCoarseAlready ? precision : policy.coarseAccuracyMeters + (precision > 1_000 ? precision : 0)
    return Fix(
      coordinate: middle,
      horizontalAccuracyMeters: accuracy, time: precise.time, isSimulated: precise.isSimulated,
      isFromAccessory: precise.isFromAccessory)
  }
}

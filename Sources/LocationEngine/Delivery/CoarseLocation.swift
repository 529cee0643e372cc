import LocationModel

/// What apps without full accuracy are given instead of the place: the middle of a square of a fixed grid.
///
/// The grid does not depend on the fix, so that repeated values tell no more than one (behaviour 1.42: quantised, not
/// noise), and a value lives for a quarter of an hour (1.43).
///
/// A device that stands on a line of the grid would be now in one square, now in the other. So a square is held until
/// the device is clearly outside of it. There is one held square for the machine and none for each app: apps that were
/// given different squares for one place could be laid over each other, and would tell that it lies between.
struct CoarseLocation {
  private(set) var fix: Fix?
  private(set) var madeAt: Instant?

  /// Makes the coarse location anew if it is due.
  mutating func update(with precise: Fix, at now: Instant, policy: Policy) {
    if let madeAt, now.seconds(since: madeAt) < policy.coarseIntervalSeconds { return }
    fix = coarsened(precise, policy: policy)
    madeAt = now
  }

  /// The middle of the square that holds the place, or that is held for it. Height, speed, course and floor are left
  /// out.
  func coarsened(_ precise: Fix, policy: Policy) -> Fix {
    let held = fix.map { GridSquare(around: $0.coordinate, policy: policy) }
    let isHeld = held?.contains(precise.coordinate, beyondRatio: policy.coarseHoldRatio) ?? false
    let square = isHeld ? held : nil
    let middle = (square ?? GridSquare(around: precise.coordinate, policy: policy)).middle
    // A fix that is itself vague makes the circle wider, so that it still holds the true place.
    let precision = precise.horizontalAccuracyMeters ?? 0
    let isCoarseAlready = precise.coordinate == middle && precision >= policy.coarseAccuracyMeters
    let accuracy =
      isCoarseAlready ? precision : policy.coarseAccuracyMeters + (precision > 1_000 ? precision : 0)
    return Fix(
      coordinate: middle,
      horizontalAccuracyMeters: accuracy, time: precise.time, isSimulated: precise.isSimulated,
      isFromAccessory: precise.isFromAccessory)
  }
}

/// A square of the fixed grid. Squares are `coarseGridDegrees` high; a row has as many as make them no wider than high
/// at the row's edge nearest to the equator.
struct GridSquare {
  let middle: Coordinate
  private let heightDegrees: Double
  private let widthDegrees: Double

  init(around place: Coordinate, policy: Policy) {
    let step = policy.coarseGridDegrees
    let rowCount = (180 / step).rounded(.up)
    let row = min(rowCount - 1, max(0, ((place.latitude + 90) / step).rounded(.down)))
    let south = -90 + row * step
    let north = min(90, south + step)
    let widest = south <= 0 && north >= 0 ? 0 : min(abs(south), abs(north))
    let columnCount = max(1, (360 * cosineOfDegrees(widest) / step).rounded(.up))
    widthDegrees = 360 / columnCount
    heightDegrees = north - south
    let column = min(columnCount - 1, max(0, ((place.longitude + 180) / widthDegrees).rounded(.down)))
    middle = Coordinate(latitude: (south + north) / 2, longitude: -180 + (column + 0.5) * widthDegrees)
  }

  /// Whether a place is inside, or not farther out than this part of a side.
  func contains(_ place: Coordinate, beyondRatio ratio: Double) -> Bool {
    let apart = abs(place.longitude - middle.longitude)
    return abs(place.latitude - middle.latitude) <= heightDegrees * (0.5 + ratio)
      && min(apart, 360 - apart) <= widthDegrees * (0.5 + ratio)
  }
}

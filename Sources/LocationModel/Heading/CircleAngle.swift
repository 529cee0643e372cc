/// Directions in degrees, which begin anew at 360.
package enum CircleAngle {
  /// The same direction in [0, 360); NaN stays NaN.
  package static func normalized(_ degrees: Double) -> Double {
    let rest = degrees.truncatingRemainder(dividingBy: 360)
    let positive = rest < 0 ? rest + 360 : rest
    // A tiny negative angle rounds up to a whole turn.
    return positive >= 360 ? 0 : positive
  }

  /// The shorter way between two directions, in [0, 180] (behaviour 7.4: from 359 to 1 are 2 degrees).
  package static func difference(_ first: Double, _ second: Double) -> Double {
    let apart = normalized(first - second)
    return min(apart, 360 - apart)
  }

  /// The mean direction, of the directions as unit vectors; nil where there are none, or where they cancel each other.
  package static func mean(_ degrees: some Sequence<Double>) -> Double? {
    var north = 0.0
    var east = 0.0
    var count = 0.0
    for direction in degrees {
      let (sine, cosine) = sineAndCosineOfDegrees(direction)
      north += cosine
      east += sine
      count += 1
    }
    guard north * north + east * east > 1e-12 * count * count else { return nil }
    return normalized(arctangentDegrees(y: east, x: north))
  }
}

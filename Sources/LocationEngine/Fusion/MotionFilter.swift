import LocationModel

/// A Kalman filter of a point that keeps its velocity but for random pushes, on a plane.
///
/// East and north have the same noise and never mix, so they share one covariance of place and velocity. What the
/// filter is for is decided by its owner: telling a bad fix from a good one, or making a smoother place.
struct MotionFilter {
  private var plane: LocalPlane
  private var east: Double
  private var north: Double
  private var eastVelocity = 0.0
  private var northVelocity = 0.0
  private var placeVariance: Double
  private var mixedVariance = 0.0
  private var velocityVariance: Double
  /// Strength of the pushes, in m²/s³.
  private let pushes: Double

  /// A first place with its variance an axis. Nothing is known of the velocity but that it is no faster than
  /// `speedMetersPerSecondMax`, taken as three standard deviations.
  init(
    place: Coordinate, varianceSquareMeters: Double, speedMetersPerSecondMax: Double,
    pushesSquareMetersPerCubicSecond: Double
  ) {
    plane = LocalPlane(origin: place)
    east = 0
    north = 0
    placeVariance = varianceSquareMeters
    let deviation = speedMetersPerSecondMax / 3
    velocityVariance = deviation * deviation
    pushes = pushesSquareMetersPerCubicSecond
  }

  var place: Coordinate {
    plane.place(eastMeters: east, northMeters: north)
  }

  /// The 68 % radius of the place: 1.515 standard deviations of an axis, since the distance of two normal errors of
  /// one deviation is within r with probability 1 - exp(-r²/2), and that is 0.6827 at r = 1.515.
  var accuracyMeters: Double {
    placeVariance.squareRoot() * Self.radiusPerDeviation
  }

  /// √(-2 ln(1 - 0.6827))
  static let radiusPerDeviation = 1.515

  mutating func pass(seconds: Double) {
    east += eastVelocity * seconds
    north += northVelocity * seconds
    let squared = seconds * seconds
    placeVariance += 2 * seconds * mixedVariance + squared * velocityVariance + pushes * squared * seconds / 3
    mixedVariance += seconds * velocityVariance + pushes * squared / 2
    velocityVariance += pushes * seconds
  }

  /// How far a measured place is from the expected one, squared, in units of the variance that the two together have:
  /// chi-square with two degrees of freedom if both are right.
  func surprise(at measured: Coordinate, varianceSquareMeters: Double) -> Double {
    let seen = plane.meters(to: measured)
    let squared = (seen.east - east) * (seen.east - east) + (seen.north - north) * (seen.north - north)
    return squared / (placeVariance + varianceSquareMeters)
  }

  mutating func learn(place measured: Coordinate, varianceSquareMeters: Double) {
    let seen = plane.meters(to: measured)
    let total = placeVariance + varianceSquareMeters
    let placeGain = placeVariance / total
    let velocityGain = mixedVariance / total
    eastVelocity += velocityGain * (seen.east - east)
    northVelocity += velocityGain * (seen.north - north)
    east += placeGain * (seen.east - east)
    north += placeGain * (seen.north - north)
    velocityVariance -= velocityGain * mixedVariance
    mixedVariance *= 1 - placeGain
    placeVariance *= 1 - placeGain
    recenterIfFar()
  }

  /// A velocity measured at a place, as the Doppler shift gives it.
  mutating func learn(
    eastVelocity localEast: Double, northVelocity localNorth: Double, at measured: Coordinate, variance: Double
  ) {
    let (seenEast, seenNorth) = Self.turned(
      east: localEast, north: localNorth, degrees: plane.northDegrees(at: measured))
    let total = velocityVariance + variance
    let placeGain = mixedVariance / total
    let velocityGain = velocityVariance / total
    east += placeGain * (seenEast - eastVelocity)
    north += placeGain * (seenNorth - northVelocity)
    eastVelocity += velocityGain * (seenEast - eastVelocity)
    northVelocity += velocityGain * (seenNorth - northVelocity)
    placeVariance -= placeGain * mixedVariance
    mixedVariance *= 1 - velocityGain
    velocityVariance *= 1 - velocityGain
  }

  /// The plane follows every 10 km, so that it stays flat enough (algorithms 2.3).
  private mutating func recenterIfFar() {
    guard east * east + north * north > 1e8 else { return }
    let center = place
    let turn = -plane.northDegrees(at: center)
    (eastVelocity, northVelocity) = Self.turned(east: eastVelocity, north: northVelocity, degrees: turn)
    plane = LocalPlane(origin: center)
    east = 0
    north = 0
  }

  /// The same direction so many degrees further clockwise.
  private static func turned(east: Double, north: Double, degrees: Double) -> (east: Double, north: Double) {
    guard degrees != 0 else { return (east, north) }
    let (sine, cosine) = sineAndCosineOfDegrees(degrees)
    return (east * cosine + north * sine, north * cosine - east * sine)
  }
}

import Glibc
import LocationModel

/// The error of a made-up receiver: a slow wander that remembers itself for a minute, and a metre of noise on top
/// (algorithms 1.3). The same seed gives the same errors.
package struct ReceiverNoise: Sendable {
  private static let memorySeconds = 60.0
  private static let whiteMeters = 1.0
  /// 68 % of a two-dimensional normal error lie within so many deviations of one axis.
  static let radiusPerDeviation = (-2 * log(0.32)).squareRoot()

  private var generator: SeededGenerator
  private var north = 0.0
  private var east = 0.0
  private var lastAt: Instant?

  package init(seed: UInt64) {
    generator = SeededGenerator(state: seed)
  }

  /// A measured place: off by as much as its accuracy, a 68 % radius, promises.
  package mutating func moved(_ place: Coordinate, accuracyMeters: Double, at now: Instant) -> Coordinate {
    let total = accuracyMeters / Self.radiusPerDeviation
    let wander = max(0, total * total - Self.whiteMeters * Self.whiteMeters).squareRoot()
    let kept = lastAt.map { exp(-max(0, now.seconds(since: $0)) / Self.memorySeconds) } ?? 0
    let renewed = (1 - kept * kept).squareRoot()
    north = kept * north + renewed * generator.normal()
    east = kept * east + renewed * generator.normal()
    lastAt = now
    let northMeters = wander * north + Self.whiteMeters * generator.normal()
    let eastMeters = wander * east + Self.whiteMeters * generator.normal()
    return Geodesic.destination(
      from: place, azimuthDegrees: atan2(eastMeters, northMeters) * 180 / .pi,
      distanceMeters: (northMeters * northMeters + eastMeters * eastMeters).squareRoot())
  }
}

/// SplitMix64 (Steele, Lea, Flood 2014): small, and the same everywhere.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  package var state: UInt64

  package init(state: UInt64) {
    self.state = state
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number of the normal distribution with mean 0 and deviation 1 (Box and Muller's method).
  package mutating func normal() -> Double {
    let first = (Double(next() >> 11) + 0.5) * 0x1p-53
    let second = (Double(next() >> 11) + 0.5) * 0x1p-53
    return (-2 * log(first)).squareRoot() * cos(2 * .pi * second)
  }
}

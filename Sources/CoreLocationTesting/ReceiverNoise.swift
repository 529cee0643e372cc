import Foundation
import LocationModel

/// The error of a made-up receiver: a slow wander that remembers itself for a minute, and a metre of noise on top
/// (algorithms 1.3). The same seed gives the same errors.
struct ReceiverNoise {
  private static let memorySeconds = 60.0
  private static let whiteMeters = 1.0

  private var generator: SeededGenerator
  private var north = 0.0
  private var east = 0.0
  private var lastAt: Instant?

  init(seed: UInt64) {
    generator = SeededGenerator(state: seed)
  }

  /// A measured place: off by as much as its accuracy, a 68 % radius, promises.
  mutating func moved(_ place: Coordinate, accuracyMeters: Double, at now: Instant) -> Coordinate {
    // 68 % of a two-dimensional normal error lie within 1.51 deviations of one axis: sqrt(-2 ln 0.32).
    let total = accuracyMeters / (-2 * log(0.32)).squareRoot()
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
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number of the normal distribution with mean 0 and deviation 1 (Box and Muller's method).
  mutating func normal() -> Double {
    let first = (Double(next() >> 11) + 0.5) * 0x1p-53
    let second = (Double(next() >> 11) + 0.5) * 0x1p-53
    return (-2 * log(first)).squareRoot() * cos(2 * .pi * second)
  }
}

import CGeographic

/// Probabilities of normal errors. One place for libm's functions of chance below Foundation.
package enum NormalDistribution {
  /// That an error is no more than so many standard deviations above its mean.
  package static func probability(upToDeviations deviations: Double) -> Double {
    geographic_normal_probability(deviations)
  }

  /// That the true place lies in a circle of radius `radius` around a centre `distance` away from the measured one,
  /// where the error has a standard deviation of `deviation` along each of two axes. All in one unit.
  ///
  /// The chance to be nearer than ρ in one direction is 1 - exp(-ρ²/2σ²); the mean over all directions of what
  /// lies between the two crossings of a ray with the edge is the chance to be inside. Midpoint rule, right to 0.01.
  package static func probabilityInCircle(radius: Double, distance: Double, deviation: Double) -> Double {
    guard deviation > 0 else { return distance <= radius ? 1 : 0 }
    let isInside = distance <= radius
    var sum = 0.0
    for step in 0..<stepCount {
      let angleDegrees = (Double(step) + 0.5) * 180 / Double(stepCount)
      let along = distance * cosineOfDegrees(angleDegrees)
      let across = distance * cosineOfDegrees(90 - angleDegrees)
      let halfChordSquared = radius * radius - across * across
      guard halfChordSquared >= 0 else { continue }
      let halfChord = halfChordSquared.squareRoot()
      let far = beyond(along + halfChord, deviation: deviation)
      sum += isInside ? 1 - far : along > 0 ? beyond(along - halfChord, deviation: deviation) - far : 0
    }
    return sum / Double(stepCount)
  }

  private static let stepCount = 64

  /// The chance to be farther than so much in whatever direction.
  private static func beyond(_ distance: Double, deviation: Double) -> Double {
    let ratio = distance / deviation
    return geographic_exponential(-ratio * ratio / 2)
  }
}

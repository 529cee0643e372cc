import LocationModel

/// Decides which fixes of one source are believed.
///
/// A fix that is too far from where the device can be, given the errors of both, is refused; after some refusals in a
/// row it is the belief that was wrong, and the newest fix begins a new one. Recordings and fixed places are taken as
/// they stand. A satellite receiver filters its own positions, so its good fixes are handed on untouched; positions
/// that were each computed for themselves are smoothed.
package struct SourceBelief {
  private var filter: MotionFilter?
  private var time: WallTime?
  private var refusedInARow = 0

  package init() {}

  /// The fix as it is to be used, or nil for one that is not believed.
  package mutating func consider(_ fix: Fix, policy: Policy) -> Fix? {
    guard fix.source != .recording else { return fix }
    let variance = Self.variance(of: fix, policy: policy)
    guard var filter, let time, let seconds = Self.step(from: time, to: fix.time, policy: policy) else {
      return begin(with: fix, variance: variance, policy: policy)
    }
    filter.pass(seconds: seconds)
    guard filter.surprise(at: fix.coordinate, varianceSquareMeters: variance) <= policy.surpriseMax else {
      refusedInARow += 1
      return refusedInARow < policy.refusedFixesMax ? nil : begin(with: fix, variance: variance, policy: policy)
    }
    refusedInARow = 0
    filter.learn(place: fix.coordinate, varianceSquareMeters: variance)
    learnVelocity(of: fix, &filter, policy: policy)
    self.filter = filter
    self.time = fix.time
    return fix.source == .network ? smoothed(fix, by: filter, policy: policy) : fix
  }

  private mutating func begin(with fix: Fix, variance: Double, policy: Policy) -> Fix {
    var filter = MotionFilter(
      place: fix.coordinate, varianceSquareMeters: variance,
      speedMetersPerSecondMax: policy.speedMetersPerSecondMax,
      pushesSquareMetersPerCubicSecond: fix.source == .network
        ? policy.pushesSquareMetersPerCubicSecond : policy.gatePushesSquareMetersPerCubicSecond)
    learnVelocity(of: fix, &filter, policy: policy)
    self.filter = filter
    time = fix.time
    refusedInARow = 0
    return fix
  }

  /// Seconds between two fixes; nil where they do not follow each other: after a pause nothing is expected any more.
  private static func step(from earlier: WallTime, to later: WallTime, policy: Policy) -> Double? {
    let seconds = later.seconds(since: earlier)
    return seconds >= 0 && seconds <= policy.beliefSecondsMax ? seconds : nil
  }

  /// Variance of an axis. An unknown accuracy counts as a bad one here; it stays unknown for the app.
  private static func variance(of fix: Fix, policy: Policy) -> Double {
    let accuracy = max(fix.horizontalAccuracyMeters ?? policy.unknownAccuracyMeters, 0.1)
    let deviation = accuracy / MotionFilter.radiusPerDeviation
    return deviation * deviation
  }

  private func learnVelocity(of fix: Fix, _ filter: inout MotionFilter, policy: Policy) {
    guard fix.source != .locationService, let speed = fix.speedMetersPerSecond, let course = fix.courseDegrees else {
      return
    }
    let deviation = max(fix.speedAccuracyMetersPerSecond ?? policy.dopplerMetersPerSecond, 0.05)
    filter.learn(
      eastVelocity: speed * cosineOfDegrees(90 - course), northVelocity: speed * cosineOfDegrees(course),
      at: fix.coordinate, variance: deviation * deviation)
  }

  /// Never claims to be much better than the source says it is (algorithms 2.3).
  private func smoothed(_ fix: Fix, by filter: MotionFilter, policy: Policy) -> Fix {
    var smoothed = fix
    smoothed.coordinate = filter.place
    if let accuracy = fix.horizontalAccuracyMeters {
      smoothed.horizontalAccuracyMeters = max(filter.accuracyMeters, accuracy * policy.smoothingGainMin)
    }
    return smoothed
  }
}

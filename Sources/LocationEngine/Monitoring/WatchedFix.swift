import LocationModel

/// A fix as circles look at it: worked out once, however many circles there are.
package struct WatchedFix: Sendable {
  package let coordinate: Coordinate
  package let point: EarthCenteredPoint
  /// 68 % radius; what a fix that names none counts as is policy.
  package let accuracyMeters: Double
  /// No faster than this at that moment; nil where the receiver did not say.
  package let speedMetersPerSecondMax: Double?
  /// Direction of travel, degrees clockwise from north; nil where the receiver did not say.
  package let courseDegrees: Double?
  /// When it came.
  package let instant: Instant
  /// When it was measured; two fixes of one time are one measurement.
  package let time: WallTime

  package init(_ fix: Fix, at instant: Instant, policy: Policy) {
    coordinate = fix.coordinate
    point = EarthCenteredPoint(fix.coordinate)
    accuracyMeters = max(fix.horizontalAccuracyMeters ?? policy.unknownAccuracyMeters, 0.1)
    // What another service made from two places says nothing of the moment.
    if fix.source != .locationService, let speed = fix.speedMetersPerSecond {
      speedMetersPerSecondMax = speed + 2 * (fix.speedAccuracyMetersPerSecond ?? policy.dopplerMetersPerSecond)
    } else {
      speedMetersPerSecondMax = nil
    }
    courseDegrees = fix.source == .locationService ? nil : fix.courseDegrees
    self.instant = instant
    time = fix.time
  }

  /// Standard deviation of an axis.
  var deviationMeters: Double { accuracyMeters / MotionFilter.radiusPerDeviation }
}

/// What receivers cost (algorithms 1.3; anchors in 1.1). For now the one receiver of this version: GNSS.
package enum EnergyModel {
  /// Searching for satellites: 50 mA at 3.85 V.
  package static let gnssAcquireWatts = 0.190
  /// Following them under open sky, one fix a second.
  package static let gnssTrackWatts = 0.060
  /// Time to the first fix: from cold, after days without one, and within two hours of the last.
  package static let gnssColdStartSeconds = 28.0
  package static let gnssWarmStartSeconds = 6.0
  package static let gnssHotStartSeconds = 2.0
  package static let gnssHotSecondsMax = 7_200.0
  package static let gnssWarmSecondsMax = 345_600.0
  /// Waking the host for a fix.
  package static let wakeJoulesPerFix = 0.020

  /// Joules of a GNSS receiver that was on the whole time, from a cold start, and woke the host for each fix.
  package static func alwaysOnGNSSJoules(seconds: Double, fixCount: Int) -> Double {
    let acquiring = min(max(0, seconds), gnssColdStartSeconds)
    let tracking = max(0, seconds - acquiring)
    return acquiring * gnssAcquireWatts + tracking * gnssTrackWatts + Double(fixCount) * wakeJoulesPerFix
  }

  /// How long the satellites are searched for after so many seconds without a fix.
  package static func gnssStartSeconds(afterOffSeconds seconds: Double) -> Double {
    if seconds <= gnssHotSecondsMax { return gnssHotStartSeconds }
    return seconds <= gnssWarmSecondsMax ? gnssWarmStartSeconds : gnssColdStartSeconds
  }
}

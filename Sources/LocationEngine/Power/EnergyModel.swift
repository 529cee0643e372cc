/// What receivers cost and how far they are off (algorithms 1.3; anchors in 1.1). The values are those of a phone of
/// today; other devices have a profile of their own.
package struct EnergyModel: Hashable, Sendable {
  /// Searching for satellites: 50 mA at 3.85 V.
  package var satelliteAcquireWatts = 0.190
  /// Following them under open sky, one fix a second, and between or behind walls.
  package var satelliteTrackWatts = 0.060
  package var satelliteWeakTrackWatts = 0.115
  /// Time to the first fix: from cold, after days without one, and within two hours of the last.
  package var satelliteColdStartSeconds = 28.0
  package var satelliteWarmStartSeconds = 6.0
  package var satelliteHotStartSeconds = 2.0
  package var satelliteHotSecondsMax = 7_200.0
  package var satelliteWarmSecondsMax = 345_600.0
  /// How often a search in a building finds nothing.
  package var satelliteIndoorMissProbability = 0.6
  /// How long the receiver stays on after nobody wants it any more.
  package var satelliteLingerSeconds = 0.0
  /// Waking the host for a fix.
  package var wakeJoulesPerFix = 0.020
  /// Handing it over with many others.
  package var collectedJoulesPerFix = 0.002

  /// One scan: 385 mW for 1.5 s; and the network that is asked about what was heard, where it is not known yet.
  package var wirelessScanJoules = 0.6
  package var wirelessScanSeconds = 1.5
  package var wirelessLookupJoules = 0.3
  /// 68 % of places found by Wi-Fi are within the first, 95 % within the second.
  package var wirelessAccuracyMeters = 38.0
  package var wirelessAccuracy95Meters = 61.0

  /// One look at the serving cell.
  package var cellReadJoules = 0.005
  package var cellReadSeconds = 0.1
  package var cellAccuracyMeters = 400.0
  package var cellAccuracy95Meters = 1_500.0

  /// Listening for beacons, for as long as the radio does; nothing is added for what it hears.
  package var beaconScanWatts = 0.030
  /// The motion sensor, and how long nothing moves until it says so.
  package var motionWatts = 0.0005
  package var motionStillSeconds = 30.0

  package init() {}

  /// Joules of a satellite receiver that was on the whole time, from a cold start, and woke the host for each fix.
  package func alwaysOnSatelliteJoules(seconds: Double, fixCount: Int) -> Double {
    let acquiring = min(max(0, seconds), satelliteColdStartSeconds)
    let tracking = max(0, seconds - acquiring)
    return acquiring * satelliteAcquireWatts + tracking * satelliteTrackWatts + Double(fixCount) * wakeJoulesPerFix
  }

  /// How long the satellites are searched for after so many seconds without a fix.
  package func satelliteStartSeconds(afterOffSeconds seconds: Double) -> Double {
    if seconds <= satelliteHotSecondsMax { return satelliteHotStartSeconds }
    return seconds <= satelliteWarmSecondsMax ? satelliteWarmStartSeconds : satelliteColdStartSeconds
  }
}

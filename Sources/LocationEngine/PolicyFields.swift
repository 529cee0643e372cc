/// Every number and every choice of the engine that Apple does not publish or that changed with iOS, in one value.
///
/// The numbers come from `behaviour.md` where it has one; where sources disagree the field says what was chosen.
/// `PolicyFields(era:)` sets the rules of an iOS generation; single fields may then be changed.
package struct PolicyFields: Hashable, Sendable {
  package var era: Era

  // MARK: Asking

  /// Which Info.plist keys `requestAlwaysAuthorization` needs (behaviour 1.8).
  package var alwaysUsageKeys: AlwaysUsageKeys
  /// What the first prompt offers (behaviour 1.10; before iOS 13 only Allow and Don't Allow).
  package var firstPrompt: FirstPrompt
  /// Whether the first prompt lets the person turn Precise off, and `NSLocationDefaultAccuracyReduced` counts
  /// (behaviour 1.46): reduced accuracy came with iOS 14, so true in era 18 only.
  package var firstPromptOffersPrecise: Bool
  /// What `requestAlwaysAuthorization` does for an app that has While Using (behaviour 1.15).
  package var alwaysEscalation: AlwaysEscalation
  /// Services that need Always even while the app is in use (behaviour 1.21): true before iOS 13.
  package var monitoringNeedsAlways: Bool

  /// A held event older than this is dropped instead of delivered once Always is confirmed: "too old"
  /// (behaviour 1.14). Chosen: an hour.
  package var heldForAlwaysSecondsMax = 3_600.0

  // MARK: In use

  /// How long an app counts as in use after it left the foreground: "a few seconds" (behaviour 1.19). Chosen.
  package var inUseGraceSeconds = 5.0

  // MARK: In the background

  /// How long an app runs after it left the foreground, if nothing else keeps it running (behaviour 3.9: about 5 s).
  package var backgroundEntrySeconds = 5.0
  /// How long it runs for an event that it was launched or woken for (behaviour 3.6: about 10 s).
  package var wakeWindowSeconds = 10.0
  /// How long open background tasks keep it running after that (behaviour 3.7: about 30 s, and 180 s on iOS 7 to 12).
  package var backgroundTaskSeconds: Double
  /// How long a task may stay open after it was told that its time is over, before its app is killed (behaviour 3.7 has
  /// no number). Chosen.
  package var expirationGraceSeconds = 5.0
  /// Open background tasks of one app. A bound against runaway programs.
  package var backgroundTasksPerAppMax = 1_000
  /// Whether an app that the person ended is started for events (behaviour 3.14: yes by the header, iOS 26 does not).
  package var relaunchesAfterForceQuit = true
  /// So many starts for events ...
  package var crashLoopStartsMax = 5
  /// ... within so long are a crash loop, and the app is not started ...
  package var crashLoopSeconds = 60.0
  /// ... for so long. Chosen, all three.
  package var crashLoopBackOffSeconds = 300.0
  /// How long after its launch an app may take up the sessions of its last process (behaviour 9.26: a few seconds).
  package var sessionRejoinSeconds = 5.0
  /// Whether Always takes a `CLServiceSession` for it to be in effect for the async API (behaviour 9.23: from iOS 18).
  package var alwaysNeedsServiceSession: Bool

  // MARK: Standard updates

  /// A cached fix younger than this counts as the initial fix, so that the distance filter is measured from it;
  /// an older one is delivered, but the next fresh fix follows in any case (behaviour 2.4 names 15 s).
  package var freshFixSecondsMax = 15.0
  /// Within the distance filter a fix is still delivered when its error is at most this part of the delivered
  /// one's (behaviour 2.3, 2.9 say "more accurate"; how much is not published). Chosen: half.
  package var accuracyImprovementRatio = 0.5
  /// Silence of the receivers after which a waiting app hears `locationUnknown`, once (behaviour 2.13; field
  /// reports of GC-04 wait 10 s).
  package var firstFixTimeoutSeconds = 10.0
  /// Fixes kept for a suspended app, newest last (behaviour 2.16). Chosen.
  package var suspendedFixesMax = 1_000
  /// How often the last fix is handed to the store while fixes come. Chosen: the store is not worn by 1 Hz.
  package var lastFixStoreIntervalSeconds = 60.0

  // MARK: One location

  /// When `requestLocation` gives up waiting for a better fix (behaviour 2.32).
  package var requestLocationTimeoutSeconds = 10.0
  /// What `kCLLocationAccuracyBest` accepts at once in `requestLocation`: a good open-sky fix (algorithms 1.3:
  /// 3 to 5 m). Chosen; Apple mostly takes the whole wait (behaviour 2.32).
  package var bestAccuracyMeters = 5.0

  // MARK: Pausing and deferring

  /// Rest after which updates pause (behaviour 2.42: 10 to 20 minutes; algorithms 7: 10).
  package var pauseSeconds = 600.0
  /// The same for `automotiveNavigation`: a traffic jam is not the end of a journey (algorithms 7: 15 minutes).
  package var pauseAutomotiveSeconds = 900.0
  /// A device rests while its fixes stay within so many metres, or within their own error (algorithms 1.3: 95 % of
  /// fixes indoors are within 45 m).
  package var stillMeters = 50.0
  /// Fixes with a greater error say nothing about rest. Chosen: those of Wi-Fi count, those of cell towers do not.
  package var stillAccuracyMetersMax = 100.0
  /// What ends a pause (behaviour 2.43).
  package var pausedUpdatesResume = PausedUpdatesResume.onStartOrForeground
  /// How often a pause that ends by itself is looked into (algorithms 1.2: LocoKit's minute).
  package var pausedLookSeconds = 60.0
  /// Fixes kept by deferred updates before they are told early (behaviour 2.55 knows that there is an end). Chosen.
  package var deferredFixesMax = 1_000

  // MARK: Monitoring

  /// Metres between two significant changes (behaviour 4.1).
  package var significantChangeMeters = 500.0
  /// Seconds between two significant changes (behaviour 4.1: five minutes).
  package var significantChangeIntervalSeconds = 300.0
  /// After so long without a significant change the last location is told again; 0 never does (behaviour 4.4: Apple's
  /// guide says 15 minutes, its engineers that nothing is promised).
  package var significantChangeWakeSeconds = 0.0
  /// How long a device rests until its place is looked for: most rests of a car are shorter. Chosen.
  package var significantChangeRestSeconds = 150.0
  /// A device whose speed is not known gets on at so much, as far as significant changes expect: a car in a town.
  /// Chosen.
  package var significantChangeMetersPerSecond = 10.0
  /// How much farther than the distance of a change it is expected to go until it is that far away: no way is straight.
  /// Chosen.
  package var significantChangeDetourRatio = 1.1
  /// Nor does it keep its course: it may turn by so much towards where it is that far away sooner. Chosen.
  package var significantChangeTurnDegrees = 45.0
  /// How often services that let the receivers sleep look, at first and at the least: the greater one is their lateness
  /// (algorithms 1.4). Chosen.
  package var lookIntervalSeconds = 60.0
  package var lookIntervalSecondsMax = 300.0
  /// A look without a fix is given up after so long: more than a receiver's cold start (algorithms 1.2: at least 45 s).
  package var lookGiveUpSeconds = 45.0

  // MARK: Sparing receivers

  /// A place found so shortly before the motion sensor says that the device rests is where it rests (algorithms 1.2:
  /// AOSP's 30 s).
  package var restingFixSecondsMax = 30.0
  /// A search for satellites that were followed within two hours is given up after so long, where other receivers can
  /// stand in or the device rests (algorithms 1.2: 15 to 20 s) ...
  package var hotLookGiveUpSeconds = 20.0
  /// Where Wi-Fi is good enough it joins a search that has lasted by so much longer than a start does. Chosen.
  package var searchHelpSeconds = 12.0
  /// ... and the pauses between searches in vain grow up to so much. Chosen.
  package var searchPauseSecondsMax = 900.0
  /// A receiver sleeps for a coarse wish, or a distance filter, as long as the device is not likely to have gone so
  /// far: it is taken to gather speed by this much a second (algorithms 1.4 bounds by 2.5 m/s²; a wish is no bound) ...
  package var plannedAccelerationMetersPerSquareSecond = 0.6
  /// ... up to so many times the mean speed of the last minutes ...
  package var plannedSpeedRatio = 1.6
  package var plannedSpeedMemorySeconds = 300.0
  /// ... which counts as this at least. Chosen: somebody who walks may ride in a moment.
  package var plannedSpeedMetersPerSecondMin = 3.0
  /// For a distance filter it sleeps as long as it takes at the speed that the device has, or had on average, which
  /// counts as this at least (algorithms 1.4: t = d / v). Chosen: a walk.
  package var filterSpeedMetersPerSecondMin = 1.4
  /// A long start of satellites pays where short ones follow within so long. Chosen.
  package var satelliteStartSpreadSeconds = 3_600.0
  /// A place nearer to the last one than this part of what is asked for is no news. Chosen.
  package var quietRatio = 0.5
  /// A receiver is not switched off for less than twice its next start and this (algorithms 1.4: 3 s).
  package var plannedSleepSecondsMin = 3.0
  /// How long a rest lasts before a look is made for a visit: longer than a red light. Chosen.
  package var visitRestSeconds = 60.0

  /// A place is so large at least (algorithms 7: 75 m).
  package var visitRadiusMeters = 75.0
  /// Or so many times the error of the fixes (algorithms 7: twice).
  package var visitAccuracyFactor = 2.0
  /// Fixes with a greater error say nothing about a stay. Chosen.
  package var visitAccuracyMetersMax = 200.0
  /// A stay is one after so long (algorithms 7: five minutes).
  package var visitArrivalSeconds = 300.0
  /// It has ended this far outside (algorithms 7: 50 m) ...
  package var visitDepartureMeters = 50.0
  /// ... for so long (algorithms 7: a minute) ...
  package var visitDepartureSeconds = 60.0
  /// ... unless the device is back so soon (algorithms 7: three minutes).
  package var visitMergeSeconds = 180.0
  /// The least radius that is told of a place (algorithms 7: LocoKit's 10 m).
  package var visitRadiusMetersMin = 10.0
  /// How often the receivers look for an arrival: three looks and a fix make 8 minutes at most, and algorithms 7 wants
  /// 10. Chosen.
  package var visitLookIntervalSeconds = 120.0
  /// Visits kept for an app that cannot be told. Chosen.
  package var heldVisitsMax = 100

  /// Conditions that an app's monitors may have watched (behaviour 9.39).
  package var conditionsPerAppMax = 20
  /// Monitors of one app. A bound against runaway programs.
  package var monitorsPerAppMax = 100

  // MARK: Reduced accuracy

  /// Side of the squares that coarse locations are snapped to, in degrees of latitude: 5.6 km (behaviour 1.42
  /// says about 5 km).
  package var coarseGridDegrees = 0.05
  /// How far beyond the edge of its last square a device has to be for another one, as a part of a side: 560 m, more
  /// than fixes of one place stray. Chosen: as large as the circle allows.
  package var coarseHoldRatio = 0.1
  /// Accuracy given with a coarse location: beyond the half diagonal of a square with the strip around it (4.7 km), so
  /// that the circle holds the true place (behaviour 1.42).
  package var coarseAccuracyMeters = 5_000.0
  /// Coarse locations are made anew four times an hour (behaviour 1.43).
  package var coarseIntervalSeconds = 900.0

  // MARK: Believing a fix

  /// A fix is refused when its distance from the expected place, squared, is more than this many times the variance
  /// of an axis: the 99.9 % point of chi-square with two degrees of freedom (algorithms 2.3: 13.8).
  package var surpriseMax = 13.8
  /// So many refusals in a row mean that the belief is wrong and not the fixes (algorithms 2.3: 5).
  package var refusedFixesMax = 5
  /// Random pushes of a device whose kind of motion is not known, in m²/s³ (algorithms 2.3: 4).
  package var pushesSquareMetersPerCubicSecond = 4.0
  /// The same where the filter only tells bad fixes from good ones: nothing that a car can do may look like a bad fix.
  /// Chosen: braking at 8 m/s² for half a second or so, again and again.
  package var gatePushesSquareMetersPerCubicSecond = 30.0
  /// The fastest plausible device (algorithms 2.3: 100 m/s, 340 in the air).
  package var speedMetersPerSecondMax = 100.0
  /// After so long without a fix nothing is expected of the next one. Chosen: a minute.
  package var beliefSecondsMax = 60.0
  /// What a fix that names no accuracy counts as, among fixes only; apps are still told that it is unknown. Chosen.
  package var unknownAccuracyMeters = 50.0
  /// Error of a Doppler speed for which the receiver names none (algorithms 2.3: 0.3 m/s).
  package var dopplerMetersPerSecond = 0.3
  /// A smoothed place is never said to be better than this part of what its source says (algorithms 2.3: 0.7).
  package var smoothingGainMin = 0.7
  /// A source that was silent for longer is left for any other (algorithms 2.1: AOSP's 11 s).
  package var sourceSilenceSecondsMax = 11.0
  /// Another source is clearly better when its error is at most this part. Chosen: half.
  package var sourceSwitchRatio = 0.5

  // MARK: Airplane mode

  /// Whether receivers that send nothing go on in airplane mode: gpsd, serial ports, recordings (behaviour 3.12 knows
  /// only that location may be away). Chosen: a receiver on a wire is no radio that an airline forbids.
  package var wiredReceiversInAirplaneMode = true

  // MARK: Regions

  /// Regions of one app, circles and beacons together (behaviour 5.1).
  package var regionsPerAppMax = 20
  /// The greatest radius that is watched. Chosen: Apple's is not published (behaviour 5.19); up to here the cheap
  /// bounds on distances hold.
  package var regionRadiusMetersMax = 1_000_000.0
  /// A fix counts for being inside from this probability on (algorithms 6: Google Play services, 85 %).
  package var regionEntryProbability = 0.85
  /// A fix counts for being outside up to this probability of being inside (algorithms 6: the same, 15 %).
  package var regionExitProbability = 0.15
  /// How far beyond the edge a fix has to be: this part of the radius, within the two bounds below (behaviour 5.15 has
  /// such a cushion, 5.16 no size; algorithms 6).
  package var regionCushionRatio = 0.1
  package var regionCushionMetersMin = 20.0
  package var regionCushionMetersMax = 100.0
  /// Inside a small circle the cushion is at most this part of the radius, or nobody could enter it. Chosen.
  package var regionInnerCushionRatioMax = 0.25
  /// How long fixes have to say the same before a crossing is told (behaviour 5.15).
  package var regionHoldSeconds = 20.0
  /// How many of them at least: time alone proves nothing (algorithms 6).
  package var regionHoldFixesMin = 2
  /// A way between two fixes is followed through a circle where no more time lies between them. Chosen.
  package var regionPassSecondsMax = 120.0
  /// How much longer than the straight line the way between two such fixes may have been, where their speeds agree with
  /// the straight line. Chosen.
  package var regionPassDetourRatio = 1.1
  /// How far the courses at both ends may be off the straight line. Chosen.
  package var regionPassCourseDegreesMax = 20.0
  /// Errors within so many accuracies are reckoned with when a receiver sleeps: 99 % of a normal error. Chosen.
  package var regionErrorsPerAccuracy = 2.0
  /// A receiver is not switched off for less (algorithms 6: 3 s).
  package var regionSleepSecondsMin = 3.0
  /// How long after the device can be at an edge the receivers wake: what a stay of 60 s leaves beside the hold of
  /// 20 s, a Wi-Fi scan of 4 s, a cold start of 28 s (algorithms 1.3) and 3 s for fixes.
  package var regionSlackSeconds = 5.0
  /// How fast a device gathers speed at most (algorithms 1.4: 2.5 m/s²).
  package var regionAccelerationMetersPerSquareSecondMax = 2.5
  /// Within so far from an edge satellites are asked, beyond it Wi-Fi, beyond the second cell towers (algorithms 6).
  package var regionSatelliteMetersMax = 300.0
  package var regionWirelessMetersMax = 3_000.0
  /// A fix that is vaguer than this and too near to an edge to tell is followed by a finer one at once. Chosen: Wi-Fi's
  /// error (algorithms 1.3: 38 m).
  package var regionVagueAccuracyMeters = 30.0
  /// A device that came to rest too near to an edge to tell is looked for so long: no movement will tell where it is.
  /// Chosen: three holds.
  package var regionRestLookSeconds = 60.0
  /// Events of regions kept for an app that is not running or suspended, the newest. Chosen: a bound.
  package var regionEventsHeldMax = 100

  // MARK: Heading

  /// A field is disturbed whose strength differs from the Earth's by more than this part (algorithms 4: 15 %) ...
  package var headingFieldRatioMax = 0.15
  /// ... or whose dip differs by more (algorithms 4: 10 degrees).
  package var headingDipDegreesMax = 10.0
  /// The same where the place is not known: the Earth's field, 22 to 67 µT by the World Magnetic Model, less and more
  /// those 15 %.
  package var headingFieldMicroteslasMin = 19.0
  package var headingFieldMicroteslasMax = 77.0
  /// A disturbance has passed after so long without one. Chosen.
  package var headingCalmSeconds = 5.0
  /// What a source is off that does not say it (algorithms 4: 15 degrees is what microG takes the best status for).
  package var headingUnknownAccuracyDegrees = 15.0
  /// How far a device's tilt is known; the heading is off by the tangent of the dip times that (algorithms 4: one).
  package var headingTiltErrorDegrees = 1.0
  /// The same of a magnetometer without an accelerometer, which is taken to lie flat. Chosen.
  package var headingUnknownTiltDegrees = 10.0
  /// How far a calibrated magnetometer is off. Chosen.
  package var headingFieldErrorMicroteslas = 2.0
  /// Where the accelerometer shows more or less than gravity by this part, the device is shaken and down is not known.
  /// Chosen.
  package var headingAccelerationRatioMax = 0.2
  /// How many measured headings are averaged (algorithms 4: microG's five), and how far they may lie apart. Chosen.
  package var headingAveragedSamplesMax = 5
  package var headingAverageSeconds = 0.5
  /// The change of the field's strength after which an app is asked again for the calibration display: "large"
  /// (behaviour 7.7). Chosen: a quarter.
  package var headingCalibrationFieldRatio = 0.25

  // MARK: Beacons

  /// A region is left after so long without a packet while the radio listens (behaviour 6.3: about 30).
  package var beaconExitSeconds = 30.0
  /// A region of which nothing is known is outside after so long without one: a beacon that sends once a second has had
  /// three chances. Chosen.
  package var beaconFirstLookSeconds = 3.0
  /// How long and how often the radio listens for regions of apps in the background (algorithms 3: 10 s in 5 min).
  package var beaconScanSeconds = 10.0
  package var beaconScanIntervalSeconds = 300.0
  /// Time between two reports of ranged beacons (behaviour 6.5).
  package var beaconRangingSeconds = 1.0
  /// Signal strengths of so long are averaged (behaviour 6.10: those since the last report) ...
  package var beaconSmoothingSeconds = 1.0
  /// ... without this part of them at either end (algorithms 3: 10 %), rounded down.
  package var beaconTrimRatio = 0.1
  /// The distance, where r is the signal strength divided by that at one metre: r to the near exponent below 1, else
  /// factor · r^exponent + offset (behaviour 6.9, algorithms 3).
  package var beaconNearExponent = 10.0
  package var beaconCurveFactor = 0.89976
  package var beaconCurveExponent = 7.7095
  package var beaconCurveOffsetMeters = 0.111
  /// How far immediate and near reach (behaviour 6.7, algorithms 3), and how much farther one has to be to leave them.
  package var beaconImmediateMetersMax = 0.5
  package var beaconNearMetersMax = 3.0
  package var beaconProximityHysteresisRatio = 0.2
  /// The distance of a beacon is unknown after so long without a packet, and it is not listed any more after so long
  /// (algorithms 3; behaviour 6.10).
  package var beaconUnknownSeconds = 5.0
  package var beaconForgottenSeconds = 10.0
  /// Ranged beacons that are followed at a time, those heard last, and packets of each that are kept. Chosen: bounds.
  package var beaconsHeardMax = 1_000
  package var beaconPacketsMax = 100
  /// Constraints that one manager ranges. A bound against runaway programs. Chosen.
  package var rangedConstraintsMax = 100

  // MARK: Bounds

  /// Live managers of one client. A bound against runaway programs, far above any app's need.
  package var managersPerClientMax = 1_024

  package init(era: Era = .iOS18) {
    self.era = era
    alwaysUsageKeys = era <= .iOS10 ? .alwaysKey : .combinedAndWhenInUseKeys
    firstPrompt = era <= .iOS10 ? .allowOrNot : .onceWhileUsingOrNot
    firstPromptOffersPrecise = era >= .iOS18
    alwaysEscalation = era <= .iOS10 ? .doesNothing : .promptsAtOnce
    monitoringNeedsAlways = era <= .iOS10
    backgroundTaskSeconds = era <= .iOS10 ? 180 : 30
    alwaysNeedsServiceSession = era >= .iOS18
  }
}

/// The iOS generation whose rules hold, named by its first major version. Era 13 stands for 13.4, when the prompt
/// for Always after While Using came back (behaviour 1.15).
package enum Era: Int, Comparable, Sendable, CaseIterable {
  case iOS8 = 8
  case iOS10 = 10
  case iOS13 = 13
  case iOS18 = 18

  package static func < (left: Era, right: Era) -> Bool {
    left.rawValue < right.rawValue
  }
}

package enum PausedUpdatesResume: Hashable, Sendable {
  /// A start, or the app's return to the foreground, as in the field.
  case onStartOrForeground
  /// A start only, as Apple's documentation says.
  case onStart
  /// The device moves, as Apple's header says; a start and the foreground end the pause, too.
  case onMovement
}

package enum AlwaysUsageKeys: Hashable, Sendable {
  /// `NSLocationAlwaysUsageDescription` (iOS 8 to 10); the later pair is accepted too.
  case alwaysKey
  /// `NSLocationAlwaysAndWhenInUseUsageDescription` and `NSLocationWhenInUseUsageDescription` (iOS 11 and later).
  case combinedAndWhenInUseKeys
}

package enum FirstPrompt: Hashable, Sendable {
  case allowOrNot
  case onceWhileUsingOrNot
}

package enum AlwaysEscalation: Hashable, Sendable {
  /// iOS 13.4 and later, and by its header iOS 11 and 12.
  case promptsAtOnce
  /// iOS 13.0 to 13.3: Always for now, confirmed later.
  case becomesProvisional
  /// iOS 8 to 10: by the header of iOS 9.3 the call does nothing once the status is determined.
  case doesNothing
}

/// Policy from a file: a field's name and its value, as `policy.json` has them.
extension PolicyFields {
  package enum Value: Hashable, Sendable {
    case number(Double)
    case flag(Bool)
    case text(String)
  }

  package struct FieldError: Error, Hashable, Sendable {
    package var field: String
    package var expected: String
  }

  /// The policy of an era (18 unless the fields say otherwise) with the given fields changed.
  package init(fields: [(name: String, value: Value)]) throws(FieldError) {
    var era = Era.iOS18
    for case (name: "era", let value) in fields {
      let names = Era.allCases.map { String($0.rawValue) }.joined(separator: ", ")
      guard case .number(let number) = value, let named = Era.allCases.first(where: { Double($0.rawValue) == number })
      else { throw FieldError(field: "era", expected: "one of \(names)") }
      era = named
    }
    self.init(era: era)
    for field in fields where field.name != "era" {
      try set(field.name, to: field.value)
    }
  }

  private mutating func set(_ name: String, to value: Value) throws(FieldError) {
    switch name {
    case "inUseGraceSeconds": inUseGraceSeconds = try seconds(value, name)
    case "heldForAlwaysSecondsMax": heldForAlwaysSecondsMax = try seconds(value, name)
    case "freshFixSecondsMax": freshFixSecondsMax = try seconds(value, name)
    case "firstFixTimeoutSeconds": firstFixTimeoutSeconds = try seconds(value, name)
    case "lastFixStoreIntervalSeconds": lastFixStoreIntervalSeconds = try seconds(value, name)
    case "requestLocationTimeoutSeconds": requestLocationTimeoutSeconds = try seconds(value, name)
    case "coarseIntervalSeconds": coarseIntervalSeconds = try seconds(value, name)
    case "accuracyImprovementRatio":
      accuracyImprovementRatio = try number(value, name, in: 0...1, "a number from 0 to 1")
    case "bestAccuracyMeters":
      bestAccuracyMeters = try number(value, name, in: 0...1_000_000, "metres, 0 or more")
    case "coarseGridDegrees":
      coarseGridDegrees = try number(value, name, in: 0.001...10, "degrees from 0.001 to 10")
    case "coarseHoldRatio":
      coarseHoldRatio = try number(value, name, in: 0...0.5, "a number from 0 to 0.5")
    case "coarseAccuracyMeters":
      coarseAccuracyMeters = try number(value, name, in: 1...1_000_000, "metres, 1 or more")
    case "suspendedFixesMax": suspendedFixesMax = try count(value, name)
    case "managersPerClientMax": managersPerClientMax = try count(value, name)
    case "monitoringNeedsAlways": monitoringNeedsAlways = try flag(value, name)
    case "wiredReceiversInAirplaneMode": wiredReceiversInAirplaneMode = try flag(value, name)
    case "firstPromptOffersPrecise": firstPromptOffersPrecise = try flag(value, name)
    case "alwaysEscalation", "alwaysUsageKeys", "firstPrompt", "pausedUpdatesResume": try setChoice(name, to: value)
    default: try setMonitoring(name, to: value)
    }
  }

  private mutating func setMonitoring(_ name: String, to value: Value) throws(FieldError) {
    switch name {
    case "pauseSeconds": pauseSeconds = try seconds(value, name)
    case "pauseAutomotiveSeconds": pauseAutomotiveSeconds = try seconds(value, name)
    case "stillMeters": stillMeters = try meters(value, name)
    case "stillAccuracyMetersMax": stillAccuracyMetersMax = try meters(value, name)
    case "pausedLookSeconds": pausedLookSeconds = try pause(value, name)
    case "deferredFixesMax": deferredFixesMax = try count(value, name)
    case "significantChangeMeters": significantChangeMeters = try meters(value, name)
    case "significantChangeIntervalSeconds": significantChangeIntervalSeconds = try pause(value, name)
    case "significantChangeMetersPerSecond":
      significantChangeMetersPerSecond = try number(value, name, in: 0.1...340, "m/s from 0.1 to 340")
    case "significantChangeDetourRatio":
      significantChangeDetourRatio = try number(value, name, in: 1...10, "a number from 1 to 10")
    case "significantChangeTurnDegrees":
      significantChangeTurnDegrees = try number(value, name, in: 0...180, "degrees from 0 to 180")
    case "significantChangeRestSeconds": significantChangeRestSeconds = try seconds(value, name)
    case "significantChangeWakeSeconds": significantChangeWakeSeconds = try wake(value, name)
    case "lookIntervalSeconds": lookIntervalSeconds = try pause(value, name)
    case "lookIntervalSecondsMax": lookIntervalSecondsMax = try pause(value, name)
    case "lookGiveUpSeconds": lookGiveUpSeconds = try pause(value, name)
    default: try setVisits(name, to: value)
    }
  }

  private mutating func setVisits(_ name: String, to value: Value) throws(FieldError) {
    switch name {
    case "visitRadiusMeters": visitRadiusMeters = try meters(value, name)
    case "visitAccuracyFactor": visitAccuracyFactor = try number(value, name, in: 0...1_000, "a number from 0 to 1000")
    case "visitAccuracyMetersMax": visitAccuracyMetersMax = try meters(value, name)
    case "visitArrivalSeconds": visitArrivalSeconds = try seconds(value, name)
    case "visitDepartureMeters": visitDepartureMeters = try meters(value, name)
    case "visitDepartureSeconds": visitDepartureSeconds = try seconds(value, name)
    case "visitMergeSeconds": visitMergeSeconds = try seconds(value, name)
    case "visitRadiusMetersMin": visitRadiusMetersMin = try meters(value, name)
    case "visitLookIntervalSeconds": visitLookIntervalSeconds = try pause(value, name)
    case "conditionsPerAppMax": conditionsPerAppMax = try count(value, name)
    case "monitorsPerAppMax": monitorsPerAppMax = try count(value, name)
    case "heldVisitsMax": heldVisitsMax = try count(value, name)
    default: try setBelief(name, to: value)
    }
  }

  private mutating func setBelief(_ name: String, to value: Value) throws(FieldError) {
    let positive = 0.001...1e6
    switch name {
    case "surpriseMax": surpriseMax = try number(value, name, in: positive, "a number from 0.001 to 1000000")
    case "refusedFixesMax": refusedFixesMax = try count(value, name)
    case "pushesSquareMetersPerCubicSecond":
      pushesSquareMetersPerCubicSecond = try number(value, name, in: positive, "m²/s³ from 0.001 to 1000000")
    case "gatePushesSquareMetersPerCubicSecond":
      gatePushesSquareMetersPerCubicSecond = try number(value, name, in: positive, "m²/s³ from 0.001 to 1000000")
    case "speedMetersPerSecondMax":
      speedMetersPerSecondMax = try number(value, name, in: positive, "metres a second from 0.001 to 1000000")
    case "beliefSecondsMax": beliefSecondsMax = try seconds(value, name)
    case "unknownAccuracyMeters":
      unknownAccuracyMeters = try number(value, name, in: positive, "metres from 0.001 to 1000000")
    case "dopplerMetersPerSecond":
      dopplerMetersPerSecond = try number(value, name, in: positive, "metres a second from 0.001 to 1000000")
    case "smoothingGainMin": smoothingGainMin = try number(value, name, in: 0...1, "a number from 0 to 1")
    case "sourceSilenceSecondsMax": sourceSilenceSecondsMax = try seconds(value, name)
    case "sourceSwitchRatio": sourceSwitchRatio = try number(value, name, in: 0...1, "a number from 0 to 1")
    default: try setRegion(name, to: value)
    }
  }

  private mutating func setRegion(_ name: String, to value: Value) throws(FieldError) {
    let meters = "metres from 0 to 1000000"
    func length() throws(FieldError) -> Double { try number(value, name, in: 0...1e6, meters) }
    switch name {
    case "regionsPerAppMax": regionsPerAppMax = try count(value, name)
    case "regionRadiusMetersMax":
      regionRadiusMetersMax = try number(value, name, in: 1...1e6, "metres from 1 to 1000000")
    case "regionEntryProbability":
      regionEntryProbability = try number(value, name, in: 0.5...0.999, "a number from 0.5 to 0.999")
    case "regionExitProbability":
      regionExitProbability = try number(value, name, in: 0.001...0.5, "a number from 0.001 to 0.5")
    case "regionCushionRatio": regionCushionRatio = try number(value, name, in: 0...1, "a number from 0 to 1")
    case "regionCushionMetersMin": regionCushionMetersMin = try length()
    case "regionCushionMetersMax": regionCushionMetersMax = try length()
    case "regionInnerCushionRatioMax":
      regionInnerCushionRatioMax = try number(value, name, in: 0...0.9, "a number from 0 to 0.9")
    case "regionHoldSeconds": regionHoldSeconds = try seconds(value, name)
    case "regionHoldFixesMin": regionHoldFixesMin = try count(value, name)
    case "regionPassSecondsMax": regionPassSecondsMax = try seconds(value, name)
    case "regionPassDetourRatio": regionPassDetourRatio = try number(value, name, in: 1...10, "a number from 1 to 10")
    case "regionPassCourseDegreesMax":
      regionPassCourseDegreesMax = try number(value, name, in: 0...90, "degrees from 0 to 90")
    case "regionErrorsPerAccuracy":
      regionErrorsPerAccuracy = try number(value, name, in: 0...10, "a number from 0 to 10")
    case "regionSleepSecondsMin": regionSleepSecondsMin = try seconds(value, name)
    case "regionSlackSeconds": regionSlackSeconds = try seconds(value, name)
    case "regionAccelerationMetersPerSquareSecondMax":
      regionAccelerationMetersPerSquareSecondMax = try number(
        value, name, in: 0.001...1_000, "metres a second a second from 0.001 to 1000")
    case "regionSatelliteMetersMax": regionSatelliteMetersMax = try length()
    case "regionWirelessMetersMax": regionWirelessMetersMax = try length()
    case "regionVagueAccuracyMeters": regionVagueAccuracyMeters = try length()
    case "regionRestLookSeconds": regionRestLookSeconds = try seconds(value, name)
    case "regionEventsHeldMax": regionEventsHeldMax = try count(value, name)
    default: try setHeading(name, to: value)
    }
  }

  private mutating func setHeading(_ name: String, to value: Value) throws(FieldError) {
    func ratio() throws(FieldError) -> Double { try number(value, name, in: 0...10, "a number from 0 to 10") }
    func degrees() throws(FieldError) -> Double { try number(value, name, in: 0...180, "degrees from 0 to 180") }
    func field() throws(FieldError) -> Double { try number(value, name, in: 0...1_000, "microtesla from 0 to 1000") }
    switch name {
    case "headingFieldRatioMax": headingFieldRatioMax = try ratio()
    case "headingDipDegreesMax": headingDipDegreesMax = try degrees()
    case "headingFieldMicroteslasMin": headingFieldMicroteslasMin = try field()
    case "headingFieldMicroteslasMax": headingFieldMicroteslasMax = try field()
    case "headingCalmSeconds": headingCalmSeconds = try seconds(value, name)
    case "headingUnknownAccuracyDegrees": headingUnknownAccuracyDegrees = try degrees()
    case "headingTiltErrorDegrees": headingTiltErrorDegrees = try degrees()
    case "headingUnknownTiltDegrees": headingUnknownTiltDegrees = try degrees()
    case "headingFieldErrorMicroteslas": headingFieldErrorMicroteslas = try field()
    case "headingAccelerationRatioMax": headingAccelerationRatioMax = try ratio()
    case "headingAveragedSamplesMax": headingAveragedSamplesMax = try count(value, name)
    case "headingAverageSeconds": headingAverageSeconds = try seconds(value, name)
    case "headingCalibrationFieldRatio": headingCalibrationFieldRatio = try ratio()
    default: try setBeacon(name, to: value)
    }
  }

  private mutating func setBeacon(_ name: String, to value: Value) throws(FieldError) {
    func coefficient() throws(FieldError) -> Double { try number(value, name, in: 0...100, "a number from 0 to 100") }
    switch name {
    case "beaconExitSeconds": beaconExitSeconds = try pause(value, name)
    case "beaconFirstLookSeconds": beaconFirstLookSeconds = try seconds(value, name)
    case "beaconScanSeconds": beaconScanSeconds = try pause(value, name)
    case "beaconScanIntervalSeconds": beaconScanIntervalSeconds = try pause(value, name)
    case "beaconRangingSeconds":
      beaconRangingSeconds = try number(value, name, in: 0.1...1e9, "seconds, 0.1 or more")
    case "beaconSmoothingSeconds": beaconSmoothingSeconds = try seconds(value, name)
    case "beaconTrimRatio": beaconTrimRatio = try number(value, name, in: 0...0.4, "a number from 0 to 0.4")
    case "beaconNearExponent": beaconNearExponent = try coefficient()
    case "beaconCurveFactor": beaconCurveFactor = try coefficient()
    case "beaconCurveExponent": beaconCurveExponent = try coefficient()
    case "beaconCurveOffsetMeters": beaconCurveOffsetMeters = try coefficient()
    case "beaconImmediateMetersMax": beaconImmediateMetersMax = try meters(value, name)
    case "beaconNearMetersMax": beaconNearMetersMax = try meters(value, name)
    case "beaconProximityHysteresisRatio":
      beaconProximityHysteresisRatio = try number(value, name, in: 0...10, "a number from 0 to 10")
    case "beaconUnknownSeconds": beaconUnknownSeconds = try seconds(value, name)
    case "beaconForgottenSeconds": beaconForgottenSeconds = try seconds(value, name)
    case "beaconsHeardMax": beaconsHeardMax = try count(value, name)
    case "beaconPacketsMax": beaconPacketsMax = try count(value, name)
    case "rangedConstraintsMax": rangedConstraintsMax = try count(value, name)
    default: try setLife(name, to: value)
    }
  }

  private mutating func setLife(_ name: String, to value: Value) throws(FieldError) {
    switch name {
    case "backgroundEntrySeconds": backgroundEntrySeconds = try seconds(value, name)
    case "wakeWindowSeconds": wakeWindowSeconds = try pause(value, name)
    case "backgroundTaskSeconds": backgroundTaskSeconds = try seconds(value, name)
    case "expirationGraceSeconds": expirationGraceSeconds = try seconds(value, name)
    case "backgroundTasksPerAppMax": backgroundTasksPerAppMax = try count(value, name)
    case "relaunchesAfterForceQuit": relaunchesAfterForceQuit = try flag(value, name)
    case "crashLoopStartsMax": crashLoopStartsMax = try count(value, name)
    case "crashLoopSeconds": crashLoopSeconds = try seconds(value, name)
    case "crashLoopBackOffSeconds": crashLoopBackOffSeconds = try pause(value, name)
    case "sessionRejoinSeconds": sessionRejoinSeconds = try seconds(value, name)
    case "alwaysNeedsServiceSession": alwaysNeedsServiceSession = try flag(value, name)
    default: try setSparing(name, to: value)
    }
  }

  private mutating func setSparing(_ name: String, to value: Value) throws(FieldError) {
    switch name {
    case "restingFixSecondsMax": restingFixSecondsMax = try seconds(value, name)
    case "hotLookGiveUpSeconds": hotLookGiveUpSeconds = try pause(value, name)
    case "searchHelpSeconds": searchHelpSeconds = try seconds(value, name)
    case "searchPauseSecondsMax": searchPauseSecondsMax = try pause(value, name)
    case "plannedAccelerationMetersPerSquareSecond":
      plannedAccelerationMetersPerSquareSecond = try number(value, name, in: 0.01...100, "m/s² from 0.01 to 100")
    case "plannedSpeedRatio": plannedSpeedRatio = try number(value, name, in: 1...100, "a number from 1 to 100")
    case "plannedSpeedMemorySeconds": plannedSpeedMemorySeconds = try seconds(value, name)
    case "plannedSpeedMetersPerSecondMin":
      plannedSpeedMetersPerSecondMin = try number(value, name, in: 0.1...340, "m/s from 0.1 to 340")
    case "filterSpeedMetersPerSecondMin":
      filterSpeedMetersPerSecondMin = try number(value, name, in: 0.1...340, "m/s from 0.1 to 340")
    case "quietRatio": quietRatio = try number(value, name, in: 0...1, "a number from 0 to 1")
    case "satelliteStartSpreadSeconds": satelliteStartSpreadSeconds = try seconds(value, name)
    case "plannedSleepSecondsMin": plannedSleepSecondsMin = try seconds(value, name)
    case "visitRestSeconds": visitRestSeconds = try seconds(value, name)
    default: throw FieldError(field: name, expected: "the name of a policy field; see docs/policy.md")
    }
  }

  private mutating func setChoice(_ name: String, to value: Value) throws(FieldError) {
    switch name {
    case "alwaysEscalation":
      alwaysEscalation = try choice(
        value, name,
        [
          "promptsAtOnce": .promptsAtOnce, "becomesProvisional": .becomesProvisional,
          "doesNothing": .doesNothing,
        ])
    case "alwaysUsageKeys":
      alwaysUsageKeys = try choice(
        value, name, ["alwaysKey": .alwaysKey, "combinedAndWhenInUseKeys": .combinedAndWhenInUseKeys])
    case "pausedUpdatesResume":
      pausedUpdatesResume = try choice(
        value, name,
        ["onStartOrForeground": .onStartOrForeground, "onStart": .onStart, "onMovement": .onMovement])
    default:
      firstPrompt = try choice(
        value, name, ["allowOrNot": .allowOrNot, "onceWhileUsingOrNot": .onceWhileUsingOrNot])
    }
  }

  private func seconds(_ value: Value, _ name: String) throws(FieldError) -> Double {
    try number(value, name, in: 0...1e9, "seconds, 0 or more")
  }

  private func meters(_ value: Value, _ name: String) throws(FieldError) -> Double {
    try number(value, name, in: 0...1_000_000, "metres, 0 or more")
  }

  /// Time between two doings of the same kind: never so short that nothing else is done.
  private func pause(_ value: Value, _ name: String) throws(FieldError) -> Double {
    try number(value, name, in: 1...1e9, "seconds, 1 or more")
  }

  private func wake(_ value: Value, _ name: String) throws(FieldError) -> Double {
    let seconds = try seconds(value, name)
    guard seconds == 0 || seconds >= 1 else { throw FieldError(field: name, expected: "0, or seconds, 1 or more") }
    return seconds
  }

  private func count(_ value: Value, _ name: String) throws(FieldError) -> Int {
    let expected = "a whole number from 1 to 1000000"
    let number = try number(value, name, in: 1...1_000_000, expected)
    guard let count = Int(exactly: number) else { throw FieldError(field: name, expected: expected) }
    return count
  }

  private func flag(_ value: Value, _ name: String) throws(FieldError) -> Bool {
    guard case .flag(let flag) = value else { throw FieldError(field: name, expected: "true or false") }
    return flag
  }

  private func number(
    _ value: Value, _ name: String, in range: ClosedRange<Double>, _ expected: String
  ) throws(FieldError) -> Double {
    guard case .number(let number) = value, range.contains(number) else {
      throw FieldError(field: name, expected: expected)
    }
    return number
  }

  private func choice<Choice>(
    _ value: Value, _ name: String, _ choices: KeyValuePairs<String, Choice>
  ) throws(FieldError) -> Choice {
    if case .text(let text) = value, let found = choices.first(where: { $0.key == text }) {
      return found.value
    }
    throw FieldError(field: name, expected: "one of " + choices.map(\.key).joined(separator: ", "))
  }
}

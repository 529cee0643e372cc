import LocationModel

/// The cheapest receivers that do what is asked, and when they are asked at all.
extension LocationEngine {
  /// Whether the device is still where it was found last. Looked at for every fix: a policy is long, and handed on only
  /// where it is needed.
  var isHeld: Bool { rest.motion == .still && rest.holds(lastFixReceivedAt, policy: policy) }

  /// When a stream of locations needs the next one.
  ///
  /// - Parameters:
  ///   - accuracy: is kept on average, not guaranteed: a wish (behaviour 2.10).
  ///   - filterMeters: how far the device goes until the next location is told, at the least; from `told`.
  func nextLook(
    accuracy: DesiredAccuracy, filterMeters: Double?, told: Fix?, awaitsFix: Bool
  ) -> NextLook {
    if isHeld, !awaitsFix { return .onMovement }
    if usableTechnologies == .satellite, restsSearching(for: accuracy), let until = search.restsUntil {
      return .at(until)
    }
    guard !awaitsFix, let lastFix, let lastFixReceivedAt else { return .now }
    let error = lastFix.horizontalAccuracyMeters ?? policy.unknownAccuracyMeters
    var free = accuracy.meters - error
    // Where a look costs next to nothing, more of them do no harm.
    if technologies(for: accuracy) == .cell { free /= 2 }
    let known = max(lastFixReceivedAt, rest.placeHeldUntil ?? lastFixReceivedAt)
    let start = profile.energy.satelliteHotStartSeconds
    var seconds = free > 0 ? plannedSeconds(toCover: free, after: lastFix) - start : 0
    if let filterMeters, let told {
      let gone = Geodesic.distanceMeters(from: told.coordinate, to: lastFix.coordinate)
      seconds = max(seconds, filteredSeconds(toCover: filterMeters - gone, after: lastFix) - start)
    }
    guard seconds > start + policy.plannedSleepSecondsMin + profile.energy.satelliteLingerSeconds else { return .now }
    return .at(known.advanced(bySeconds: seconds))
  }

  /// For less than this no sleep is long enough.
  var leastSpareMeters: Double {
    let seconds =
      2 * profile.energy.satelliteHotStartSeconds + policy.plannedSleepSecondsMin
      + profile.energy.satelliteLingerSeconds
    return policy.plannedAccelerationMetersPerSquareSecond * seconds * seconds / 2
  }

  /// How soon the device is likely to have gone so far.
  func plannedSeconds(toCover meters: Double, after fix: Fix) -> Double {
    let speed = rest.placeHeldUntil == nil ? max(0, fix.speedMetersPerSecond ?? 0) : 0
    let fastest =
      speeds.metersPerSecond.map { max(policy.plannedSpeedMetersPerSecondMin, $0 * policy.plannedSpeedRatio) }
      ?? policy.speedMetersPerSecondMax
    return Reach.seconds(
      toCover: meters, speedMetersPerSecond: speed,
      accelerationMetersPerSquareSecond: policy.plannedAccelerationMetersPerSquareSecond,
      speedMetersPerSecondMax: max(fastest, speed))
  }

  /// When a distance filter can have been passed: nothing is told before, so that to look sooner is of use only to be
  /// there in time. The device is taken to go on as fast as it does or did on average, whichever is faster, after a
  /// stop gathering speed.
  private func filteredSeconds(toCover meters: Double, after fix: Fix) -> Double {
    guard meters > 0 else { return 0 }
    let speed = rest.placeHeldUntil == nil ? max(0, fix.speedMetersPerSecond ?? 0) : 0
    guard let mean = speeds.metersPerSecond else { return plannedSeconds(toCover: meters, after: fix) }
    return Reach.seconds(
      toCover: meters, speedMetersPerSecond: speed,
      accelerationMetersPerSquareSecond: policy.plannedAccelerationMetersPerSquareSecond,
      speedMetersPerSecondMax: max(mean, speed, policy.filterSpeedMetersPerSecondMin))
  }

  /// When the device has gone so far if it goes on as it went, and the fix shows it in spite of its error: for news
  /// that may be a little late. Without a sensor that tells of rests, how it went says little: then as soon as it can
  /// be.
  func expectedSeconds(toCover meters: Double, after fix: Fix) -> Double {
    guard profile.hasMotionSensor else { return meters / policy.speedMetersPerSecondMax }
    let meters = meters * policy.significantChangeDetourRatio + 1.5 * (fix.horizontalAccuracyMeters ?? 0)
    if let mean = speeds.metersPerSecond, mean >= 1 { return max(0, meters) / mean }
    let speed = rest.placeHeldUntil == nil ? max(0, fix.speedMetersPerSecond ?? 0) : 0
    return Reach.seconds(
      toCover: meters, speedMetersPerSecond: speed,
      accelerationMetersPerSquareSecond: policy.plannedAccelerationMetersPerSquareSecond,
      speedMetersPerSecondMax: max(policy.significantChangeMetersPerSecond, speed))
  }

  // MARK: Which receiver

  /// Others than satellites can do that.
  private func isCoarse(_ accuracy: DesiredAccuracy) -> Bool {
    accuracy.meters >= profile.energy.wirelessAccuracy95Meters
  }

  /// A search in vain goes on for whoever navigates on the way, and for nobody else.
  func restsSearching(for accuracy: DesiredAccuracy) -> Bool {
    guard let until = search.restsUntil, until > now else { return false }
    return rest.motion == .still || isCoarse(accuracy)
  }

  /// In airplane mode those that only listen.
  var usableTechnologies: ReceiverTechnologies {
    isInAirplaneMode ? profile.technologies.intersection(.satellite) : profile.technologies
  }

  /// The receiver that gives such an accuracy for the least energy.
  func technologies(for accuracy: DesiredAccuracy) -> ReceiverTechnologies {
    let energy = profile.energy
    var has = usableTechnologies
    if case .satellite = has { return has }
    if has != .satellite, restsSearching(for: accuracy) { has.remove(.satellite) }
    let fitting: [(technology: ReceiverTechnologies, joules: Double)] = [
      (.cell, energy.cellAccuracy95Meters, energy.cellAccuracyMeters, energy.cellReadJoules),
      (
        .wireless, energy.wirelessAccuracy95Meters, energy.wirelessAccuracyMeters,
        energy.wirelessScanJoules + energy.wirelessLookupJoules / 2
      ),
      (.satellite, 0, 0, satelliteFixJoules(for: accuracy)),
    ].compactMap { technology, error95, error, joules in
      guard has.contains(technology), error95 <= accuracy.meters else { return nil }
      // The better it is, the longer it lasts.
      return (technology, (joules + energy.wakeJoulesPerFix) / max(1, accuracy.meters - error))
    }
    if let cheapest = fitting.min(by: { $0.joules < $1.joules }) { return cheapest.technology }
    // None is as good as that: the best there is.
    for technology in [ReceiverTechnologies.satellite, .wireless, .cell] where has.contains(technology) {
      return technology
    }
    return profile.technologies
  }

  /// A long start is the price of many short ones, as far as they are to be expected.
  private func satelliteFixJoules(for accuracy: DesiredAccuracy) -> Double {
    let energy = profile.energy
    let off = satelliteFixAt.map { now.seconds(since: $0) } ?? .infinity
    let hot = energy.satelliteHotStartSeconds
    let extra = energy.satelliteStartSeconds(afterOffSeconds: off) - hot
    let metersPerSecond = max(speeds.metersPerSecond ?? 0, policy.plannedSpeedMetersPerSecondMin)
    let looks = max(1, policy.satelliteStartSpreadSeconds * metersPerSecond / max(1, accuracy.meters))
    // Who rests is indoors as like as not, where a search finds nothing.
    let vain = rest.motion == .still && !isAtLight ? policy.hotLookGiveUpSeconds / 2 : 0
    return (hot + extra / looks + vain) * energy.satelliteAcquireWatts + energy.satelliteTrackWatts
  }

  /// Whoever drove and has rested for so short a time is on the road still.
  private var isAtLight: Bool {
    guard let mean = speeds.metersPerSecond, mean >= policy.plannedSpeedMetersPerSecondMin else { return false }
    return now.seconds(since: rest.changedAt) <= policy.visitRestSeconds
  }

  // MARK: Searching

  /// Whether a search may be given up: where another receiver can stand in, or a sensor tells when to try again.
  private var mayGiveUp: Bool { profile.hasMotionSensor || profile.technologies != .satellite }

  var searchEndsAt: Instant? {
    guard mayGiveUp else { return nil }
    let isHot = satelliteFixAt.map { now.seconds(since: $0) <= profile.energy.satelliteHotSecondsMax } ?? false
    return search.givesUpAt(policy, isHot: isHot)
  }

  /// When Wi-Fi joins the search for satellites that goes on for such a wish, and has taken longer than a start does:
  /// a place is found, and the search is over without having been given up.
  func searchHelpDue(for accuracy: DesiredAccuracy) -> Instant? {
    guard isCoarse(accuracy), usableTechnologies.contains(.wireless) else { return nil }
    return search.helpDue(policy) { start in
      profile.energy.satelliteStartSeconds(
        afterOffSeconds: satelliteFixAt.map { start.seconds(since: $0) } ?? .infinity)
    }
  }

  mutating func passSearchDeadline() {
    if let due = demand.flatMap({ searchHelpDue(for: $0.accuracy) }), due <= now { demandIsStale = true }
    if let until = search.restsUntil, until <= now { demandIsStale = true }
    guard let ends = searchEndsAt, ends <= now else { return }
    search.giveUp(at: now, policy: policy)
    demandIsStale = true
  }

  /// What a fix says of the receivers themselves.
  mutating func noteFound(_ fix: Fix) {
    rest.found()
    if sparesReceivers || rest.motion == .still { demandIsStale = true }
    // Only a plan asks how fast the device went.
    if profile.isKnown { speeds.observe(fix, at: now, policy: policy) }
    guard profile.technologies == .satellite || isOfSatellites(fix) else { return }
    satelliteFixAt = now
    let hadFailed = search.hasFailed
    search.begin(at: now)
    if hadFailed { demandIsStale = true }
  }

  /// No other receiver is as good as this.
  private func isOfSatellites(_ fix: Fix) -> Bool {
    guard demand?.technologies.contains(.satellite) == true else { return false }
    return (fix.horizontalAccuracyMeters ?? 0) < profile.energy.wirelessAccuracyMeters
  }
}

extension DesiredAccuracy {
  /// How far a place may be off; nothing is too good for the best.
  var meters: Double {
    switch self {
    case .bestForNavigation, .best: 0
    case .meters(let meters): meters.isNaN ? 0 : max(0, meters)
    case .reduced: 3_000
    }
  }
}

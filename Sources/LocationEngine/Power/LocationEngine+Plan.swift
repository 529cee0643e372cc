import LocationModel

/// The speed of the last minutes, on average: somebody who walks is not likely to drive in the next.
struct SpeedMemory {
  /// A way between two places is as fast as its length only where that is more than their errors.
  private static let secondsMin = 10.0

  private var mean = 0.0
  private var at: Instant?
  private var last: (fix: Fix, at: Instant)?

  /// The longer nothing was seen, the more a new speed counts.
  mutating func observe(_ fix: Fix, at now: Instant, policy: Policy) {
    guard let speed = speed(of: fix, at: now), speed.isFinite, speed >= 0 else { return }
    let share = at.map { last in
      let seconds = max(1, now.seconds(since: last))
      return seconds / (seconds + policy.plannedSpeedMemorySeconds)
    }
    mean += (share ?? 1) * (speed - mean)
    at = now
  }

  /// Its own, else that since the place before.
  private mutating func speed(of fix: Fix, at now: Instant) -> Double? {
    if let speed = fix.speedMetersPerSecond {
      last = nil
      return speed
    }
    guard let last else {
      self.last = (fix, now)
      return nil
    }
    let seconds = now.seconds(since: last.at)
    guard seconds >= Self.secondsMin else { return nil }
    self.last = (fix, now)
    return Geodesic.distanceMeters(from: last.fix.coordinate, to: fix.coordinate) / seconds
  }

  /// Nil before the first.
  var metersPerSecond: Double? { at == nil ? nil : mean }

  /// After a rest the device may go on by other means.
  mutating func forget() {
    at = nil
    last = nil
  }
}

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
    if profile.technologies == .satellite, restsSearching(for: accuracy), let until = search.restsUntil {
      return .at(until)
    }
    guard !awaitsFix, let lastFix, let lastFixReceivedAt else { return .now }
    let error = lastFix.horizontalAccuracyMeters ?? policy.unknownAccuracyMeters
    var free = accuracy.meters - error
    if let filterMeters, let told {
      free = max(free, filterMeters - error - Geodesic.distanceMeters(from: told.coordinate, to: lastFix.coordinate))
    }
    guard free > 0 else { return .now }
    // Where a look costs next to nothing, more of them do no harm.
    if technologies(for: accuracy) == .cell { free /= 2 }
    let known = max(lastFixReceivedAt, rest.placeHeldUntil ?? lastFixReceivedAt)
    let start = profile.energy.satelliteHotStartSeconds
    let seconds = plannedSeconds(toCover: free, after: lastFix) - start
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

  /// When the device has gone so far if it goes on as it went, and the fix shows it in spite of its error: for news
  /// that may be a little late. Without a sensor that tells of rests, how it went says little: then as soon as it can
  /// be.
  func expectedSeconds(toCover meters: Double, after fix: Fix) -> Double {
    guard profile.hasMotionSensor else { return meters / policy.speedMetersPerSecondMax }
    let meters = meters + 1.5 * (fix.horizontalAccuracyMeters ?? 0)
    guard let mean = speeds.metersPerSecond, mean >= 1 else { return plannedSeconds(toCover: meters, after: fix) }
    return max(0, meters) / mean
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

  /// The receiver that gives such an accuracy for the least energy.
  func technologies(for accuracy: DesiredAccuracy) -> ReceiverTechnologies {
    let energy = profile.energy
    var has = profile.technologies
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
    let vain = rest.motion == .still ? policy.hotLookGiveUpSeconds / 2 : 0
    return (hot + extra / looks + vain) * energy.satelliteAcquireWatts + energy.satelliteTrackWatts
  }

  // MARK: Searching

  /// Whether a search may be given up: where another receiver can stand in, or a sensor tells when to try again.
  private var mayGiveUp: Bool { profile.hasMotionSensor || profile.technologies != .satellite }

  var searchEndsAt: Instant? {
    guard mayGiveUp else { return nil }
    let isHot = satelliteFixAt.map { now.seconds(since: $0) <= profile.energy.satelliteHotSecondsMax } ?? false
    return search.givesUpAt(policy, isHot: isHot)
  }

  mutating func passSearchDeadline() {
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

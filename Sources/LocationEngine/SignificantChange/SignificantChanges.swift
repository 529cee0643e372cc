import LocationModel

/// What one manager that monitors significant changes was told (behaviour 4.1 to 4.3).
struct SignificantChanges {
  /// Where the next change is measured from; nil until there was anything to tell.
  private(set) var told: Fix?
  private(set) var toldAt: Instant?
  private(set) var schedule: LookSchedule
  /// When the next change is expected, of a device that goes on as it went, and may be told.
  private var due: Instant
  private var expected: ExpectedChange?
  /// Since when the app is served without a break.
  private var servedSince: Instant
  /// Where the device was at the last look.
  private var seen: Coordinate?

  /// - Parameters:
  ///   - place: what was told last.
  ///   - told: when that was; nil for long enough ago.
  init(at now: Instant, since place: Fix? = nil, toldAt told: Instant? = nil, policy: Policy) {
    schedule = LookSchedule(from: now, policy: policy)
    due = now
    expected = nil
    servedSince = now
    self.told = place
    toldAt = place.map { _ in told ?? now.advanced(bySeconds: -policy.significantChangeIntervalSeconds) }
  }

  /// At least so far from the previous notification, and farther than the fix may be wrong; not sooner than some
  /// minutes after it (behaviour 4.1). A coarse place is another one when its square is (1.45).
  func isChange(_ fix: Fix, isCoarse: Bool, at now: Instant, policy: Policy) -> Bool {
    guard let told, let toldAt else { return true }
    guard now.seconds(since: toldAt) >= policy.significantChangeIntervalSeconds else { return false }
    if isCoarse { return fix.coordinate != told.coordinate }
    let moved = Geodesic.distanceMeters(from: told.coordinate, to: fix.coordinate)
    return moved >= max(policy.significantChangeMeters, fix.horizontalAccuracyMeters ?? 0)
  }

  mutating func tell(_ fix: Fix, at now: Instant) {
    told = fix
    toldAt = now
  }

  /// The next look: when a change could have happened since this fix, and may be told (algorithms 1.4).
  ///
  /// - Parameter seconds: when the device can be seen to have gone so many metres.
  mutating func looked(_ fix: Fix, at now: Instant, policy: Policy, seconds: (Double) -> Double) {
    guard schedule.isAwake(at: now) || toldAt == now else { return }
    let hasMoved = seen.map { Geodesic.distanceMeters(from: $0, to: fix.coordinate) > policy.stillMeters } ?? true
    seen = fix.coordinate
    var earliest = now
    if let told, let toldAt {
      let meters = wayMeters(from: told, on: fix, policy: policy)
      let change = ExpectedChange(meters: meters, from: now, bySeconds: seconds(meters))
      expected = change
      earliest = max(change.at, toldAt.advanced(bySeconds: policy.significantChangeIntervalSeconds))
    }
    schedule.looked(at: now, foundNews: hasMoved, notBefore: earliest, policy: policy)
    due = schedule.from
  }

  /// How far the device goes from here until it is far enough away from what was told, on the course that it has.
  private func wayMeters(from told: Fix, on fix: Fix, policy: Policy) -> Double {
    let way = Geodesic.way(from: told.coordinate, to: fix.coordinate)
    let radius = policy.significantChangeMeters
    guard let course = fix.courseDegrees, way.distanceMeters < radius else { return radius - way.distanceMeters }
    let off = CircleAngle.difference(course, way.azimuthDegrees)
    let (sine, cosine) = sineAndCosineOfDegrees(max(0, off - policy.significantChangeTurnDegrees))
    let aside = way.distanceMeters * sine
    return (radius * radius - aside * aside).squareRoot() - way.distanceMeters * cosine
  }

  /// The device rests, perhaps not for long.
  ///
  /// - Parameters:
  ///   - beginning: when it came to rest.
  ///   - seconds: how long it rests until that is looked at.
  mutating func beginRest(since beginning: Instant, waitSeconds seconds: Double, at now: Instant) {
    expected?.stop(at: beginning)
    // Who is looking goes on.
    guard !schedule.isAwake(at: now) else { return }
    schedule.look(from: max(due, now.advanced(bySeconds: seconds)))
  }

  /// It goes on.
  ///
  /// - Parameters:
  ///   - place: where it rested; nil is not known.
  ///   - seconds: when the device can be seen to have gone so many metres.
  mutating func endRest(from place: Fix?, at now: Instant, policy: Policy, seconds: (Double) -> Double) {
    if let place {
      let moved = told.map { Geodesic.distanceMeters(from: $0.coordinate, to: place.coordinate) } ?? 0
      expected = ExpectedChange(meters: policy.significantChangeMeters - moved)
    }
    if expected?.isStopped == true {
      expected?.goOn(at: now, seconds: seconds)
      due = expected?.at ?? now
      if let toldAt { due = max(due, toldAt.advanced(bySeconds: policy.significantChangeIntervalSeconds)) }
    }
    schedule.look(from: max(due, now))
  }

  /// The app is served from now on.
  mutating func begin(at now: Instant) {
    schedule.look(from: now)
    due = now
    expected = nil
    servedSince = now
  }

  func isOverdue(at now: Instant, policy: Policy) -> Bool {
    schedule.givesUpAt(policy) <= now || wakesAt(policy).map { $0 <= now } == true
  }

  mutating func giveUp(at now: Instant, policy: Policy) {
    schedule.giveUp(at: now, policy: policy)
    due = schedule.from
    expected = nil
  }

  /// When the app is woken though nothing changed (behaviour 4.4); nil where the policy does not.
  func wakesAt(_ policy: Policy) -> Instant? {
    guard policy.significantChangeWakeSeconds > 0 else { return nil }
    return toldAt.map { max($0, servedSince).advanced(bySeconds: policy.significantChangeWakeSeconds) }
  }
}

/// The way that a device has to go until a change is expected, as far as it moves at all.
private struct ExpectedChange {
  /// From where it was last known to be, or rests.
  private var meters: Double
  private var since = Instant.zero
  /// When it has gone that way.
  private(set) var at = Instant.zero
  private(set) var isStopped: Bool

  init(meters: Double, from now: Instant, bySeconds seconds: Double) {
    self.meters = max(0, meters)
    since = now
    at = now.advanced(bySeconds: max(0, seconds))
    isStopped = false
  }

  /// Of a device that rests.
  init(meters: Double) {
    self.meters = max(0, meters)
    isStopped = true
  }

  mutating func stop(at now: Instant) {
    guard !isStopped else { return }
    isStopped = true
    let whole = at.seconds(since: since)
    meters *= whole > 0 ? min(1, max(0, at.seconds(since: now) / whole)) : 0
  }

  /// - Parameter seconds: how long so many metres take.
  mutating func goOn(at now: Instant, seconds: (Double) -> Double) {
    isStopped = false
    since = now
    at = now.advanced(bySeconds: meters > 0 ? max(0, seconds(meters)) : 0)
  }
}

import LocationModel

/// What one manager that monitors significant changes was told (behaviour 4.1 to 4.3).
struct SignificantChanges {
  /// Where the next change is measured from; nil until there was anything to tell.
  private(set) var told: Fix?
  private(set) var toldAt: Instant?
  private(set) var schedule: LookSchedule
  /// Since when the app is served without a break.
  private var servedSince: Instant
  /// Where the device was at the last look.
  private var seen: Coordinate?

  /// - Parameters:
  ///   - place: what was told last.
  ///   - told: when that was; nil for long enough ago.
  init(at now: Instant, since place: Fix? = nil, toldAt told: Instant? = nil, policy: Policy) {
    schedule = LookSchedule(from: now, policy: policy)
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
      let moved = Geodesic.distanceMeters(from: told.coordinate, to: fix.coordinate)
      let reached = now.advanced(bySeconds: seconds(policy.significantChangeMeters - moved))
      earliest = max(reached, toldAt.advanced(bySeconds: policy.significantChangeIntervalSeconds))
    }
    schedule.looked(at: now, foundNews: hasMoved, notBefore: earliest, policy: policy)
  }

  /// Nothing is news for so long.
  mutating func wait(seconds: Double, at now: Instant) {
    schedule.look(from: max(schedule.from, now.advanced(bySeconds: seconds)))
  }

  /// The app is served from now on.
  mutating func begin(at now: Instant) {
    schedule.look(from: now)
    servedSince = now
  }

  func isOverdue(at now: Instant, policy: Policy) -> Bool {
    schedule.givesUpAt(policy) <= now || wakesAt(policy).map { $0 <= now } == true
  }

  mutating func giveUp(at now: Instant, policy: Policy) {
    schedule.giveUp(at: now, policy: policy)
  }

  /// When the app is woken though nothing changed (behaviour 4.4); nil where the policy does not.
  func wakesAt(_ policy: Policy) -> Instant? {
    guard policy.significantChangeWakeSeconds > 0 else { return nil }
    return toldAt.map { max($0, servedSince).advanced(bySeconds: policy.significantChangeWakeSeconds) }
  }
}

import LocationModel

/// When a service that needs no stream of fixes looks for the next one.
///
/// Between two looks its need for receivers sleeps. A look without a fix is given up after a while, and looks that find
/// nothing new come ever less often: to search on indoors would cost as much as to navigate (algorithms 1.2).
struct LookSchedule {
  /// When the service looks next: now, if that has passed.
  private(set) var from: Instant
  private var intervalSeconds: Double

  init(from: Instant, policy: Policy) {
    self.from = from
    intervalSeconds = policy.lookIntervalSeconds
  }

  /// Until something else than time ends it.
  var isAsleepForGood: Bool { from.nanoseconds == .max }

  mutating func sleepForGood() { from = Instant(nanoseconds: .max) }

  func isAwake(at now: Instant) -> Bool { from <= now }

  func givesUpAt(_ policy: Policy) -> Instant {
    from.advanced(bySeconds: policy.lookGiveUpSeconds)
  }

  /// No fix came.
  mutating func giveUp(at now: Instant, policy: Policy) {
    sleepLonger(policy)
    from = now.advanced(bySeconds: intervalSeconds)
  }

  /// A fix came: the next look is not before `earliest`, and later where nothing changed.
  mutating func looked(at now: Instant, foundNews: Bool, notBefore earliest: Instant, policy: Policy) {
    if foundNews { intervalSeconds = policy.lookIntervalSeconds } else { sleepLonger(policy) }
    from = max(earliest, now.advanced(bySeconds: intervalSeconds))
  }

  mutating func look(from instant: Instant) {
    from = instant
  }

  private mutating func sleepLonger(_ policy: Policy) {
    intervalSeconds = max(1, min(intervalSeconds * 2, policy.lookIntervalSecondsMax))
  }
}

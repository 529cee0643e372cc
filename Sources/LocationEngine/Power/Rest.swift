import LocationModel

/// What a motion sensor has said: while the device rests, where it was found holds (algorithms 1.2).
struct Rest {
  private(set) var motion = DeviceMotion.unknown
  /// When the sensor last changed its mind.
  private(set) var changedAt = Instant.zero
  /// Until when the newest place held; nil where no rest has followed it.
  private(set) var placeHeldUntil: Instant?

  mutating func change(to motion: DeviceMotion, at now: Instant, held: Bool) {
    self.motion = motion
    changedAt = now
    placeHeldUntil = held ? now : nil
  }

  /// A new place was found, so that nothing older is of use.
  mutating func found() { placeHeldUntil = nil }

  /// Whether a place that was found then is where the device still is: found during this rest, or so shortly before it
  /// that the sensor was silent already.
  func holds(_ foundAt: Instant?, policy: Policy) -> Bool {
    guard motion == .still, let foundAt else { return false }
    return changedAt.seconds(since: foundAt) <= policy.restingFixSecondsMax
  }
}

/// A search for satellites that has found nothing yet, and how often such searches were in vain.
struct SatelliteSearch {
  private var since: Instant?
  private var failureCount = 0
  /// Nothing is searched for until then.
  private(set) var restsUntil: Instant?

  var hasFailed: Bool { failureCount > 0 }

  mutating func run(_ isOn: Bool, at now: Instant) {
    if !isOn { since = nil } else if since == nil { since = now }
  }

  /// Where it is, satellites are heard, or the device is somewhere else now.
  mutating func begin(at now: Instant) {
    if since != nil { since = now }
    failureCount = 0
    restsUntil = nil
  }

  func givesUpAt(_ policy: Policy, isHot: Bool) -> Instant? {
    since?.advanced(bySeconds: isHot ? policy.hotLookGiveUpSeconds : policy.lookGiveUpSeconds)
  }

  /// When somebody who may be served otherwise has waited long enough.
  ///
  /// - Parameter seconds: how long a start takes that began then.
  func helpDue(_ policy: Policy, startSeconds seconds: (Instant) -> Double) -> Instant? {
    since.map { $0.advanced(bySeconds: seconds($0) + policy.searchHelpSeconds) }
  }

  /// The next search comes ever later (algorithms 1.2).
  mutating func giveUp(at now: Instant, policy: Policy) {
    let pause = policy.lookIntervalSeconds * Double(1 << min(failureCount, 10))
    failureCount += 1
    since = nil
    restsUntil = now.advanced(bySeconds: min(pause, policy.searchPauseSecondsMax))
  }
}

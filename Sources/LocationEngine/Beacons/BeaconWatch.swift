import LocationModel

/// One watched neighbourhood of beacons: inside from the first packet of any of them, outside once none has come for
/// `beaconExitSeconds` while the radio listened (behaviour 6.2, 6.3).
///
/// What was not listened for is not known to be gone: silence counts from when the radio began to listen.
package struct BeaconWatch: Sendable {
  package let constraint: BeaconConstraint
  package private(set) var state: RegionState = .unknown
  /// The beacon of the packet that led inside; nil outside (behaviour 9.37).
  package private(set) var beacon: BeaconIdentity?
  private var heardAt: Instant?
  /// Since when something is to be found out about a state that is not known.
  private var watchedSince: Instant?

  package init(_ constraint: BeaconConstraint) {
    self.constraint = constraint
  }

  /// Takes a state from elsewhere, such as from before a restart.
  package mutating func assume(_ state: RegionState) {
    self.state = state
    beacon = nil
    heardAt = nil
    watchedSince = nil
  }

  package mutating func hear(_ packet: BeaconIdentity, at now: Instant) -> RegionChange? {
    guard constraint.matches(packet) else { return nil }
    heardAt = now
    let before = state
    guard before != .inside else { return nil }
    state = .inside
    beacon = packet
    return before == .outside ? .entered : .determined(.inside)
  }

  /// Watching begins, or goes on. True where it begins.
  mutating func begin(at now: Instant) -> Bool {
    guard state == .unknown, watchedSince == nil else { return false }
    watchedSince = now
    return true
  }

  /// When the silence will be long enough to tell; nil where it tells nothing.
  package func silenceEnds(listeningSince: Instant?, policy: Policy) -> Instant? {
    guard let listeningSince else { return nil }
    switch state {
    case .outside: return nil
    case .inside:
      return max(heardAt ?? listeningSince, listeningSince).advanced(bySeconds: policy.beaconExitSeconds)
    case .unknown:
      guard let watchedSince else { return nil }
      return max(watchedSince, listeningSince).advanced(bySeconds: policy.beaconFirstLookSeconds)
    }
  }

  package mutating func pass(until end: Instant, listeningSince: Instant?, policy: Policy) -> RegionChange? {
    guard let ends = silenceEnds(listeningSince: listeningSince, policy: policy), ends <= end else { return nil }
    let before = state
    state = .outside
    beacon = nil
    return before == .inside ? .exited : .determined(.outside)
  }

  /// Whether a look at the neighbourhood has yet to find out: what was inside was not heard in the time of one.
  func isOpen(at now: Instant, policy: Policy) -> Bool {
    switch state {
    case .unknown: true
    case .inside: heardAt.map { now.seconds(since: $0) >= policy.beaconScanSeconds } ?? true
    case .outside: false
    }
  }
}

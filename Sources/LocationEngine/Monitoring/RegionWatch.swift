import LocationModel

/// What is news about a watched circle.
package enum RegionChange: Hashable, Sendable {
  /// The first time that the state is known. No crossing was seen (behaviour 5.8).
  case determined(RegionState)
  case entered
  case exited
  /// The device went through between two fixes: it entered and left.
  case passedThrough
}

/// One watched circle: what is believed of the device, fix by fix.
///
/// A fix counts as evidence when it lies beyond the edge by the cushion and its error leaves little doubt of the side
/// (`regionEntryProbability`, `regionExitProbability`). A crossing is news once evidence of the other side has lasted
/// for `regionHoldSeconds`, in `regionHoldFixesMin` fixes at least (behaviour 5.15); a fix that is sure of the old
/// side, or of the other but within the cushion, begins the wait anew, and one that is sure of neither changes nothing.
/// Time alone changes nothing either: no belief is replayed as a new event.
package struct RegionWatch: Sendable {
  package let center: Coordinate
  package let radiusMeters: Double
  private let centerPoint: EarthCenteredPoint
  /// Stands for the policy's cushion; nil leaves it to the policy.
  private let marginMeters: Double?

  package private(set) var state: RegionState = .unknown
  /// At least so far is the newest fix from the edge; nil before the first.
  package private(set) var edgeMeters: Double?
  /// Evidence that the device has changed sides.
  private var turn: Evidence?
  /// Evidence that it is outside after it went through between two fixes.
  private var passage: Evidence?
  /// When the newest fix was considered that was surely outside.
  private var surelyOutsideAt: Instant?

  private struct Evidence {
    var since: Instant
    var fixCount = 1
  }

  /// - Parameter marginMeters: stands for the policy's cushion (behaviour 5.24); below 0 is no cushion at all.
  package init(center: Coordinate, radiusMeters: Double, marginMeters: Double? = nil) {
    self.center = center
    self.radiusMeters = radiusMeters
    centerPoint = EarthCenteredPoint(center)
    self.marginMeters = marginMeters.flatMap { $0.isNaN ? nil : max(0, $0) }
  }

  private func outerCushionMeters(_ policy: Policy) -> Double {
    marginMeters
      ?? min(
        policy.regionCushionMetersMax, max(policy.regionCushionMetersMin, radiusMeters * policy.regionCushionRatio))
  }

  private func innerCushionMeters(_ policy: Policy) -> Double {
    min(outerCushionMeters(policy), radiusMeters * policy.regionInnerCushionRatioMax)
  }

  /// Takes a state from elsewhere, such as from before a restart. What was under way is forgotten.
  package mutating func assume(_ state: RegionState) {
    self.state = state
    edgeMeters = nil
    turn = nil
    passage = nil
    surelyOutsideAt = nil
  }

  /// Something is under way that more fixes will decide.
  package var isConfirming: Bool { turn != nil || passage != nil }

  /// - Parameter previous: the fix that came before; it counts only if this watch has considered it.
  package mutating func consider(
    _ fix: WatchedFix, after previous: WatchedFix?, policy: Policy
  ) -> RegionChange? {
    let side = weigh(fix, policy: policy)
    defer { surelyOutsideAt = side == .outside ? fix.instant : nil }
    switch (state, side) {
    case (.unknown, .inside), (.unknown, .barelyInside): return determine(.inside)
    case (.unknown, .outside), (.unknown, .barelyOutside): return determine(.outside)
    case (.inside, .outside): return turn(to: .outside, with: fix, policy: policy)
    case (.outside, .inside):
      passage = nil
      return turn(to: .inside, with: fix, policy: policy)
    case (.outside, .outside):
      turn = nil
      return pass(with: fix, after: previous, policy: policy)
    case (.inside, .barelyInside), (.inside, .inside), (.inside, .barelyOutside), (.outside, .barelyOutside),
      (.outside, .barelyInside):
      turn = nil
    case (_, .unclear): break
    }
    return nil
  }

  private mutating func determine(_ state: RegionState) -> RegionChange {
    self.state = state
    return .determined(state)
  }

  private mutating func turn(to state: RegionState, with fix: WatchedFix, policy: Policy) -> RegionChange? {
    guard var evidence = turn else {
      turn = Evidence(since: fix.instant)
      return confirmIfHeld(turn, at: fix.instant, policy: policy) ? complete(state) : nil
    }
    evidence.fixCount += 1
    turn = evidence
    return confirmIfHeld(evidence, at: fix.instant, policy: policy) ? complete(state) : nil
  }

  private mutating func complete(_ state: RegionState) -> RegionChange {
    self.state = state
    turn = nil
    return state == .inside ? .entered : .exited
  }

  private func confirmIfHeld(_ evidence: Evidence?, at instant: Instant, policy: Policy) -> Bool {
    guard let evidence else { return false }
    return evidence.fixCount >= policy.regionHoldFixesMin
      && instant.seconds(since: evidence.since) >= policy.regionHoldSeconds
  }

  // MARK: Through between two fixes

  /// A way through that lasted as long as a hold is told as an entry and an exit, once the exit is as sure as any.
  private mutating func pass(
    with fix: WatchedFix, after previous: WatchedFix?, policy: Policy
  ) -> RegionChange? {
    if var evidence = passage {
      evidence.fixCount += 1
      passage = evidence
      guard confirmIfHeld(evidence, at: fix.instant, policy: policy) else { return nil }
      passage = nil
      return .passedThrough
    }
    guard let previous, surelyOutsideAt == previous.instant else { return nil }
    let gap = fix.instant.seconds(since: previous.instant)
    guard gap >= policy.regionHoldSeconds, gap <= policy.regionPassSecondsMax else { return nil }
    let way = WayBetweenFixes(from: previous, to: fix, seconds: gap, policy: policy)
    let depth = radiusMeters - innerCushionMeters(policy)
    if way.secondsInside(center: center, radiusMeters: depth) >= max(policy.regionHoldSeconds, 1e-3) {
      passage = Evidence(since: fix.instant)
    }
    return nil
  }

  // MARK: Evidence

  private enum Side {
    /// Beyond the edge by the cushion, and believed.
    case inside, outside
    /// Believed, within the cushion.
    case barelyInside, barelyOutside
    case unclear
  }

  /// Beyond so many standard deviations no probability of a policy is in doubt.
  private static let clearDeviations = 6.0

  private mutating func weigh(_ fix: WatchedFix, policy: Policy) -> Side {
    let clear = fix.deviationMeters * Self.clearDeviations
    let chord = centerPoint.chordMeters(to: fix.point)
    if chord >= radiusMeters + max(outerCushionMeters(policy), clear) {
      edgeMeters = chord - radiusMeters
      return .outside
    }
    let longest = EarthCenteredPoint.geodesicMetersMax(chordMeters: chord)
    if longest <= radiusMeters - max(innerCushionMeters(policy), clear) {
      edgeMeters = radiusMeters - longest
      return .inside
    }
    return weighNearEdge(fix, policy: policy)
  }

  /// To be inside, all of the circle counts; to be outside, all that lies on the inner side of the edge, as if the
  /// circle were a half plane: an error far wider than the circle is then a proof of neither.
  private mutating func weighNearEdge(_ fix: WatchedFix, policy: Policy) -> Side {
    let distance = Geodesic.distanceMeters(from: center, to: fix.coordinate)
    let deviation = fix.deviationMeters
    edgeMeters = abs(distance - radiusMeters)
    if distance <= radiusMeters {
      let chance = NormalDistribution.probabilityInCircle(
        radius: radiusMeters, distance: distance, deviation: deviation)
      guard chance >= policy.regionEntryProbability else { return .unclear }
      return distance <= radiusMeters - innerCushionMeters(policy) ? .inside : .barelyInside
    }
    let chance = NormalDistribution.probability(upToDeviations: (radiusMeters - distance) / deviation)
    guard chance <= policy.regionExitProbability else { return .unclear }
    return distance >= radiusMeters + outerCushionMeters(policy) ? .outside : .barelyOutside
  }
}

import LocationModel

/// A modelled GNSS receiver: when it has fixes to give, and what it has cost (algorithms 1.3).
///
/// Its first start is a cold one that was made in time: a recording begins where its receiver had found itself. After
/// every later start it searches first, the longer it has found nothing the longer.
package struct GNSSMeter: Hashable, Sendable {
  private let energy: EnergyModel
  private var onSince: Instant?
  /// When it followed satellites last.
  private var followedAt: Instant?
  /// From the switching on until it follows them; infinite where it finds none.
  private var searchSeconds = 0.0
  /// How long the next start is to last, where somebody has said so: until it follows satellites.
  private var askedStartSeconds: Double?
  private var isWeak = false
  /// Where the running stretch at one strength of the signals began.
  private var stretchSince = Instant.zero
  private var spentJoules = 0.0
  private var spentOnSeconds = 0.0
  package private(set) var fixCount = 0
  /// Those that were handed over with others.
  private var collectedCount = 0
  /// How often it was switched on.
  package private(set) var startCount = 0

  package init(_ energy: EnergyModel = EnergyModel()) {
    self.energy = energy
  }

  package var isOn: Bool { onSince != nil }

  /// - Parameter findsNothing: where it is, it hears no satellites, however long it searches.
  package mutating func setOn(_ isOn: Bool, at now: Instant, findsNothing: Bool = false) {
    guard isOn != self.isOn else { return }
    if isOn {
      searchSeconds = findsNothing ? .infinity : startSeconds(at: now)
      onSince = now
      stretchSince = now
      startCount += 1
    } else {
      settle(at: now)
      spentOnSeconds = onSeconds(at: now)
      if isFollowing(at: now) {
        followedAt = now
        askedStartSeconds = nil
      }
      onSince = nil
    }
  }

  /// It loses what it knows of satellites: before its next fix it searches for so long, from now on where it is on. The
  /// very first start is a search, too, then.
  package mutating func restart(searchingForSeconds seconds: Double, at now: Instant) {
    askedStartSeconds = seconds
    guard let onSince, searchSeconds.isFinite else { return }
    settle(at: now)
    searchSeconds = now.seconds(since: onSince) + seconds
  }

  /// It can hear satellites again, and searches for them from now on; or no more.
  package mutating func setFindsNothing(_ findsNothing: Bool, at now: Instant) {
    guard let onSince, findsNothing == searchSeconds.isFinite else { return }
    settle(at: now)
    if findsNothing, isFollowing(at: now) { followedAt = now }
    searchSeconds = findsNothing ? .infinity : now.seconds(since: onSince) + startSeconds(at: now)
  }

  /// Weak signals cost more to follow.
  package mutating func setWeak(_ isWeak: Bool, at now: Instant) {
    guard isWeak != self.isWeak else { return }
    settle(at: now)
    self.isWeak = isWeak
  }

  private func startSeconds(at now: Instant) -> Double {
    if let askedStartSeconds { return askedStartSeconds }
    return followedAt.map { energy.satelliteStartSeconds(afterOffSeconds: now.seconds(since: $0)) }
      ?? energy.satelliteColdStartSeconds
  }

  private func isFollowing(at now: Instant) -> Bool {
    guard let onSince else { return false }
    return searchSeconds.isFinite
      && (startCount == 1 && askedStartSeconds == nil || now.seconds(since: onSince) >= searchSeconds)
  }

  /// Whether a fix that is received now reaches the host; then it counts.
  ///
  /// - Parameter isCollected: it is handed over with others, and wakes nobody by itself.
  package mutating func takesFix(at now: Instant, isCollected: Bool = false) -> Bool {
    guard isFollowing(at: now) else { return false }
    askedStartSeconds = nil
    fixCount += 1
    if isCollected { collectedCount += 1 }
    return true
  }

  package func onSeconds(at now: Instant) -> Double {
    spentOnSeconds + (onSince.map { max(0, now.seconds(since: $0)) } ?? 0)
  }

  package func joules(at now: Instant) -> Double {
    spentJoules + stretchJoules(at: now) + Double(fixCount - collectedCount) * energy.wakeJoulesPerFix
      + Double(collectedCount) * energy.collectedJoulesPerFix
  }

  /// A time is passed over at whose beginning and end it is off, and in which it was on as often as before: what that
  /// cost. It starts as warm afterwards as it would have before.
  package mutating func passOver(seconds: Double, joules: Double, onSeconds: Double) {
    spentJoules += joules
    spentOnSeconds += onSeconds
    followedAt = followedAt?.advanced(bySeconds: seconds)
  }

  private mutating func settle(at now: Instant) {
    spentJoules += stretchJoules(at: now)
    stretchSince = now
  }

  private func stretchJoules(at now: Instant) -> Double {
    guard let onSince else { return 0 }
    let seconds = max(0, now.seconds(since: stretchSince))
    let searching = min(seconds, max(0, searchSeconds - stretchSince.seconds(since: onSince)))
    let trackWatts = isWeak ? energy.satelliteWeakTrackWatts : energy.satelliteTrackWatts
    return searching * energy.satelliteAcquireWatts + (seconds - searching) * trackWatts
  }
}

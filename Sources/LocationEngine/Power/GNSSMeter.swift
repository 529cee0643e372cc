import LocationModel

/// A modelled GNSS receiver: when it has fixes to give, and what it has cost (algorithms 1.3).
///
/// Its first start is a cold one that was made in time: a recording begins where its receiver had found itself. After
/// every later start it searches first, the longer it was off the longer.
package struct GNSSMeter: Hashable, Sendable {
  private var onSince: Instant?
  private var offSince: Instant?
  private var searchSeconds = 0.0
  private var spentJoules = 0.0
  private var spentOnSeconds = 0.0
  package private(set) var fixCount = 0
  /// How often it was switched on.
  package private(set) var startCount = 0

  package init() {}

  package mutating func setOn(_ isOn: Bool, at now: Instant) {
    guard isOn != (onSince != nil) else { return }
    if isOn {
      searchSeconds =
        offSince.map { EnergyModel.gnssStartSeconds(afterOffSeconds: now.seconds(since: $0)) }
        ?? EnergyModel.gnssColdStartSeconds
      onSince = now
      startCount += 1
    } else {
      spentJoules += runningJoules(at: now)
      spentOnSeconds = onSeconds(at: now)
      onSince = nil
      offSince = now
    }
  }

  /// Whether a fix that is received now reaches the host; then it counts.
  package mutating func takesFix(at now: Instant) -> Bool {
    guard let onSince else { return false }
    guard startCount == 1 || now.seconds(since: onSince) >= searchSeconds else { return false }
    fixCount += 1
    return true
  }

  package func onSeconds(at now: Instant) -> Double {
    spentOnSeconds + (onSince.map { max(0, now.seconds(since: $0)) } ?? 0)
  }

  package func joules(at now: Instant) -> Double {
    spentJoules + runningJoules(at: now) + Double(fixCount) * EnergyModel.wakeJoulesPerFix
  }

  private func runningJoules(at now: Instant) -> Double {
    guard let onSince else { return 0 }
    let seconds = max(0, now.seconds(since: onSince))
    let searching = min(seconds, searchSeconds)
    return searching * EnergyModel.gnssAcquireWatts + (seconds - searching) * EnergyModel.gnssTrackWatts
  }
}

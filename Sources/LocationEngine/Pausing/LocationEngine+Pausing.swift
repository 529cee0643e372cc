import LocationModel

/// Updates pause by themselves where the device rests (behaviour 2.40 to 2.44).
extension LocationEngine {
  /// Judged with every fix, and never without one: silence is no rest.
  mutating func pauseIfStill(app index: Int, session position: Int, effects: inout [Effect]) {
    guard apps[index].sessions[position].isListening, apps[index].state != .suspended,
      apps[index].sessions[position].configuration.pausesAutomatically,
      let seconds = policy.pauseSeconds(for: apps[index].sessions[position].configuration.activityType),
      let listening = apps[index].sessions[position].listensSince, isStill(since: listening, forSeconds: seconds)
    else { return }
    endDeferral(app: index, session: position, with: .deferredNotUpdatingLocation, effects: &effects)
    let looks = policy.pausedUpdatesResume == .onMovement
    apps[index].sessions[position].pause = Pause(
      since: now, schedule: looks ? LookSchedule(from: nextPausedLook, policy: policy) : nil)
    apps[index].sessions[position].waitsForFixSince = nil
    demandIsStale = true
    effects.append(.deliver(.updatesPaused, to: apps[index].sessions[position].identifier))
  }

  /// Whether the device has rested for so long while somebody listened.
  func isStill(since listening: Instant, forSeconds seconds: Double) -> Bool {
    guard stillness.seenAt == now, let since = stillness.since else { return false }
    return now.seconds(since: max(since, listening)) >= seconds
  }

  var nextPausedLook: Instant {
    now.advanced(bySeconds: policy.pausedLookSeconds)
  }

  /// The app is told before its next location (behaviour 2.43).
  mutating func resumePausedUpdates(app index: Int, session position: Int, effects: inout [Effect]) {
    guard apps[index].sessions[position].pause != nil else { return }
    apps[index].sessions[position].pause = nil
    effects.append(.deliver(.updatesResumed, to: apps[index].sessions[position].identifier))
    beginService(app: index, session: position, effects: &effects)
    demandIsStale = true
  }

  /// The app came back to the foreground (behaviour 2.43).
  mutating func resumeInForeground(app index: Int, effects: inout [Effect]) {
    guard policy.pausedUpdatesResume != .onStart, isPermitted(app: index) else { return }
    for position in apps[index].sessions.indices {
      resumePausedUpdates(app: index, session: position, effects: &effects)
    }
  }

  /// A look during a pause: the device has moved, or the next look comes later.
  mutating func considerMovement(app index: Int, session position: Int, effects: inout [Effect]) {
    guard let pause = apps[index].sessions[position].pause, let schedule = pause.schedule,
      apps[index].state != .suspended
    else { return }
    if let since = stillness.since, since > pause.since {
      resumePausedUpdates(app: index, session: position, effects: &effects)
    } else if schedule.isAwake(at: now) {
      let next = nextPausedLook
      apps[index].sessions[position].pause?.schedule?.look(from: next)
      demandIsStale = true
    }
  }

  mutating func passPauseDeadlines(app index: Int, session position: Int, until end: Instant) {
    guard let schedule = apps[index].sessions[position].pause?.schedule, schedule.givesUpAt(policy) <= end else {
      return
    }
    apps[index].sessions[position].pause?.schedule?.giveUp(at: now, policy: policy)
    demandIsStale = true
  }
}

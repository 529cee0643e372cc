import LocationModel

/// How long a supervised app runs in the background, and what happens when nothing is left to run for (behaviour 3.6,
/// 3.7).
extension LocationEngine {
  mutating func beginTask(_ number: UInt64, name: String, by client: ClientIdentifier, effects: inout [Effect]) {
    guard let index = appIndexByClient[client], apps[index].life.isSupervised,
      !apps[index].life.tasks.contains(where: { $0.client == client && $0.number == number })
    else { return }
    guard apps[index].life.tasks.count < policy.backgroundTasksPerAppMax else {
      if !apps[index].life.hasToldOfTooManyTasks {
        apps[index].life.hasToldOfTooManyTasks = true
        note(.tooManyBackgroundTasks(apps[index].identifier, max: policy.backgroundTasksPerAppMax), effects: &effects)
      }
      effects.append(.life(.tell(.backgroundTaskExpired(number), to: client)))
      return
    }
    apps[index].life.tasks.append(BackgroundTask(client: client, number: number, name: name))
  }

  // MARK: Reasons

  /// Reasons that have no known end: continuous updates that may run in the background (behaviour 3.2, 3.3), and a
  /// `CLBackgroundActivitySession` (9.10).
  func runsWithoutEnd(app index: Int) -> Bool {
    if apps[index].life.holdsActivity { return true }
    return apps[index].sessions.contains { runsInBackground($0, app: index) }
  }

  /// Updates that rest keep nobody running (cases CL-06), unless they look whether the device moves.
  func runsInBackground(_ session: ManagerSession, app index: Int) -> Bool {
    guard apps[index].description.hasLocationBackgroundMode, session.isUpdating,
      session.pause == nil || session.pause?.schedule != nil, isPermitted(app: index)
    else { return false }
    if apps[index].hasBackgroundSession { return session.startedInForeground }
    // With Always they may be begun in the background, too.
    return session.configuration.allowsBackgroundUpdates && hasFullAlways(app: index)
  }

  func hasFullAlways(app index: Int) -> Bool {
    let grant = apps[index].authorization.grant
    return grant.level == .always && !grant.isProvisional
  }

  /// When the reasons that end by themselves have ended.
  private func temporaryReasonEnds(app index: Int) -> Instant? {
    [apps[index].life.graceEnds, apps[index].life.wakeEnds].compactMap { $0 }.max()
  }

  // MARK: Time

  mutating func openWakeWindow(app index: Int) {
    apps[index].life.wakeEnds = now.advanced(bySeconds: policy.wakeWindowSeconds)
  }

  func considerLifeDeadlines(app index: Int, _ consider: (Instant?) -> Void) {
    let life = apps[index].life
    consider(life.heldOffUntil)
    guard life.isSupervised else { return }
    consider(life.rememberedUntil)
    guard apps[index].state == .background, !life.isTerminating else { return }
    consider(temporaryReasonEnds(app: index))
    guard !life.tasks.isEmpty, let since = life.backgroundTimeSince else { return }
    if life.tasks.contains(where: { !$0.isExpired }) {
      consider(since.advanced(bySeconds: policy.backgroundTaskSeconds))
    }
    consider(killTime(of: life))
  }

  private func killTime(of life: AppLife) -> Instant? {
    life.expiredAt?.advanced(bySeconds: policy.expirationGraceSeconds)
  }

  /// What ends by itself has ended, each at its own time, however late the wake-up.
  mutating func passLifeDeadlines(app index: Int, effects: inout [Effect]) {
    if let until = apps[index].life.heldOffUntil, until <= now { endHoldingOff(app: index, effects: &effects) }
    guard apps[index].life.isSupervised else { return }
    if let until = apps[index].life.rememberedUntil, until <= now { forgetRemembered(app: index) }
    guard let ends = temporaryReasonEnds(app: index), ends <= now else {
      return settleBackground(app: index, reasonEnded: now, effects: &effects)
    }
    // What was due while the app ran comes first.
    passSessionDeadlines(app: index, until: ends, effects: &effects)
    apps[index].life.graceEnds = nil
    apps[index].life.wakeEnds = nil
    settleBackground(app: index, reasonEnded: ends, effects: &effects)
  }

  /// Background time runs from the moment that the last other reason ended; beginning another task does not renew it.
  mutating func settleBackground(app index: Int, reasonEnded: Instant, effects: inout [Effect]) {
    guard apps[index].life.isSupervised, apps[index].state == .background, !apps[index].life.isTerminating else {
      return tellBackgroundTime(app: index, effects: &effects)
    }
    if runsWithoutEnd(app: index) || temporaryReasonEnds(app: index).map({ $0 > now }) == true {
      apps[index].life.backgroundTimeSince = nil
      apps[index].life.expiredAt = nil
    } else if apps[index].life.tasks.isEmpty {
      return suspendForLackOfReason(app: index, effects: &effects)
    } else {
      let since = apps[index].life.backgroundTimeSince ?? reasonEnded
      apps[index].life.backgroundTimeSince = since
      if since.advanced(bySeconds: policy.backgroundTaskSeconds) <= now { expireTasks(app: index, effects: &effects) }
    }
    tellBackgroundTime(app: index, effects: &effects)
  }

  /// Every task hears once that its time is over; an app that ends none of them in time is killed, and the log says
  /// why.
  private mutating func expireTasks(app index: Int, effects: inout [Effect]) {
    for position in apps[index].life.tasks.indices where !apps[index].life.tasks[position].isExpired {
      apps[index].life.tasks[position].isExpired = true
      let task = apps[index].life.tasks[position]
      effects.append(.life(.tell(.backgroundTaskExpired(task.number), to: task.client)))
    }
    // From when it was told, so that a late wake-up leaves it the same time.
    apps[index].life.expiredAt = apps[index].life.expiredAt ?? now
    guard let kill = killTime(of: apps[index].life), kill <= now else { return }
    let names = apps[index].life.tasks.map(\.name)
    note(.killedForBackgroundTasks(apps[index].identifier, tasks: names), effects: &effects)
    end(app: index, because: .backgroundTasksNotEnded(names), effects: &effects)
  }

  private mutating func suspendForLackOfReason(app index: Int, effects: inout [Effect]) {
    apps[index].life.backgroundTimeSince = nil
    apps[index].life.expiredAt = nil
    if hasEventInHand(app: index) {
      note(.killedForEvent(apps[index].identifier), effects: &effects)
      return end(app: index, because: .eventNotHandled, effects: &effects)
    }
    tellLife(.willBeSuspended, app: index, effects: &effects)
    effects.append(.life(.suspend(apps[index].identifier)))
    changeState(of: apps[index].identifier, to: .suspended, effects: &effects)
  }

  /// A callback for an event that was told has not returned: an app that overruns its time for it is killed
  /// (behaviour 3.6), and told again when it is started again.
  private func hasEventInHand(app index: Int) -> Bool {
    apps[index].keptEvents.contains { $0.isTold } && apps[index].sessions.contains { !$0.identifier.isStream }
  }

  /// What `backgroundTimeRemaining` is reckoned from (behaviour 3.8); told when it changes, to who can hear. An app
  /// that has its time for an event and no open task has no more than that (3.6).
  mutating func tellBackgroundTime(app index: Int, effects: inout [Effect]) {
    let state = apps[index].state
    guard state == .background || state == .foreground, !apps[index].life.isTerminating else { return }
    var ends: Instant?
    if state == .background, !runsWithoutEnd(app: index) {
      let since = apps[index].life.backgroundTimeSince ?? temporaryReasonEnds(app: index)
      let isForEventAlone = apps[index].life.wakeEnds != nil && apps[index].life.tasks.isEmpty
      ends = since?.advanced(bySeconds: isForEventAlone ? 0 : policy.backgroundTaskSeconds)
    }
    guard ends != apps[index].life.toldBackgroundTimeEnds else { return }
    apps[index].life.toldBackgroundTimeEnds = ends
    tellLife(.backgroundTimeChanged(ends: ends), app: index, effects: &effects)
  }
}

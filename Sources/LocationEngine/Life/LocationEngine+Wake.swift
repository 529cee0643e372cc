import LocationModel

/// Events for apps that are suspended or do not run: who is woken, who is started, and who is not.
extension LocationEngine {
  /// After every step, `start` being where its effects begin.
  mutating func settleLives(from start: Int, effects: inout [Effect]) {
    let woken = wakeOrLaunch(from: start, effects: &effects)
    launchForUpdates(from: start, effects: &effects)
    for index in woken { wake(app: index, effects: &effects) }
    if !woken.isEmpty { refreshClients(effects: &effects) }
    noteToldEvents(from: start, effects: effects)
    for index in apps.indices where apps[index].description.isInstalled {
      settleBackground(app: index, reasonEnded: now, effects: &effects)
      settleStanding(app: index, effects: &effects)
    }
    refreshMonitoring(effects: &effects)
  }

  /// What supervisor and person are to know of the app.
  private mutating func settleStanding(app index: Int, effects: inout [Effect]) {
    let allows = mayRefresh(app: index)
    if allows != apps[index].life.toldAllowsRefresh, apps[index].state != .suspended {
      apps[index].life.toldAllowsRefresh = allows
      tellLife(.backgroundRefreshChanged(isOn: allows), app: index, effects: &effects)
    }
    let shows = isIndicatorDue(app: index)
    if shows != apps[index].life.showsIndicator {
      apps[index].life.showsIndicator = shows
      effects.append(.life(.indicatorChanged(apps[index].identifier, isShown: shows)))
    }
    let stored = worthStoring(app: index)
    if stored != apps[index].life.stored {
      apps[index].life.stored = stored
      effects.append(.life(.store(stored, for: apps[index].identifier)))
    }
  }

  func worthStoring(app index: Int) -> StoredAppLife {
    var stored = apps[index].life.worthStoring
    guard apps[index].life.isSupervised, !apps[index].life.isTerminating else { return stored }
    switch apps[index].state {
    case .foreground: stored.running = .foreground
    case .background: stored.running = runsWithoutEnd(app: index) ? .background : .no
    case .suspended, .notRunning: stored.running = .no
    }
    return stored
  }

  /// Under While Using always, under Always where the app wants it, or holds a session (behaviour 3.5, 9.10).
  private func isIndicatorDue(app index: Int) -> Bool {
    guard apps[index].life.isSupervised, apps[index].state == .background, isPermitted(app: index) else { return false }
    if apps[index].life.holdsActivity { return true }
    return apps[index].sessions.contains { session in
      guard runsInBackground(session, app: index) else { return false }
      return session.configuration.showsBackgroundIndicator || !hasFullAlways(app: index)
    }
  }

  // MARK: Waking

  func mayRefresh(app index: Int) -> Bool {
    allowsBackgroundRefresh && apps[index].life.allowsRefresh
  }

  /// Only Always lets an app be started or woken (behaviour 1.23), Background App Refresh has to be on (3.11), and the
  /// policy says what an end by the person means (3.14).
  private func mayWake(app index: Int) -> Bool {
    hasFullAlways(app: index) && isPermitted(app: index) && mayRefresh(app: index)
      && (policy.relaunchesAfterForceQuit || !apps[index].life.wasForceQuit)
  }

  private func mayStart(app index: Int, for event: ManagerEvent) -> Bool {
    if case .liveUpdated = event { return mayGoOnWithUpdates(app: index) }
    return mayWake(app: index)
  }

  /// While Using is enough for who had a session: it may take it up again (behaviour 9.6, 9.12).
  private func mayGoOnWithUpdates(app index: Int) -> Bool {
    apps[index].told.status.isAuthorized && mayRefresh(app: index) && !apps[index].life.wasForceQuit
  }

  /// Takes the wishes to start that come to nothing out of the effects; the apps that are to be woken.
  private mutating func wakeOrLaunch(from start: Int, effects: inout [Effect]) -> [Int] {
    var woken: [Int] = []
    var kept = start
    let end = effects.count
    for position in start..<end {
      if case .launch(let app, let event) = effects[position], let index = appIndexByIdentifier[app],
        apps[index].description.isInstalled
      {
        if apps[index].life.isSupervised, apps[index].state != .notRunning {
          if apps[index].state == .suspended, mayWake(app: index), !woken.contains(index) { woken.append(index) }
          continue
        }
        guard mayStart(app: index, for: event), isStartAdmitted(for: event, app: index, effects: &effects) else {
          continue
        }
      }
      effects.swapAt(kept, position)
      kept += 1
    }
    effects.removeSubrange(kept..<end)
    return woken
  }

  private mutating func wake(app index: Int, effects: inout [Effect]) {
    guard apps[index].state == .suspended, !apps[index].life.isTerminating else { return }
    effects.append(.life(.resume(apps[index].identifier)))
    openWakeWindow(app: index)
    let position = effects.count
    changeState(of: apps[index].identifier, to: .background, effects: &effects)
    // Before what was kept for it: its callbacks may ask.
    var told: [Effect] = []
    tellBackgroundTime(app: index, effects: &told)
    effects.insert(contentsOf: told, at: position)
    refreshMonitoring(effects: &effects)
  }

  /// An app that runs in the background has its time for each event that it is told, not only for the first.
  private mutating func noteToldEvents(from start: Int, effects: [Effect]) {
    for position in start..<effects.count {
      guard case .deliver(let event, let manager) = effects[position], let index = appIndexByClient[manager.client],
        apps[index].life.isSupervised, apps[index].state == .background
      else { continue }
      if isWorthWaking(event, to: manager, app: index) { openWakeWindow(app: index) }
    }
  }

  private func isWorthWaking(_ event: ManagerEvent, to manager: ManagerIdentifier, app index: Int) -> Bool {
    switch event {
    case .regionEntered, .regionExited, .visited, .conditionChanged, .kept: return true
    case .locationsUpdated:
      let session = apps[index].sessions.first { $0.identifier == manager }
      return session?.significantChanges?.toldAt == now
    default: return false
    }
  }

  // MARK: Starting

  /// Live updates that a background session kept going ended with their process, which nobody ended: the app is started
  /// again as soon as it may have them (behaviour 9.6).
  private mutating func launchForUpdates(from start: Int, effects: inout [Effect]) {
    for index in apps.indices where apps[index].life.awaitsUpdates && mayGoOnWithUpdates(app: index) {
      apps[index].life.awaitsUpdates = false
      let app = apps[index].identifier
      let event = ManagerEvent.liveUpdated(LiveUpdate(fix: nil))
      let isStarted = effects[start...].contains { if case .launch(app, _) = $0 { true } else { false } }
      guard !isStarted, apps[index].state == .notRunning,
        isStartAdmitted(for: event, app: index, effects: &effects)
      else { continue }
      effects.append(.launch(app, for: event))
    }
  }

  /// A process has gone, or could not be started, and events wait for the app. Where the person had ended it, perhaps
  /// since it hung on an event, what it was told of waits for its next start.
  mutating func launchForWaiting(app index: Int, effects: inout [Effect]) {
    // An event of a condition waits for its reader; one that the person's opening did not bring starts nothing.
    let mayWaitForReader = apps[index].life.cause == .event && !apps[index].life.wasEndedByPerson
    let pending = mayWaitForReader ? pendingConditionEvent(app: index) : nil
    guard
      let event = waitingEvent(app: index, includesMoves: false, includesTold: !apps[index].life.wasEndedByPerson)
        ?? pending.map(ManagerEvent.conditionChanged)
    else { return }
    effects.append(.launch(apps[index].identifier, for: event))
  }

  /// No process of the app could be started since what waits has happened.
  mutating func launchForAllThatWaits(app index: Int, effects: inout [Effect]) {
    guard
      let event = waitingEvent(app: index, includesMoves: true, includesTold: true)
        ?? pendingConditionEvent(app: index).map(ManagerEvent.conditionChanged)
    else { return }
    effects.append(.launch(apps[index].identifier, for: event))
  }

  private func waitingEvent(app index: Int, includesMoves: Bool, includesTold: Bool) -> ManagerEvent? {
    firstKeptEvent(app: index, includesMoves: includesMoves, includesTold: includesTold)
      ?? apps[index].waitingRegionEvents.first
      ?? apps[index].visits?.held.first.map { .visited(visible($0, app: index)) }
  }

  private func pendingConditionEvent(app index: Int) -> ConditionEvent? {
    apps[index].monitors.lazy.flatMap(\.conditions).compactMap(\.stored.pending).first
  }

  mutating func noteEventStart(app index: Int) {
    apps[index].life.eventStarts.append(now)
    let excess = apps[index].life.eventStarts.count - policy.crashLoopStartsMax
    if excess > 0 { apps[index].life.eventStarts.removeFirst(excess) }
  }

  /// The app does not end by itself.
  mutating func endByPerson(app index: Int) {
    apps[index].life.wasEndedByPerson = true
    apps[index].life.hadLiveUpdates = false
    if apps[index].life.cause == .event { _ = apps[index].life.eventStarts.popLast() }
  }

  /// An app that was started again and again within a short time is left alone for a while; that is said once.
  private mutating func isStartAdmitted(for event: ManagerEvent, app index: Int, effects: inout [Effect]) -> Bool {
    guard apps[index].life.heldOffUntil == nil else { return false }
    let starts = apps[index].life.eventStarts.filter { now.seconds(since: $0) < policy.crashLoopSeconds }
    guard starts.count >= policy.crashLoopStartsMax else { return true }
    apps[index].life.heldOffUntil = now.advanced(bySeconds: policy.crashLoopBackOffSeconds)
    apps[index].life.heldOffEvent = event
    note(
      .launchesHeldOff(
        apps[index].identifier, starts: starts.count, couldStart: !apps[index].life.couldNotStart,
        forSeconds: policy.crashLoopBackOffSeconds), effects: &effects)
    return false
  }

  mutating func endHoldingOff(app index: Int, effects: inout [Effect]) {
    let event = apps[index].life.heldOffEvent
    apps[index].life.endHoldingOff()
    guard let event, apps[index].state == .notRunning else { return }
    effects.append(.launch(apps[index].identifier, for: event))
  }
}

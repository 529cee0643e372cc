import LocationModel

/// Supervised apps are launched, commanded, and end.
extension LocationEngine {
  mutating func handle(_ input: LifeInput, effects: inout [Effect]) {
    switch input {
    case .launched(let description, let grant, let cause):
      launched(description, grant: grant, cause: cause, effects: &effects)
    case .commanded(let app, let command):
      guard let index = supervisedIndex(of: app) else { return }
      obey(command, app: index, effects: &effects)
    case .processEnded(let app):
      guard let index = supervisedIndex(of: app) else { return }
      endLife(app: index, effects: &effects)
      apps[index].life.awaitsUpdates = apps[index].life.hadLiveUpdates
      launchForWaiting(app: index, effects: &effects)
    case .startFailed(let app):
      startFailed(app, effects: &effects)
    case .startPossible(let app):
      guard let index = appIndexByIdentifier[app], apps[index].description.isInstalled,
        apps[index].state == .notRunning
      else { return }
      launchForAllThatWaits(app: index, effects: &effects)
    case .installedAgain(let app):
      guard let index = appIndexByIdentifier[app], apps[index].description.isInstalled else { return }
      apps[index].life.endHoldingOff()
      guard apps[index].state == .notRunning else { return }
      launchForAllThatWaits(app: index, effects: &effects)
    case .eventsAcknowledged(let numbers, let app):
      guard let index = appIndexByIdentifier[app] else { return }
      acknowledge(numbers, app: index, effects: &effects)
    case .backgroundTaskBegun(let number, let name, let client):
      beginTask(number, name: name, by: client, effects: &effects)
    case .backgroundTaskEnded(let number, let client):
      guard let index = appIndexByClient[client] else { return }
      apps[index].life.tasks.removeAll { $0.client == client && $0.number == number }
    case .backgroundRefreshSwitched(let app?, let isOn):
      if isOn { appsWithoutRefresh.remove(app) } else { appsWithoutRefresh.insert(app) }
      guard let index = appIndexByIdentifier[app] else { return }
      apps[index].life.allowsRefresh = isOn
    case .backgroundRefreshSwitched(nil, let isOn):
      allowsBackgroundRefresh = isOn
    case .restored(let description, let grant, let stored):
      restoreLife(stored, of: description, grant: grant, effects: &effects)
    }
  }

  func isSupervised(_ app: AppIdentifier) -> Bool { supervisedIndex(of: app) != nil }

  private func supervisedIndex(of app: AppIdentifier) -> Int? {
    guard let index = appIndexByIdentifier[app], apps[index].life.isSupervised else { return nil }
    return index
  }

  private mutating func restoreLife(
    _ stored: StoredAppLife, of description: AppDescription, grant: Grant, effects: inout [Effect]
  ) {
    guard description.isInstalled else { return }
    let index = makeKnown(description, grant: grant)
    guard apps[index].state == .notRunning else { return }
    apps[index].life.wasForceQuit = stored.wasForceQuit
    apps[index].life.hadActivity = stored.hadBackgroundActivity
    apps[index].life.hadAlways = stored.hadAlwaysSession
    apps[index].life.allowsRefresh = stored.allowsBackgroundRefresh
    apps[index].life.toldAllowsRefresh = mayRefresh(app: index)
    apps[index].life.stored = stored
    guard !apps[index].life.isRestored else { return }
    // What the service before this one did not come to tell.
    apps[index].life.isRestored = true
    guard let event = firstKeptEvent(app: index, includesMoves: true) else { return }
    effects.append(.launch(apps[index].identifier, for: event))
  }

  // MARK: Begin and end

  private mutating func launched(
    _ description: AppDescription, grant: Grant, cause: LaunchCause, effects: inout [Effect]
  ) {
    guard description.isInstalled else { return }
    let index = makeKnown(description, grant: grant)
    // A process that ended unnoticed has ended by now.
    if apps[index].state != .notRunning { endLife(app: index, effects: &effects) }
    hasSessions = true
    apps[index].life.isSupervised = true
    apps[index].life.cause = cause
    apps[index].life.wasEndedByPerson = false
    apps[index].life.couldNotStart = false
    apps[index].life.awaitsUpdates = false
    // Who does not ask for the places on the way in this process is not started for them again.
    for position in apps[index].keptEvents.indices { apps[index].keptEvents[position].wasTold = false }
    apps[index].life.rememberedUntil = now.advanced(bySeconds: policy.sessionRejoinSeconds)
    switch cause {
    case .person:
      apps[index].life.openByPerson()
      apps[index].life.isToldOfMissingSession = false
      changeState(of: apps[index].identifier, to: .foreground, effects: &effects)
    case .event:
      noteEventStart(app: index)
      openWakeWindow(app: index)
      changeState(of: apps[index].identifier, to: .background, effects: &effects)
    }
  }

  private mutating func startFailed(_ app: AppIdentifier, effects: inout [Effect]) {
    guard let index = appIndexByIdentifier[app], apps[index].description.isInstalled,
      apps[index].state == .notRunning
    else { return }
    apps[index].life.cause = .event
    apps[index].life.couldNotStart = true
    noteEventStart(app: index)
    apps[index].life.awaitsUpdates = apps[index].life.hadLiveUpdates
    launchForWaiting(app: index, effects: &effects)
  }

  private mutating func endLife(app index: Int, effects: inout [Effect]) {
    keepSignificantChanges(app: index)
    rememberSessions(app: index) { _ in true }
    apps[index].life.endProcess()
    for position in apps[index].sessions.indices {
      apps[index].sessions[position].activity = nil
      apps[index].sessions[position].service = nil
    }
    changeState(of: apps[index].identifier, to: .notRunning, effects: &effects)
  }

  // MARK: Commands

  private mutating func obey(_ command: AppCommand, app index: Int, effects: inout [Effect]) {
    guard apps[index].state != .notRunning, !apps[index].life.isTerminating else { return }
    switch command {
    case .enterForeground:
      enterForeground(supervised: index, effects: &effects)
    case .enterBackground:
      guard apps[index].state == .foreground else { return }
      apps[index].life.graceEnds = now.advanced(bySeconds: policy.backgroundEntrySeconds)
      let position = effects.count
      changeState(of: apps[index].identifier, to: .background, effects: &effects)
      // Before all else, and its time before that: `applicationDidEnterBackground(_:)` may ask.
      var told: [Effect] = []
      tellBackgroundTime(app: index, effects: &told)
      tellLife(.enteredBackground, app: index, effects: &told)
      effects.insert(contentsOf: told, at: position)
    case .terminate:
      endByPerson(app: index)
      end(app: index, because: .commanded, effects: &effects)
    case .forceQuit:
      endByPerson(app: index)
      apps[index].life.wasForceQuit = true
      forgetSessions(app: index)
      end(app: index, because: .forceQuit, effects: &effects)
    }
  }

  private mutating func enterForeground(supervised index: Int, effects: inout [Effect]) {
    guard apps[index].state != .foreground else { return }
    if apps[index].state == .suspended { effects.append(.life(.resume(apps[index].identifier))) }
    apps[index].life.openByPerson()
    apps[index].life.graceEnds = nil
    apps[index].life.wakeEnds = nil
    tellLife(.enteredForeground, app: index, effects: &effects)
    changeState(of: apps[index].identifier, to: .foreground, effects: &effects)
  }

  /// An app that cannot run is told nothing, as on Apple's systems, nor is one that is ended at once: for the person's
  /// force-quit, or since it ran longer than it may.
  mutating func end(app index: Int, because reason: TerminationReason, effects: inout [Effect]) {
    apps[index].life.isTerminating = true
    if reason == .commanded, apps[index].state != .suspended { tellLife(.willTerminate, app: index, effects: &effects) }
    effects.append(.life(.terminate(apps[index].identifier, reason)))
  }

  mutating func tellLife(_ event: LifeEvent, app index: Int, effects: inout [Effect]) {
    for client in apps[index].clients { effects.append(.life(.tell(event, to: client.identifier))) }
  }

  /// A process of a supervised app connected: how the app stands is the first that it hears.
  mutating func greet(_ client: ClientIdentifier, app index: Int, effects: inout [Effect]) {
    guard let standing = lifeStanding(of: client) else { return }
    effects.append(.life(.tell(.began(standing), to: client)))
  }

  // MARK: What may be asked at once

  /// Nil for a client that is not of a supervised app.
  package func lifeStanding(of client: ClientIdentifier) -> LifeStanding? {
    guard let index = appIndexByClient[client], apps[index].life.isSupervised else { return nil }
    return LifeStanding(
      state: apps[index].state, cause: apps[index].life.cause,
      backgroundTimeEnds: apps[index].life.toldBackgroundTimeEnds, allowsBackgroundRefresh: mayRefresh(app: index))
  }

  /// What is to be stored of an app's life; nil for one that is not known.
  package func storedLife(of app: AppIdentifier) -> StoredAppLife? {
    appIndexByIdentifier[app].map { worthStoring(app: $0) }
  }

  /// Where an app stands; nil for one that is not known.
  package func state(of app: AppIdentifier) -> AppState? {
    appIndexByIdentifier[app].map { apps[$0].state }
  }

  /// Whether a running app is being ended; nothing else happens to it until it has.
  package func isEnding(_ app: AppIdentifier) -> Bool {
    appIndexByIdentifier[app].map { apps[$0].life.isTerminating } ?? false
  }

  /// Whether events start an app no more for a while, since it has ended again and again as soon as it was started, or
  /// could not be started at all.
  package func isHeldOff(_ app: AppIdentifier) -> Bool {
    appIndexByIdentifier[app].map { apps[$0].life.heldOffUntil != nil } ?? false
  }

  /// Whether the last start of an app came to nothing.
  package func couldNotStart(_ app: AppIdentifier) -> Bool {
    appIndexByIdentifier[app].map { apps[$0].life.couldNotStart } ?? false
  }

  /// Whether an app's own Background App Refresh is on.
  package func allowsRefresh(of app: AppIdentifier) -> Bool {
    appIndexByIdentifier[app].map { apps[$0].life.allowsRefresh } ?? !appsWithoutRefresh.contains(app)
  }

  /// Whether people see that the app uses location in the background.
  package func showsIndicator(of app: AppIdentifier) -> Bool {
    appIndexByIdentifier[app].map { apps[$0].life.showsIndicator } ?? false
  }
}

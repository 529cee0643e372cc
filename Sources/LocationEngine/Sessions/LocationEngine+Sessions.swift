import LocationModel

/// Apps, clients and managers come and go; apps move through their life.
extension LocationEngine {
  mutating func connect(
    _ client: ClientIdentifier, description: AppDescription, grant: Grant, lastFix stored: Fix?,
    effects: inout [Effect]
  ) {
    guard appIndexByClient[client] == nil else { return }
    let index = makeKnown(description, grant: grant)
    monitoringIsStale = true
    appIndexByClient[client] = index
    apps[index].clients.append(AppClient(identifier: client))
    greet(client, app: index, effects: &effects)
    guard lastFixReceivedAt == nil, let stored, stored.coordinate.isValid else { return }
    if let known = lastFix, known.time >= stored.time { return }
    lastFix = stored
  }

  mutating func makeKnown(_ description: AppDescription, grant: Grant) -> Int {
    if description.isInstalled { isSupervising = true }
    if let known = appIndexByIdentifier[description.identifier] {
      // An app that comes back may have been updated meanwhile; one identity has one description at a time.
      apps[known].description = description
      return known
    }
    apps.append(
      App(description: description, grant: grant, servicesEnabled: locationServicesEnabled))
    appIndexByIdentifier[description.identifier] = apps.count - 1
    apps[apps.count - 1].life.allowsRefresh = !appsWithoutRefresh.contains(description.identifier)
    return apps.count - 1
  }

  mutating func disconnect(_ client: ClientIdentifier, effects: inout [Effect]) {
    guard let index = appIndexByClient.removeValue(forKey: client) else { return }
    if apps[index].clients.count == 1 { keepSignificantChanges(app: index) }
    rememberSessions(app: index) { $0.client == client }
    // First all that is the client's, so that nothing is said to a process that has gone.
    apps[index].clients.removeAll { $0.identifier == client }
    apps[index].sessions.removeAll { $0.identifier.client == client }
    apps[index].life.tasks.removeAll { $0.client == client }
    apps[index].prompt?.completions.removeAll { $0.manager.client == client }
    forgetStarters(app: index) { $0.client == client }
    closeMonitors(app: index) { $0.client == client }
    demandIsStale = true
    monitoringIsStale = true
    if let asker = apps[index].prompt?.asker, asker.client == client {
      withdrawPrompt(app: index, effects: &effects)
    }
    updateBackgroundSession(app: index, effects: &effects)
    if apps[index].clients.isEmpty { forgetTelling(app: index) }
    endCalibrationWithoutHeading(app: index, effects: &effects)
    // A supervised app ends with its process, and not with its connection.
    if apps[index].clients.isEmpty, !apps[index].life.isSupervised {
      changeState(of: apps[index].identifier, to: .notRunning, effects: &effects)
    }
  }

  /// Only an app without a process can be forgotten, and not one that is watched for; one that comes back is told to
  /// the engine anew.
  mutating func forget(_ app: AppIdentifier) {
    guard let index = appIndexByIdentifier[app], apps[index].clients.isEmpty, apps[index].prompt == nil,
      !apps[index].isWatchingRegions, !apps[index].isWatchingConditions, !apps[index].isMonitoredWhileAbsent,
      !apps[index].life.isSupervised
    else { return }
    remove(app: index)
  }

  /// Also an app that is watched for; a question about it has lost its object.
  mutating func uninstall(_ app: AppIdentifier, effects: inout [Effect]) {
    guard let index = appIndexByIdentifier[app], apps[index].clients.isEmpty else { return }
    if apps[index].prompt != nil { withdrawPrompt(app: index, effects: &effects) }
    remove(app: index)
    appsWithoutRefresh.remove(app)
    monitoringIsStale = true
  }

  private mutating func remove(app index: Int) {
    let app = apps.remove(at: index).identifier
    appIndexByIdentifier[app] = nil
    for later in index..<apps.count {
      appIndexByIdentifier[apps[later].identifier] = later
      for client in apps[later].clients { appIndexByClient[client.identifier] = later }
    }
    demandIsStale = true
  }

  mutating func addManager(_ manager: ManagerIdentifier, effects: inout [Effect]) {
    guard let index = appIndexByClient[manager.client], self.index(of: manager, app: index) == nil
    else { return }
    let siblings = apps[index].sessions.count { $0.identifier.client == manager.client }
    guard siblings < policy.managersPerClientMax else {
      let notice = Notice.tooManyManagers(
        apps[index].identifier, max: policy.managersPerClientMax)
      effects.append(.note(notice))
      return
    }
    apps[index].sessions.append(ManagerSession(identifier: manager))
    monitoringIsStale = true
    // Every manager hears the status once, even if nothing is decided (behaviour 1.25).
    effects.append(
      .deliver(
        .authorizationChanged(apps[index].told, isInitial: true, statusChanged: true), to: manager))
    releaseHeldVisits(app: index, effects: &effects)
  }

  /// A released manager stops its updates and takes its prompt down (behaviour 2.18).
  mutating func removeManager(_ manager: ManagerIdentifier, effects: inout [Effect]) {
    guard let index = appIndexByClient[manager.client],
      let position = self.index(of: manager, app: index)
    else { return }
    apps[index].sessions.remove(at: position)
    forgetStarters(app: index) { $0 == manager }
    closeMonitors(app: index) { $0 == manager }
    declineCompletions(of: manager, app: index, effects: &effects)
    if let pending = apps[index].prompt, pending.asker == manager {
      withdrawPrompt(app: index, effects: &effects)
    }
    updateBackgroundSession(app: index, effects: &effects)
    endCalibrationWithoutHeading(app: index, effects: &effects)
    demandIsStale = true
  }

  func index(of manager: ManagerIdentifier, app index: Int) -> Int? {
    apps[index].sessions.firstIndex { $0.identifier == manager }
  }

  mutating func perform(
    _ request: Request, for manager: ManagerIdentifier, effects: inout [Effect]
  ) {
    guard let index = appIndexByClient[manager.client],
      let position = self.index(of: manager, app: index)
    else { return }
    switch request {
    case .requestWhenInUseAuthorization:
      requestWhenInUse(app: index, by: manager, effects: &effects)
    case .requestAlwaysAuthorization:
      requestAlways(app: index, by: manager, effects: &effects)
    case .requestTemporaryFullAccuracy(let key, let completion):
      requestTemporaryFullAccuracy(
        app: index, by: manager, purposeKey: key, completion: completion, effects: &effects)
    case .configure(let configuration):
      configure(app: index, session: position, as: configuration, effects: &effects)
    case .startUpdatingLocation:
      startUpdates(app: index, session: position, effects: &effects)
    case .stopUpdatingLocation:
      stopUpdates(app: index, session: position, effects: &effects)
    case .requestLocation:
      startRequest(app: index, session: position, effects: &effects)
    case .startMonitoring(let region):
      startMonitoring(region, app: index, by: manager, effects: &effects)
    case .stopMonitoring(let identifier):
      stopMonitoring(identifier, app: index, effects: &effects)
    case .requestState(let region):
      answerState(of: region, app: index, by: manager, effects: &effects)
    default:
      performMonitoring(request, app: index, session: position, effects: &effects)
    }
  }

  private mutating func performMonitoring(
    _ request: Request, app index: Int, session position: Int, effects: inout [Effect]
  ) {
    switch request {
    case .allowDeferredUpdates(let distanceMeters, let timeoutSeconds):
      allowDeferral(
        app: index, session: position, distanceMeters: distanceMeters, timeoutSeconds: timeoutSeconds,
        effects: &effects)
    case .disallowDeferredUpdates:
      endDeferral(app: index, session: position, with: .deferredCanceled, effects: &effects)
    case .startMonitoringSignificantChanges:
      startSignificantChanges(app: index, session: position, effects: &effects)
    case .stopMonitoringSignificantChanges:
      stopSignificantChanges(app: index, session: position, effects: &effects)
    case .startMonitoringVisits:
      startVisits(app: index, session: position, effects: &effects)
    case .stopMonitoringVisits:
      stopVisits(app: index, effects: &effects)
    case .startLiveUpdates(let configuration):
      startLiveUpdates(configuration, app: index, session: position)
    case .startUpdatingHeading:
      startHeading(app: index, session: position, effects: &effects)
    case .stopUpdatingHeading:
      stopHeading(app: index, session: position, effects: &effects)
    case .showHeadingCalibration:
      showCalibration(app: index, effects: &effects)
    case .dismissHeadingCalibration:
      dismissCalibration(app: index, effects: &effects)
    case .holdBackgroundActivity:
      beginActivity(app: index, session: position, effects: &effects)
    case .holdServiceSession(let goal):
      beginService(goal, app: index, session: position)
    default:
      performCondition(request, app: index, session: position, effects: &effects)
    }
  }

  private mutating func performCondition(
    _ request: Request, app index: Int, session position: Int, effects: inout [Effect]
  ) {
    let manager = apps[index].sessions[position].identifier
    switch request {
    case .openMonitor(let name):
      openMonitor(name, app: index, by: manager, effects: &effects)
    case .addCondition(let condition):
      addCondition(condition, app: index, by: manager, effects: &effects)
    case .removeCondition(let identifier):
      removeCondition(identifier, app: index, by: manager, effects: &effects)
    case .iterateConditions:
      iterateConditions(app: index, by: manager)
    case .settleCondition(let event):
      settleCondition(event, app: index, by: manager, effects: &effects)
    case .acknowledgeEvent(let number):
      acknowledge([number], app: index, effects: &effects)
    default:
      performRanging(request, app: index, session: position, effects: &effects)
    }
  }

  private mutating func performRanging(
    _ request: Request, app index: Int, session position: Int, effects: inout [Effect]
  ) {
    switch request {
    case .startRanging(let constraint):
      startRanging(constraint, app: index, session: position, effects: &effects)
    case .stopRanging(let constraint):
      stopRanging(constraint, app: index, session: position)
    default:
      break
    }
  }

  private mutating func configure(
    app index: Int, session position: Int, as configuration: ManagerConfiguration,
    effects: inout [Effect]
  ) {
    apps[index].sessions[position].configuration = configuration
    checkDeferral(app: index, session: position, effects: &effects)
    demandIsStale = true
  }

  // MARK: The life of an app

  mutating func changeState(
    of app: AppIdentifier, to state: AppState, effects: inout [Effect]
  ) {
    guard let index = appIndexByIdentifier[app], apps[index].state != state else { return }
    let previous = apps[index].state
    if previous == .foreground {
      leaveForeground(app: index, to: state)
      dismissCalibration(app: index, effects: &effects)
    }
    apps[index].state = state
    if state == .foreground {
      apps[index].graceEnds = nil
      apps[index].hasBackgroundSession = false
    }
    if previous == .notRunning { apps[index].absentChanges = nil }
    if state == .notRunning { endProcess(app: index, effects: &effects) }
    if state == .suspended { suspend(app: index) }
    let isResumed = previous == .suspended && state != .notRunning
    if isResumed { releaseHeld(app: index, effects: &effects) }
    updateUse(app: index, effects: &effects)
    if isResumed { resumeWaits(app: index, effects: &effects) }
    if state == .foreground { enterForeground(app: index, effects: &effects) }
    updateMonitoring(app: index, accuracyChanged: false, effects: &effects)
    demandIsStale = true
    monitoringIsStale = true
  }

  /// Nothing is deferred in the foreground, and pauses end there (behaviour 2.43, 2.54).
  private mutating func enterForeground(app index: Int, effects: inout [Effect]) {
    for position in apps[index].sessions.indices {
      flushDeferral(app: index, session: position, effects: &effects)
    }
    resumeInForeground(app: index, effects: &effects)
  }

  /// Use goes on for a short grace, and for as long as updates run that may run in the background: the mode in the
  /// Info.plist, the manager's property and permission, all three (behaviour 1.19, 3.2).
  private mutating func leaveForeground(app index: Int, to state: AppState) {
    guard state != .notRunning else { return }
    apps[index].hasBackgroundSession =
      apps[index].description.hasLocationBackgroundMode && isPermitted(app: index)
      && apps[index].sessions.contains { $0.isBackgroundSession }
    let grace = policy.inUseGraceSeconds
    apps[index].graceEnds = grace > 0 ? now.advanced(bySeconds: grace) : nil
  }

  /// Standard updates do not outlive the process (behaviour 2.16), nor do questions that it asked and what was held for
  /// it while it was suspended. What is kept on the disk is told to the next process.
  private mutating func endProcess(app index: Int, effects: inout [Effect]) {
    apps[index].hasBackgroundSession = false
    apps[index].graceEnds = nil
    forgetTelling(app: index)
    for position in apps[index].sessions.indices {
      apps[index].sessions[position].endUpdates()
      apps[index].sessions[position].heldEvents = []
      apps[index].sessions[position].locationRequest = nil
      apps[index].sessions[position].significantChanges = nil
      apps[index].sessions[position].changeAwaitingAlways = nil
      apps[index].sessions[position].heading = nil
      apps[index].sessions[position].ranging = []
    }
    if apps[index].prompt?.asker != nil { withdrawPrompt(app: index, effects: &effects) }
  }

  /// Background updates that stopped no longer keep the app in use.
  mutating func updateBackgroundSession(app index: Int, effects: inout [Effect]) {
    guard apps[index].hasBackgroundSession,
      !apps[index].sessions.contains(where: { $0.isUpdating && $0.startedInForeground })
    else { return }
    apps[index].hasBackgroundSession = false
    updateUse(app: index, effects: &effects)
  }

  /// Works out anew whether the app is in use (behaviour 1.19), and ends what lasts only during use.
  mutating func updateUse(app index: Int, effects: inout [Effect]) {
    let isInUse =
      apps[index].state == .foreground || apps[index].graceEnds != nil
      || apps[index].hasBackgroundSession || apps[index].life.holdsActivity
    guard isInUse != apps[index].isInUse else { return }
    let wasPermitted = isPermitted(app: index)
    apps[index].isInUse = isInUse
    if !isInUse { apps[index].authorization.endUse() }
    tellAuthorization(app: index, wasPermitted: wasPermitted, effects: &effects)
  }
}

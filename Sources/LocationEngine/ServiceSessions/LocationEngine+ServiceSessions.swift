import LocationModel

/// `CLServiceSession` and `CLBackgroundActivitySession`: what a process holds, until it lets its manager go.
extension LocationEngine {
  mutating func beginActivity(app index: Int, session position: Int, effects: inout [Effect]) {
    apps[index].sessions[position].activity = BackgroundActivity()
    hasSessions = true
    guard !apps[index].description.hasLocationBackgroundMode else { return }
    note(.sessionWithoutBackgroundMode(apps[index].identifier), effects: &effects)
  }

  mutating func beginService(_ goal: ServiceSessionGoal, app index: Int, session position: Int) {
    apps[index].sessions[position].service = ServiceSession(goal: goal)
    hasSessions = true
  }

  /// After every step: what has come into effect or out of it, and whom to ask.
  mutating func refreshSessions(effects: inout [Effect]) {
    guard hasSessions else { return }
    hasSessions = false
    for index in apps.indices {
      if apps[index].sessions.contains(where: { $0.activity != nil || $0.service != nil }) { hasSessions = true }
      for position in apps[index].sessions.indices { beginIfPossible(app: index, session: position) }
      settleSessions(app: index, effects: &effects)
      for position in apps[index].sessions.indices { ask(for: position, app: index, effects: &effects) }
    }
  }

  // MARK: In effect

  /// In the foreground; in the background only what the process before held, and only at once (behaviour 9.12, 9.23,
  /// 9.26).
  private mutating func beginIfPossible(app index: Int, session position: Int) {
    let isForeground = apps[index].state == .foreground
    let mayRejoin = apps[index].life.rememberedUntil.map { now < $0 } ?? false
    if let activity = apps[index].sessions[position].activity, !activity.hasBegun,
      apps[index].description.hasLocationBackgroundMode, isForeground || mayRejoin && apps[index].life.hadActivity
    {
      apps[index].sessions[position].activity?.hasBegun = true
    }
    if let service = apps[index].sessions[position].service, service.goal.authorization == .always,
      !service.holdsAlways, isForeground || mayRejoin && apps[index].life.hadAlways
    {
      apps[index].sessions[position].service?.holdsAlways = true
    }
  }

  private mutating func settleSessions(app index: Int, effects: inout [Effect]) {
    apps[index].life.holdsAlways = apps[index].sessions.contains { $0.service?.holdsAlways == true }
    let holds =
      apps[index].told.status.isAuthorized && apps[index].sessions.contains { $0.activity?.hasBegun == true }
    guard holds != apps[index].life.holdsActivity else { return }
    apps[index].life.holdsActivity = holds
    updateUse(app: index, effects: &effects)
  }

  // MARK: From one process to the next

  /// A process goes: an installed app may take up in its next one what this one held.
  mutating func rememberSessions(app index: Int, where goes: (ManagerIdentifier) -> Bool) {
    guard apps[index].life.isSupervised, !apps[index].life.wasForceQuit else { return }
    for session in apps[index].sessions where goes(session.identifier) {
      if session.activity?.hasBegun == true { apps[index].life.hadActivity = true }
      if session.service?.holdsAlways == true { apps[index].life.hadAlways = true }
    }
    if apps[index].state != .foreground, !apps[index].life.isTerminating, apps[index].life.hadActivity,
      apps[index].sessions.contains(where: { goes($0.identifier) && $0.live != nil })
    {
      apps[index].life.hadLiveUpdates = true
    }
    // The process may have lost its connection only.
    if apps[index].state != .notRunning {
      apps[index].life.rememberedUntil = now.advanced(bySeconds: policy.sessionRejoinSeconds)
    }
    hasSessions = true
  }

  /// Nobody took them up in time.
  mutating func forgetRemembered(app index: Int) {
    apps[index].life.rememberedUntil = nil
    apps[index].life.hadActivity = false
    apps[index].life.hadAlways = false
    apps[index].life.hadLiveUpdates = false
    apps[index].life.awaitsUpdates = false
    hasSessions = true
  }

  /// The person ended the app, and with it what it held.
  mutating func forgetSessions(app index: Int) {
    forgetRemembered(app: index)
    for position in apps[index].sessions.indices {
      apps[index].sessions[position].activity?.hasBegun = false
      apps[index].sessions[position].service?.holdsAlways = false
    }
  }

  // MARK: What they mean for the async API

  /// Always is in effect for the async API only with a session for it, from era 18 on (behaviour 9.23); what a former
  /// process held counts until its successor had time to take it up.
  func servesAsyncAPI(app index: Int) -> Bool {
    guard isPermitted(app: index) else { return false }
    let life = apps[index].life
    return apps[index].isInUse || !policy.alwaysNeedsServiceSession || life.holdsAlways || life.hadAlways
  }

  /// The Info.plist demands a session of one's own, and none is held that does (behaviour 9.22, 9.24).
  func lacksServiceSession(app index: Int) -> Bool {
    guard apps[index].description.requiresExplicitServiceSession else { return false }
    let isAuthorized = apps[index].told.status.isAuthorized
    return !apps[index].sessions.contains { session in
      session.service.map { $0.goal.authorization > .none || isAuthorized } ?? false
    }
  }

  // MARK: Asking

  /// Every session's goal is asked for as soon as that can be: in the foreground, one question after the other
  /// (behaviour 9.20, 9.21).
  private mutating func ask(for position: Int, app index: Int, effects: inout [Effect]) {
    guard let service = apps[index].sessions[position].service else { return }
    let told = apps[index].told
    if told.status != .notDetermined { apps[index].sessions[position].service?.hasAskedAuthorization = false }
    guard apps[index].state == .foreground, apps[index].prompt == nil else { return }
    let manager = apps[index].sessions[position].identifier
    switch (told.status, service.goal.authorization) {
    case (.notDetermined, .whenInUse), (.notDetermined, .always):
      guard !service.hasAskedAuthorization else { return }
      apps[index].sessions[position].service?.hasAskedAuthorization = true
      if service.goal.authorization == .always {
        requestAlways(app: index, by: manager, effects: &effects)
      } else {
        requestWhenInUse(app: index, by: manager, effects: &effects)
      }
    case (.authorizedWhenInUse, .always) where mayEscalate(app: index) && !service.hasAskedAlways:
      apps[index].sessions[position].service?.hasAskedAlways = true
      requestAlways(app: index, by: manager, effects: &effects)
    default: break
    }
    // Some policies decide without a question; what comes after it then comes at once.
    guard apps[index].prompt == nil else { return }
    askForFullAccuracy(app: index, session: position, effects: &effects)
  }

  /// Once only, and not upon Allow Once (behaviour 1.15, 1.18).
  private func mayEscalate(app index: Int) -> Bool {
    let authorization = apps[index].authorization
    return !authorization.isOnce && !authorization.grant.hasRequestedAlways
      && policy.alwaysEscalation != .doesNothing
  }

  private mutating func askForFullAccuracy(app index: Int, session position: Int, effects: inout [Effect]) {
    guard let service = apps[index].sessions[position].service, let key = service.goal.fullAccuracyPurposeKey,
      !service.hasAskedFullAccuracy, apps[index].told.status.isAuthorized, apps[index].told.accuracy == .reduced
    else { return }
    apps[index].sessions[position].service?.hasAskedFullAccuracy = true
    let usage = apps[index].description.temporaryUsages.first { $0.purposeKey == key }
    guard let usage else {
      let keys = ["\(InfoKey.temporaryUsages).\(key)"]
      let name = "CLServiceSession(authorization:fullAccuracyPurposeKey:)"
      return note(
        .requestIgnoredForMissingKeys(apps[index].identifier, request: name, keys: keys), effects: &effects)
    }
    show(
      kind: .temporaryFullAccuracy(purposeKey: key), app: index, by: apps[index].sessions[position].identifier,
      usageText: usage.text, choices: [.allowOnce, .doNotAllow], asksForAlways: false, effects: &effects)
  }

  // MARK: Saying

  /// After all that may have asked the person.
  mutating func tellDiagnostics(effects: inout [Effect]) {
    // A suspended app hears how things stand when it runs again.
    for index in apps.indices where apps[index].state != .suspended {
      for position in apps[index].sessions.indices {
        tellDiagnostics(app: index, session: position, effects: &effects)
      }
    }
  }

  private mutating func tellDiagnostics(app index: Int, session position: Int, effects: inout [Effect]) {
    let session = apps[index].sessions[position]
    let diagnostics: ServiceDiagnostics
    let told: ServiceDiagnostics?
    if let service = session.service {
      diagnostics = self.diagnostics(of: service, app: index)
      told = service.told
    } else if let activity = session.activity {
      diagnostics = self.diagnostics(of: activity, app: index)
      told = activity.told
    } else {
      return
    }
    guard diagnostics != told else { return }
    apps[index].sessions[position].service?.told = diagnostics
    apps[index].sessions[position].activity?.told = diagnostics
    effects.append(.deliver(.sessionDiagnosed(diagnostics), to: session.identifier))
  }

  /// What stands in the way of every session of the app.
  private func commonDiagnostics(app index: Int) -> ServiceDiagnostics {
    guard locationServicesEnabled else { return [.authorizationDenied, .authorizationDeniedGlobally] }
    let isAsking = apps[index].prompt.map { $0.prompt.kind != .provisionalConfirmation } ?? false
    switch apps[index].told.status {
    case .denied: return .authorizationDenied
    case .restricted: return .authorizationRestricted
    case .notDetermined, .authorizedAlways, .authorizedWhenInUse: return isAsking ? .authorizationRequestInProgress : []
    }
  }

  private func diagnostics(of activity: BackgroundActivity, app index: Int) -> ServiceDiagnostics {
    var diagnostics = commonDiagnostics(app: index)
    if !activity.hasBegun, apps[index].state != .foreground { diagnostics.insert(.insufficientlyInUse) }
    if lacksServiceSession(app: index) { diagnostics.insert(.serviceSessionRequired) }
    return diagnostics
  }

  private func diagnostics(of service: ServiceSession, app index: Int) -> ServiceDiagnostics {
    var diagnostics = commonDiagnostics(app: index)
    let told = apps[index].told
    let isAuthorized = told.status.isAuthorized
    let isAsking = diagnostics.contains(.authorizationRequestInProgress)
    let isForeground = apps[index].state == .foreground
    let wantsAlways = service.goal.authorization == .always
    // Nobody can be asked, or nothing is to be had, until the app is in use.
    let isIdle = told.status == .notDetermined ? !isForeground && service.goal.authorization > .none : false
    let isUnserved = isAuthorized && !isPermitted(app: index)
    let hasNotBegun = wantsAlways && !service.holdsAlways && !isForeground
    if locationServicesEnabled, isIdle || isUnserved || isAuthorized && hasNotBegun {
      diagnostics.insert(.insufficientlyInUse)
    }
    if lacksServiceSession(app: index) { diagnostics.insert(.serviceSessionRequired) }
    let isRefused = !diagnostics.isDisjoint(with: [.authorizationDenied, .authorizationRestricted])
    let hasAlwaysBeenRefused =
      told.status == .authorizedWhenInUse && !isAsking && (!mayEscalate(app: index) || service.hasAskedAlways)
    if wantsAlways, isRefused || hasAlwaysBeenRefused { diagnostics.insert(.alwaysAuthorizationDenied) }
    if service.hasAskedFullAccuracy, isAuthorized, told.accuracy == .reduced, !isAsking {
      diagnostics.insert(.fullAccuracyDenied)
    }
    return diagnostics
  }
}

import LocationModel

/// What follows when an app's permission changes, whoever changed it.
extension LocationEngine {
  func isPermitted(app index: Int) -> Bool {
    apps[index].authorization.permits(
      inUse: apps[index].isInUse, servicesEnabled: locationServicesEnabled)
  }

  /// The person, or the management of the device, changed an app's permission outside the app (behaviour 1.29).
  mutating func changeGrant(
    of app: AppIdentifier, effects: inout [Effect], _ change: (inout AppAuthorization) -> Void
  ) {
    guard let index = appIndexByIdentifier[app] else { return }
    let wasPermitted = isPermitted(app: index)
    change(&apps[index].authorization)
    tellAuthorization(app: index, wasPermitted: wasPermitted, effects: &effects)
  }

  /// Whether the question on screen has been settled elsewhere.
  private func isPromptMoot(app index: Int) -> Bool {
    let grant = apps[index].authorization.grant
    switch apps[index].prompt?.prompt.kind {
    case nil: return false
    case .first: return grant.level != .notDetermined || grant.isRestricted
    case .escalation: return grant.level != .whenInUse || grant.isRestricted
    case .provisionalConfirmation: return !grant.isProvisional || grant.isRestricted
    case .temporaryFullAccuracy:
      return grant.isPrecise || grant.isRestricted || grant.level.rawValue < Grant.Level.whenInUse.rawValue
    case .settings: return false
    }
  }

  /// Stores the grant, tells the app's managers what changed for them, and starts, refuses or resumes their
  /// services. Only changes are told (behaviour 1.26).
  mutating func tellAuthorization(app index: Int, wasPermitted: Bool, effects: inout [Effect]) {
    if isPromptMoot(app: index) { withdrawPrompt(app: index, effects: &effects) }
    storeGrant(app: index, effects: &effects)
    let before = apps[index].told
    let after = apps[index].authorization.authorization(servicesEnabled: locationServicesEnabled)
    let statusChanged = after.status != before.status
    let accuracyChanged = after.accuracy != before.accuracy
    if statusChanged || accuracyChanged {
      apps[index].told = after
      if after.accuracy == .reduced { coarsenKeptFixes(app: index) }
      effects.append(.snapshotChanged(apps[index].identifier))
      let event = ManagerEvent.authorizationChanged(
        after, isInitial: false, statusChanged: statusChanged)
      for session in apps[index].sessions {
        effects.append(.deliver(event, to: session.identifier))
      }
    }
    let isPermittedNow = isPermitted(app: index)
    if isPermittedNow, !wasPermitted || accuracyChanged {
      // A manager that asked for reduced locations notices nothing of Precise (behaviour 1.44).
      for position in apps[index].sessions.indices
      where !wasPermitted || apps[index].sessions[position].configuration.desiredAccuracy != .reduced {
        beginService(app: index, session: position, effects: &effects)
      }
    } else if !isPermittedNow {
      for position in apps[index].sessions.indices {
        endService(app: index, session: position, wasRefused: statusChanged, effects: &effects)
      }
    }
    updateMonitoring(app: index, accuracyChanged: accuracyChanged, effects: &effects)
    demandIsStale = true
    monitoringIsStale = true
  }

  /// What was kept for an app while it had full accuracy must not reach it after that (behaviour 1.42).
  private mutating func coarsenKeptFixes(app index: Int) {
    let coarseFix = coarse.fix
    for position in apps[index].sessions.indices {
      dropHeldFixes(app: index, session: position)
      apps[index].sessions[position].deferral?.batch = []
      if let held = apps[index].sessions[position].changeAwaitingAlways {
        apps[index].sessions[position].changeAwaitingAlways = coarseFix.map { ($0, held.at) }
      }
      if apps[index].sessions[position].locationRequest?.best != nil {
        apps[index].sessions[position].locationRequest?.best = coarseFix
      }
      if let held = apps[index].sessions[position].fixAwaitingAlways {
        apps[index].sessions[position].fixAwaitingAlways = coarseFix.map { ($0, held.at) }
      }
    }
  }

  private mutating func storeGrant(app index: Int, effects: inout [Effect]) {
    let grant = apps[index].authorization.storedGrant
    guard grant != apps[index].storedGrant else { return }
    apps[index].storedGrant = grant
    effects.append(.storeGrant(grant, for: apps[index].identifier))
  }

  /// Permission has gone. Where a person or the management refused, waiting managers hear `denied` (behaviour 1.31,
  /// 2.14); what was started stays armed and goes on when permission returns.
  private mutating func endService(
    app index: Int, session position: Int, wasRefused: Bool, effects: inout [Effect]
  ) {
    let session = apps[index].sessions[position]
    apps[index].sessions[position].waitsForFixSince = nil
    apps[index].sessions[position].hasReportedUnknown = false
    dropHeldFixes(app: index, session: position)
    apps[index].sessions[position].listensSince = nil
    apps[index].sessions[position].deferral?.batch = []
    endDeferral(app: index, session: position, with: .deferredFailed, effects: &effects)
    if !apps[index].authorization.grant.isProvisional {
      apps[index].sessions[position].fixAwaitingAlways = nil
    }
    let status = apps[index].told.status
    guard wasRefused, status == .denied || status == .restricted else { return }
    if session.isUpdating || session.significantChanges != nil {
      effects.append(.deliver(.failed(.denied, isAnswer: false), to: session.identifier))
    }
    if session.locationRequest != nil {
      apps[index].sessions[position].locationRequest = nil
      effects.append(.deliver(.failed(.denied, isAnswer: true), to: session.identifier))
    }
  }
}

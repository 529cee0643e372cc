import LocationModel

/// The standard location service: start, stop, one location, and which receivers all that needs.
extension LocationEngine {
  mutating func startUpdates(app index: Int, session position: Int, effects: inout [Effect]) {
    // A start takes the place of an outstanding one-time request, without a word (behaviour 2.33).
    apps[index].sessions[position].locationRequest = nil
    let wasUpdating = apps[index].sessions[position].isUpdating
    apps[index].sessions[position].isUpdating = true
    if apps[index].state == .foreground {
      apps[index].sessions[position].startedInForeground = true
    }
    demandIsStale = true
    showServicesAlertIfOff(app: index, session: position, effects: &effects)
    if isPermitted(app: index) {
      // A repeated start gives no new initial event (behaviour 2.5).
      if !wasUpdating { beginService(app: index, session: position, effects: &effects) }
      resumePausedUpdates(app: index, session: position, effects: &effects)
    } else if isRefused(app: index) {
      let manager = apps[index].sessions[position].identifier
      effects.append(.deliver(.failed(.denied, isAnswer: false), to: manager))
    }
  }

  mutating func stopUpdates(app index: Int, session position: Int, effects: inout [Effect]) {
    apps[index].sessions[position].deferral?.batch = []
    endDeferral(app: index, session: position, with: .deferredNotUpdatingLocation, effects: &effects)
    apps[index].sessions[position].endUpdates()
    apps[index].sessions[position].locationRequest = nil
    updateBackgroundSession(app: index, effects: &effects)
    demandIsStale = true
  }

  /// Denied, restricted, switched off, or While Using from the background (behaviour 1.22, 1.31). An app that has
  /// not been decided about hears nothing until it is (1.32).
  private func isRefused(app index: Int) -> Bool {
    apps[index].told.status != .notDetermined && !isAwaitingConfirmation(app: index)
  }

  private func isAwaitingConfirmation(app index: Int) -> Bool {
    apps[index].authorization.grant.isProvisional && locationServicesEnabled
  }

  mutating func showServicesAlertIfOff(
    app index: Int, session position: Int, effects: inout [Effect]
  ) {
    let client = apps[index].sessions[position].identifier.client
    guard !locationServicesEnabled,
      let place = apps[index].clients.firstIndex(where: { $0.identifier == client }),
      !apps[index].clients[place].hasSeenServicesAlert
    else { return }
    apps[index].clients[place].hasSeenServicesAlert = true
    effects.append(.showLocationServicesAlert(apps[index].identifier))
  }

  /// Service begins for a manager that may be served from now on: a cached fix with its own time comes first
  /// (behaviour 2.4), and the next fresh one is never filtered away.
  mutating func beginService(app index: Int, session position: Int, effects: inout [Effect]) {
    guard apps[index].sessions[position].isListening else { return }
    apps[index].sessions[position].listensSince = now
    apps[index].sessions[position].awaitsInitialFix = true
    apps[index].sessions[position].hasReportedUnknown = false
    apps[index].sessions[position].hasReportedRefusal = false
    apps[index].sessions[position].waitsForFixSince = nil
    apps[index].sessions[position].lastCoarseMadeAt = nil
    if let initial = initialFix(app: index, session: position) {
      if isFresh { apps[index].sessions[position].awaitsInitialFix = false }
      // However old, this coarse value is not told again (behaviour 1.43).
      if initial == coarse.fix { apps[index].sessions[position].lastCoarseMadeAt = coarse.madeAt }
      // Service that goes on tells nothing twice; after a stop the same fix is an initial event again (behaviour 2.5).
      if initial != apps[index].sessions[position].lastDelivered {
        deliver(initial, app: index, session: position, effects: &effects)
      }
    }
    apps[index].sessions[position].fixAwaitingAlways = nil
    let isWithoutReceivers = demand != nil && (receivers == .unavailable || receivers == .refused)
    if apps[index].sessions[position].awaitsInitialFix || isWithoutReceivers {
      awaitFix(app: index, session: position, effects: &effects)
    }
  }

  /// A manager that may be served waits for its next fix; where there is no receiver it hears so at once.
  mutating func awaitFix(app index: Int, session position: Int, effects: inout [Effect]) {
    guard apps[index].state != .suspended else { return }
    if demand != nil, receivers == .refused {
      reportRefusal(app: index, session: position, effects: &effects)
    }
    guard !apps[index].sessions[position].hasReportedUnknown else { return }
    apps[index].sessions[position].waitsForFixSince = now
    if demand != nil, receivers == .unavailable {
      reportUnknown(app: index, session: position, effects: &effects)
    }
  }

  /// What a manager is served first: the fix held until Always was confirmed, unless it became too old, when there
  /// is none (behaviour 1.14); else the cached one.
  private func initialFix(app index: Int, session position: Int) -> Fix? {
    guard !apps[index].isInUse, let held = apps[index].sessions[position].fixAwaitingAlways
    else { return cachedFix(app: index, session: position) }
    return now.seconds(since: held.at) <= policy.heldForAlwaysSecondsMax ? held.fix : nil
  }

  private func cachedFix(app index: Int, session position: Int) -> Fix? {
    guard let lastFix else { return nil }
    let wish = apps[index].sessions[position].configuration.desiredAccuracy
    guard apps[index].told.accuracy == .reduced || wish == .reduced else { return lastFix }
    return coarse.fix ?? coarse.coarsened(lastFix, policy: policy)
  }

  var isFresh: Bool {
    guard let lastFixReceivedAt else { return false }
    return now.seconds(since: lastFixReceivedAt) <= policy.freshFixSecondsMax
  }

  // MARK: One location

  var requestDeadline: Instant {
    now.advanced(bySeconds: policy.requestLocationTimeoutSeconds)
  }

  mutating func startRequest(app index: Int, session position: Int, effects: inout [Effect]) {
    let session = apps[index].sessions[position]
    // One at a time, and none while standard updates run (behaviour 2.33).
    guard !session.isUpdating, session.locationRequest == nil else { return }
    showServicesAlertIfOff(app: index, session: position, effects: &effects)
    let isRefusedToAll = demand != nil && receivers == .refused
    let mayHope = isPermitted(app: index) ? !isRefusedToAll : apps[index].told.status == .notDetermined
    guard mayHope else {
      effects.append(.deliver(.failed(.denied, isAnswer: true), to: session.identifier))
      return
    }
    let isPrompting = apps[index].prompt?.prompt.kind == .first
    apps[index].sessions[position].locationRequest = LocationRequest(
      deadline: isPrompting ? nil : requestDeadline)
    demandIsStale = true
  }

  /// Whether a fix ends a one-time request before its time (behaviour 2.31).
  func meets(_ fix: Fix, wish: DesiredAccuracy) -> Bool {
    guard let accuracy = fix.horizontalAccuracyMeters else { return false }
    switch wish {
    case .bestForNavigation, .best: return accuracy <= policy.bestAccuracyMeters
    case .meters(let meters): return accuracy <= max(meters, policy.bestAccuracyMeters)
    case .reduced: return true
    }
  }

  /// The one outcome of a request: the best fix since it was made, else `locationUnknown` (behaviour 2.30, 2.31).
  /// It leaves the distance filter's starting point alone (2.35).
  mutating func finishRequest(app index: Int, session position: Int, effects: inout [Effect]) {
    let session = apps[index].sessions[position]
    apps[index].sessions[position].locationRequest = nil
    demandIsStale = true
    let outcome: ManagerEvent =
      if let best = session.locationRequest?.best, isPermitted(app: index) {
        .locationsUpdated([best], isAnswer: true)
      } else {
        .failed(.locationUnknown, isAnswer: true)
      }
    effects.append(.deliver(outcome, to: session.identifier))
  }

  // MARK: Receivers

  mutating func changeReceivers(to state: ReceiverState, effects: inout [Effect]) {
    receivers = state
    monitoringIsStale = true
    for index in apps.indices where apps[index].state != .suspended && isPermitted(app: index) {
      if state == .refused { reportRefusal(app: index, effects: &effects) }
      for position in apps[index].sessions.indices
      where apps[index].sessions[position].isListening {
        switch state {
        case .unavailable:
          reportUnknown(app: index, session: position, effects: &effects)
        case .searching:
          if apps[index].sessions[position].waitsForFixSince == nil {
            apps[index].sessions[position].waitsForFixSince = now
          }
        case .fixing, .refused:
          break
        }
      }
    }
  }

  /// The receivers are there and are not for this app: an error that ends a wait, and not the permission that the
  /// person gave here (cases GC-01).
  private mutating func reportRefusal(app index: Int, effects: inout [Effect]) {
    for position in apps[index].sessions.indices {
      if apps[index].sessions[position].locationRequest != nil {
        apps[index].sessions[position].locationRequest = nil
        demandIsStale = true
        let manager = apps[index].sessions[position].identifier
        effects.append(.deliver(.failed(.denied, isAnswer: true), to: manager))
      }
      if apps[index].sessions[position].isListening {
        reportRefusal(app: index, session: position, effects: &effects)
      }
    }
  }

  /// Said once; updates stay armed, and after it nothing is said of an unknown location until a fix has come.
  private mutating func reportRefusal(app index: Int, session position: Int, effects: inout [Effect]) {
    guard !apps[index].sessions[position].hasReportedRefusal else { return }
    apps[index].sessions[position].hasReportedRefusal = true
    apps[index].sessions[position].hasReportedUnknown = true
    apps[index].sessions[position].waitsForFixSince = nil
    let manager = apps[index].sessions[position].identifier
    effects.append(.deliver(.failed(.denied, isAnswer: false), to: manager))
  }

  /// No fix just now: said once, and the service stays armed (behaviour 2.13).
  mutating func reportUnknown(app index: Int, session position: Int, effects: inout [Effect]) {
    guard !apps[index].sessions[position].hasReportedUnknown else { return }
    apps[index].sessions[position].hasReportedUnknown = true
    apps[index].sessions[position].waitsForFixSince = nil
    let manager = apps[index].sessions[position].identifier
    effects.append(.deliver(.failed(.locationUnknown, isAnswer: false), to: manager))
  }
}

import LocationModel

/// Conditions on their way from fixes to the reader of their monitor (behaviour 9.32 to 9.36).
extension LocationEngine {
  /// After every step that may have changed who is watched or what stands in the way.
  mutating func refreshConditions(app index: Int, effects: inout [Effect]) {
    guard !apps[index].monitors.isEmpty || apps[index].isWatchingConditions else { return }
    askForMonitors(app: index, effects: &effects)
    let isServed =
      regionStanding(app: index) == .served && servesAsyncAPI(app: index) && !lacksServiceSession(app: index)
    let isWatched = isServed && apps[index].monitors.contains { watches($0, app: index) }
    if isWatched != apps[index].isWatchingConditions {
      if !isWatched, lacksSessionForConditions(app: index) {
        apps[index].life.isToldOfMissingSession = true
        note(.conditionsWithoutSession(apps[index].identifier), effects: &effects)
      }
      apps[index].isWatchingConditions = isWatched
      if !isWatched { forgetStates(app: index) }
      demandIsStale = true
    }
    tellObstacle(app: index, effects: &effects)
    if isWatched, apps[index].hasNewConditions { lookAtFreshFixForConditions(app: index, effects: &effects) }
    apps[index].hasNewConditions = false
    updateConditionNeed(app: index)
  }

  /// The person has allowed to watch on, and only the app's session is missing (behaviour 9.23); said once.
  private func lacksSessionForConditions(app index: Int) -> Bool {
    regionStanding(app: index) == .served && hasFullAlways(app: index) && isPermitted(app: index)
      && !servesAsyncAPI(app: index) && !apps[index].life.isToldOfMissingSession
      && apps[index].monitors.contains { !$0.conditions.isEmpty }
  }

  /// Whoever has it open reads it, and an installed app is started for it. While a change waits for a reader that is
  /// not there, the condition is not watched (behaviour 9.35).
  private func watches(_ monitor: ConditionMonitor, app index: Int) -> Bool {
    monitor.conditions.contains { watches($0, of: monitor, app: index) }
  }

  func watches(_ condition: WatchedCondition, of monitor: ConditionMonitor, app index: Int) -> Bool {
    guard canWatch(condition) else { return false }
    return monitor.opener != nil || (apps[index].description.isInstalled && condition.stored.pending == nil)
  }

  /// Beacons take a radio.
  private func canWatch(_ condition: WatchedCondition) -> Bool {
    condition.beacons == nil || capabilities.monitorsBeaconRegions
  }

  /// What is not watched is not known.
  private mutating func forgetStates(app index: Int) {
    for position in apps[index].monitors.indices {
      for condition in apps[index].monitors[position].conditions.indices {
        apps[index].monitors[position].conditions[condition].forgetState()
      }
    }
  }

  /// Iterating counts as a session for While Using: the person is asked as soon as that can be (behaviour 9.22).
  private mutating func askForMonitors(app index: Int, effects: inout [Effect]) {
    for position in apps[index].monitors.indices {
      guard apps[index].told.status == .notDetermined else {
        apps[index].monitors[position].hasAsked = false
        continue
      }
      let monitor = apps[index].monitors[position]
      guard let opener = monitor.opener, monitor.isIterated, !monitor.hasAsked, apps[index].state == .foreground,
        apps[index].prompt == nil, !apps[index].description.requiresExplicitServiceSession
      else { continue }
      apps[index].monitors[position].hasAsked = true
      requestWhenInUse(app: index, by: opener, effects: &effects)
    }
  }

  /// What stands in the way of all conditions is an event of each, where somebody can hear it (behaviour 9.38).
  private mutating func tellObstacle(app index: Int, effects: inout [Effect]) {
    let obstacle = conditionObstacle(app: index)
    let hears = runs(app: index)
    for position in apps[index].monitors.indices where apps[index].monitors[position].opener != nil {
      for condition in apps[index].monitors[position].conditions.indices {
        let isUnsupported = !canWatch(apps[index].monitors[position].conditions[condition])
        let diagnostics: ServiceDiagnostics = isUnsupported ? .conditionUnsupported : obstacle
        guard hears, !diagnostics.isEmpty else { continue }
        let stored = apps[index].monitors[position].conditions[condition].stored
        let event = ConditionEvent(
          identifier: stored.identifier, state: .unmonitored, time: nil, diagnostics: diagnostics)
        change(to: event, app: index, monitor: position, condition: condition, effects: &effects)
      }
    }
  }

  private func conditionObstacle(app index: Int) -> ServiceDiagnostics {
    let obstacle = obstacle(app: index).subtracting(.locationUnavailable)
    guard obstacle.isEmpty, apps[index].told.status.isAuthorized, apps[index].told.accuracy == .reduced else {
      return obstacle
    }
    return .accuracyLimited
  }

  // MARK: Fixes

  mutating func watchConditions(
    _ fix: WatchedFix, after previous: WatchedFix?, effects: inout [Effect]
  ) {
    for index in apps.indices where apps[index].isWatchingConditions {
      look(at: fix, after: previous, app: index, effects: &effects)
      updateConditionNeed(app: index)
    }
  }

  /// What is known already has seen this fix, which is no second witness.
  private mutating func lookAtFreshFixForConditions(app index: Int, effects: inout [Effect]) {
    guard isFresh, let lastFix else { return }
    look(
      at: WatchedFix(lastFix, at: now, policy: policy), after: nil, onlyUnknown: true, app: index, effects: &effects)
  }

  private mutating func look(
    at fix: WatchedFix, after previous: WatchedFix?, onlyUnknown: Bool = false, app index: Int,
    effects: inout [Effect]
  ) {
    for position in apps[index].monitors.indices {
      for condition in apps[index].monitors[position].conditions.indices {
        let monitor = apps[index].monitors[position]
        guard watches(monitor.conditions[condition], of: monitor, app: index),
          !onlyUnknown || monitor.conditions[condition].watch?.state == .unknown
        else { continue }
        let news = apps[index].monitors[position].conditions[condition].watch?.consider(
          fix, after: previous, policy: policy)
        for state in states(after: news) {
          let event = ConditionEvent(
            identifier: monitor.conditions[condition].stored.identifier, state: state, time: fix.time)
          change(to: event, app: index, monitor: position, condition: condition, effects: &effects)
        }
      }
    }
  }

  func states(after news: RegionChange?) -> [ConditionState] {
    switch news {
    case nil, .determined(.unknown): []
    case .entered, .determined(.inside): [.satisfied]
    case .exited, .determined(.outside): [.unsatisfied]
    case .passedThrough: [.satisfied, .unsatisfied]
    }
  }

  /// An event only where it differs from what was told last (behaviour 9.33).
  mutating func change(
    to event: ConditionEvent, app index: Int, monitor position: Int, condition: Int, effects: inout [Effect]
  ) {
    guard !event.tellsTheSame(as: apps[index].monitors[position].conditions[condition].newest) else { return }
    apps[index].monitors[position].conditions[condition].stored.pending = event
    storeRegistrations(app: index, effects: &effects)
    if let opener = apps[index].monitors[position].opener {
      effects.append(.deliver(.conditionChanged(event), to: opener))
      if apps[index].state == .suspended {
        effects.append(.launch(apps[index].identifier, for: .conditionChanged(event)))
      }
    } else {
      effects.append(.launch(apps[index].identifier, for: .conditionChanged(event)))
    }
  }

  // MARK: Receivers

  mutating func updateConditionNeed(app index: Int) {
    let former = apps[index].conditionNeed
    var need = RegionNeed()
    var hasCircle = false
    if apps[index].isWatchingConditions {
      for monitor in apps[index].monitors {
        for condition in monitor.conditions where watches(condition, of: monitor, app: index) {
          guard let watch = condition.watch else { continue }
          hasCircle = true
          need.add(edgeMeters: watch.edgeMeters, isConfirming: watch.isConfirming)
        }
      }
    }
    let wanted =
      hasCircle ? need.receiverNeed(for: .conditions, after: lastWatchedFix, rest: rest, policy: policy) : nil
    apps[index].conditionNeed = wanted
    if isArbitrationDue(from: former, to: wanted) { demandIsStale = true }
  }
}

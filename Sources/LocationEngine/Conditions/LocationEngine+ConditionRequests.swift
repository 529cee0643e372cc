import LocationModel

/// What an app asks of its monitors. A monitor is open in one place at a time (behaviour 9.30).
extension LocationEngine {
  /// Answered by `monitorOpened`: nil where the name is no name, or the monitor is open elsewhere.
  mutating func openMonitor(
    _ name: String, app index: Int, by manager: ManagerIdentifier, effects: inout [Effect]
  ) {
    let known = apps[index].monitors.firstIndex { $0.name == name }
    let isFree = known.map { apps[index].monitors[$0].opener == nil } ?? true
    let isRoom = known != nil || apps[index].monitors.count < policy.monitorsPerAppMax
    guard ConditionMonitor.isName(name), isFree, isRoom, self.monitor(of: manager, app: index) == nil else {
      effects.append(.deliver(.monitorOpened(nil), to: manager))
      return
    }
    if known == nil { apps[index].monitors.append(ConditionMonitor(name: name)) }
    let position = known ?? apps[index].monitors.count - 1
    apps[index].monitors[position].opener = manager
    dropSettledEvents(app: index, monitor: position)
    effects.append(.deliver(.monitorOpened(apps[index].monitors[position].stored), to: manager))
    apps[index].hasNewConditions = true
    monitoringIsStale = true
  }

  /// What an app was about to be told before its end and knows by now anyway.
  private mutating func dropSettledEvents(app index: Int, monitor position: Int) {
    for condition in apps[index].monitors[position].conditions.indices {
      let stored = apps[index].monitors[position].conditions[condition].stored
      guard let pending = stored.pending, pending.tellsTheSame(as: stored.record) else { continue }
      apps[index].monitors[position].conditions[condition].stored.pending = nil
    }
  }

  func monitor(of manager: ManagerIdentifier, app index: Int) -> Int? {
    apps[index].monitors.firstIndex { $0.opener == manager }
  }

  /// A condition of that name is replaced (behaviour 9.31). What cannot be watched says so in an event.
  mutating func addCondition(
    _ added: StoredCondition, app index: Int, by manager: ManagerIdentifier, effects: inout [Effect]
  ) {
    guard let position = monitor(of: manager, app: index) else { return }
    let known = apps[index].monitors[position].index(of: added.identifier)
    let count = apps[index].monitors.reduce(0) { $0 + $1.conditions.count }
    let obstacle: ServiceDiagnostics =
      if !added.shape.isCondition(policy: policy) {
        .conditionUnsupported
      } else {
        known == nil && count >= policy.conditionsPerAppMax ? .conditionLimitExceeded : []
      }
    guard obstacle.isEmpty else {
      // Not kept: the monitor has it for as long as it is open.
      if let known { apps[index].monitors[position].conditions.remove(at: known) }
      storeRegistrations(app: index, effects: &effects)
      let event = ConditionEvent(
        identifier: added.identifier, state: .unmonitored, time: nil, diagnostics: obstacle)
      effects.append(.deliver(.conditionChanged(event), to: manager))
      return
    }
    let condition = WatchedCondition(added, policy: policy)
    if let known {
      apps[index].monitors[position].conditions[known] = condition
    } else {
      apps[index].monitors[position].conditions.append(condition)
    }
    storeRegistrations(app: index, effects: &effects)
    apps[index].hasNewConditions = true
    monitoringIsStale = true
  }

  mutating func removeCondition(
    _ identifier: String, app index: Int, by manager: ManagerIdentifier, effects: inout [Effect]
  ) {
    guard let position = monitor(of: manager, app: index),
      let condition = apps[index].monitors[position].index(of: identifier)
    else { return }
    apps[index].monitors[position].conditions.remove(at: condition)
    storeRegistrations(app: index, effects: &effects)
    monitoringIsStale = true
  }

  /// The app has handled an event, so that its record shows it (behaviour 9.34).
  mutating func settleCondition(
    _ event: ConditionEvent, app index: Int, by manager: ManagerIdentifier, effects: inout [Effect]
  ) {
    guard let position = monitor(of: manager, app: index),
      let condition = apps[index].monitors[position].index(of: event.identifier)
    else { return }
    apps[index].monitors[position].conditions[condition].stored.record = event
    if let pending = apps[index].monitors[position].conditions[condition].stored.pending,
      pending.tellsTheSame(as: event)
    {
      apps[index].monitors[position].conditions[condition].stored.pending = nil
    }
    storeRegistrations(app: index, effects: &effects)
  }

  mutating func iterateConditions(app index: Int, by manager: ManagerIdentifier) {
    guard let position = monitor(of: manager, app: index) else { return }
    apps[index].monitors[position].isIterated = true
    monitoringIsStale = true
  }

  /// Monitors whose openers have gone are closed; what they hold is kept (behaviour 9.35).
  mutating func closeMonitors(app index: Int, where hasGone: (ManagerIdentifier) -> Bool) {
    for position in apps[index].monitors.indices {
      guard let opener = apps[index].monitors[position].opener, hasGone(opener) else { continue }
      apps[index].monitors[position].opener = nil
      apps[index].monitors[position].isIterated = false
      apps[index].monitors[position].hasAsked = false
      for condition in apps[index].monitors[position].conditions.indices {
        apps[index].monitors[position].conditions[condition].forgetState()
      }
      monitoringIsStale = true
    }
    apps[index].monitors.removeAll { $0.opener == nil && $0.conditions.isEmpty }
  }
}

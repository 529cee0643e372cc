import LocationModel

/// Whether an app's regions are watched now, and what follows when that changes.
extension LocationEngine {
  enum RegionStanding {
    case notWatched
    case served
    /// Crossings are kept until the person confirms Always (behaviour 1.14).
    case heldForAlways
  }

  /// An app that does not run is watched only if it can be started (behaviour 1.23, 3.13), and none without full
  /// accuracy (1.45).
  func regionStanding(app index: Int) -> RegionStanding {
    let app = apps[index]
    guard app.told.accuracy == .full, app.told.status.isAuthorized, !isMonitoringRefused(app: index),
      app.state != .notRunning || app.description.isInstalled
    else { return .notWatched }
    if isPermitted(app: index) { return .served }
    return app.authorization.grant.isProvisional ? .heldForAlways : .notWatched
  }

  /// Denied, restricted, switched off, or short of Always where that is needed (behaviour 1.21, 1.31).
  func isMonitoringRefused(app index: Int) -> Bool {
    switch apps[index].told.status {
    case .denied, .restricted: true
    case .authorizedWhenInUse: policy.monitoringNeedsAlways
    case .notDetermined, .authorizedAlways: false
    }
  }

  /// After every step that may have changed who is watched or who can be told.
  mutating func refreshMonitoring(effects: inout [Effect]) {
    guard monitoringIsStale else { return }
    monitoringIsStale = false
    beaconScan.isStale = true
    for index in apps.indices where !apps[index].regions.isEmpty || apps[index].isWatchingRegions {
      settleHeldEvents(app: index, effects: &effects)
      let isWatched = !apps[index].regions.isEmpty && regionStanding(app: index) != .notWatched
      let wasWatched = apps[index].isWatchingRegions
      apps[index].isWatchingRegions = isWatched
      if !isWatched { forgetStates(app: index, effects: &effects) }
      if isWatched != wasWatched {
        demandIsStale = true
        updateRegionNeed(app: index)
      }
      endMonitoringIfRefused(app: index, effects: &effects)
      beginMonitoring(app: index, effects: &effects)
      if isWatched { lookAtFreshFix(app: index, effects: &effects) }
      tellWaitingEvents(app: index, effects: &effects)
    }
    for index in apps.indices { tellKeptEvents(app: index, effects: &effects) }
    for index in apps.indices { refreshConditions(app: index, effects: &effects) }
    isWatchingAnyRegion = apps.contains { $0.isWatchingRegions || $0.isWatchingConditions }
  }

  /// What is not watched is not known: the state is taken anew, and silently, when watching begins again.
  private mutating func forgetStates(app index: Int, effects: inout [Effect]) {
    apps[index].waitingRegionEvents = []
    dropKept(app: index) { $0.regionIdentifier != nil }
    for position in apps[index].regions.indices {
      apps[index].regions[position].assume(.unknown)
      apps[index].regions[position].toldState = .unknown
      apps[index].regions[position].heldForAlways = nil
    }
    storeRegistrations(app: index, effects: &effects)
  }

  /// Once Always is confirmed what was held is told, unless it became too old; refused, it is dropped
  /// (behaviour 1.14).
  private mutating func settleHeldEvents(app index: Int, effects: inout [Effect]) {
    let grant = apps[index].authorization.grant
    guard !grant.isProvisional else { return }
    let held = apps[index].regions.compactMap(\.heldForAlways).sorted { $0.at < $1.at }
    guard !held.isEmpty else { return }
    for position in apps[index].regions.indices { apps[index].regions[position].heldForAlways = nil }
    guard grant.level == .always else { return }
    let events = held.filter { now.seconds(since: $0.at) <= policy.heldForAlwaysSecondsMax }.flatMap(\.events)
    if apps[index].description.isInstalled { return keepCrossings(events, app: index, effects: &effects) }
    if canHear(app: index) {
      apps[index].waitingRegionEvents += events
    } else {
      wait(events, app: index, effects: &effects)
    }
  }

  // MARK: Begin and end

  /// Tells who asked that monitoring has begun, and the state as soon as it is known (behaviour 5.7, 5.11).
  mutating func beginMonitoring(app index: Int, effects: inout [Effect]) {
    guard apps[index].told.status.isAuthorized, !isMonitoringRefused(app: index) else { return }
    for position in apps[index].regions.indices
    where !apps[index].regions[position].hasBegun && canWatch(apps[index].regions[position]) {
      apps[index].regions[position].hasBegun = true
      let monitored = apps[index].regions[position]
      if let starter = monitored.starter { effects.append(.deliver(.monitoringStarted(monitored.region), to: starter)) }
      tellOwedState(app: index, region: position, effects: &effects)
    }
  }

  /// Every manager hears that monitoring has failed (behaviour 5.13, 5.21); the region is kept (1.33).
  private mutating func endMonitoringIfRefused(app index: Int, effects: inout [Effect]) {
    let isAuthorized = apps[index].told.status.isAuthorized
    guard !isAuthorized || isMonitoringRefused(app: index) else { return }
    for position in apps[index].regions.indices where apps[index].regions[position].hasBegun {
      apps[index].regions[position].hasBegun = false
      guard isMonitoringRefused(app: index) else { continue }
      let failure = ManagerEvent.monitoringFailed(apps[index].regions[position].region, .regionMonitoringDenied)
      for session in apps[index].sessions { effects.append(.deliver(failure, to: session.identifier)) }
    }
  }

  mutating func tellOwedState(app index: Int, region position: Int, effects: inout [Effect]) {
    let monitored = apps[index].regions[position]
    let state = monitored.state
    guard monitored.owesState, monitored.hasBegun, let starter = monitored.starter, state != .unknown,
      regionStanding(app: index) == .served, canHear(app: index)
    else { return }
    apps[index].regions[position].owesState = false
    effects.append(.deliver(.stateDetermined(state, monitored.region), to: starter))
  }

  /// A manager that has gone is owed nothing.
  mutating func forgetStarters(app index: Int, where hasGone: (ManagerIdentifier) -> Bool) {
    for position in apps[index].regions.indices {
      guard let starter = apps[index].regions[position].starter, hasGone(starter) else { continue }
      apps[index].regions[position].starter = nil
      apps[index].regions[position].owesState = false
    }
  }

  /// A fix that has just come tells the state of a circle that is new.
  mutating func lookAtFreshFix(app index: Int, effects: inout [Effect]) {
    guard apps[index].isWatchingRegions else {
      monitoringIsStale = true
      return
    }
    if let lastFix, let lastFixReceivedAt, lastWatchedFix?.instant != lastFixReceivedAt {
      lastWatchedFix = WatchedFix(lastFix, at: lastFixReceivedAt, policy: policy)
    }
    if let lastWatchedFix, now.seconds(since: lastWatchedFix.instant) <= policy.freshFixSecondsMax {
      for position in apps[index].regions.indices
      where apps[index].regions[position].watch?.edgeMeters == nil
        && apps[index].regions[position].watch?.state == .unknown
      {
        let change = apps[index].regions[position].watch?.consider(lastWatchedFix, after: nil, policy: policy)
        if let change { take(change, app: index, region: position, effects: &effects) }
      }
    }
    for position in apps[index].regions.indices { tellOwedState(app: index, region: position, effects: &effects) }
    updateRegionNeed(app: index)
    storeRegistrations(app: index, effects: &effects)
  }
}

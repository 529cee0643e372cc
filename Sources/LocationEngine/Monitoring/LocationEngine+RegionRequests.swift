import LocationModel

/// What apps ask about regions. All managers of all processes of an app share one set (behaviour 5.1, 5.6).
extension LocationEngine {
  mutating func startMonitoring(
    _ region: Region, app index: Int, by manager: ManagerIdentifier, effects: inout [Effect]
  ) {
    let known = apps[index].regions.firstIndex { $0.region.identifier == region.identifier }
    let isOneTooMany = known == nil && apps[index].regions.count >= policy.regionsPerAppMax
    guard region.isMonitorable(policy: policy), !isOneTooMany else {
      // Both come as one error: the log tells them apart.
      if isOneTooMany { note(.tooManyRegions(apps[index].identifier, max: policy.regionsPerAppMax), effects: &effects) }
      effects.append(.deliver(.monitoringFailed(region, .regionMonitoringFailure), to: manager))
      return
    }
    let position = register(region, at: known, app: index, by: manager)
    // Stored before the app hears that it is (behaviour 5.6).
    storeRegistrations(app: index, effects: &effects)
    effects.append(.snapshotChanged(apps[index].identifier))
    guard canWatch(apps[index].regions[position]) else {
      // No radio for it: counted and kept, and answered as on hardware without one (behaviour 5.1, 5.21), until there
      // is one.
      effects.append(.deliver(.monitoringFailed(region, .regionMonitoringFailure), to: manager))
      noteUnavailable("beacon monitoring", app: index, effects: &effects)
      // It is wanted all the same, so that who watches for a radio goes on.
      monitoringIsStale = true
      return
    }
    if isMonitoringRefused(app: index) {
      effects.append(.deliver(.monitoringFailed(region, .regionMonitoringDenied), to: manager))
    }
    beginMonitoring(app: index, effects: &effects)
    // A region that was known already is answered again, and at once (behaviour 5.7, 5.11).
    lookAtFreshFix(app: index, effects: &effects)
    demandIsStale = true
  }

  /// Beacons take a radio.
  func canWatch(_ monitored: MonitoredRegion) -> Bool {
    monitored.beacons == nil || capabilities.monitorsBeaconRegions
  }

  /// A region of the same name is replaced (behaviour 5.3); one of the same place keeps what is known of it, since apps
  /// register theirs anew with every launch.
  private mutating func register(
    _ region: Region, at known: Int?, app index: Int, by manager: ManagerIdentifier
  ) -> Int {
    var monitored = MonitoredRegion(region, starter: manager)
    monitored.owesState = true
    guard let known else {
      apps[index].regions.append(monitored)
      return apps[index].regions.count - 1
    }
    let former = apps[index].regions[known]
    if former.region.shape == region.shape, former.region.marginMeters == region.marginMeters {
      monitored.watch = former.watch
      monitored.beacons = former.beacons
      monitored.toldState = former.toldState
      monitored.heldForAlways = former.heldForAlways
    } else {
      dropWaitingEvents(ofRegion: region.identifier, app: index)
    }
    apps[index].regions[known] = monitored
    return known
  }

  /// Any manager stops what any other has started (behaviour 5.6). What was not told yet is not told any more.
  mutating func stopMonitoring(_ identifier: String, app index: Int, effects: inout [Effect]) {
    guard let position = apps[index].regions.firstIndex(where: { $0.region.identifier == identifier }) else { return }
    apps[index].regions.remove(at: position)
    dropWaitingEvents(ofRegion: identifier, app: index)
    storeRegistrations(app: index, effects: &effects)
    effects.append(.snapshotChanged(apps[index].identifier))
    monitoringIsStale = true
    updateRegionNeed(app: index)
  }

  private mutating func dropWaitingEvents(ofRegion identifier: String, app index: Int) {
    apps[index].waitingRegionEvents.removeAll { $0.regionIdentifier == identifier }
    dropKept(app: index) { $0.regionIdentifier == identifier }
  }

  /// The cached state, once for each question (behaviour 5.9, 5.12); unknown where the app may not know
  /// (cases GC-05).
  func answerState(of region: Region, app index: Int, by manager: ManagerIdentifier, effects: inout [Effect]) {
    let known = apps[index].regions.first { $0.region.identifier == region.identifier }
    let mayKnow = apps[index].isWatchingRegions && isPermitted(app: index)
    let state = mayKnow ? known?.state ?? .unknown : .unknown
    effects.append(.deliver(.stateDetermined(state, known?.region ?? region), to: manager))
  }

  // MARK: What is kept

  /// What the store held of an app that the engine does not know yet: an installed one is watched from now on.
  mutating func restore(_ description: AppDescription, grant: Grant, registrations: Registrations) {
    guard appIndexByIdentifier[description.identifier] == nil else { return }
    let index = makeKnown(description, grant: grant)
    apps[index].monitorsSignificantChanges = registrations.monitorsSignificantChanges
    apps[index].monitorsVisits = registrations.monitorsVisits
    apps[index].monitors = registrations.monitors.prefix(policy.monitorsPerAppMax).map {
      ConditionMonitor($0, policy: policy)
    }
    apps[index].keptEvents = registrations.events.map { KeptEventStanding(kept: $0) }
    apps[index].nextEventNumber = registrations.nextEventNumber
    if description.isInstalled { apps[index].lastChange = registrations.lastChange }
    restoreServices(app: index)
    if description.isInstalled, let stay = registrations.stay { apps[index].visits?.resume(stay) }
    for registered in registrations.regions.prefix(policy.regionsPerAppMax)
    where registered.region.isMonitorable(policy: policy) {
      var monitored = MonitoredRegion(registered.region)
      if description.isInstalled {
        monitored.assume(registered.state)
        monitored.toldState = registered.state
      }
      apps[index].regions.append(monitored)
    }
    apps[index].storedRegistrations = registrations
    monitoringIsStale = true
  }

  mutating func storeRegistrations(app index: Int, effects: inout [Effect]) {
    var registrations = Registrations()
    let isInstalled = apps[index].description.isInstalled
    registrations.regions = apps[index].regions.map {
      // The state of a plain executable is taken anew when it returns (behaviour 3.13).
      RegisteredRegion(region: $0.region, state: isInstalled ? $0.toldState : .unknown)
    }
    registrations.monitorsSignificantChanges = apps[index].monitorsSignificantChanges
    registrations.monitorsVisits = apps[index].monitorsVisits
    registrations.stay = isInstalled ? apps[index].visits?.noted : nil
    registrations.lastChange = apps[index].lastChange
    registrations.monitors = apps[index].monitors.filter { !$0.conditions.isEmpty }.map(\.stored)
    registrations.events = apps[index].keptEvents.map(\.kept)
    registrations.nextEventNumber = apps[index].nextEventNumber
    guard registrations != apps[index].storedRegistrations else { return }
    apps[index].storedRegistrations = registrations
    effects.append(.storeRegistrations(registrations, for: apps[index].identifier))
  }
}

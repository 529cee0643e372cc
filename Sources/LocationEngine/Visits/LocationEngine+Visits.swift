import LocationModel

/// Visits: one start turns them on for every manager of the app, now and later, until any of them stops them
/// (behaviour 8).
extension LocationEngine {
  mutating func startVisits(app index: Int, session position: Int, effects: inout [Effect]) {
    apps[index].monitorsVisits = true
    storeRegistrations(app: index, effects: &effects)
    if apps[index].visits == nil { apps[index].visits = VisitMonitoring(at: now, policy: policy) }
    showServicesAlertIfOff(app: index, session: position, effects: &effects)
    demandIsStale = true
    guard mayMonitor(app: index) else {
      return reportMonitoringRefusal(app: index, session: position, effects: &effects)
    }
    apps[index].isServedMonitoring = true
  }

  mutating func stopVisits(app index: Int, effects: inout [Effect]) {
    apps[index].monitorsVisits = false
    dropKept(app: index) { if case .visited = $0.content { true } else { false } }
    storeRegistrations(app: index, effects: &effects)
    apps[index].visits = nil
    demandIsStale = true
  }

  /// Visits may be told from now on, among them the one that waited for it, unless it became too old. The stay under
  /// way goes on where the fixes before and after agree.
  mutating func resumeVisits(app index: Int, effects: inout [Effect]) {
    apps[index].visits?.schedule.look(from: now)
    demandIsStale = true
    if let waiting = apps[index].visits?.awaitingAlways {
      apps[index].visits?.awaitingAlways = nil
      if now.seconds(since: waiting.at) <= policy.heldForAlwaysSecondsMax {
        tell([waiting.visit], app: index, effects: &effects)
      }
    }
    releaseHeldVisits(app: index, effects: &effects)
  }

  mutating func considerVisit(_ fix: Fix, app index: Int, effects: inout [Effect]) {
    let isPermitted = mayMonitor(app: index)
    guard apps[index].visits != nil, isPermitted || isAwaitingAlways(app: index) else { return }
    let wasAwake = apps[index].visits?.schedule.isAwake(at: now) ?? false
    let visits = apps[index].visits?.detector.observe(fix, policy: policy) ?? []
    apps[index].visits?.looked(at: fix, now, motion: rest.motion, policy: policy)
    if wasAwake || apps[index].visits?.detector.isLeaving == true { demandIsStale = true }
    apps[index].visits?.noteStay(policy)
    if isPermitted {
      tell(visits, app: index, effects: &effects)
    } else if let visit = visits.last {
      apps[index].visits?.awaitingAlways = (visit, now)
      askToConfirmAlways(app: index, effects: &effects)
    }
    if apps[index].description.isInstalled { storeRegistrations(app: index, effects: &effects) }
  }

  /// Times are exact, the place is as coarse as all places of an app without full accuracy (behaviour 1.45).
  func visible(_ visit: Visit, app index: Int) -> Visit {
    guard apps[index].told.accuracy == .reduced else { return visit }
    let fix = Fix(
      coordinate: visit.coordinate, horizontalAccuracyMeters: visit.radiusMeters, time: WallTime(secondsSince1970: 0))
    let coarse = coarse.coarsened(fix, policy: policy)
    var visible = visit
    visible.coordinate = coarse.coordinate
    visible.radiusMeters = coarse.horizontalAccuracyMeters ?? policy.coarseAccuracyMeters
    return visible
  }

  /// What one fix has shown is stored together, with the stay that follows from it.
  private mutating func tell(_ visits: [Visit], app index: Int, effects: inout [Effect]) {
    guard !visits.isEmpty else { return }
    let visible = visits.map { self.visible($0, app: index) }
    if apps[index].description.isInstalled {
      for visit in visits { keep(.visited(visit), app: index) }
      storeRegistrations(app: index, effects: &effects)
      tellKeptEvents(app: index, effects: &effects)
      guard !runs(app: index) else { return }
    } else if canHear(app: index) {
      for visit in visible {
        for session in apps[index].sessions where !session.identifier.isStream {
          effects.append(.deliver(.visited(visit), to: session.identifier))
        }
      }
      return
    } else {
      apps[index].visits?.held += visits
      let excess = (apps[index].visits?.held.count ?? 0) - policy.heldVisitsMax
      if excess > 0 { apps[index].visits?.held.removeFirst(excess) }
    }
    for visit in visible { effects.append(.launch(apps[index].identifier, for: .visited(visit))) }
  }

  /// The app runs again, or has its first manager (behaviour 8.4).
  mutating func releaseHeldVisits(app index: Int, effects: inout [Effect]) {
    guard canHear(app: index), mayMonitor(app: index), let held = apps[index].visits?.held else { return }
    apps[index].visits?.held = []
    tell(held, app: index, effects: &effects)
  }

  mutating func passVisitDeadlines(app index: Int, until end: Instant, effects: inout [Effect]) {
    passRestVisit(app: index, until: end, effects: &effects)
    guard let visits = apps[index].visits, mayMonitor(app: index), !isHeld,
      visits.schedule.givesUpAt(policy) <= end
    else {
      return
    }
    apps[index].visits?.schedule.giveUp(at: now, policy: policy)
    demandIsStale = true
  }
}

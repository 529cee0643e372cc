import LocationModel

/// Significant changes: few and coarse, whatever filter and accuracy say (behaviour 4).
extension LocationEngine {
  mutating func startSignificantChanges(app index: Int, session position: Int, effects: inout [Effect]) {
    apps[index].monitorsSignificantChanges = true
    storeRegistrations(app: index, effects: &effects)
    showServicesAlertIfOff(app: index, session: position, effects: &effects)
    let wasMonitoring = apps[index].sessions[position].significantChanges != nil
    if !wasMonitoring {
      apps[index].sessions[position].significantChanges = SignificantChanges(at: now, policy: policy)
    }
    demandIsStale = true
    if mayMonitor(app: index) {
      apps[index].isServedMonitoring = true
      // A repeated start gives no new initial event (behaviour 4.3).
      if !wasMonitoring { beginSignificantChanges(app: index, session: position, effects: &effects) }
    } else {
      reportMonitoringRefusal(app: index, session: position, effects: &effects)
    }
  }

  mutating func stopSignificantChanges(app index: Int, session position: Int, effects: inout [Effect]) {
    apps[index].sessions[position].significantChanges = nil
    apps[index].sessions[position].changeAwaitingAlways = nil
    // What waits for a suspended app belongs to both services.
    if !apps[index].sessions[position].isUpdating { dropHeldFixes(app: index, session: position) }
    demandIsStale = true
    guard !apps[index].sessions.contains(where: { $0.significantChanges != nil }) else { return }
    apps[index].monitorsSignificantChanges = false
    apps[index].lastChange = nil
    dropKept(app: index) { if case .moved = $0.content { true } else { false } }
    storeRegistrations(app: index, effects: &effects)
  }

  /// The first event is the cached location, else the first one that comes (behaviour 4.3).
  mutating func beginSignificantChanges(app index: Int, session position: Int, effects: inout [Effect]) {
    guard let watch = apps[index].sessions[position].significantChanges else { return }
    apps[index].sessions[position].significantChanges?.begin(at: now)
    let held = apps[index].sessions[position].changeAwaitingAlways
    apps[index].sessions[position].changeAwaitingAlways = nil
    demandIsStale = true
    if let held, !apps[index].isInUse {
      guard now.seconds(since: held.at) <= policy.heldForAlwaysSecondsMax else { return }
      tellChange(held.fix, app: index, session: position, effects: &effects)
    } else if tellKeptMove(app: index, session: position, effects: &effects) {
      return
    } else if let cached = visibleLastFix(app: index), cached != watch.told {
      tellChange(cached, app: index, session: position, effects: &effects)
    }
  }

  mutating func considerSignificantChange(
    _ precise: Fix, isReduced: Bool, app index: Int, session position: Int, effects: inout [Effect]
  ) {
    guard let watch = apps[index].sessions[position].significantChanges else { return }
    let fix = isReduced ? coarse.fix ?? precise : precise
    if watch.isChange(fix, isCoarse: isReduced, at: now, policy: policy) {
      tellChange(fix, app: index, session: position, effects: &effects)
    }
    let wasAwake = watch.schedule.isAwake(at: now)
    let engine = self
    apps[index].sessions[position].significantChanges?.looked(fix, at: now, policy: policy) {
      engine.expectedSeconds(toCover: $0, after: fix)
    }
    if wasAwake { demandIsStale = true }
  }

  mutating func tellChange(
    _ fix: Fix, app index: Int, session position: Int, effects: inout [Effect]
  ) {
    apps[index].sessions[position].significantChanges?.tell(fix, at: now)
    if apps[index].state == .suspended, apps[index].description.isInstalled {
      holdKeptMove(fix, app: index, session: position)
      noteChange(fix, app: index, effects: &effects)
      effects.append(.launch(apps[index].identifier, for: .locationsUpdated([fix], isAnswer: false)))
      return
    }
    noteChange(fix, app: index, effects: &effects)
    // What standard updates of the same manager have just told is not told again.
    let session = apps[index].sessions[position]
    if session.isUpdating, session.lastDelivered == fix { return }
    send(fix, app: index, session: position, effects: &effects)
    guard apps[index].state == .suspended else { return }
    effects.append(.launch(apps[index].identifier, for: .locationsUpdated([fix], isAnswer: false)))
  }

  /// Where an installed app is told that the device is outlives its process and the service.
  mutating func noteChange(_ fix: Fix, app index: Int, effects: inout [Effect]) {
    guard apps[index].description.isInstalled else { return }
    apps[index].lastChangeToldAt = now
    apps[index].lastChange = fix
    storeRegistrations(app: index, effects: &effects)
  }

  /// A change while a provisional Always waits for its confirmation is kept, the newest one (behaviour 1.14).
  mutating func holdSignificantChange(
    _ fix: Fix, app index: Int, session position: Int, effects: inout [Effect]
  ) {
    guard let watch = apps[index].sessions[position].significantChanges,
      watch.isChange(fix, isCoarse: apps[index].told.accuracy == .reduced, at: now, policy: policy)
    else { return }
    apps[index].sessions[position].significantChanges?.tell(fix, at: now)
    apps[index].sessions[position].changeAwaitingAlways = (fix, now)
    askToConfirmAlways(app: index, effects: &effects)
  }

  /// A wake without a change: the last location again (behaviour 4.4, cases SP-8).
  mutating func passSignificantChangeDeadlines(
    app index: Int, session position: Int, until end: Instant, effects: inout [Effect]
  ) {
    guard let watch = apps[index].sessions[position].significantChanges, mayMonitor(app: index) else { return }
    if let wake = watch.wakesAt(policy), wake <= end, let last = visibleLastFix(app: index) {
      apps[index].sessions[position].significantChanges?.tell(last, at: now)
      send(last, app: index, session: position, effects: &effects)
      if apps[index].state == .suspended {
        effects.append(.launch(apps[index].identifier, for: .locationsUpdated([last], isAnswer: false)))
      }
    }
    if !isHeld, watch.schedule.givesUpAt(policy) <= end {
      apps[index].sessions[position].significantChanges?.giveUp(at: now, policy: policy)
      demandIsStale = true
    }
  }

  // MARK: While the app does not run

  /// What goes on from before: an installed app is started for it (behaviour 4.5, 8.1).
  mutating func restoreServices(app index: Int) {
    if apps[index].monitorsVisits { apps[index].visits = VisitMonitoring(at: now, policy: policy) }
    if apps[index].monitorsSignificantChanges {
      apps[index].absentChanges = changesSinceLast(app: index)
    }
    demandIsStale = true
  }

  private func changesSinceLast(app index: Int) -> SignificantChanges {
    SignificantChanges(
      at: now, since: apps[index].lastChange, toldAt: apps[index].lastChangeToldAt, policy: policy)
  }

  /// A process ends: what its managers were told last is where the next change is measured from.
  mutating func keepSignificantChanges(app index: Int) {
    guard apps[index].monitorsSignificantChanges else { return }
    let watch = apps[index].sessions.lazy.compactMap(\.significantChanges).first
    apps[index].absentChanges = watch ?? apps[index].absentChanges ?? changesSinceLast(app: index)
    // What was due while nobody could be served is not made up for.
    if apps[index].absentChanges?.isOverdue(at: now, policy: policy) == true {
      apps[index].absentChanges?.begin(at: now)
    }
  }

  /// The app is started for a change, and has it at its next start of the service (behaviour 4.5, 4.6). The first place
  /// that is known at all is none.
  mutating func considerAbsentChange(_ precise: Fix, app index: Int, effects: inout [Effect]) {
    guard apps[index].state == .notRunning, let watch = apps[index].absentChanges, mayMonitor(app: index) else {
      return
    }
    let isReduced = apps[index].told.accuracy == .reduced
    let fix = isReduced ? coarse.fix ?? precise : precise
    if watch.isChange(fix, isCoarse: isReduced, at: now, policy: policy) {
      apps[index].absentChanges?.tell(fix, at: now)
      if watch.told != nil { keep(.moved(fix), app: index) }
      noteChange(fix, app: index, effects: &effects)
      if watch.told != nil {
        effects.append(.launch(apps[index].identifier, for: .locationsUpdated([fix], isAnswer: false)))
      }
    }
    let wasAwake = watch.schedule.isAwake(at: now)
    let engine = self
    apps[index].absentChanges?.looked(fix, at: now, policy: policy) { engine.expectedSeconds(toCover: $0, after: fix) }
    if wasAwake { demandIsStale = true }
  }

  mutating func passAbsentDeadlines(app index: Int, until end: Instant, effects: inout [Effect]) {
    guard apps[index].state == .notRunning, let watch = apps[index].absentChanges, mayMonitor(app: index) else {
      return
    }
    if let wake = watch.wakesAt(policy), wake <= end, let last = visibleLastFix(app: index) {
      apps[index].absentChanges?.tell(last, at: now)
      effects.append(.launch(apps[index].identifier, for: .locationsUpdated([last], isAnswer: false)))
    }
    guard !isHeld, watch.schedule.givesUpAt(policy) <= end else { return }
    apps[index].absentChanges?.giveUp(at: now, policy: policy)
    demandIsStale = true
  }

  // MARK: Permission of all monitoring

  /// Whether what monitoring finds may be told now: before iOS 13 that took Always (behaviour 1.21, 4.7), and an app
  /// that does not run can be started only if it is installed (3.13).
  func mayMonitor(app index: Int) -> Bool {
    guard isPermitted(app: index), apps[index].state != .notRunning || apps[index].description.isInstalled else {
      return false
    }
    return !policy.monitoringNeedsAlways || apps[index].authorization.grant.level == .always
  }

  /// Denied, restricted, switched off, or less than the era needs (behaviour 1.31). That an app is not in use is no
  /// refusal: monitoring may be started at any time (1.21).
  mutating func reportMonitoringRefusal(app index: Int, session position: Int, effects: inout [Effect]) {
    let status = apps[index].told.status
    let isTooLittle = policy.monitoringNeedsAlways && status == .authorizedWhenInUse
    guard status == .denied || status == .restricted || isTooLittle else { return }
    let manager = apps[index].sessions[position].identifier
    effects.append(.deliver(.failed(.denied, isAnswer: false), to: manager))
  }

  /// Monitoring goes on where permission has come, or what an app may see has changed.
  mutating func updateMonitoring(app index: Int, accuracyChanged: Bool, effects: inout [Effect]) {
    let mayNow = mayMonitor(app: index)
    defer { apps[index].isServedMonitoring = mayNow }
    if !mayNow { dropAwaitingAlways(app: index) }
    guard mayNow, !apps[index].isServedMonitoring || accuracyChanged else { return }
    // What an app that does not run is woken for counts from when it may be told again, as for one that runs.
    if !apps[index].isServedMonitoring { apps[index].absentChanges?.begin(at: now) }
    for position in apps[index].sessions.indices {
      beginSignificantChanges(app: index, session: position, effects: &effects)
    }
    // What was due while it could not be served is not made up for.
    apps[index].absentChanges?.begin(at: now)
    resumeVisits(app: index, effects: &effects)
  }

  /// What was kept for a confirmed Always is dropped when Always is not to come (behaviour 1.14), and all that waits
  /// when permission is refused.
  private mutating func dropAwaitingAlways(app index: Int) {
    if !apps[index].authorization.grant.isProvisional {
      apps[index].visits?.awaitingAlways = nil
      for position in apps[index].sessions.indices { apps[index].sessions[position].changeAwaitingAlways = nil }
    }
    if !apps[index].told.status.isAuthorized { apps[index].visits?.held = [] }
  }
}

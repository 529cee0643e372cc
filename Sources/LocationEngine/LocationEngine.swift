import LocationModel

/// The machine that decides everything: who is asked, who is served, with what, and which receivers run.
///
/// It is pure. `handle` takes what happened and the time, and gives back what the host must do, in order;
/// `nextDeadline` says when to call again with `timePassed`. A late, early or repeated call is harmless, and time that
/// stands still or steps back is taken as the newest time seen. The same inputs give the same effects.
///
/// Duties by folder: `Authorization` (permission and prompts), `Sessions` (apps, clients, managers), `Delivery`
/// (filters, one-time requests, coarse locations), `Monitoring` (regions), `Live` and `Conditions` (the async API),
/// `ServiceSessions` (what an app holds to be served), `SignificantChange`, `Visits`, `Heading`, `Beacons`, `Pausing`
/// and `Deferral` (a folder a service), `Life` (supervised apps: running, suspended, ended), `Power` (which receivers
/// run).
package struct LocationEngine {
  package private(set) var policy: Policy
  package internal(set) var capabilities: Capabilities
  package private(set) var locationServicesEnabled = true
  package private(set) var isInAirplaneMode = false

  var now: Instant = .zero
  /// When `timePassed` is due; nil when nothing waits for time.
  package private(set) var nextDeadline: Instant?
  /// In the order of first connection; an app stays known after its last process left.
  var apps: [App] = []
  var appIndexByIdentifier: [AppIdentifier: Int] = [:]
  var appIndexByClient: [ClientIdentifier: Int] = [:]
  var nextPromptNumber: UInt64 = 1

  /// The device's newest fix, whoever may see it.
  @Boxed var lastFix: Fix?
  package var deviceFix: Fix? { lastFix }
  /// The fix that managers were told last, as all of them are told it: one array for many.
  var toldFixes: [Fix] = []
  /// When it came; nil for one that the store remembered.
  var lastFixReceivedAt: Instant?
  @Boxed var coarse = CoarseLocation()
  var beliefs: [FixSource: SourceBelief] = [:]
  var sourceChoice = SourceChoice()
  @Boxed var stillness = Stillness()
  /// Some session iterates live updates.
  var hasLiveUpdates = false
  /// Some process holds a `CLServiceSession` or `CLBackgroundActivitySession`, or has held one before this step.
  var hasSessions = false
  /// Some app is installed, so that it may be supervised, and started for events.
  var isSupervising = false
  /// Background App Refresh of the whole device.
  package internal(set) var allowsBackgroundRefresh = true
  /// The apps whose own Background App Refresh is off, known or not.
  var appsWithoutRefresh: Set<AppIdentifier> = []
  var receivers: ReceiverState = .searching
  package var receiverStatus: ReceiverState { receivers }
  var demand: ReceiverDemand?
  /// Something changed that may change the demand.
  var demandIsStale = false
  /// When the next sleeping need for receivers wakes.
  var nextNeedFrom: Instant?
  /// What the device has to find places with.
  package var profile: DeviceProfile { ownProfile }
  @Boxed private var ownProfile: DeviceProfile
  var watchesMotion = false
  /// Some stream can let the receivers sleep after a fix.
  var sparesReceivers = false
  var rest = Rest()
  var search = SatelliteSearch()
  @Boxed var speeds = SpeedMemory()
  /// When satellites were followed last.
  var satelliteFixAt: Instant?

  @Boxed var compass = Compass()
  @Boxed var beaconScan = BeaconScan()

  /// The newest fix that watched circles have considered.
  @Boxed var lastWatchedFix: WatchedFix?
  /// Or any condition of a monitor.
  var isWatchingAnyRegion = false
  /// Something changed that may change whose regions are watched, or who can be told.
  var monitoringIsStale = false

  package init(
    policy: Policy = Policy(), capabilities: Capabilities = Capabilities(), profile: DeviceProfile = .receiver
  ) {
    ownProfile = profile
    self.policy = policy
    self.capabilities = capabilities
  }

  package mutating func handle(_ input: Input, at time: Instant) -> [Effect] {
    var effects: [Effect] = []
    handle(input, at: time, effects: &effects)
    return effects
  }

  /// The same, appending to a list that the host keeps, so that a stream of fixes allocates nothing for it.
  package mutating func handle(_ input: Input, at time: Instant, effects: inout [Effect]) {
    let start = effects.count
    now = max(now, time)
    passDeadlines(effects: &effects)
    refreshMonitoring(effects: &effects)
    if case .fixReceived(let fix) = input {
      receive(fix, effects: &effects)
      considerPlaceForHeading(effects: &effects)
    } else {
      handleRare(input, effects: &effects)
      refreshMonitoring(effects: &effects)
    }
    refreshClients(effects: &effects)
    if isSupervising { settleLives(from: start, effects: &effects) }
    if let from = nextNeedFrom, from <= now { demandIsStale = true }
    if demandIsStale {
      arbitrate(effects: &effects)
      arbitrateHeadingSensor(effects: &effects)
      // Receivers that are switched on are waited for from now on.
      refreshLiveUpdates(effects: &effects)
      if demandIsStale { arbitrate(effects: &effects) }
      beaconScan.isStale = true
    }
    if beaconScan.isStale { arbitrateBeacons(effects: &effects) }
    if isSupervising { holdForFrozen(from: start, effects: &effects) }
    nextDeadline = earliestDeadline()
  }

  /// What is said to those whom the step has changed without being about them.
  mutating func refreshClients(effects: inout [Effect]) {
    if hasSessions {
      refreshSessions(effects: &effects)
      refreshMonitoring(effects: &effects)
    }
    refreshLiveUpdates(effects: &effects)
    if hasSessions { tellDiagnostics(effects: &effects) }
  }

  private mutating func handleRare(_ input: Input, effects: inout [Effect]) {
    switch input {
    case .clientConnected(let client, let description, let grant, let fix):
      connect(client, description: description, grant: grant, lastFix: fix, effects: &effects)
    case .clientDisconnected(let client):
      disconnect(client, effects: &effects)
    case .appRestored(let description, let grant, let registrations):
      restore(description, grant: grant, registrations: registrations)
    case .appForgotten(let app):
      forget(app)
    case .appUninstalled(let app):
      uninstall(app, effects: &effects)
    case .managerCreated(let manager):
      addManager(manager, effects: &effects)
    case .managerReleased(let manager):
      removeManager(manager, effects: &effects)
    case .requested(let request, let manager):
      perform(request, for: manager, effects: &effects)
    case .appStateChanged(let app, let state):
      if !isSupervised(app) { changeState(of: app, to: state, effects: &effects) }
    case .life(let input):
      handle(input, effects: &effects)
    case .promptAnswered(let prompt, let answer):
      answerPrompt(prompt, with: answer, effects: &effects)
    case .grantChanged(let app, let level):
      changeGrant(of: app, effects: &effects) { $0.decide(level) }
    case .preciseChanged(let app, let isPrecise):
      changeGrant(of: app, effects: &effects) { $0.setPrecise(isPrecise) }
    case .restrictionChanged(let app, let isRestricted):
      changeGrant(of: app, effects: &effects) { $0.grant.isRestricted = isRestricted }
    case .locationServicesSwitched(let isOn):
      switchServices(on: isOn, effects: &effects)
    case .airplaneModeChanged(let isOn):
      isInAirplaneMode = isOn
      demandIsStale = true
    case .policyChanged(let policy):
      self.policy = policy
      demandIsStale = true
    case .receiversChanged(let state):
      changeReceivers(to: state, effects: &effects)
    case .headingSampled(let sample):
      receive(sample, effects: &effects)
    case .headingAvailabilityChanged(let isAvailable):
      changeHeadingAvailability(to: isAvailable, effects: &effects)
    case .motionChanged(let motion):
      changeMotion(to: motion, effects: &effects)
    case .beaconHeard, .beaconRadioChanged, .displayTurnedOn:
      handleBeacons(input, effects: &effects)
    case .fixReceived, .timePassed:
      break
    }
  }

  private mutating func switchServices(on isOn: Bool, effects: inout [Effect]) {
    guard isOn != locationServicesEnabled else { return }
    let permitted = apps.indices.map { isPermitted(app: $0) }
    locationServicesEnabled = isOn
    for index in apps.indices {
      effects.append(.snapshotChanged(apps[index].identifier))
      tellAuthorization(app: index, wasPermitted: permitted[index], effects: &effects)
    }
  }

  // MARK: Time

  private func earliestDeadline() -> Instant? {
    var earliest: Instant?
    func consider(_ deadline: Instant?) {
      if let deadline, earliest == nil || deadline < earliest! { earliest = deadline }
    }
    consider(nextNeedFrom)
    consider(searchEndsAt)
    if let demand, !demand.technologies.contains(.wireless) { consider(searchHelpDue(for: demand.accuracy)) }
    considerBeaconDeadlines(consider)
    for index in apps.indices {
      consider(apps[index].graceEnds)
      considerMonitoringDeadlines(app: index, consider)
      considerLifeDeadlines(app: index, consider)
      // A suspended app cannot be told, so that its waits end when it runs again.
      guard apps[index].state != .suspended else { continue }
      // Where they stand: a session is long, and this is done for every fix.
      apps[index].sessions.withUnsafeBufferPointer { sessions in
        for position in sessions.indices {
          consider(sessions[position].locationRequest?.deadline)
          consider(sessions[position].firstFixDeadline(policy))
          consider(sessions[position].deferral?.deadline)
          if watchesMotion { consider(restPauseDeadline(app: index, session: position)) }
          consider(sessions[position].pause?.schedule?.givesUpAt(policy))
          if let live = sessions[position].live { consider(deadline(of: live)) }
        }
      }
    }
    return earliest
  }

  private func considerMonitoringDeadlines(app index: Int, _ consider: (Instant?) -> Void) {
    guard mayMonitor(app: index) else { return }
    if watchesMotion { consider(restVisitDeadline(app: index)) }
    if let schedule = apps[index].visits?.schedule, !isHeld, !schedule.isAsleepForGood {
      consider(schedule.givesUpAt(policy))
    }
    if apps[index].state == .notRunning {
      if !isHeld { consider(apps[index].absentChanges?.schedule.givesUpAt(policy)) }
      consider(apps[index].absentChanges?.wakesAt(policy))
    }
    apps[index].sessions.withUnsafeBufferPointer { sessions in
      for position in sessions.indices {
        guard let watch = sessions[position].significantChanges else { continue }
        if !isHeld { consider(watch.schedule.givesUpAt(policy)) }
        consider(watch.wakesAt(policy))
      }
    }
  }

  private mutating func passDeadlines(effects: inout [Effect]) {
    defer { if beaconScan.isDue(at: now, policy: policy) { beaconScan.isStale = true } }
    // What ends background time is looked at in every step.
    guard isSupervising || nextDeadline.map({ $0 <= now }) == true else { return }
    passSearchDeadline()
    for index in apps.indices {
      if let ends = apps[index].graceEnds, ends <= now {
        // What was due while the app was in use comes first, however late the wake-up.
        passSessionDeadlines(app: index, until: ends, effects: &effects)
        apps[index].graceEnds = nil
        updateUse(app: index, effects: &effects)
      }
      if isSupervising { passLifeDeadlines(app: index, effects: &effects) }
      passSessionDeadlines(app: index, until: now, effects: &effects)
    }
  }

  mutating func passSessionDeadlines(
    app index: Int, until end: Instant, effects: inout [Effect]
  ) {
    passVisitDeadlines(app: index, until: end, effects: &effects)
    passBeaconDeadlines(app: index, until: end, effects: &effects)
    passAbsentDeadlines(app: index, until: end, effects: &effects)
    for position in apps[index].sessions.indices {
      passSignificantChangeDeadlines(app: index, session: position, until: end, effects: &effects)
    }
    guard apps[index].state != .suspended else { return }
    for position in apps[index].sessions.indices {
      passDeferralDeadline(app: index, session: position, until: end, effects: &effects)
      passPauseDeadlines(app: index, session: position, until: end)
      passLiveDeadline(app: index, session: position, until: end)
      if watchesMotion { passRestPause(app: index, session: position, until: end, effects: &effects) }
      if let deadline = apps[index].sessions[position].locationRequest?.deadline, deadline <= end {
        finishRequest(app: index, session: position, effects: &effects)
      }
      if let deadline = apps[index].sessions[position].firstFixDeadline(policy), deadline <= end {
        reportUnknown(app: index, session: position, effects: &effects)
      }
    }
  }

  // MARK: What may be asked at once

  /// What a client may know from memory; nil for a client that is not connected.
  package func snapshot(for client: ClientIdentifier) -> ClientSnapshot? {
    guard let index = appIndexByClient[client] else { return nil }
    var capabilities = capabilities
    if capabilities.monitorsCircularRegions { capabilities.maximumRegionRadiusMeters = policy.regionRadiusMetersMax }
    return ClientSnapshot(
      authorization: apps[index].told, locationServicesEnabled: locationServicesEnabled,
      capabilities: capabilities, lastFix: visibleLastFix(app: index),
      monitoredRegions: apps[index].regions.map(\.region))
  }

  /// What Settings shows for an app: a provisional Always reads as While Using there (behaviour 1.13).
  package func grant(of app: AppIdentifier) -> Grant? {
    appIndexByIdentifier[app].map { apps[$0].authorization.grant }
  }
}

import LocationEngine
import LocationModel

/// Feeds an engine and a model the same inputs, and says where the engine breaks a rule.
struct EngineChecker: CheckedLife {
  var engine: LocationEngine
  private(set) var violations: [String] = []
  /// Everything fed and answered, for a second run.
  private(set) var history: [(input: Input, seconds: Double, effects: [Effect])] = []

  private let policy: Policy
  private var apps: [AppIdentifier: AppModel] = [:]
  private var appByClient: [ClientIdentifier: AppIdentifier] = [:]
  private var isOn = true
  private var isInAirplaneMode = false
  private var told: [ManagerIdentifier: Authorization] = [:]
  private var demand: ReceiverDemand?
  private var compassIsOn = false
  private var beaconScan: [BeaconConstraint]?
  private var displayIsWatched = false
  private var preciseCoordinates: Set<Coordinate> = []
  private var lastPrecise: [ManagerIdentifier: WallTime] = [:]
  /// Since the start of the manager's updates.
  private var lastDelivered: [ManagerIdentifier: Fix] = [:]
  /// Deferrals that were allowed and have not been answered.
  private var openDeferrals: Set<ManagerIdentifier> = []
  private var openCompletions: [CompletionIdentifier: ManagerIdentifier] = [:]
  /// A call of the step that has not been answered, and whose it is.
  private var pendingAllows = 0
  private var deferring: ManagerIdentifier?
  /// The manager that the step releases: its calls may still be answered.
  private var leaving: ManagerIdentifier?

  init(policy: Policy, profile: DeviceProfile = .receiver) {
    self.policy = policy
    engine = LocationEngine(policy: policy, profile: profile)
  }

  /// One input. Deadlines before it are kept to the nanosecond, so that the model needs no more than the time.
  mutating func feed(_ input: Input, at seconds: Double) -> [Effect] {
    var effects: [Effect] = []
    let end = Instant.zero.advanced(bySeconds: seconds)
    while let deadline = engine.nextDeadline, deadline <= end {
      let count = history.count
      effects += step(.timePassed, at: Double(deadline.nanoseconds) / 1e9)
      if engine.nextDeadline == deadline {
        complain("the deadline stays after its wake-up (\(count))")
        break
      }
    }
    return effects + step(input, at: seconds)
  }

  private mutating func complain(_ what: String) {
    violations.append("step \(history.count): \(what)")
  }

  private mutating func step(_ input: Input, at seconds: Double) -> [Effect] {
    let permittedBefore = apps.mapValues { $0.isPermitted(isOn: isOn) }
    for key in apps.keys { apps[key]?.pass(to: seconds) }
    apply(input, at: seconds)
    let effects = engine.handle(input, at: Instant.zero.advanced(bySeconds: seconds))
    history.append((input, seconds, effects))
    let wasDue = input == .timePassed || permittedBefore != apps.mapValues { $0.isPermitted(isOn: isOn) }
    for effect in effects { check(effect, cause: input, permittedBefore: wasDue ? permittedBefore : [:]) }
    if let deferring, pendingAllows > 0 { openDeferrals.insert(deferring) }
    pendingAllows = 0
    deferring = nil
    checkRegionAnswers(to: input, effects)
    leaving = nil
    checkStanding(at: seconds)
    return effects
  }

  // MARK: The model's side

  private mutating func apply(_ input: Input, at seconds: Double) {
    switch input {
    case .clientConnected(let client, let description, let grant, let fix):
      guard appByClient[client] == nil else { return }
      appByClient[client] = description.identifier
      if apps[description.identifier] == nil {
        apps[description.identifier] = AppModel(description: description, grant: grant)
      }
      if let fix { preciseCoordinates.insert(fix.coordinate) }
    case .clientDisconnected(let client): disconnect(client, at: seconds)
    case .managerCreated(let manager):
      guard let app = appByClient[manager.client], apps[app]?.managers[manager] == nil else { return }
      apps[app]?.managers[manager] = AppModel.Manager()
    case .managerReleased(let manager):
      guard let app = appByClient[manager.client] else { return }
      if apps[app]?.managers.removeValue(forKey: manager) != nil { leaving = manager }
      forget(manager)
      apps[app]?.settleUse()
    case .requested(let request, let manager): apply(request, by: manager)
    case .appStateChanged(let app, let state): change(app, to: state, at: seconds)
    case .promptAnswered(let prompt, let answer):
      for key in apps.keys where apps[key]?.question?.identifier == prompt {
        apps[key]?.answer(answer, policy: policy)
      }
    case .grantChanged(let app, let level):
      let decisions: [Grant.Level: AppModel.Decision] = [
        .notDetermined: .undecided, .denied: .refused, .whenInUse: .whileUsing, .always: .always,
      ]
      if let decision = decisions[level] { apps[app]?.decide(decision) }
    case .preciseChanged(let app, let isPrecise):
      apps[app]?.isPrecise = isPrecise
      apps[app]?.isLentPrecise = false
    case .restrictionChanged(let app, let isRestricted): apps[app]?.isRestricted = isRestricted
    case .locationServicesSwitched(let on): isOn = on
    case .airplaneModeChanged(let on): isInAirplaneMode = on
    case .fixReceived(let fix): preciseCoordinates.insert(fix.coordinate)
    case .appForgotten(let app):
      let isMonitored = apps[app].map { $0.description.isInstalled && $0.monitorsServices } == true
      let isWatchedFor = apps[app]?.mayWatchRegions(policy, isOn: isOn) == true || isMonitored
      if !appByClient.values.contains(app), apps[app]?.question == nil, !isWatchedFor { apps[app] = nil }
    case .appUninstalled(let app):
      if !appByClient.values.contains(app) { apps[app] = nil }
    case .receiversChanged, .timePassed, .appRestored, .policyChanged, .life, .headingSampled, .motionChanged,
      .headingAvailabilityChanged, .beaconHeard, .beaconRadioChanged, .displayTurnedOn:
      break
    }
  }

  private mutating func forget(_ manager: ManagerIdentifier) {
    told[manager] = nil
    openDeferrals.remove(manager)
    lastPrecise[manager] = nil
    lastDelivered[manager] = nil
  }

  private mutating func change(_ app: AppIdentifier, to state: AppState, at seconds: Double) {
    if state == .notRunning {
      for manager in apps[app]?.managers.keys.map({ $0 }) ?? [] {
        lastDelivered[manager] = nil
        openDeferrals.remove(manager)
      }
    }
    apps[app]?.change(to: state, at: seconds, isOn: isOn, graceSeconds: policy.inUseGraceSeconds)
  }

  private mutating func disconnect(_ client: ClientIdentifier, at seconds: Double) {
    guard let app = appByClient.removeValue(forKey: client) else { return }
    for manager in apps[app]?.managers.keys.filter({ $0.client == client }) ?? [] {
      apps[app]?.managers[manager] = nil
      forget(manager)
    }
    openCompletions = openCompletions.filter { $0.value.client != client }
    apps[app]?.settleUse()
    if !appByClient.values.contains(app) { change(app, to: .notRunning, at: seconds) }
  }

  private mutating func apply(_ request: Request, by manager: ManagerIdentifier) {
    guard let key = appByClient[manager.client], var app = apps[key], var own = app.managers[manager] else { return }
    switch request {
    case .configure(let configuration): own.configuration = configuration
    case .startUpdatingLocation:
      own.hasRequest = false
      own.isUpdating = true
      if app.state == .foreground { own.beganInFront = true }
    case .stopUpdatingLocation:
      own.end()
      lastDelivered[manager] = nil
    case .requestLocation: own.hasRequest = own.hasRequest || !own.isUpdating
    case .allowDeferredUpdates:
      own.hasRequest = false
      pendingAllows += 1
      deferring = manager
    case .startMonitoringSignificantChanges:
      own.monitorsChanges = true
      app.registrations.monitorsSignificantChanges = true
    case .stopMonitoringSignificantChanges:
      own.monitorsChanges = false
      if !app.managers.contains(where: { $0.key != manager && $0.value.monitorsChanges }) {
        app.registrations.monitorsSignificantChanges = false
      }
    case .startRanging(let constraint): own.ranged.insert(constraint)
    case .stopRanging(let constraint): own.ranged.remove(constraint)
    case .startMonitoringVisits: app.registrations.monitorsVisits = true
    case .stopMonitoringVisits: app.registrations.monitorsVisits = false
    case .startMonitoring(let region): app.register(region, regionsMax: policy.regionsPerAppMax)
    case .stopMonitoring(let identifier): app.regions[identifier] = nil
    case .requestTemporaryFullAccuracy(_, let completion): openCompletions[completion] = manager
    case .requestAlwaysAuthorization:
      if policy.alwaysEscalation == .becomesProvisional, app.state == .foreground, app.question == nil, isOn,
        !app.isRestricted, app.decision == .whileUsing, !app.hasAskedForAlways
      {
        app.hasAskedForAlways = true
        app.decide(.provisional)
      }
    default: break
    }
    app.managers[manager] = own
    app.settleUse()
    apps[key] = app
  }

  // MARK: What the engine did

  private mutating func check(_ effect: Effect, cause: Input, permittedBefore: [AppIdentifier: Bool]) {
    switch effect {
    case .deliver(let event, let manager): check(event, to: manager, permittedBefore: permittedBefore)
    case .showPrompt(let prompt): checkPrompt(prompt, cause: cause)
    case .withdrawPrompt(let prompt):
      let asked = apps.first { $0.value.question?.identifier == prompt }?.key
      if let asked { apps[asked]?.question = nil } else { complain("a prompt is withdrawn that is not up") }
    case .storeRegistrations(let registrations, let app):
      let model = apps[app]?.registrations
      if registrations.monitorsVisits != model?.monitorsVisits
        || registrations.monitorsSignificantChanges != model?.monitorsSignificantChanges
      {
        complain("services are stored that are not registered")
      }
    case .storeLastFix(let fix, let app): checkCoarse([fix], for: app, "stored")
    case .setReceivers(let wanted):
      if wanted == demand { complain("the demand is repeated") }
      demand = wanted
    case .setHeadingSensor(let isOn):
      if isOn == compassIsOn { complain("the compass is switched again") }
      compassIsOn = isOn
    case .setBeaconScan(let wanted):
      if wanted == beaconScan { complain("the beacon scan is repeated") }
      if wanted != nil, isInAirplaneMode { complain("a beacon scan in airplane mode") }
      if wanted?.isEmpty == true { complain("a beacon scan for nobody") }
      beaconScan = wanted
    case .setDisplayWatch(let isOn):
      if isOn == displayIsWatched { complain("the watch of the screen is repeated") }
      displayIsWatched = isOn
    case .setMotionSensor, .showHeadingCalibration, .hideHeadingCalibration: break
    case .storeGrant, .showLocationServicesAlert, .note, .snapshotChanged, .launch, .life: break
    }
  }

  private mutating func checkPrompt(_ prompt: Prompt, cause: Input) {
    guard let app = apps[prompt.app] else { return complain("a prompt for nobody") }
    if app.question != nil { complain("a second prompt for one app") }
    if prompt.kind != .provisionalConfirmation, app.state != .foreground { complain("a prompt in the background") }
    var asksForAlways = false
    if case .requested(.requestAlwaysAuthorization, _) = cause { asksForAlways = true }
    apps[prompt.app]?.question = AppModel.Question(
      identifier: prompt.identifier, kind: prompt.kind, asksForAlways: asksForAlways, choices: prompt.choices)
    if prompt.kind == .escalation { apps[prompt.app]?.hasAskedForAlways = true }
  }

  private mutating func check(
    _ event: ManagerEvent, to manager: ManagerIdentifier, permittedBefore: [AppIdentifier: Bool]
  ) {
    if case .temporaryFullAccuracyAnswered(let completion, _) = event {
      if openCompletions.removeValue(forKey: completion) != manager { complain("a completion answered twice") }
      if manager == leaving { return }
    }
    guard let key = appByClient[manager.client], let app = apps[key], let own = app.managers[manager]
    else { return complain("\(event) for a manager that is gone") }
    switch event {
    case .authorizationChanged(let authorization, let isInitial, let statusChanged):
      if isInitial != (told[manager] == nil) { complain("the initial call is not the first, or not the only") }
      if told[manager] == authorization { complain("told what was told before") }
      if let before = told[manager], statusChanged != (before.status != authorization.status) {
        complain("statusChanged is wrong")
      }
      told[manager] = authorization
    case .headingUpdated(let heading):
      if app.state == .suspended { complain("a heading for a suspended app") }
      if !compassIsOn { complain("a heading of a compass that is off") }
      let isPermitted = app.isPermitted(isOn: isOn) || permittedBefore[key] == true
      if heading.trueDegrees != nil, !isPermitted { complain("true north without permission") }
    case .beaconsRanged(let beacons, let constraint):
      if app.state == .suspended || app.state == .notRunning { complain("ranged for an app that cannot run") }
      let isPermitted = app.isPermitted(isOn: isOn) || permittedBefore[key] == true
      if !isPermitted { complain("beacons without permission or use") }
      if !own.ranged.contains(constraint) { complain("beacons that were not asked for") }
      if !beacons.allSatisfy({ constraint.matches($0.beacon) }) { complain("a beacon of another constraint") }
    case .locationsUpdated(let fixes, let isAnswer):
      let isPermitted = app.isPermitted(isOn: isOn) || permittedBefore[key] == true
      if !isPermitted { complain("locations without permission or use") }
      if app.state == .suspended { complain("locations while suspended") }
      if !isAnswer, !own.isUpdating, !own.monitorsChanges { complain("locations that were not asked for") }
      if fixes.isEmpty || fixes.count > policy.suspendedFixesMax { complain("\(fixes.count) fixes at once") }
      checkCoarse(fixes, for: key, "delivered")
      if isAnswer {
        endRequest(of: manager, app: key)
      } else if own.monitorsChanges {
        // A change begins with what was told before, and a confirmed Always with what was held.
        lastDelivered[manager] = nil
        lastPrecise[manager] = nil
      } else {
        checkOrder(fixes, to: manager)
      }
    case .visited:
      let isPermitted = app.isPermitted(isOn: isOn) || permittedBefore[key] == true
      if !isPermitted { complain("a visit without permission or use") }
      if app.state == .suspended { complain("a visit while suspended") }
      if !app.registrations.monitorsVisits { complain("a visit that was not asked for") }
    case .deferredUpdatesFinished:
      if openDeferrals.remove(manager) == nil {
        if deferring == manager, pendingAllows > 0 { pendingAllows = 0 } else { complain("a deferral ended twice") }
      }
    case .failed(_, isAnswer: true): endRequest(of: manager, app: key)
    case .regionEntered(let region), .regionExited(let region):
      checkCrossing(of: region, entered: event == .regionEntered(region), to: manager, app: key)
      if !(app.isPermitted(isOn: isOn) || permittedBefore[key] == true) { complain("a crossing without permission") }
    case .kept(_, let event): check(event, to: manager, permittedBefore: permittedBefore)
    default: break
    }
  }

  // MARK: Regions

  /// A crossing is told of a region that is monitored, to an app that runs with full accuracy, and in turns.
  private mutating func checkCrossing(
    of region: Region, entered: Bool, to manager: ManagerIdentifier, app key: AppIdentifier
  ) {
    guard let app = apps[key] else { return }
    if app.regions[region.identifier] != region { complain("a crossing of a region that is not monitored") }
    if app.state == .suspended || app.state == .notRunning { complain("a crossing told to an app that cannot run") }
    if app.authorization(isOn: isOn).accuracy == .reduced { complain("a crossing told to a reduced app") }
    if entered ? !region.notifiesOnEntry : !region.notifiesOnExit { complain("a crossing that nobody asked for") }
  }

  /// Every question has one answer, every start one, at once; what is confirmed is stored before.
  private mutating func checkRegionAnswers(to input: Input, _ effects: [Effect]) {
    guard case .requested(let request, let manager) = input, let key = appByClient[manager.client],
      apps[key]?.managers[manager] != nil
    else { return }
    let said = effects.compactMap { effect -> ManagerEvent? in
      guard case .deliver(let event, manager) = effect else { return nil }
      return event
    }
    switch request {
    case .requestState:
      let answers = said.count { if case .stateDetermined = $0 { true } else { false } }
      if answers != 1 { complain("requestState has \(answers) answers") }
    case .startMonitoring(let region):
      let outcomes = said.count { event in
        switch event {
        case .monitoringStarted(let started): started.identifier == region.identifier
        case .monitoringFailed: true
        default: false
        }
      }
      let mayWait = apps[key]?.authorization(isOn: isOn).status == .notDetermined
      if outcomes != 1, !(mayWait && outcomes == 0) { complain("startMonitoring has \(outcomes) outcomes") }
    default: break
    }
    let stored = effects.firstIndex { if case .storeRegistrations = $0 { true } else { false } }
    let begun = effects.firstIndex { if case .deliver(.monitoringStarted, _) = $0 { true } else { false } }
    if let stored, let begun, stored > begun, case .startMonitoring = request {
      complain("confirmed before it is stored")
    }
  }

  private mutating func endRequest(of manager: ManagerIdentifier, app: AppIdentifier) {
    if apps[app]?.managers[manager]?.hasRequest != true { complain("an outcome without a request") }
    apps[app]?.managers[manager]?.hasRequest = false
  }

  /// An app that reads reduced must not be given a coordinate that a receiver measured.
  private mutating func checkCoarse(_ fixes: [Fix], for app: AppIdentifier, _ what: String) {
    guard apps[app]?.authorization(isOn: isOn).accuracy == .reduced else { return }
    if fixes.contains(where: { preciseCoordinates.contains($0.coordinate) }) {
      complain("a precise place is \(what) for a reduced app")
    }
  }

  private mutating func checkOrder(_ fixes: [Fix], to manager: ManagerIdentifier) {
    // A full queue of a suspended app may have lost what stood between, such as a coarse value while Precise was off.
    if lastDelivered[manager] == fixes.first, fixes.count < policy.suspendedFixesMax {
      complain("the same fix twice in a row")
    }
    lastDelivered[manager] = fixes.last
    for fix in fixes where preciseCoordinates.contains(fix.coordinate) {
      if let last = lastPrecise[manager], fix.time < last { complain("an older fix after a newer one") }
      lastPrecise[manager] = fix.time
    }
  }

  // MARK: What must hold between steps

  private mutating func checkStanding(at seconds: Double) {
    for (key, app) in apps {
      let expected = app.authorization(isOn: isOn)
      for manager in app.managers.keys where told[manager] != expected {
        complain("\(key.name) was told \(String(describing: told[manager])), the rules say \(expected)")
      }
      checkRequests(of: app, at: seconds)
      if let question = app.question { checkQuestion(question, of: app) }
    }
    for (client, key) in appByClient {
      let snapshot = engine.snapshot(for: client)
      let monitored = (snapshot?.monitoredRegions ?? []).map(\.identifier).sorted()
      let registered = apps[key]?.regions.keys.sorted() ?? []
      if monitored != registered { complain("the snapshot of \(key.name) has \(monitored), registered \(registered)") }
      if snapshot?.authorization != apps[key]?.authorization(isOn: isOn) { complain("the snapshot is not what holds") }
      if let fix = snapshot?.lastFix {
        if apps[key]?.isPermitted(isOn: isOn) != true { complain("a last fix without permission") }
        checkCoarse([fix], for: key, "shown")
      }
    }
    checkDemand()
    for (completion, manager) in openCompletions {
      let kind = appByClient[manager.client].flatMap { apps[$0]?.question?.kind }
      if case .temporaryFullAccuracy = kind { continue }
      complain("completion \(completion.number) waits for no prompt")
    }
  }

  private mutating func checkRequests(of app: AppModel, at seconds: Double) {
    guard app.state != .suspended, app.question?.kind != .first else { return }
    for manager in app.managers.values where manager.hasRequest {
      let limit = Instant.zero.advanced(bySeconds: seconds + policy.requestLocationTimeoutSeconds)
      if engine.nextDeadline.map({ $0 <= limit }) != true { complain("a request that nothing will end") }
    }
  }

  private mutating func checkQuestion(_ question: AppModel.Question, of app: AppModel) {
    let fits: Bool =
      switch question.kind {
      case .first: app.decision == .undecided
      case .escalation: app.decision == .whileUsing
      case .provisionalConfirmation: app.decision == .provisional
      case .temporaryFullAccuracy: !app.isPrecise && app.decision != .undecided && app.decision != .refused
      case .settings: false
      }
    if !fits || app.isRestricted { complain("a \(question.kind) prompt while \(app.decision)") }
  }

  private mutating func checkDemand() {
    var wishes: [DesiredAccuracy] = []
    // Monitoring lets the receivers sleep when it likes.
    var possible: [DesiredAccuracy] = []
    for app in apps.values where app.isPermitted(isOn: isOn) {
      let isReduced = app.authorization(isOn: isOn).accuracy == .reduced
      if app.state != .suspended {
        wishes += app.managers.values.filter { $0.isUpdating || $0.hasRequest }
          .map { isReduced ? .reduced : $0.configuration.desiredAccuracy }
      }
      guard app.mayMonitor(policy) else { continue }
      if app.managers.values.contains(where: \.monitorsChanges) || app.registrations.monitorsSignificantChanges {
        possible.append(isReduced ? .reduced : .meters(policy.significantChangeMeters))
      }
      if app.registrations.monitorsVisits { possible.append(isReduced ? .reduced : .meters(policy.visitRadiusMeters)) }
    }
    let finest = Self.order.first(where: wishes.contains)
    if engine.profile.name != DeviceProfile.receiver.name {
      // Its receivers sleep when they like, too, but never serve nobody.
      let mayWatch = apps.values.contains { $0.mayWatchRegions(policy, isOn: isOn) }
      if demand != nil, wishes.isEmpty, possible.isEmpty, !mayWatch { complain("receivers for nobody") }
      return
    }
    if let demand, possible.contains(demand.accuracy) {
      if let finest, Self.isFiner(finest, than: demand.accuracy) { complain("coarser than wanted") }
      return
    }
    if let demand, demand.kinds != (isInAirplaneMode ? .wired : .all) { complain("radios and airplane mode") }
    // Circles may ask for more, at times that are theirs (RegionProofTests); never for less.
    if apps.values.contains(where: { $0.mayWatchRegions(policy, isOn: isOn) }) {
      if finest != nil, demand == nil { complain("the receivers are off though somebody waits") }
      return
    }
    if demand?.accuracy != finest {
      complain("the receivers do \(String(describing: demand)), wanted is \(String(describing: finest))")
    }
  }

  private static let order: [DesiredAccuracy] = [
    .bestForNavigation, .best, .meters(75), .meters(100), .meters(500), .reduced,
  ]

  private static func isFiner(_ left: DesiredAccuracy, than right: DesiredAccuracy) -> Bool {
    (order.firstIndex(of: left) ?? 0) < (order.firstIndex(of: right) ?? 0)
  }
}

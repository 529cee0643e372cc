import LocationEngine
import LocationModel

/// Feeds an engine the lives of one supervised app and two plain ones, and says where it breaks a rule of the
/// supervised one's.
struct SupervisedLifeChecker: CheckedLife {
  var engine: LocationEngine
  private(set) var violations: [String] = []
  private(set) var history: [(input: Input, seconds: Double, effects: [Effect])] = []

  private let app: AppIdentifier
  private var kept: KeptEventChecker
  private var clients: Set<ClientIdentifier> = []
  private var isRunning = false
  private var isFrozen = false
  private var isEnding = false
  private var isIndicated = false
  private var stored = StoredAppLife()
  /// Open tasks, and whether they were told that their time is over.
  private var tasks: [ClientIdentifier: [UInt64: Bool]] = [:]
  /// The task of this step that is one too many: it expires at once, and is never open.
  private var excessTask: (number: UInt64, client: ClientIdentifier)?
  /// The manager that the step releases: its calls are still answered, also to a frozen app that released it before.
  private var leaving: ManagerIdentifier?
  private var isRefreshOn = true
  private var isAppRefreshOn = true

  init(policy: Policy, app: AppIdentifier) {
    self.app = app
    kept = KeptEventChecker(app: app)
    engine = LocationEngine(policy: policy)
  }

  mutating func feed(_ input: Input, at seconds: Double) -> [Effect] {
    var effects: [Effect] = []
    let end = Instant.zero.advanced(bySeconds: seconds)
    while let deadline = engine.nextDeadline, deadline <= end {
      effects += step(.timePassed, at: Double(deadline.nanoseconds) / 1e9)
      if engine.nextDeadline == deadline {
        complain("the deadline stays after its wake-up")
        break
      }
    }
    return effects + step(input, at: seconds)
  }

  private mutating func complain(_ what: String) {
    violations.append("step \(history.count): \(what)")
  }

  private mutating func step(_ input: Input, at seconds: Double) -> [Effect] {
    apply(input)
    kept.follow(input)
    let effects = engine.handle(input, at: Instant.zero.advanced(bySeconds: seconds))
    kept.check(effects).forEach { complain($0) }
    history.append((input, seconds, effects))
    for effect in effects { check(effect) }
    if let excessTask { complain("task \(excessTask.number) is one too many, and is not told") }
    excessTask = nil
    leaving = nil
    // Forgotten, it is restored from the store when it comes back.
    if engine.state(of: app) == nil {
      stored = StoredAppLife()
      isAppRefreshOn = true
    }
    checkStanding()
    checkRunning()
    return effects
  }

  // MARK: The model's side

  private mutating func apply(_ input: Input) {
    switch input {
    case .clientConnected(let client, let description, _, _) where description.identifier == app:
      clients.insert(client)
    case .clientDisconnected(let client):
      clients.remove(client)
      tasks[client] = nil
    case .managerReleased(let manager): leaving = manager
    case .life(let input): apply(input)
    default: break
    }
  }

  private mutating func apply(_ input: LifeInput) {
    switch input {
    case .launched:
      endProcess()
      isRunning = true
    case .processEnded: endProcess()
    case .backgroundTaskBegun(let number, _, let client):
      guard isRunning, clients.contains(client), tasks[client]?[number] == nil else { return }
      guard tasks.values.map(\.count).reduce(0, +) < engine.policy.backgroundTasksPerAppMax else {
        excessTask = (number, client)
        return
      }
      tasks[client, default: [:]][number] = false
    case .backgroundTaskEnded(let number, let client): tasks[client]?[number] = nil
    case .backgroundRefreshSwitched(nil, let isOn): isRefreshOn = isOn
    case .backgroundRefreshSwitched(let app?, let isOn): if app == self.app { isAppRefreshOn = isOn }
    case .restored(let description, _, let life):
      guard description.identifier == app, (engine.state(of: app) ?? .notRunning) == .notRunning else { return }
      stored = life
      isAppRefreshOn = life.allowsBackgroundRefresh
    case .commanded, .startFailed, .startPossible, .installedAgain, .eventsAcknowledged: break
    }
  }

  private mutating func endProcess() {
    isRunning = false
    isFrozen = false
    isEnding = false
    tasks = [:]
  }

  // MARK: What the engine did

  private mutating func check(_ effect: Effect) {
    switch effect {
    case .deliver(let event, let manager):
      if isFrozen, clients.contains(manager.client), manager != leaving { complain("\(event) for a frozen app") }
    case .launch(let launched, let event) where launched == app: checkLaunch(for: event)
    case .life(let effect): check(effect)
    default: break
    }
  }

  private mutating func checkLaunch(for event: ManagerEvent) {
    let grant = engine.grant(of: app) ?? Grant()
    if case .liveUpdated = event {
      if grant.level == .denied || grant.level == .notDetermined { complain("a start for updates without permission") }
    } else if grant.level != .always || grant.isProvisional {
      complain("a start for \(event) without Always")
    }
    if !isRefreshOn || !isAppRefreshOn { complain("a start for \(event) without background refresh") }
    if isRunning { complain("a start for \(event) of an app that runs") }
  }

  private mutating func check(_ effect: LifeEffect) {
    if !isRunning, effect.concernsProcess { complain("\(effect) for an app without a process") }
    if isEnding, effect.concernsProcess { complain("\(effect) for an app that is being ended") }
    switch effect {
    case .suspend:
      if isFrozen { complain("frozen twice") }
      if tasks.values.contains(where: { $0.values.contains(false) }) { complain("frozen with an open task") }
      isFrozen = true
    case .resume:
      if !isFrozen { complain("resumed while it runs") }
      isFrozen = false
    case .terminate(_, let reason):
      isEnding = true
      guard case .backgroundTasksNotEnded = reason else { return }
      if !tasks.values.contains(where: { $0.values.contains(true) }) { complain("killed without an expired task") }
    case .tell(let event, let client): check(event, to: client)
    case .store(let life, _):
      if life == stored { complain("what is stored is stored again") }
      stored = life
    case .indicatorChanged(_, let isShown):
      if isShown == isIndicated { complain("the indicator is \(isShown) already") }
      isIndicated = isShown
    }
  }

  private mutating func check(_ event: LifeEvent, to client: ClientIdentifier) {
    if !clients.contains(client) { complain("\(event) for a client that is gone") }
    if isFrozen, !event.isGreeting { complain("\(event) for a frozen app") }
    guard case .backgroundTaskExpired(let number) = event else { return }
    if let excess = excessTask, excess == (number, client) {
      excessTask = nil
      return
    }
    if tasks[client]?[number] != false { complain("task \(number) expires twice, or is none") }
    tasks[client]?[number] = true
  }

  // MARK: What must hold between steps

  /// What a service that is killed now would bring back (docs/decisions/0011-apps-of-a-killed-service.md): what is in
  /// front, and what runs in the background as long as it likes, which it is told as time without an end.
  private mutating func checkRunning() {
    let state = isRunning && !isEnding ? engine.state(of: app) : nil
    switch (state, stored.running) {
    case (.foreground, .foreground), (.background, .background), (.background, .no), (.suspended, .no),
      (.notRunning, .no),
      (nil, .no):
      break
    default: complain("\(String(describing: state)), and stored as running \(stored.running)")
    }
    guard state == .background, let standing = clients.compactMap({ engine.lifeStanding(of: $0) }).first else {
      return
    }
    let isEndless = standing.backgroundTimeEnds == nil
    if isEndless != (stored.running == .background) {
      complain("background time without an end: \(isEndless), and stored as running \(stored.running)")
    }
  }

  private mutating func checkStanding() {
    guard isRunning else {
      if isIndicated { complain("an indicator of an app without a process") }
      return
    }
    let state = engine.state(of: app)
    if !isEnding, (state == .suspended) != isFrozen { complain("\(String(describing: state)), frozen \(isFrozen)") }
    if state == .notRunning { complain("not running, with a process") }
    if isIndicated != engine.showsIndicator(of: app) { complain("the indicator is not what was said") }
    if state == .foreground, isIndicated { complain("an indicator in the foreground") }
  }
}

extension LifeEffect {
  /// What is done to a process that is there.
  fileprivate var concernsProcess: Bool {
    switch self {
    case .suspend, .resume, .terminate: true
    case .tell(let event, _): !event.isGreeting
    case .store, .indicatorChanged: false
    }
  }
}

extension LifeEvent {
  /// Or news that do not depend on what the process does.
  fileprivate var isGreeting: Bool {
    switch self {
    case .began, .backgroundRefreshChanged, .backgroundTaskExpired, .willTerminate: true
    default: false
    }
  }
}

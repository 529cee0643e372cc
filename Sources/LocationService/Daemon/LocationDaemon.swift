import Dispatch
import LinuxIO
import LocationEngine
import LocationModel
import LocationProviders
import LocationRuntime

/// The location service that all apps of a machine, or of one person, share: it owns the receivers, asks permission and
/// remembers the answers, and tells each app what it may know.
///
/// One engine, one queue: clients are read, prompts answered and commands carried out on it, one after another.
/// Receivers run when, and only when, an app that may be served wants something of them. With no client nothing wakes.
package final class LocationDaemon: @unchecked Sendable {
  /// Changes on the queue only.
  private(set) var configuration: DaemonConfiguration
  let queue: DispatchQueue
  let clock: any SessionClock
  let store: ServiceStore
  package let host: EngineHost
  let desk: AgentDesk
  let log: @Sendable (String) -> Void
  let acknowledgements: AcknowledgementFolder
  private let identify: Identify
  /// Looking at a process may wait for its folders, which are nobody else's.
  private let identityQueue = DispatchQueue(label: "corelocationd.identity")
  private let rules: Locked<PermissionRules>
  private let fanOut: FanOut
  /// Which clients have a copy of their app's snapshot. Behind a lock, since it is needed in the order of the effects.
  private let copies = Locked<[AppIdentifier: [ServedClient]]>([:])
  /// Who hears of the life of its app, which is told in the order of the effects, too.
  let clientsByNumber = Locked<[ClientIdentifier: ServedClient]>([:])

  /// Who a client is; made at once after it was accepted, asked later and elsewhere.
  package typealias Identify = @Sendable (LocalStream) -> Result<ConnectedPeer, RefusedClient>

  // MARK: On the queue

  private(set) var clients: [ObjectIdentifier: ServedClient] = [:]
  private var clientCountByUser: [UInt32: Int] = [:]
  /// Those that have connected and wait to be looked at.
  private var callers = Callers()
  /// Where installed apps stand; nil where this service starts none.
  var installedApps: InstalledApps?
  /// In the system's service: who has the processes of each person's apps.
  var personalSupervisors: PersonalSupervisors?
  /// Since when each user's takes orders.
  var supervisorsReadyAt: [UInt32: Instant] = [:]
  /// Processes of apps whose supervisor has gone, of each user, until the next one comes and ends them.
  var leftProcesses: [UInt32: Set<Int32>] = [:]
  /// What was ended with who watched over it, and how it ran: comes back when it can be started.
  var cutOffApps: [AppIdentifier: StoredAppLife.Running] = [:]
  /// An event waits for them, and nobody could start them.
  var appsAwaitingSupervisor: Set<AppIdentifier> = []
  /// Whether this device has a GNSS receiver, for apps that require one.
  package var hasSatelliteReceiver: @Sendable () -> Bool = { false }
  private var listener: ClientListener?
  /// How many entries in Settings were shown.
  var entryCount: UInt64 = 0
  private var isSweepDue = false
  private(set) var isStopping = false
  private let clientsOfUserMax: Int

  package init(
    _ configuration: DaemonConfiguration, queue: DispatchQueue, clock: any SessionClock, store: LocationStore,
    provider: any LocationProvider, headingSensor: (any HeadingSensor)? = nil,
    beaconReceiver: (any BeaconReceiver)? = nil, displaySensor: (any DisplaySensor)? = nil,
    log: @escaping @Sendable (String) -> Void, identify: @escaping Identify
  ) {
    self.configuration = configuration
    self.queue = queue
    self.clock = clock
    self.log = log
    self.identify = identify
    acknowledgements = AcknowledgementFolder(stateFolder: configuration.stateFolder)
    let store = ServiceStore(store, clock: { clock.wallTime }, log: log)
    self.store = store
    // Half of all files are left to others, however many clients one user starts: each takes one for its socket, one
    // for its process, and one for the pipe to it.
    clientsOfUserMax = max(64, Int(clamping: Syscalls.raiseOpenFilesLimit()) / 6)
    Syscalls.ignoreBrokenPipes()
    let rules = Locked(configuration.permissionRules)
    self.rules = rules
    desk = AgentDesk(
      queue: queue, putOffSeconds: configuration.putOffSeconds, log: log, obstacle: { store.obstacle() },
      decided: { prompt in rules.withLock { $0.answer(to: prompt) } })
    let relay = EffectRelay()
    let fanOut = FanOut()
    self.fanOut = fanOut
    host = EngineHost(
      engine: LocationEngine(policy: configuration.policy), clock: clock, provider: provider,
      headingSensor: headingSensor, beaconReceiver: beaconReceiver, displaySensor: displaySensor,
      ports: HostPorts(
        prompter: desk, store: store, log: log, snapshotChanged: { relay.daemon?.snapshotChanged(of: $0) },
        launch: { relay.daemon?.launchForEvent($0) }, life: { relay.daemon?.carryOut($0) },
        delivered: { fanOut.send { relay.daemon?.useBegan(by: $0) } }))
    relay.daemon = self
    store.setDeviceFix { [weak host] in host?.read { $0.deviceFix } }
    if (try? store.file.locationServicesSwitch()) == false { host.handle(.locationServicesSwitched(on: false)) }
  }

  // MARK: Life

  /// Listens from now on.
  package func start(inherited: Int32? = nil) throws(ClientListener.Failure) {
    let isSystemWide = configuration.isSystemWide
    listener = try ClientListener(
      path: configuration.socketPath, inherited: inherited, mode: isSystemWide ? 0o666 : 0o600,
      folderMode: isSystemWide ? 0o755 : 0o700, queue: queue, log: log,
      accepted: { [weak self] in self?.accept($0) })
  }

  /// Takes no more clients, says goodbye to those that are there, and switches the receivers off. On the queue.
  package func stop() {
    listener?.close()
    isStopping = true
    installedApps?.supervisor.stop()
    for client in clients.values { client.disconnect("the service stops") }
    host.waitUntilCarriedOut(secondsMax: 1)
    store.finish()
  }

  /// The policy and the operator's answers have changed. On the queue.
  package func reload(_ policy: Policy, _ rules: PermissionRules) {
    configuration.policy = policy
    configuration.permissionRules = rules
    self.rules.withLock { $0 = rules }
    host.handle(.policyChanged(policy))
  }

  // MARK: Clients

  func accept(_ stream: LocalStream) {
    let user = stream.peer.userNumber
    // Of one user's callers the others wait in the socket; nobody waits for another user's.
    if configuration.isSystemWide, callers.count(of: user) >= Callers.ofUserMax {
      return refuse(stream, RefusedClient("User \(user) has \(Callers.ofUserMax) callers at once; call again."))
    }
    callers.came(user)
    let callersMax = configuration.isSystemWide ? Callers.max : Callers.ofUserMax
    if callers.count >= callersMax { listener?.pause(.callers) }
    // What comes meanwhile waits in the socket.
    identityQueue.async { [self] in
      let result = identify(stream)
      queue.async { [self] in
        callers.wasLookedAt(user)
        if callers.count <= callersMax / 2 { listener?.resume(.callers) }
        switch result {
        case .success(let peer): welcome(stream, peer)
        case .failure(let refusal): refuse(stream, refusal)
        }
      }
    }
  }

  private func refuse(_ stream: LocalStream, _ refusal: RefusedClient) {
    log("A client is refused: \(refusal.sentence)")
    let bytes = WireFrame.encode(ServerMessage.refusal(refusal.sentence))
    // It goes whether or not it hears why.
    _ = try? bytes.withUnsafeBytes { try stream.send($0) }
    // Where too few files were left to look at it with (its process and what the kernel says of it, one after the
    // other), the next one would be refused as well.
    let isOutOfFiles = !Syscalls.hasRoom(forFiles: 3)
    stream.close()
    if isOutOfFiles { listener?.waitForFiles() } else { listener?.resume(.noFiles) }
  }

  private func welcome(_ stream: LocalStream, _ peer: ConnectedPeer) {
    let user = peer.identity.userNumber
    guard clientCountByUser[user, default: 0] < clientsOfUserMax else {
      return refuse(stream, RefusedClient("User \(user) has \(clientsOfUserMax) clients already."))
    }
    let client = ServedClient(stream: stream, peer: peer, acceptedAt: clock.now, queue: queue)
    clients[ObjectIdentifier(client)] = client
    clientCountByUser[user, default: 0] += 1
    client.start(
      heard: { [weak self] in self?.heard($1, from: $0) },
      ended: { [weak self] in self?.left($0, because: $1) })
    sweepSilentClientsLater()
  }

  /// One timer for all that have not said hello: a flood of callers must not leave one each behind.
  private func sweepSilentClientsLater(afterSeconds seconds: Double = DaemonConfiguration.helloSecondsMax) {
    guard !isSweepDue else { return }
    isSweepDue = true
    queue.asyncAfter(deadline: .now() + seconds) { [weak self] in self?.sweepSilentClients() }
  }

  private func sweepSilentClients() {
    isSweepDue = false
    let now = clock.now
    let limit = DaemonConfiguration.helloSecondsMax
    let ages = clients.values.filter { $0.role == nil }.map { ($0, now.seconds(since: $0.acceptedAt)) }
    for (client, seconds) in ages where seconds >= limit { client.disconnect("it has said nothing") }
    if let oldest = ages.map(\.1).filter({ $0 < limit }).max() {
      sweepSilentClientsLater(afterSeconds: limit - oldest)
    }
  }

  /// The program at the other end must still be the one that was named. Looked at elsewhere; one that has become
  /// another is let go (docs/security.md).
  func lookAgain(at client: ServedClient) {
    guard let confirm = client.peer.confirm else { return }
    identityQueue.async { [weak client] in
      if let change = confirm() { client?.disconnect(change) }
    }
  }

  private func left(_ client: ServedClient, because fault: String?) {
    guard clients.removeValue(forKey: ObjectIdentifier(client)) != nil else { return }
    let user = client.identity.userNumber
    clientCountByUser[user, default: 1] -= 1
    if clientCountByUser[user] == 0 { clientCountByUser[user] = nil }
    if let fault { log("\(client.identity) is let go: \(fault)\(fault.hasSuffix(".") ? "" : ".")") }
    desk.remove(client)
    if case .supervisor = client.role { supervisorLeft(client) }
    if let number = client.client {
      clientsByNumber.withLock { $0[number] = nil }
      copies.withLock { copies in
        copies[client.identity.app]?.removeAll { $0 === client }
        if copies[client.identity.app]?.isEmpty == true { copies[client.identity.app] = nil }
      }
      host.disconnect(number)
      endUse(by: client)
      // Another process of the same app may still be there; then the engine keeps it.
      host.handle(.appForgotten(client.identity.app))
      if client.isPlain, client.identity.kind == .bundle { plainProcessLeft(of: client.identity.app) }
    }
    listener?.resume(.noFiles)
    if clients.isEmpty { giveBackMemoryLater() }
  }

  /// What many clients took is not kept for the next many. Once no wait for a hello holds any of it.
  private func giveBackMemoryLater() {
    queue.asyncAfter(deadline: .now() + DaemonConfiguration.helloSecondsMax + 1) { [weak self] in
      guard let self, clients.isEmpty else { return }
      clients = [:]
      host.giveBackMemory()
      fanOut.giveBackMemory()
      Syscalls.giveBackMemory()
    }
  }

  func heard(_ message: ClientMessage, from client: ServedClient) {
    guard client.unheard == nil else {
      client.unheard?.append(message)
      return
    }
    guard client.role != nil else {
      guard case .hello(let version, let role) = message else {
        return client.disconnect("its first word was no hello")
      }
      guard version == wireProtocolVersion else {
        return client.disconnect(
          "it speaks protocol \(version) and this service \(wireProtocolVersion); use the library and the service of "
            + "one release")
      }
      return greet(client, role)
    }
    switch message {
    case .hello: client.disconnect("it said hello twice")
    case .addManager(let number): addManager(number, of: client)
    case .removeManager(let number):
      guard let owner = client.client, client.managers.remove(number) != nil else { return }
      host.removeManager(ManagerIdentifier(client: owner, number: number))
      endUseIfOver(by: client)
    case .request(let request, let number):
      guard let owner = client.client, client.managers.contains(number) else { return }
      if request.asksForSomething {
        lookAgain(at: client)
        if case .app(let description) = client.role { store.remember(client.identity, description) }
      }
      host.handle(.requested(request, by: ManagerIdentifier(client: owner, number: number)))
      endUseIfOver(by: client)
    case .command(let command, let number):
      carryOut(command, for: client.identity) { [weak client] answer in client?.send(.answer(answer, number: number)) }
    case .becomeAgent:
      if let refusal = refusal(of: client.identity, for: client.identity.userNumber) {
        return client.disconnect(refusal)
      }
      desk.add(client)
    case .answerPrompt(let prompt, let answer):
      desk.answer(prompt, with: answer, from: client)
    case .putOffPrompt(let prompt): desk.putOff(prompt, at: client)
    case .promptShown(let prompt): desk.wasShown(prompt, at: client)
    case .beginTask(let number, let name):
      guard let owner = client.client else { return }
      host.handle(.life(.backgroundTaskBegun(number, name: PlainText.printable(name), by: owner)))
    case .endTask(let number):
      guard let owner = client.client else { return }
      host.handle(.life(.backgroundTaskEnded(number, by: owner)))
    case .openSettings(let number): openSettings(number, for: client)
    case .report(let report): heard(report, from: client)
    case .takesPipe: if case .app = client.role { client.moveToPipe() }
    }
  }

  private func greet(_ client: ServedClient, _ role: ClientRole) {
    if case .supervisor = role { return greetSupervisor(client) }
    guard case .app(var description) = role else {
      client.role = role
      return client.send(.toolGreeting)
    }
    client.role = role
    if isExaminedFirst(client) { return }
    // A service that was killed while it started an app leaves a process that is found only now.
    if let supervisor = installedApps?.supervisor, client.identity.kind == .bundle,
      supervisor.endLeftover(client.identity.processNumber)
    {
      return client.disconnect(Self.leftoverSentence)
    }
    greet(client, as: &description)
  }

  /// An app of which nothing speaks against serving it.
  func greet(_ client: ServedClient, as description: inout AppDescription) {
    client.isPlain = installedApps?.supervisor.isRunning(client.identity.app) != true
    description.identifier = client.identity.app
    description.isInstalled = client.identity.kind == .bundle
    client.role = .app(description)
    let number = host.connect(description)
    client.client = number
    copies.withLock { $0[client.identity.app, default: []].append(client) }
    clientsByNumber.withLock { $0[number] = client }
    guard let snapshot = host.read({ $0.snapshot(for: number) }) else { return }
    client.send(.greeting(client.identity.app, snapshot))
    // What the engine has said when it connected could not reach it yet.
    if let standing = host.read({ $0.lifeStanding(of: number) }) { client.send(.life(.began(standing))) }
    // A plain process is in the foreground until it exits; where a supervised one stands, the engine knows.
    host.handle(.appStateChanged(client.identity.app, .foreground))
  }

  private func addManager(_ number: UInt64, of client: ServedClient) {
    guard let owner = client.client else { return client.disconnect("a tool has no managers") }
    guard client.managers.count < configuration.policy.managersPerClientMax else {
      return client.disconnect("it has made more than \(configuration.policy.managersPerClientMax) managers")
    }
    guard client.managers.insert(number).inserted else { return }
    // The host lets go of it when the client leaves.
    host.addManager(ManagerIdentifier(client: owner, number: number)) { [fanOut] event in
      fanOut.tell(event, manager: number, to: client)
    }
  }

  /// What an app may know at once has changed: each of its processes has a copy, which must be there before the event
  /// that tells of the change.
  private func snapshotChanged(of app: AppIdentifier) {
    for client in copies.withLock({ $0[app] ?? [] }) {
      if let number = client.client, let snapshot = host.read({ $0.snapshot(for: number) }) {
        client.send(.snapshot(snapshot))
      }
    }
  }

  // MARK: The access log: who was told locations, and when, never where

  private func useBegan(by client: ServedClient) {
    guard let number = client.client else { return }
    let isPrecise = host.read { $0.snapshot(for: number)?.authorization.accuracy == .full }
    store.beginUse(of: client.identity.app, isPrecise: isPrecise)
  }

  private func endUseIfOver(by client: ServedClient) {
    guard let number = client.client, !host.read({ $0.listens(number) }) else { return }
    endUse(by: client)
  }

  private func endUse(by client: ServedClient) {
    if client.endUse() { store.endUse(of: client.identity.app) }
  }

  /// Uses that ended without a word of the client: its permission has gone.
  func endUsesThatAreOver(of app: AppIdentifier) {
    for client in clients.values where client.identity.app == app { endUseIfOver(by: client) }
  }
}

extension ManagerEvent {
  /// Events of which an app learns where the device is.
  var tellsLocation: Bool {
    switch self {
    case .locationsUpdated, .visited, .regionEntered, .regionExited: true
    case .liveUpdated(let update): update.fix != nil
    case .conditionChanged(let event): event.state == .satisfied || event.state == .unsatisfied
    case .stateDetermined(let state, _): state != .unknown
    case .kept(_, let event): event.tellsLocation
    default: false
    }
  }
}

/// The way from the engine's host, which is made first, to the daemon that owns it.
private final class EffectRelay: @unchecked Sendable {
  weak var daemon: LocationDaemon?
}

import Dispatch
import Glibc
import LinuxIO
import LocationEngine
import LocationModel
import LocationProviders

/// A client whose host is the service in another process, at the other end of a socket (docs/protocol.md).
///
/// It never waits for the service but once: the first question of a process waits for the greeting, a second at most.
/// A service that goes away is `locationUnknown` once to managers that are updating; when it is back everything that
/// was asked of it is asked again, and the app hears only what is new.
package final class ServiceConnection: LocationConnection, @unchecked Sendable {
  /// How long the first question of a process waits for the service (design 5).
  static let greetingSecondsMax = 1.0
  /// How often a service that is away is looked for while somebody waits, after a first second of haste.
  static let retrySeconds = 1.0
  /// A request for one location ends after so long without a service (behaviour 2.32).
  static let answerSecondsMax = 10.0

  private struct State {
    var snapshot: ClientSnapshot?
    var stream: LocalStream?
    /// What the socket had no room for.
    var unsent: [UInt8] = []
    var managers: [UInt64: Manager] = [:]
    var nextManagerNumber: UInt64 = 1
    var isRetrying = false
    var failuresInRow = 0
    /// The service has let this app go so often, each time soon after it came.
    var refusalsInRow = 0
    var greetedAt: Instant?
    /// Since when there is no service, for the requests that wait for one location.
    var awaySince: Instant?
    var hasWaitedForGreeting = false
    /// False where a pipe of the service did not reach this process.
    var takesPipe = true
    var hasLogged: Set<String> = []
  }

  private struct Manager {
    var mirror = ManagerMirror()
    var deliver: @Sendable (ManagerEvent) -> Void
  }

  package let app: AppDescription
  package let delivery = DeliveryKind.creatingThread
  /// The life of this process, where the service is its supervisor.
  package let life: ToldAppLife
  private let path: String
  private let acknowledgements: AcknowledgementFile?
  private let clock: any SessionClock
  private let log: @Sendable (String) -> Void
  private let queue = DispatchQueue(label: "corelocation.service")
  private let state = Locked(State())
  private let greeting = DispatchSemaphore(value: 0)
  /// On the queue.
  private var frames = FrameReader(bytesMax: WireFrame.serverBytesMax)

  /// - Parameters:
  ///   - path: of the service's socket. Who serves it is looked at before anything is said (`ServerTrust`).
  ///   - acknowledgementPath: where this app notes what it is done with (`AcknowledgementFile`); nil for nowhere.
  package init(
    path: String, app: AppDescription, clock: any SessionClock, launchReason: LaunchReason = .person,
    acknowledgementPath: String? = nil, log: @escaping @Sendable (String) -> Void
  ) {
    acknowledgements = acknowledgementPath.map { AcknowledgementFile(path: $0) }
    life = ToldAppLife(launchReason: launchReason, now: { clock.now })
    self.path = path
    self.app = app
    self.clock = clock
    self.log = log
    life.attach { [weak self] in self?.say($0) }
    queue.async { self.connect() }
  }

  private func say(_ word: ToldAppLife.Word) {
    let isAway = state.withLock { state -> Bool in
      say(Self.message(word), &state)
      return state.stream == nil
    }
    // A wish for what a person may see at once does not wait for a service.
    if isAway { queue.async { self.lookForService() } }
  }

  private static func message(_ word: ToldAppLife.Word) -> ClientMessage {
    switch word {
    case .taskBegun(let number, let name): .beginTask(number, name: name)
    case .taskEnded(let number): .endTask(number)
    case .settingsWished(let number): .openSettings(number)
    }
  }

  /// The service is not needed any more.
  package func close() {
    let stream = state.withLock { state -> LocalStream? in
      state.managers = [:]
      return state.stream
    }
    stream?.close()
  }

  // MARK: LocationConnection

  package var snapshot: ClientSnapshot {
    let (known, isAway) = state.withLock { ($0.snapshot, $0.stream == nil) }
    if let known {
      if isAway { queue.async { self.lookForService() } }
      return known
    }
    let waits = state.withLock { state in
      defer { state.hasWaitedForGreeting = true }
      return !state.hasWaitedForGreeting
    }
    if waits, greeting.wait(timeout: .now() + Self.greetingSecondsMax) == .success { greeting.signal() }
    queue.async { self.lookForService() }
    return state.withLock { $0.snapshot } ?? Self.unknown
  }

  /// What is answered while the service has not been heard.
  private static let unknown = ClientSnapshot(
    authorization: .notDetermined, locationServicesEnabled: false, capabilities: Capabilities(), lastFix: nil)

  package func addManager(deliver: @escaping @Sendable (ManagerEvent) -> Void) -> ManagerIdentifier {
    add(deliver, kind: 0)
  }

  private func add(_ deliver: @escaping @Sendable (ManagerEvent) -> Void, kind: UInt64) -> ManagerIdentifier {
    let number = state.withLock { state -> UInt64 in
      let number = state.nextManagerNumber | kind
      state.nextManagerNumber += 1
      state.managers[number] = Manager(deliver: deliver)
      say(.addManager(number), &state)
      return number
    }
    queue.async { self.lookForService() }
    return ManagerIdentifier(client: ClientIdentifier(0), number: number)
  }

  /// Events are taken as they come in either case.
  package func addStream(deliver: @escaping @Sendable (ManagerEvent) -> Void) -> ManagerIdentifier {
    add(deliver, kind: ManagerIdentifier.streamBit)
  }

  package func removeManager(_ manager: ManagerIdentifier) {
    state.withLock { state in
      guard state.managers.removeValue(forKey: manager.number) != nil else { return }
      say(.removeManager(manager.number), &state)
    }
  }

  package func send(_ request: Request, from manager: ManagerIdentifier) {
    // First where it counts whatever becomes of the service and of this process.
    if case .acknowledgeEvent(let number) = request { acknowledgements?.add(number) }
    let isAway = state.withLock { state -> Bool in
      state.managers[manager.number]?.mirror.note(request)
      say(.request(request, manager: manager.number), &state)
      return state.stream == nil
    }
    if isAway { queue.async { self.lookForService() } }
  }

  package func deliverLater(_ delivery: @escaping @Sendable () -> Void) {
    delivery()
  }

  package func didDeliver(_ count: Int) {}

  // MARK: Sending

  /// What is said while there is no connection is said by `resume` when there is one.
  private func say(_ message: ClientMessage, _ state: inout State) {
    guard let stream = state.stream else { return }
    var bytes = WireFrame.encode(message)
    guard bytes.count <= WireFrame.clientBytesMax else { return leaveOut(message, byteCount: bytes.count) }
    guard state.unsent.isEmpty else {
      state.unsent += bytes
      return
    }
    // A broken connection is noticed where it is read.
    guard let sent = try? bytes.withUnsafeBytes({ try stream.send($0) }), sent < bytes.count else { return }
    bytes.removeFirst(sent)
    state.unsent = bytes
  }

  /// The service would let the whole app go for it, now and whenever it is said again.
  private func leaveOut(_ message: ClientMessage, byteCount: Int) {
    queue.async { [self] in
      logOnce(
        "something that this app asks for has \(byteCount) bytes, which is more than the \(WireFrame.clientBytesMax) "
          + "that the service takes, and was left out: give regions, monitors and tasks shorter names.")
      guard case .request(.startMonitoring(let region), let number) = message else { return }
      let manager = state.withLock { $0.managers[number] }
      manager?.deliver(.monitoringFailed(region, .regionMonitoringFailure))
    }
  }

  private func sendUnsent() {
    state.withLock { state in
      guard let stream = state.stream, let sent = try? state.unsent.withUnsafeBytes({ try stream.send($0) })
      else { return }
      state.unsent.removeFirst(sent)
    }
  }

  // MARK: Coming and going, on the queue

  private func lookForService() {
    let isNeeded = state.withLock { $0.stream == nil && !$0.isRetrying }
    if isNeeded { connect() }
  }

  private func connect() {
    guard state.withLock({ $0.stream == nil }) else { return }
    do throws(SystemError) {
      let stream = try LocalStream(try Syscalls.connectLocally(to: path), queue: queue)
      if let distrust = ServerTrust.distrust(stream, path: path) {
        stream.close()
        logOnce("Nothing is said to \(path). \(distrust)")
        return retryLater()
      }
      try begin(stream)
    } catch {
      retryLater()
    }
  }

  private func begin(_ stream: LocalStream) throws(SystemError) {
    frames = FrameReader(bytesMax: WireFrame.serverBytesMax)
    try stream.start(
      received: { [weak self] bytes, _ in self?.received(bytes) },
      hasRoom: { [weak self] in self?.sendUnsent() },
      ended: { [weak self] _ in self?.lost() }, takesPipe: true)
    state.withLock { state in
      state.stream = stream
      state.unsent = []
      say(.hello(version: wireProtocolVersion, .app(app)), &state)
      if state.takesPipe { say(.takesPipe, &state) }
      for word in life.standingWords { say(Self.message(word), &state) }
      for number in state.managers.keys.sorted() {
        say(.addManager(number), &state)
        for request in state.managers[number]?.mirror.resume() ?? [] {
          say(.request(request, manager: number), &state)
        }
      }
    }
  }

  /// A second, twice as long after each time, a minute at most.
  private static func secondsAfter(refusals: Int) -> Double { min(60, Double(1 << min(refusals - 1, 6))) }

  private func lost() {
    state.withLock { state in
      if let greetedAt = state.greetedAt, clock.now.seconds(since: greetedAt) > 60 { state.refusalsInRow = 0 }
      state.stream = nil
      state.unsent = []
    }
    retryLater()
  }

  /// Looks again as long as somebody waits: in the first second often, since a service that is started again is back
  /// at once, then every second.
  private func retryLater() {
    life.refuseSettings()
    let (seconds, events) = state.withLock { state -> (Double?, [(Manager, ManagerEvent)]) in
      let now = clock.now
      let awaySince = state.awaySince ?? now
      state.awaySince = awaySince
      state.failuresInRow += 1
      let isOverdue = now.seconds(since: awaySince) >= Self.answerSecondsMax
      var events: [(Manager, ManagerEvent)] = []
      for number in state.managers.keys.sorted() {
        guard var manager = state.managers[number] else { continue }
        // The first try after a loss may succeed at once, and then nothing was away.
        if state.failuresInRow > 1, let event = manager.mirror.serviceIsAway() { events.append((manager, event)) }
        if isOverdue, let event = manager.mirror.giveUpAnswer() { events.append((manager, event)) }
        state.managers[number] = manager
      }
      let isWanted = !state.managers.isEmpty || !state.hasWaitedForGreeting
      guard !state.isRetrying, isWanted else { return (nil, events) }
      state.isRetrying = true
      // Who is let go for what it says would say it again at once.
      if state.refusalsInRow > 0 { return (Self.secondsAfter(refusals: state.refusalsInRow), events) }
      return (state.failuresInRow == 1 ? 0 : state.failuresInRow <= 10 ? 0.1 : Self.retrySeconds, events)
    }
    for (manager, event) in events { manager.deliver(event) }
    guard let seconds else { return }
    queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
      guard let self else { return }
      state.withLock { $0.isRetrying = false }
      connect()
    }
  }

  // MARK: Hearing, on the queue

  private func received(_ bytes: UnsafeRawBufferPointer) {
    frames.append(bytes)
    do throws(WireError) {
      while let frame = try frames.next() { heard(try FrameReader.decode(frame)) }
    } catch {
      logOnce("the service at \(path) does not speak protocol \(wireProtocolVersion): \(error).")
      state.withLock { $0.stream }?.close()
      lost()
    }
  }

  private func heard(_ message: ServerMessage) {
    switch message {
    case .greeting(_, let snapshot):
      state.withLock { state in
        state.snapshot = snapshot
        state.failuresInRow = 0
        state.greetedAt = clock.now
        state.awaySince = nil
      }
      greeting.signal()
    case .snapshot(let snapshot):
      state.withLock { $0.snapshot = snapshot }
    case .event(let event, let number):
      let heard = state.withLock { state -> (Manager, ManagerEvent)? in
        if case .locationsUpdated(let fixes, _) = event, let last = fixes.last { state.snapshot?.lastFix = last }
        if let news = state.managers[number]?.mirror.heard(event), let manager = state.managers[number] {
          return (manager, news)
        }
        // It comes again since the service does not know that the app is done with it.
        if case .kept(let kept, _) = event, state.managers[number]?.mirror.isDone(with: event) == true {
          say(.request(.acknowledgeEvent(kept), manager: number), &state)
        }
        return nil
      }
      if let (manager, event) = heard { manager.deliver(event) }
    case .life(let event): life.heard(event)
    case .settingsOpened(let number, let isShown): life.settingsOpened(number, isShown)
    case .refusal(let reason):
      state.withLock { $0.refusalsInRow += 1 }
      logOnce("the service at \(path) refuses this app: \(reason).")
    case .locationsDropped(let count):
      logOnce("this app reads its locations too slowly; \(count) were left out for newer ones.")
    case .pipe: pipeCame()
    case .toolGreeting, .answer, .prompt, .promptWithdrawn, .servicesAlert, .promptAnswerRefused, .order:
      break
    }
  }

  /// Without the pipe, as where this process has too many files open, nothing would be heard any more: the service is
  /// asked anew, and answers through the socket.
  private func pipeCame() {
    let stream = state.withLock { $0.stream }
    guard let stream, !stream.hasInlet else { return }
    state.withLock { $0.takesPipe = false }
    stream.close()
    lost()
  }

  private func logOnce(_ sentence: String) {
    if state.withLock({ $0.hasLogged.insert(sentence).inserted }) { log(sentence) }
  }
}

import Dispatch
import Foundation
import LinuxIO
import LocationEngine
import LocationModel
import LocationProviders
import LocationRuntime

/// A daemon at a socket of its own, in this process, with a receiver that the test feeds by hand.
final class DaemonBench: Sendable {
  let folder: String
  let socketPath: String
  let daemon: LocationDaemon
  let receiver: HandFedReceiver
  let store: MemoryStore
  let log = Lines()
  private let identities: Locked<[ClientIdentity]>
  private let queue = DispatchQueue(label: "test.daemon")

  /// - Parameter policy: e.g. with shorter times than a person's.
  init(
    policy: Policy = Policy(), store: MemoryStore = MemoryStore(), rules: PermissionRules = PermissionRules(),
    at place: String? = nil
  ) throws {
    folder = place ?? NSTemporaryDirectory() + "cl-" + UUID().uuidString.prefix(8)
    socketPath = folder + "/socket"
    receiver = HandFedReceiver()
    self.store = store
    let identities = Locked<[ClientIdentity]>([])
    self.identities = identities
    var configuration = DaemonConfiguration(
      isSystemWide: false, socketPath: socketPath, stateFolder: folder, policy: policy)
    configuration.permissionRules = rules
    daemon = LocationDaemon(
      configuration, queue: queue, clock: LiveClock(), store: store, provider: receiver, log: { [log] in log.add($0) },
      identify: { (stream) throws(RefusedClient) in
        let next = identities.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        guard let next else { throw RefusedClient("the test expected no further client") }
        return next
      })
    try queue.sync { try daemon.start() }
  }

  deinit {
    queue.sync { daemon.stop() }
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Ends the service and its connections, as a restart does.
  func stop() {
    queue.sync { daemon.stop() }
  }

  /// What the next client that connects is to be.
  func expect(_ name: String, user: UInt32 = getuid(), isConfined: Bool = false, isAdministrator: Bool = false) {
    let identity = ClientIdentity(
      app: AppIdentifier(name, userNumber: user), userNumber: user, processNumber: 1, kind: "executable",
      executablePath: name, isConfined: isConfined, isAdministrator: isAdministrator)
    identities.withLock { $0.append(identity) }
  }

  /// An app of this name that speaks through the library's own connection.
  func connect(_ name: String, user: UInt32 = getuid()) -> ServiceConnection {
    expect(name, user: user)
    return Self.connection(to: socketPath, log: log)
  }

  static func connection(to path: String, log: Lines) -> ServiceConnection {
    var app = AppDescription(identifier: AppIdentifier("what a client says of itself"))
    app.whenInUseUsage = "To show where you are."
    app.alwaysAndWhenInUseUsage = "To remind you."
    return ServiceConnection(
      path: path, app: app, clock: LiveClock(), log: { log.add($0) }, trusts: { $0.userNumber == getuid() })
  }

  /// A client that speaks the protocol word by word.
  func connectRaw(_ name: String, user: UInt32 = getuid(), isConfined: Bool = false, isAdministrator: Bool = false)
    throws
    -> RawClient
  {
    expect(name, user: user, isConfined: isConfined, isAdministrator: isAdministrator)
    return try RawClient(path: socketPath)
  }
}

/// Gives the fixes that a test hands it, and remembers what was wanted of it.
final class HandFedReceiver: LocationProvider {
  private let events = Locked<(@Sendable (ProviderEvent) -> Void)?>(nil)
  let demands = Inbox<ReceiverDemand?>()

  func connect(_ events: @escaping @Sendable (ProviderEvent) -> Void) { self.events.withLock { $0 = events } }
  func setDemand(_ demand: ReceiverDemand?) { demands.add(demand) }
  func give(_ fix: Fix) { events.withLock { $0 }?(.fix(fix)) }
  func give(_ state: ReceiverState) { events.withLock { $0 }?(.state(state)) }
}

/// Keeps grants for as long as the test runs.
final class MemoryStore: DaemonStore {
  struct Kept: Sendable {
    var grants: [AppIdentifier: Grant] = [:]
    var lastFix: Fix?
    var areServicesEnabled = true
    var obstacle: String?
    var accesses: [(app: AppIdentifier, isPrecise: Bool, hasEnded: Bool)] = []
  }
  let kept = Locked(Kept())

  func load(_ app: AppIdentifier) -> StoredAppState {
    kept.withLock { StoredAppState(grant: $0.grants[app] ?? Grant(), lastFix: $0.lastFix) }
  }
  func store(_ grant: Grant, for app: AppIdentifier) { kept.withLock { $0.grants[app] = grant } }
  func store(_ lastFix: Fix, for app: AppIdentifier) { kept.withLock { $0.lastFix = lastFix } }
  var areServicesEnabled: Bool { kept.withLock { $0.areServicesEnabled } }
  func obstacle() -> String? { kept.withLock { $0.obstacle } }
  func remember(_ identity: ClientIdentity, _ description: AppDescription) {}
  func beginAccess(of app: AppIdentifier, isPrecise: Bool, at time: WallTime) -> Int64? {
    kept.withLock { kept in
      kept.accesses.append((app, isPrecise, false))
      return Int64(kept.accesses.count - 1)
    }
  }
  func endAccess(_ number: Int64, at time: WallTime) { kept.withLock { $0.accesses[Int(number)].hasEnded = true } }
  func close() {}
}

/// Lines of a log.
final class Lines: Sendable {
  private let lines = Locked<[String]>([])
  func add(_ line: String) { lines.withLock { $0.append(line) } }
  var all: [String] { lines.withLock { $0 } }
}

/// What arrives, in order, for a test that waits for the next.
final class Inbox<Element: Sendable>: Sendable {
  private let stream: AsyncStream<Element>
  private let continuation: AsyncStream<Element>.Continuation
  private let iterator: Locked<AsyncStream<Element>.Iterator>

  init() {
    let (stream, continuation) = AsyncStream<Element>.makeStream()
    self.stream = stream
    self.continuation = continuation
    iterator = Locked(stream.makeAsyncIterator())
  }

  func add(_ element: Element) { continuation.yield(element) }
  func end() { continuation.finish() }

  /// The next one; nil after the end. One test waits at a time.
  func next() async -> Element? {
    var iterator = self.iterator.withLock { $0 }
    return await iterator.next()
  }
}

extension Fix {
  /// A fix so many metres east of a place, of the machine's own time.
  static func east(_ meters: Double, accuracy: Double = 4) -> Fix {
    Fix(
      coordinate: Coordinate(latitude: 47.5, longitude: 19 + meters / 75_000), horizontalAccuracyMeters: accuracy,
      time: LiveClock.shared.wallTime)
  }
}

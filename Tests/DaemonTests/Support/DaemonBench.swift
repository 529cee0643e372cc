import Dispatch
import Foundation
import LinuxIO
import LocationEngine
import LocationModel
import LocationProviders
import LocationRuntime
import LocationService

/// A daemon at a socket of its own, in this process, with a store of its own and a receiver that the test feeds.
final class DaemonBench: Sendable {
  let folder: Folder
  let socketPath: String
  let daemon: LocationDaemon
  let receiver: HandFedReceiver
  let store: LocationStore
  let log = Lines()
  private let identities: Locked<[PeerIdentity]>
  private let queue = DispatchQueue(label: "test.daemon")

  /// A folder that goes with the last bench in it.
  final class Folder: Sendable {
    let path: String
    init() {
      path = NSTemporaryDirectory() + "cl-" + UUID().uuidString.prefix(8)
      try? FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  /// - Parameters:
  ///   - look: is called where the service looks at a client, which may take its time.
  ///   - folder: of a bench that was stopped, to go on with its store at its socket.
  init(
    policy: Policy = Policy(), isSystemWide: Bool = false, rules: PermissionRules = PermissionRules(),
    putOffSeconds: Double = 300, clock: any SessionClock = LiveClock(), bluetooth: (any BeaconReceiver)? = nil,
    look: @escaping @Sendable () -> Void = {}, in folder: Folder = Folder()
  ) throws {
    self.folder = folder
    socketPath = folder.path + "/socket"
    receiver = HandFedReceiver()
    store = try Self.openStore(in: folder) { [log] in log.add($0) }
    let identities = Locked<[PeerIdentity]>([])
    self.identities = identities
    var configuration = DaemonConfiguration(
      isSystemWide: isSystemWide, socketPath: socketPath, stateFolder: folder.path + "/state", policy: policy)
    configuration.permissionRules = rules
    configuration.putOffSeconds = putOffSeconds
    daemon = LocationDaemon(
      configuration, queue: queue, clock: clock, store: store, provider: receiver, beaconReceiver: bluetooth,
      log: { [log] in log.add($0) },
      identify: { _ in
        look()
        let next = identities.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        guard let next else { return .failure(RefusedClient("the test expected no further client")) }
        return .success(ConnectedPeer(identity: next))
      })
    try queue.sync { try daemon.start() }
  }

  deinit { stop() }

  /// A bench that was stopped lets go of its store when the last of its threads has left, as a process does by ending.
  private static func openStore(
    in folder: Folder, log: @escaping @Sendable (String) -> Void
  ) throws -> LocationStore {
    let limit = Date(timeIntervalSinceNow: 20)
    while true {
      do {
        return try LocationStore(folder: folder.path + "/state", now: LiveClock.shared.wallTime, log: log)
      } catch {
        guard case .inUse(let holder?) = error.reason, holder.number == getpid(), Date() < limit else { throw error }
        usleep(2_000)
      }
    }
  }

  /// What was decided before the test begins.
  func decide(_ grant: Grant, for name: String, user: UInt32 = getuid()) throws {
    try store.store(grant, decidedAt: nil, for: AppIdentifier(name, userNumber: user))
  }

  /// Before the first client: the service starts, suspends and ends installed apps from now on.
  func supervise(with supervisor: any AppSupervisor) {
    queue.sync { daemon.supervise(with: supervisor) }
  }

  /// Likewise, through the supervisors of its persons.
  func superviseThroughPersons() {
    queue.sync { daemon.superviseThroughPersons() }
  }

  /// Ends the service and its connections, as a restart does.
  func stop() {
    queue.sync { daemon.stop() }
  }

  /// What the next client that connects is to be.
  func expect(
    _ name: String, kind: PeerIdentity.Kind = .executable, user: UInt32 = getuid(), groups: [UInt32] = [],
    confinements: [PeerIdentity.Confinement] = []
  ) {
    let identity = PeerIdentity(
      name: name, kind: kind, userNumber: user, groupNumbers: groups, processNumber: 1, processStartTicks: 1,
      executablePath: name, executableFile: FileStatus(device: 1, inode: 1, owner: 0, group: 0, mode: 0o100755),
      confinements: confinements, protection: .protected)
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
    return ServiceConnection(path: path, app: app, clock: LiveClock(), log: { log.add($0) })
  }

  /// A client that speaks the protocol word by word.
  func connectRaw(
    _ name: String, user: UInt32 = getuid(), groups: [UInt32] = [], confinements: [PeerIdentity.Confinement] = []
  ) throws -> RawClient {
    expect(name, user: user, groups: groups, confinements: confinements)
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

import Foundation
import LinuxIO
import LocationEngine
import LocationModel
import LocationRuntime
import LocationService
import Testing

@Suite("A suspended client is not slow")
struct SuspendedClientTests {
  /// Has no processes, and remembers what it was told to do.
  private final class FakeSupervisor: AppSupervisor {
    let calls = Inbox<String>()
    func connect(_ events: @escaping @Sendable (SupervisorEvent) -> Void) {}
    func launch(
      _ app: AppIdentifier, bundlePath: String, executablePath: String, arguments: [String],
      because reason: LaunchReason
    ) throws(LaunchFailure) {}
    func suspend(_ app: AppIdentifier) { calls.add("suspend") }
    func resume(_ app: AppIdentifier) { calls.add("resume") }
    func terminate(_ app: AppIdentifier, _ termination: Termination) { calls.add("terminate") }
    func stop() {}
    func endLeftover(_ processNumber: Int32) -> Bool { false }
    func isRunning(_ app: AppIdentifier) -> Bool { true }
  }

  private static let name = "org.example.walk"
  private static let app = AppIdentifier(name, userNumber: getuid())

  @Test(
    "Its newest 1,000 fixes and all else that it is told wait, come in order, and it is not let go for not reading",
    arguments: [false, true])
  func suspended(takesPipe: Bool) async throws {
    var policy = Policy()
    policy.backgroundEntrySeconds = 0
    let supervisor = FakeSupervisor()
    let bench = try DaemonBench(policy: policy)
    bench.supervise(with: supervisor)
    try bench.decide(Grant(level: .whenInUse), for: Self.name)
    var description = AppDescription(identifier: Self.app)
    description.isInstalled = true
    let host = bench.daemon.host
    host.launched(description, because: .person)
    bench.expect(Self.name, kind: .bundle)
    let client = try RawClient(path: bench.socketPath, takesPipe: takesPipe)
    try client.sayHello()
    if takesPipe { try client.say(.takesPipe) }
    try client.say(.addManager(1), .request(.startUpdatingLocation, manager: 1))
    try await beginUpdates(bench, client)

    client.pauseReading()
    host.handle(.life(.commanded(Self.app, .enterBackground)))
    #expect(await supervisor.calls.next() == "suspend")
    // More than any bound of a client that reads, and more than a socket holds.
    for _ in 0..<300 {
      host.handle(.preciseChanged(Self.app, false))
      host.handle(.preciseChanged(Self.app, true))
    }
    let fixes = (0..<1_500).map { _ in Fix.east(0) }
    for fix in fixes { bench.receiver.give(fix) }
    host.handle(.life(.commanded(Self.app, .enterForeground)))
    #expect(await supervisor.calls.next() == "resume")
    client.resumeReading()
    var accuracies: [AccuracyAuthorization] = []
    var heard: [WallTime] = []
    while heard.last != fixes.last?.time, let message = await client.heard.next() {
      switch message {
      case .event(.authorizationChanged(let authorization, _, _), _): accuracies.append(authorization.accuracy)
      case .event(.locationsUpdated(let fixes, _), _): heard += fixes.map(\.time)
      case .locationsDropped(let count): Issue.record("\(count) were dropped")
      case .refusal(let reason): Issue.record("let go: \(reason)")
      default: break
      }
    }
    #expect(accuracies == (0..<600).map { $0 % 2 == 0 ? .reduced : .full })
    #expect(Array(heard.suffix(1_000)) == fixes.suffix(1_000).map(\.time))
    client.close()
  }

  private func beginUpdates(_ bench: DaemonBench, _ client: RawClient) async throws {
    // Updates have begun once the receiver is wanted.
    while let demand = await bench.receiver.demands.next(), demand == nil {}
    bench.receiver.give(.east(0))
    while let message = await client.heard.next() {
      if case .event(.locationsUpdated, _) = message { return }
    }
  }
}

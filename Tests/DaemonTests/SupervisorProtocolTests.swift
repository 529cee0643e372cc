import Foundation
import LinuxIO
import LocationEngine
import LocationModel
import LocationRuntime
import Testing

@testable import LocationService

/// docs/security.md, "Supervisors": who may be one, and what one is believed.
@Suite("The system's service and its persons' supervisors")
struct SupervisorProtocolTests {
  private static let person: UInt32 = 1_000
  private static let other: UInt32 = 1_001
  private static let name = "org.example.walk"
  private static let program = "/opt/Walk.app/walk"

  /// - Parameter more: what else the store holds.
  private func makeBench(_ more: (LocationStore) throws -> Void = { _ in }) throws -> DaemonBench {
    let bench = try DaemonBench(isSystemWide: true)
    for user in [Self.person, Self.other] {
      let app = AppIdentifier(Self.name, userNumber: user)
      var description = AppDescription(identifier: app)
      description.isInstalled = true
      try bench.store.install(
        AppBundle(path: "/opt/Walk.app", executablePath: Self.program, description: description), as: app,
        at: LiveClock.shared.wallTime)
      try bench.decide(Grant(level: .always), for: Self.name, user: user)
    }
    try more(bench.store)
    bench.superviseThroughPersons()
    return bench
  }

  private func supervisor(
    _ bench: DaemonBench, of user: UInt32 = person, confinements: [PeerIdentity.Confinement] = []
  ) throws -> RawClient {
    let client = try bench.connectRaw("/usr/bin/corelocationd", user: user, confinements: confinements)
    try client.sayHello(.supervisor)
    return client
  }

  /// One that takes orders.
  private func readySupervisor(_ bench: DaemonBench, of user: UInt32 = person) async throws -> RawClient {
    let client = try supervisor(bench, of: user)
    #expect(await client.heard.next() == .toolGreeting)
    try client.say(.report(.ready))
    return client
  }

  private func tool(_ bench: DaemonBench, of user: UInt32 = person) async throws -> RawClient {
    let tool = try bench.connectRaw("/usr/bin/corelocation", user: user)
    try tool.sayHello(.tool)
    #expect(await tool.heard.next() == .toolGreeting)
    return tool
  }

  private func standing(_ bench: DaemonBench, of user: UInt32 = person) async throws -> String? {
    guard case .table(_, let rows) = try await tool(bench, of: user).ask(.apps) else { return nil }
    return rows.first { $0[0] == Self.name && $0[1] == "\(user)" }?.last
  }

  /// The launch that the supervisor is ordered for a person's command, once it has told what is done.
  private func launch(_ supervisor: RawClient, _ tool: RawClient, acknowledged: [UInt64] = []) async throws -> AppLaunch
  {
    try tool.say(.command(.app(.launch(bundle: Self.name)), number: 7))
    #expect(await supervisor.heard.next() == .order(.prepare(app: Self.name)))
    try supervisor.say(.report(.prepared(app: Self.name, acknowledged: acknowledged)))
    guard case .order(.launch(let launch)) = await supervisor.heard.next() else {
      throw CocoaError(.featureUnsupported)
    }
    return launch
  }

  @Test("An app is prepared, started and ended by its user's supervisor, and the command's answer waits for it")
  func started() async throws {
    let bench = try makeBench()
    let supervisor = try await readySupervisor(bench)
    let tool = try await tool(bench)
    let launch = try await launch(supervisor, tool)
    #expect(launch.app == Self.name)
    #expect(launch.bundlePath == "/opt/Walk.app")
    #expect(launch.executablePath == Self.program)
    #expect(launch.reason == .person)
    try supervisor.say(.report(.started(launch: launch.name, processNumber: 7)))
    #expect(await tool.heard.next() == .answer(.done, number: 7))
    #expect(try await standing(bench) == "foreground")
    try tool.say(.command(.app(.terminate(bundle: Self.name, isForced: false)), number: 8))
    #expect(await supervisor.heard.next() == .order(.terminate(app: Self.name, .asked)))
    try supervisor.say(
      .report(.ended(launch: launch.name, AppEnd(processNumber: 7, end: .exited(status: 0), termination: .asked))))
    #expect(await tool.heard.next() == .answer(.done, number: 8))
    #expect(try await standing(bench) == "-")
  }

  @Test("Arguments of a launch reach the supervisor; without any the order is the one of before (order 1, not 6)")
  func arguments() async throws {
    let bench = try makeBench()
    let supervisor = try await readySupervisor(bench)
    let tool = try await tool(bench)
    try tool.say(.command(.app(.launch(bundle: Self.name, arguments: ["significant", ""])), number: 7))
    #expect(await supervisor.heard.next() == .order(.prepare(app: Self.name)))
    // A launch that is under way has its arguments already.
    guard case .failed(let reason) = try await tool.ask(.app(.launch(bundle: Self.name, arguments: ["more"]))) else {
      throw CocoaError(.featureUnsupported)
    }
    #expect(reason.contains("only a start has arguments"))
    try supervisor.say(.report(.prepared(app: Self.name, acknowledged: [])))
    guard case .order(.launch(let launch)) = await supervisor.heard.next() else {
      throw CocoaError(.featureUnsupported)
    }
    #expect(launch.arguments == ["significant", ""])
    // The kinds of the bytes, after four of the length: 13 an order, then which; 4 a command, its number, then which.
    var plain = launch
    #expect(Array(WireFrame.encode(ServerMessage.order(.launch(plain)))[4...5]) == [13, 6])
    plain.arguments = []
    #expect(Array(WireFrame.encode(ServerMessage.order(.launch(plain)))[4...5]) == [13, 1])
    for (arguments, kind) in [([], 12), (["a"], 25)] as [([String], UInt8)] {
      let command = ClientMessage.command(.app(.launch(bundle: "a", arguments: arguments)), number: 1)
      #expect(Array(WireFrame.encode(command)[4...9]) == [4, 1, 0, 0, 0, kind])
    }
  }

  @Test("An app that is being ended is opened when it has ended, and not before; the command's answer waits for both")
  func launchedWhileEnding() async throws {
    let bench = try makeBench()
    let supervisor = try await readySupervisor(bench)
    let tool = try await tool(bench)
    let first = try await launch(supervisor, tool)
    try supervisor.say(.report(.started(launch: first.name, processNumber: 7)))
    #expect(await tool.heard.next() == .answer(.done, number: 7))
    try tool.say(.command(.app(.terminate(bundle: Self.name, isForced: false)), number: 8))
    #expect(await supervisor.heard.next() == .order(.terminate(app: Self.name, .asked)))
    let person = try await self.tool(bench)
    try person.say(.command(.app(.launch(bundle: Self.name, arguments: ["again"])), number: 9))
    // The answer to what was said after it comes first, and nothing was ordered: the end is waited for.
    try person.say(.command(.apps, number: 10))
    guard case .answer(.table, number: 10) = await person.heard.next() else { throw CocoaError(.featureUnsupported) }
    try supervisor.say(
      .report(.ended(launch: first.name, AppEnd(processNumber: 7, end: .exited(status: 0), termination: .asked))))
    #expect(await tool.heard.next() == .answer(.done, number: 8))
    #expect(await supervisor.heard.next() == .order(.prepare(app: Self.name)))
    try supervisor.say(.report(.prepared(app: Self.name, acknowledged: [])))
    guard case .order(.launch(let second)) = await supervisor.heard.next() else {
      throw CocoaError(.featureUnsupported)
    }
    #expect(second.name != first.name && second.reason == .person && second.arguments == ["again"])
    try supervisor.say(.report(.started(launch: second.name, processNumber: 8)))
    #expect(await person.heard.next() == .answer(.done, number: 9))
    #expect(try await standing(bench) == "foreground")
  }

  @Test("Why an app could not be started is the command's answer, and the app does not run")
  func failed() async throws {
    let bench = try makeBench()
    let supervisor = try await readySupervisor(bench)
    let tool = try await tool(bench)
    let launch = try await launch(supervisor, tool)
    try supervisor.say(.report(.startFailed(launch: launch.name, "no such program")))
    #expect(await tool.heard.next() == .answer(.failed("no such program"), number: 7))
    #expect(try await standing(bench) == "-")
  }

  @Test("What a supervisor says of launches that are not its user's, old or made up changes nothing")
  func liar() async throws {
    let bench = try makeBench()
    let supervisor = try await readySupervisor(bench)
    let tool = try await tool(bench)
    let first = try await launch(supervisor, tool)
    try supervisor.say(.report(.started(launch: first.name, processNumber: 7)))
    #expect(await tool.heard.next() == .answer(.done, number: 7))
    // Of another user, under the same identifier and the right name of the launch.
    let stranger = try await readySupervisor(bench, of: Self.other)
    let end = AppEnd(processNumber: 7, end: .killed(signal: 9))
    try stranger.say(
      .report(.ended(launch: first.name, end)), .report(.startFailed(launch: first.name, "no")),
      .report(.prepared(app: Self.name, acknowledged: [1, 2, 3])),
      .report(.started(launch: "made up", processNumber: 1)),
      .report(.ready))
    // The own one, of a launch that it made up.
    try supervisor.say(.report(.ended(launch: "made up", end)), .report(.ready))
    #expect(try await standing(bench, of: Self.other) == "-")
    #expect(try await standing(bench) == "foreground")
    // An old launch ended already.
    try supervisor.say(.report(.ended(launch: first.name, end)))
    let second = try await launch(supervisor, tool)
    #expect(second.name != first.name)
    try supervisor.say(
      .report(.started(launch: second.name, processNumber: 8)), .report(.ended(launch: first.name, end)))
    #expect(await tool.heard.next() == .answer(.done, number: 7))
    #expect(try await standing(bench) == "foreground")
  }

  @Test("Orders about a user's app go to this user's supervisor alone")
  func orders() async throws {
    let bench = try makeBench()
    let supervisor = try await readySupervisor(bench)
    let stranger = try await readySupervisor(bench, of: Self.other)
    let tool = try await tool(bench)
    _ = try await launch(supervisor, tool)
    let strangersTool = try await self.tool(bench, of: Self.other)
    // Nothing came for the first user's app before this.
    _ = try await launch(stranger, strangersTool)
  }

  @Test("A confined process is no supervisor, nor is a second one of a user, nor any in a person's own service")
  func refused() async throws {
    let bench = try makeBench()
    let confined = try supervisor(bench, confinements: [.flatpak])
    guard case .refusal(let confinement) = await confined.heard.next() else { throw CocoaError(.featureUnsupported) }
    #expect(confinement.contains("may not decide for a person"))
    let first = try supervisor(bench)
    #expect(await first.heard.next() == .toolGreeting)
    let second = try supervisor(bench)
    #expect(await second.heard.next() == .refusal("user \(Self.person) has a supervisor already (process 1)"))
    #expect(await second.heard.next() == nil)
    let own = try DaemonBench()
    let useless = try supervisor(own, of: getuid())
    guard case .refusal(let reason) = await useless.heard.next() else { throw CocoaError(.featureUnsupported) }
    #expect(reason.contains("takes no supervisor"))
  }

  @Test("One that has not said that it is ready gets no orders; one that goes before it has prepared is no start")
  func notReady() async throws {
    let bench = try makeBench()
    let supervisor = try supervisor(bench)
    #expect(await supervisor.heard.next() == .toolGreeting)
    let tool = try await tool(bench)
    guard case .failed(let absence) = try await tool.ask(.app(.launch(bundle: Self.name))) else {
      throw CocoaError(.featureUnsupported)
    }
    #expect(absence.contains("has no supervisor"))
    try supervisor.say(.report(.ready))
    try tool.say(.command(.app(.launch(bundle: Self.name)), number: 7))
    #expect(await supervisor.heard.next() == .order(.prepare(app: Self.name)))
    supervisor.close()
    #expect(await tool.heard.next() == .answer(.failed(absence), number: 7))
    #expect(try await standing(bench) == "-")
  }

  @Test("Processes of an app whose supervisor goes are not served any more")
  func gone() async throws {
    let bench = try makeBench()
    let supervisor = try await readySupervisor(bench)
    let tool = try await tool(bench)
    let launch = try await launch(supervisor, tool)
    try supervisor.say(.report(.started(launch: launch.name, processNumber: 7)))
    #expect(await tool.heard.next() == .answer(.done, number: 7))
    bench.expect(Self.name, kind: .bundle, user: Self.person)
    let app = try RawClient(path: bench.socketPath)
    try app.sayHello()
    #expect(await supervisor.heard.next() == .order(.examine(processNumber: 1)))
    try supervisor.say(.report(.examined(processNumber: 1, isLeftover: false)))
    guard case .greeting = await app.heard.next() else { throw CocoaError(.featureUnsupported) }
    supervisor.close()
    var last: ServerMessage?
    while let message = await app.heard.next() { last = message }
    #expect(last == .refusal("its supervisor has gone"))
    #expect(try await standing(bench) == "-")
    // Until the next one comes, which has ended it.
    bench.expect(Self.name, kind: .bundle, user: Self.person)
    let again = try RawClient(path: bench.socketPath)
    try again.sayHello()
    #expect(await again.heard.next() == .refusal("its supervisor has gone"))
  }

  @Test(
    "A process that an earlier supervisor has left is refused before it is told anything; an app that is none waits")
  func leftover() async throws {
    let bench = try makeBench()
    let supervisor = try await readySupervisor(bench)
    let stranger = try await readySupervisor(bench, of: Self.other)
    for (isLeftover, isGone) in [(true, false), (false, false), (false, true)] {
      bench.expect(Self.name, kind: .bundle, user: Self.person)
      let app = try RawClient(path: bench.socketPath)
      try app.sayHello()
      try app.say(.addManager(1), .request(.requestLocation, manager: 1))
      #expect(await supervisor.heard.next() == .order(.examine(processNumber: 1)))
      if isGone {
        supervisor.close()
      } else {
        // That of another user has no say.
        try stranger.say(.report(.examined(processNumber: 1, isLeftover: !isLeftover)))
        _ = try await standing(bench)
        try supervisor.say(.report(.examined(processNumber: 1, isLeftover: isLeftover)))
      }
      let first = await app.heard.next()
      if isLeftover {
        #expect(first == .refusal("it is left of an earlier run of its supervisor"))
        continue
      }
      guard case .greeting(let name, _) = first else { throw CocoaError(.featureUnsupported) }
      #expect(name.name == Self.name)
      // What it said meanwhile is heard.
      while let message = await app.heard.next() {
        if case .event(.authorizationChanged, manager: 1) = message { break }
      }
    }
  }

  @Test("Events that an app's last process has noted as done are told to no other process")
  func acknowledged() async throws {
    let app = AppIdentifier(Self.name, userNumber: Self.person)
    let region = Region(
      identifier: "home", shape: .circle(center: Coordinate(latitude: 47.5, longitude: 19), radiusMeters: 100))
    let bench = try makeBench { store in
      var registrations = Registrations()
      registrations.regions = [RegisteredRegion(region: region, state: .outside)]
      registrations.nextEventNumber = 6
      let events = [
        KeptEvent(number: 4, content: .entered(region)), KeptEvent(number: 5, content: .exited(region)),
      ]
      try store.store(
        StoredRegistrations(registrations), waiting: events.map(StoredEngineState.bytes), for: app)
    }
    // What waited starts the app as soon as somebody can.
    let supervisor = try await readySupervisor(bench)
    #expect(await supervisor.heard.next() == .order(.prepare(app: Self.name)))
    try supervisor.say(.report(.prepared(app: Self.name, acknowledged: [4])))
    guard case .order(.launch(let launch)) = await supervisor.heard.next() else {
      throw CocoaError(.featureUnsupported)
    }
    #expect(launch.reason == .location)
    try supervisor.say(.report(.started(launch: launch.name, processNumber: 7)))
    bench.expect(Self.name, kind: .bundle, user: Self.person)
    let client = try RawClient(path: bench.socketPath)
    try client.sayHello()
    try client.say(.addManager(1))
    #expect(await supervisor.heard.next() == .order(.examine(processNumber: 1)))
    try supervisor.say(.report(.examined(processNumber: 1, isLeftover: false)))
    while let message = await client.heard.next() {
      guard case .event(.kept(let number, _), _) = message else { continue }
      #expect(number == 5)
      break
    }
    #expect(try bench.store.pendingEvents(of: app).count == 1)
  }
}

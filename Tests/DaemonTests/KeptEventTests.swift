import Foundation
import LinuxIO
import LocationEngine
import LocationModel
import LocationRuntime
import Testing

@testable import LocationService

@Suite("Kept events on the socket, over services that go and come")
struct KeptEventTests {
  private static let name = "org.example.walk"
  private static let app = AppIdentifier(name, userNumber: getuid())

  private static var policy: Policy {
    var policy = Policy()
    policy.regionHoldSeconds = 0
    policy.regionHoldFixesMin = 1
    return policy
  }

  private func bench(in folder: DaemonBench.Folder = DaemonBench.Folder()) throws -> DaemonBench {
    let bench = try DaemonBench(policy: Self.policy, in: folder)
    bench.expect(Self.name, kind: .bundle)
    return bench
  }

  /// A client of an installed app that has entered its region, as it heard it, and is not done with that.
  private func entered(_ bench: DaemonBench) async throws -> (ServiceConnection, ManagerIdentifier, Inbox<ManagerEvent>)
  {
    try bench.decide(Grant(level: .always), for: Self.name)
    let connection = DaemonBench.connection(to: bench.socketPath, log: bench.log)
    let heard = Inbox<ManagerEvent>()
    let manager = connection.addManager { heard.add($0) }
    let place = Fix.east(0).coordinate
    let region = Region(identifier: "home", shape: .circle(center: place, radiusMeters: 100))
    connection.send(.startMonitoring(region), from: manager)
    while let event = await heard.next() {
      if case .monitoringStarted = event { break }
    }
    bench.receiver.give(.east(1_000))
    while let event = await heard.next() {
      if case .stateDetermined(.outside, _) = event { break }
    }
    bench.receiver.give(.east(0))
    return (connection, manager, heard)
  }

  /// The next kept event that the app hears, before what a further request is answered with.
  private func nextKept(_ heard: Inbox<ManagerEvent>) async -> UInt64? {
    while let event = await heard.next() {
      if case .kept(let number, .regionEntered) = event { return number }
    }
    return nil
  }

  /// Asks for something that is always answered, and gives what was heard before the answer.
  private func heardBeforeAnswer(
    _ connection: ServiceConnection, _ manager: ManagerIdentifier, _ heard: Inbox<ManagerEvent>
  ) async -> [UInt64] {
    let question = Region(identifier: "nowhere", shape: .circle(center: Fix.east(0).coordinate, radiusMeters: 1))
    connection.send(.requestState(question), from: manager)
    var kept: [UInt64] = []
    while let event = await heard.next() {
      if case .kept(let number, _) = event { kept.append(number) }
      if case .stateDetermined(.unknown, let region) = event, region.identifier == "nowhere" { break }
    }
    return kept
  }

  @Test(
    "Told again by the next service, it is not heard again by a process that has heard it; acknowledged, it is gone")
  func services() async throws {
    var first: DaemonBench? = try bench()
    let folder = try #require(first?.folder)
    let (connection, manager, heard) = try await entered(#require(first))
    #expect(await nextKept(heard) == 1)
    #expect(try first?.store.pendingEvents(of: Self.app).count == 1)
    first = nil
    let second = try bench(in: folder)
    let again = await heardBeforeAnswer(connection, manager, heard)
    #expect(again == [])
    connection.send(.acknowledgeEvent(1), from: manager)
    _ = await heardBeforeAnswer(connection, manager, heard)
    #expect(try second.store.pendingEvents(of: Self.app) == [])
    second.stop()
  }

  @Test("What was acknowledged to a service that did not hear it is acknowledged to the next one")
  func lostAcknowledgement() async throws {
    var first: DaemonBench? = try bench()
    let folder = try #require(first?.folder)
    let (connection, manager, heard) = try await entered(#require(first))
    #expect(await nextKept(heard) == 1)
    first?.stop()
    // Nobody is there to hear it.
    connection.send(.acknowledgeEvent(1), from: manager)
    first = nil
    let second = try bench(in: folder)
    let again = await heardBeforeAnswer(connection, manager, heard)
    #expect(again == [])
    _ = await heardBeforeAnswer(connection, manager, heard)
    #expect(try second.store.pendingEvents(of: Self.app) == [])
    second.stop()
  }

  @Test("Another process of the app is told what the last one was not done with")
  func nextProcess() async throws {
    let bench = try bench()
    let (connection, _, heard) = try await entered(bench)
    #expect(await nextKept(heard) == 1)
    connection.close()
    bench.expect(Self.name, kind: .bundle)
    let next = DaemonBench.connection(to: bench.socketPath, log: bench.log)
    let nextHeard = Inbox<ManagerEvent>()
    let manager = next.addManager { nextHeard.add($0) }
    #expect(await nextKept(nextHeard) == 1)
    next.send(.acknowledgeEvent(1), from: manager)
    _ = await heardBeforeAnswer(next, manager, nextHeard)
    #expect(try bench.store.pendingEvents(of: Self.app) == [])
  }

  @Test("No app's name leads out of the folder of what apps have noted")
  func acknowledgementFolder() {
    let folder = AcknowledgementFolder(stateFolder: "/state")
    for name in ["../../etc/passwd", "a/b", ".", "", "org.example.walk"] {
      let path = folder.path(of: AppIdentifier(name))
      #expect(path.hasPrefix("/state/acknowledged/") && path.split(separator: "/").count <= 3)
      #expect(!path.contains(".."))
    }
  }

  @Test("What an app has noted is read whole numbers only, and nothing from where there is no file")
  func acknowledgementFile() throws {
    let folder = DaemonBench.Folder()
    let path = folder.path + "/noted"
    #expect(AcknowledgementFile.numbers(at: path) == [])
    let early = AcknowledgementFile(path: path)
    early.add(7)
    #expect(AcknowledgementFile.numbers(at: path) == [], "the service makes the file, and nobody else")
    try Syscalls.makeEmptyFile(path)
    for number in [1, 0x0102_0304_0506_0708, UInt64.max] { early.add(number) }
    #expect(AcknowledgementFile.numbers(at: path) == [1, 0x0102_0304_0506_0708, .max])
    let file = try Syscalls.openForAppending(path)
    try Syscalls.append([1, 2, 3], to: file)
    Syscalls.close(file)
    #expect(AcknowledgementFile.numbers(at: path).count == 3)
  }
}

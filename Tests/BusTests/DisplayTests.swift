import Foundation
import LinuxIO
import LocationEngine
import LocationModel
import LocationProviders
import LocationRuntime
import XCTest

/// The screen that turns on, as services on a bus of the test's own tell of it (behaviour 6.4). XCTest, since these
/// tests wait for what comes over a socket and block their thread meanwhile.
final class DisplayTests: XCTestCase {
  private static let login = "org.freedesktop.login1"
  private static let manager = "org.freedesktop.login1.Manager"
  private static let loginPath = "/org/freedesktop/login1"

  /// One bus stands for the system's and the session's.
  private struct Heard {
    let clock = VirtualClock(wallStart: WallTime(secondsSince1970: 1_780_300_800))
    let log = EventLog<String>()
    let display: DesktopDisplay

    init(_ bus: PrivateBus, session: String? = nil) {
      display = DesktopDisplay(
        clock: clock,
        settings: DesktopDisplay.Settings(systemAddress: bus.address, sessionAddress: session ?? bus.address))
      display.connect { [log] in log.add("on") }
    }

    /// A turning on of its own: later than all before.
    func pass(seconds: Double) {
      let end = clock.now.advanced(bySeconds: seconds)
      while clock.ringNext(until: end) {}
    }
  }

  /// A login manager whose sessions are idle or not.
  private func loginManager(on bus: PrivateBus, isIdle: Bool) throws -> (FakeService, EventLog<String>) {
    let asked = EventLog<String>()
    let service = try FakeService(Self.login, on: bus.address) { call in
      asked.add(call.member)
      return .values([.dictionary(["IdleHint": .boolean(isIdle), "NAutoVTs": .uint32(6)])])
    }
    return (service, asked)
  }

  private func changeIdle(_ service: FakeService, _ isIdle: BusValue) {
    service.emit(
      "PropertiesChanged", of: "org.freedesktop.DBus.Properties", at: Self.loginPath,
      [.string(Self.manager), .dictionary(["IdleHint": isIdle]), .array(of: "s", [])])
  }

  /// Returns when everybody on the bus has taken what the service has said so far: they answer it after that.
  private func settle(_ service: FakeService) {
    let names = EventLog<[String]>()
    let answers = EventLog<Bool>()
    service.queue.sync {
      let list = BusCall(
        "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", "ListNames")
      service.connection.call(list, timeoutSeconds: 10) { result in
        guard case .success(let reply) = result, case .array(_, let all)? = reply.values.first else { return }
        let others = all.compactMap(\.text).filter { $0.hasPrefix(":") }
        names.add(others)
        for other in others {
          let ping = BusCall(other, path: "/", interface: "org.freedesktop.DBus.Peer", "Ping")
          service.connection.call(ping, timeoutSeconds: 10) { _ in answers.add(true) }
        }
      }
    }
    let count = names.wait("the names on the bus") { !$0.isEmpty }.first?.count ?? 0
    answers.wait("everybody's answer") { $0.count == count }
  }

  /// How many connections the bus has, that of who asks among them.
  private func connectionCount(on bus: PrivateBus) throws -> Int {
    let queue = DispatchQueue(label: "counting")
    let connection = try queue.sync { try BusConnection(address: bus.address, queue: queue) { _ in } }
    defer { queue.sync { connection.close() } }
    let names = EventLog<Int>()
    queue.sync {
      let call = BusCall(
        "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", "ListNames")
      connection.call(call, timeoutSeconds: 10) { result in
        guard case .success(let reply) = result, case .array(_, let all)? = reply.values.first else { return }
        names.add(all.count { $0.text?.hasPrefix(":") == true })
      }
    }
    return names.wait("the names on the bus") { !$0.isEmpty }.first ?? 0
  }

  private func wait(forConnections count: Int, on bus: PrivateBus) throws {
    let limit = Date(timeIntervalSinceNow: 10)
    while try connectionCount(on: bus) != count, Date() < limit {}
    XCTAssertEqual(try connectionCount(on: bus), count)
  }

  func test_no_bus_is_connected_to_while_nobody_wants_to_know() throws {
    let bus = try PrivateBus()
    XCTAssertEqual(try connectionCount(on: bus), 1)
    let heard = Heard(bus)
    heard.display.setWanted(false)
    try wait(forConnections: 1, on: bus)
    heard.display.setWanted(true)
    // Of the login manager and of two kinds of screen savers.
    try wait(forConnections: 4, on: bus)
    heard.display.setWanted(false)
    try wait(forConnections: 1, on: bus)
    XCTAssertNil(heard.clock.nextDeadline)
    XCTAssertEqual(heard.log.all, [])
  }

  func test_the_screen_turns_on_when_the_machine_wakes_and_when_its_sessions_cease_to_be_idle() throws {
    let bus = try PrivateBus()
    let (login, asked) = try loginManager(on: bus, isIdle: true)
    let heard = Heard(bus)
    heard.display.setWanted(true)
    asked.wait(for: "GetAll")
    // It was idle before anybody listened.
    changeIdle(login, .boolean(false))
    heard.log.wait(for: "on", count: 1)
    heard.pass(seconds: 60)
    // No truth and no falsehood. One session of several is no longer idle, and the whole was not before.
    changeIdle(login, .string("true"))
    changeIdle(login, .boolean(false))
    login.emit("PrepareForSleep", of: Self.manager, at: Self.loginPath, [.boolean(true)])
    settle(login)
    XCTAssertEqual(heard.log.all.count, 1)
    login.emit("PrepareForSleep", of: Self.manager, at: Self.loginPath, [.boolean(false)])
    heard.log.wait(for: "on", count: 2)
    // What a machine that wakes tells by and by is one turning on.
    changeIdle(login, .boolean(true))
    changeIdle(login, .boolean(false))
    settle(login)
    XCTAssertEqual(heard.log.all.count, 2)
    heard.pass(seconds: 60)
    changeIdle(login, .boolean(true))
    changeIdle(login, .boolean(false))
    heard.log.wait(for: "on", count: 3)
  }

  func test_the_screen_turns_on_when_a_screen_saver_goes_and_what_is_not_the_savers_word_counts_for_nothing() throws {
    for name in ["org.freedesktop.ScreenSaver", "org.gnome.ScreenSaver"] {
      let bus = try PrivateBus()
      let heard = Heard(bus)
      heard.display.setWanted(true)
      // It comes later, as with a session that begins.
      let saver = try FakeService(name, on: bus.address) { _ in .values([]) }
      let other = try FakeService("org.example.other", on: bus.address) { _ in .values([]) }
      let path = "/" + name.replacingOccurrences(of: ".", with: "/")
      let limit = Date(timeIntervalSinceNow: 10)
      while heard.log.all.isEmpty, Date() < limit {
        other.emit("ActiveChanged", of: name, at: path, [.boolean(true)])
        saver.emit("ActiveChanged", of: name, at: path, [.boolean(false)])
      }
      settle(saver)
      settle(other)
      XCTAssertEqual(heard.log.all.count, 1)
      heard.pass(seconds: 60)
      saver.emit("ActiveChanged", of: name, at: path, [.boolean(true)])
      // No truth and no falsehood, and the word of another.
      saver.emit("ActiveChanged", of: name, at: path, [.string("false")])
      saver.emit("ActiveChanged", of: name, at: path, [])
      other.emit("ActiveChanged", of: name, at: path, [.boolean(false)])
      settle(saver)
      settle(other)
      XCTAssertEqual(heard.log.all.count, 1)
      saver.emit("ActiveChanged", of: name, at: "/ScreenSaver", [.boolean(false)])
      heard.log.wait(for: "on", count: 2)
      // One that is started anew is heard as well.
      saver.stop()
      heard.pass(seconds: 60)
      let next = try FakeService(name, on: bus.address) { _ in .values([]) }
      let later = Date(timeIntervalSinceNow: 10)
      while heard.log.all.count < 3, Date() < later {
        next.emit("ActiveChanged", of: name, at: path, [.boolean(false)])
      }
      heard.log.wait(for: "on", count: 3)
    }
  }

  func test_GNOMEs_lock_screen_lights_up_before_anybody_unlocks_it() throws {
    let bus = try PrivateBus()
    let heard = Heard(bus)
    let saver = try FakeService("org.gnome.ScreenSaver", on: bus.address) { _ in .values([]) }
    heard.display.setWanted(true)
    let limit = Date(timeIntervalSinceNow: 10)
    while heard.log.all.isEmpty, Date() < limit {
      saver.emit("WakeUpScreen", of: "org.gnome.ScreenSaver", at: "/org/gnome/ScreenSaver", [])
    }
    heard.log.wait(for: "on")
  }

  func test_a_bus_that_is_not_there_is_tried_again_while_somebody_wants_to_know() throws {
    let bus = try PrivateBus()
    bus.stop()
    let heard = Heard(bus, session: "unix:path=/nonexistent/bus")
    heard.display.setWanted(true)
    let limit = Date(timeIntervalSinceNow: 10)
    while heard.clock.nextDeadline == nil, Date() < limit {}
    try bus.start()
    let (login, asked) = try loginManager(on: bus, isIdle: false)
    while asked.all.isEmpty, Date() < limit { _ = heard.clock.ringNext(until: .zero.advanced(bySeconds: 300)) }
    asked.wait(for: "GetAll")
    login.emit("PrepareForSleep", of: Self.manager, at: Self.loginPath, [.boolean(false)])
    heard.log.wait(for: "on")
    heard.display.setWanted(false)
    let end = Date(timeIntervalSinceNow: 10)
    while heard.clock.nextDeadline != nil, Date() < end {}
    XCTAssertNil(heard.clock.nextDeadline)
  }

  func test_an_app_whose_region_wants_it_is_told_where_it_is_when_the_screen_turns_on() throws {
    let bus = try PrivateBus()
    let (login, asked) = try loginManager(on: bus, isIdle: false)
    let clock = LiveClock()
    let display = DesktopDisplay(
      clock: clock,
      settings: DesktopDisplay.Settings(systemAddress: bus.address, sessionAddress: "unix:path=/nonexistent/bus"))
    let host = EngineHost(
      engine: LocationEngine(), clock: clock, provider: AbsentProvider(advice: ""), displaySensor: display,
      ports: HostPorts(
        prompter: NobodyAsked(), store: ForgetfulStore(StoredAppState(grant: Grant(level: .always))), log: { _ in }))
    let app = AppDescription(identifier: AppIdentifier("org.example.app"))
    let connection = HostConnection(host: host, app: app)
    host.handle(.appStateChanged(app.identifier, .foreground))
    host.handle(.beaconRadioChanged(.on))
    let heard = EventLog<String>()
    let manager = connection.addManager { event in
      if case .stateDetermined(let state, let region) = event { heard.add("\(region.identifier) \(state)") }
    }
    let constraint = BeaconConstraint(uuidHigh: 1, uuidLow: 2)
    var region = Region(identifier: "door", shape: .beacons(constraint))
    connection.send(.startMonitoring(region), from: manager)
    let beacon = BeaconIdentity(uuidHigh: 1, uuidLow: 2, major: 3, minor: 4)
    host.handle(
      .beaconHeard(BeaconPacket(BeaconFrame(beacon, measuredPower: -59), signalDecibels: -60, time: clock.wallTime)))
    heard.wait(for: "door inside")
    XCTAssertEqual(asked.all, [], "nobody wanted to know of the screen")
    region.notifiesEntryStateOnDisplay = true
    connection.send(.startMonitoring(region), from: manager)
    asked.wait(for: "GetAll")
    login.emit("PrepareForSleep", of: Self.manager, at: Self.loginPath, [.boolean(false)])
    heard.wait(for: "door inside", count: 2)
  }
}

private final class NobodyAsked: PermissionPrompter {
  func show(_ prompt: Prompt, answer: @escaping @Sendable (PromptAnswer) -> Void) {}
  func withdraw(_ prompt: PromptIdentifier) {}
  func showLocationServicesAlert(for app: AppIdentifier) {}
}

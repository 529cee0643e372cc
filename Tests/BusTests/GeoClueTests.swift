import LinuxIO
import LocationModel
import LocationProviders
import XCTest

/// A client of GeoClue beside a GeoClue that behaves as the test says. XCTest, since these tests wait for other
/// processes and block their thread meanwhile.
final class GeoClueTests: XCTestCase {
  private func app(on bus: PrivateBus, answerSeconds: Double = 10, userID: UInt32 = 1000) -> AppOnBus {
    var settings = LocationServiceProvider.Settings(address: bus.address)
    settings.answerSeconds = answerSeconds
    settings.userID = userID
    return AppOnBus(.geoClue(desktopID: "org.example.app"), settings: settings)
  }

  // MARK: GC-02

  func test_the_name_and_the_wish_come_before_Start_for_a_GeoClue_that_demands_them() throws {
    let bus = try PrivateBus()
    let geoClue = try FakeGeoClue(on: bus, .init(demandsDesktopID: true))
    let app = app(on: bus)
    app.send(.startUpdatingLocation)
    geoClue.calls.wait(for: "Start")
    geoClue.give(48.5, 11.25)
    app.events.wait(for: "fix 48.5,11.25 ±12.0")
    XCTAssertEqual(
      geoClue.calls.all.filter { $0 != "GetAll" },
      ["GetClient", "DesktopId=org.example.app", "RequestedAccuracyLevel=8", "Start"])
    XCTAssertEqual(app.events.all.count, 1)
  }

  func test_a_GeoClue_that_does_not_know_DesktopId_is_started_all_the_same() throws {
    for name in [BusError.unknownProperty, BusError.invalidArguments] {
      let bus = try PrivateBus()
      let geoClue = try FakeGeoClue(on: bus, .init(errors: ["DesktopId": (name, "No such property")]))
      let app = app(on: bus)
      app.send(.startUpdatingLocation)
      geoClue.calls.wait(for: "Start")
      geoClue.give(-12.5, -77.25)
      app.events.wait(for: "fix -12.5,-77.25 ±12.0")
      XCTAssertEqual(app.events.all.count, 1, name)
    }
  }

  // MARK: GC-01

  func test_a_refusal_is_denied_once_and_asked_again_after_a_minute() throws {
    let bus = try PrivateBus()
    let geoClue = try FakeGeoClue(on: bus, .init(errors: ["Start": FakeGeoClue.denied]))
    let app = app(on: bus)
    app.send(.startUpdatingLocation)
    app.events.wait(for: "failed denied")
    XCTAssertEqual(app.nextAlarmSeconds, 60)
    // An app that begins again meanwhile gets the known answer.
    app.pass(to: 30)
    app.send(.stopUpdatingLocation)
    app.send(.startUpdatingLocation)
    app.events.wait(for: "failed denied", count: 2)
    app.send(.stopUpdatingLocation)
    app.send(.requestLocation)
    app.events.wait(for: "answer failed denied")
    XCTAssertEqual(geoClue.startCount(), 1)
    app.send(.startUpdatingLocation)
    app.events.wait(for: "failed denied", count: 3)
    XCTAssertEqual(app.nextAlarmSeconds, 60)
    // Asked again, refused again, and nothing new is said.
    app.pass(to: 60)
    geoClue.calls.wait(for: "Start", count: 2)
    geoClue.behave(.init())
    app.states.wait("the second refusal of GeoClue") { $0.count { $0 == .refused } == 5 }
    XCTAssertEqual(app.nextAlarmSeconds, 120)
    app.pass(to: 120)
    geoClue.calls.wait(for: "Start", count: 3)
    geoClue.give(1, 2)
    app.events.wait(for: "fix 1.0,2.0 ±12.0")
    XCTAssertEqual(app.events.all.count { $0 == "failed denied" }, 3)
    XCTAssertEqual(
      app.notices.all.count { $0.contains("AccessDenied") && $0.contains("no agent for UID 1000") }, 1)
  }

  func test_a_refusal_of_the_client_itself_is_denied_too_and_root_reads_why() throws {
    let bus = try PrivateBus()
    let geoClue = try FakeGeoClue(on: bus, .init(errors: ["GetClient": FakeGeoClue.denied]))
    let app = app(on: bus, userID: 0)
    app.send(.requestLocation)
    app.events.wait(for: "answer failed denied")
    XCTAssertEqual(geoClue.startCount(), 0)
    XCTAssertEqual(app.notices.all.count { $0.contains("root (UID 0)") }, 1)
  }

  func test_a_service_that_is_not_there_is_unknown_and_is_served_when_its_name_appears() throws {
    let bus = try PrivateBus()
    let app = app(on: bus)
    app.send(.startUpdatingLocation)
    app.events.wait(for: "failed locationUnknown")
    let geoClue = try FakeGeoClue(on: bus)
    geoClue.calls.wait(for: "Start")
    geoClue.give(48, 11)
    app.events.wait(for: "fix 48.0,11.0 ±12.0")
    XCTAssertEqual(app.events.all, ["failed locationUnknown", "fix 48.0,11.0 ±12.0"])
  }

  // MARK: Coming and going

  func test_a_service_that_is_killed_is_told_once_and_its_successor_serves_without_a_word_of_the_app() throws {
    let bus = try PrivateBus()
    let first = try FakeGeoClue(on: bus)
    let app = app(on: bus)
    app.send(.startUpdatingLocation)
    first.calls.wait(for: "Start")
    first.give(48, 11)
    app.events.wait(for: "fix 48.0,11.0 ±12.0")
    first.stop()
    app.events.wait(for: "failed locationUnknown")
    let second = try FakeGeoClue(on: bus)
    second.calls.wait(for: "Start")
    second.give(48.00001, 11)
    app.events.wait(for: "fix 48.00001,11.0 ±12.0")
    XCTAssertEqual(app.events.all.count, 3)
  }

  func test_a_bus_that_dies_is_tried_every_second_and_found_again() throws {
    let bus = try PrivateBus()
    bus.stop()
    let app = app(on: bus)
    app.send(.startUpdatingLocation)
    app.events.wait(for: "failed locationUnknown")
    XCTAssertEqual(app.nextAlarmSeconds, 1)
    try bus.start()
    let first = try FakeGeoClue(on: bus)
    app.pass(to: 1)
    first.calls.wait(for: "Start")
    first.give(48, 11)
    app.events.wait(for: "fix 48.0,11.0 ±12.0")
    bus.stop()
    app.events.wait(for: "failed locationUnknown", count: 2)
    try bus.start()
    let second = try FakeGeoClue(on: bus)
    app.pass(to: 2)
    second.calls.wait(for: "Start")
    second.give(48.00001, 11)
    app.events.wait(for: "fix 48.00001,11.0 ±12.0")
  }

  func test_a_client_that_GeoClue_stops_is_told_so_and_asks_again() throws {
    let bus = try PrivateBus()
    let geoClue = try FakeGeoClue(on: bus)
    let app = app(on: bus)
    app.send(.startUpdatingLocation)
    geoClue.calls.wait(for: "Start")
    geoClue.say(isActive: true)
    geoClue.give(48, 11)
    app.events.wait(for: "fix 48.0,11.0 ±12.0")
    geoClue.say(isActive: false)
    app.events.wait(for: "failed locationUnknown")
    XCTAssertEqual(app.nextAlarmSeconds, 1)
    app.pass(to: 1)
    geoClue.calls.wait(for: "Start", count: 2)
  }

  // MARK: GC-04

  func test_silence_after_Start_is_unknown_once_at_10_s_and_a_fix_at_60_s_is_delivered() throws {
    let bus = try PrivateBus()
    let geoClue = try FakeGeoClue(on: bus)
    let app = app(on: bus)
    app.send(.startUpdatingLocation)
    geoClue.calls.wait(for: "Start")
    app.pass(to: 9.9)
    XCTAssertEqual(app.events.all, [])
    app.pass(to: 60)
    XCTAssertEqual(app.events.all, ["failed locationUnknown"])
    geoClue.give(48, 11)
    app.events.wait(for: "fix 48.0,11.0 ±12.0")
    XCTAssertEqual(app.events.all.count, 2)
  }

  func test_a_request_that_gets_no_location_ends_at_10_s_and_leaves_the_bus() throws {
    let bus = try PrivateBus()
    let geoClue = try FakeGeoClue(on: bus)
    let app = app(on: bus)
    app.send(.requestLocation)
    geoClue.calls.wait(for: "Start")
    app.pass(to: 60)
    geoClue.calls.wait(for: "DeleteClient")
    XCTAssertEqual(app.events.all, ["answer failed locationUnknown"])
  }

  func test_a_service_that_does_not_answer_is_given_up_and_asked_again() throws {
    let bus = try PrivateBus()
    let geoClue = try FakeGeoClue(on: bus, .init(silent: ["GetClient"]))
    let app = app(on: bus, answerSeconds: 0.1)
    app.send(.startUpdatingLocation)
    app.events.wait(for: "failed locationUnknown")
    XCTAssertEqual(app.notices.all.count { $0.contains("needs an agent") }, 1)
    XCTAssertEqual(app.nextAlarmSeconds, 1)
    geoClue.behave(.init())
    app.pass(to: 1)
    geoClue.calls.wait(for: "Start")
    geoClue.give(48, 11)
    app.events.wait(for: "fix 48.0,11.0 ±12.0")
  }

  // MARK: Demand

  func test_nothing_is_connected_before_it_is_wanted_nor_after() throws {
    let bus = try PrivateBus()
    let geoClue = try FakeGeoClue(on: bus)
    let observer = try FakeService("org.example.observer", on: bus.address) { _ in .silence }
    let app = app(on: bus)
    let before = try names(on: observer)
    app.send(.startUpdatingLocation)
    geoClue.calls.wait(for: "Start")
    let client = try XCTUnwrap(geoClue.senders.all.last)
    XCTAssertEqual(Set(try names(on: observer)).subtracting(before), [client])
    let gone = EventLog<Bool>()
    let watch = try observer.queue.sync {
      try observer.connection.watch(name: client) { gone.add($0 == nil) }
    }
    app.send(.stopUpdatingLocation)
    gone.wait(for: true)
    XCTAssertEqual(Set(try names(on: observer)), Set(before))
    observer.queue.sync { watch.cancel() }
  }

  private func names(on service: FakeService) throws -> [String] {
    let answers = EventLog<BusValue>()
    let call = BusCall(
      "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", "ListNames")
    service.queue.sync {
      service.connection.call(call, timeoutSeconds: 10) { result in
        if case .success(let reply) = result, let value = reply.values.first { answers.add(value) }
      }
    }
    guard case .array(_, let names)? = answers.wait("the names on the bus", until: { !$0.isEmpty }).first else {
      return []
    }
    return names.compactMap(\.text)
  }

  func test_a_coarser_wish_makes_a_new_client_with_a_coarser_level() throws {
    let bus = try PrivateBus()
    let geoClue = try FakeGeoClue(on: bus)
    let app = app(on: bus)
    app.send(.startUpdatingLocation)
    geoClue.calls.wait(for: "Start")
    app.wish(.meters(3_000))
    geoClue.calls.wait(for: "Start", count: 2)
    XCTAssertEqual(
      geoClue.calls.all,
      [
        "GetClient", "DesktopId=org.example.app", "RequestedAccuracyLevel=8", "Start", "DeleteClient",
        "GetClient", "DesktopId=org.example.app", "RequestedAccuracyLevel=4", "Start",
      ])
  }
}

import LocationModel
import LocationProviders
import XCTest

/// A sandboxed program beside a portal that behaves as the test says. XCTest, since these tests wait for other
/// processes and block their thread meanwhile.
final class PortalTests: XCTestCase {
  private func app(on bus: PrivateBus) -> AppOnBus {
    AppOnBus(.portal, settings: LocationServiceProvider.Settings(address: bus.address))
  }

  func test_a_session_with_the_wish_then_Start_then_locations() throws {
    let bus = try PrivateBus()
    let portal = try FakePortal(on: bus)
    let app = app(on: bus)
    app.wish(.meters(100))
    app.send(.startUpdatingLocation)
    portal.calls.wait(for: "Start")
    portal.respond(0)
    portal.give(48.5, 11.25)
    app.events.wait(for: "fix 48.5,11.25 ±25.0")
    // STREET is 4 in the portal's numbers.
    XCTAssertEqual(portal.calls.all, ["CreateSession accuracy=4", "Start"])
    app.send(.stopUpdatingLocation)
    portal.calls.wait(for: "Close")
  }

  func test_the_person_s_no_is_denied_once() throws {
    let bus = try PrivateBus()
    let portal = try FakePortal(on: bus)
    let app = app(on: bus)
    app.send(.startUpdatingLocation)
    portal.calls.wait(for: "Start")
    portal.respond(1)
    app.events.wait(for: "failed denied")
    XCTAssertEqual(app.nextAlarmSeconds, 60)
    XCTAssertEqual(app.notices.all.count, 1)
  }

  func test_silence_is_unknown_at_10_s_for_updates_and_requests_alike_and_a_late_location_is_delivered() throws {
    let bus = try PrivateBus()
    let portal = try FakePortal(on: bus)
    let app = app(on: bus)
    app.send(.requestLocation)
    portal.calls.wait(for: "Start")
    portal.respond(0)
    app.pass(to: 9.9)
    XCTAssertEqual(app.events.all, [])
    app.pass(to: 15)
    XCTAssertEqual(app.events.all, ["answer failed locationUnknown"])
    app.send(.startUpdatingLocation)
    portal.calls.wait(for: "Start", count: 2)
    portal.respond(0)
    app.pass(to: 75)
    XCTAssertEqual(app.events.all, ["answer failed locationUnknown", "failed locationUnknown"])
    portal.give(48, 11)
    app.events.wait(for: "fix 48.0,11.0 ±25.0")
    XCTAssertEqual(app.events.all.count, 3)
  }

  func test_a_session_that_the_portal_closes_is_made_again_once() throws {
    let bus = try PrivateBus()
    let portal = try FakePortal(on: bus)
    let app = app(on: bus)
    app.send(.startUpdatingLocation)
    portal.calls.wait(for: "Start")
    portal.respond(0)
    portal.give(48, 11)
    app.events.wait(for: "fix 48.0,11.0 ±25.0")
    portal.closeSession()
    app.events.wait(for: "failed locationUnknown")
    XCTAssertEqual(portal.sessionCount(), 1)
    XCTAssertEqual(app.nextAlarmSeconds, 1)
    app.pass(to: 1)
    portal.calls.wait(for: "Start", count: 2)
    portal.closeSession()
    app.states.wait(for: .unavailable, count: 2)
    // Closed twice without a location between: no third attempt within the next minute.
    XCTAssertEqual(app.nextAlarmSeconds, 61)
    XCTAssertEqual(portal.sessionCount(), 2)
    XCTAssertEqual(app.events.all, ["fix 48.0,11.0 ±25.0", "failed locationUnknown"])
  }
}

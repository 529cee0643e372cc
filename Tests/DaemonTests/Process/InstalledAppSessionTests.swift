import Foundation
import Glibc
import XCTest

/// What an installed app holds to run in the background, and its monitor, with real processes.
final class InstalledAppSessionTests: XCTestCase {
  private static let uses = "background, uses location"

  private func makeMachine(_ policy: [String: Any] = [:]) throws -> InstalledAppMachine {
    let quick: [String: Any] = ["backgroundEntrySeconds": 0.5, "inUseGraceSeconds": 0.5]
    return try InstalledAppMachine(policy: quick.merging(policy) { $1 })
  }

  /// The app holds an activity session in the background, and the device is far from its region.
  ///
  /// - Returns: its process.
  private func holdAway(_ machine: InstalledAppMachine) throws -> Int32 {
    try machine.begin(behaviour: "activity")
    machine.goAway()
    machine.daemon.receiver.feed()
    try machine.command("launch", "region")
    machine.hears("activity held")
    machine.hears("state 2")
    try machine.command("background", "region")
    try machine.stands(Self.uses)
    return try XCTUnwrap(machine.appNumbers.first)
  }

  /// Kills the app, as a crash does, and has the device come home, which starts it again.
  private func crossAfterCrash(_ machine: InstalledAppMachine, of number: Int32, behaviour: String) {
    machine.behave(behaviour)
    kill(number, SIGKILL)
    machine.awaitEnd()
    machine.goHome()
    machine.hears("returned entered")
    XCTAssertEqual(machine.startsForEvents, 1)
  }

  // MARK: Background App Refresh

  /// Behaviour 3.11. Events keep their order: one at the launch would have been heard before.
  func test_an_app_that_is_launched_while_refresh_is_off_hears_of_its_changes_only() throws {
    let machine = try makeMachine()
    try machine.begin(behaviour: "activity idle")
    try machine.command("refresh", "off")
    try machine.command("launch", "region")
    machine.hears("activity held")
    try machine.command("refresh", "on")
    machine.hears("refresh changed")
    XCTAssertEqual(machine.heard.count { $0 == "refresh changed" }, 1)
  }

  // MARK: What is said of it

  /// As a tracker in its rest.
  func test_the_status_says_that_an_app_which_uses_location_in_the_background_needs_no_receiver_just_now() throws {
    let machine = try makeMachine()
    try machine.begin(behaviour: "activity idle")
    try machine.command("launch", "region")
    machine.hears("activity held")
    XCTAssertTrue(try machine.command("status").contains("The receivers are off: nobody wants a location."))
    try machine.command("background", "region")
    try machine.stands(Self.uses)
    let status = try machine.command("status")
    XCTAssertTrue(
      status.contains("The receivers are off: the app that uses location in the background needs none just now."),
      status)
  }

  // MARK: CLBackgroundActivitySession

  /// Behaviour 9.10, 9.11.
  func test_who_holds_an_activity_session_goes_on_in_the_background_with_While_Using_until_it_is_dropped() throws {
    let machine = try makeMachine()
    try machine.begin(behaviour: "activity follow", grant: "whenInUse")
    machine.daemon.receiver.feed()
    try machine.command("launch", "region")
    machine.hears("activity held")
    machine.hears("fix")
    try machine.command("background", "region")
    machine.hears("background")
    let number = try XCTUnwrap(machine.appNumbers.first)
    // Four times what it would have without the session.
    machine.awaitPlaces(20)
    let count = machine.heard.count { $0.hasPrefix("fix ") }
    machine.hears("fix", count: count + 3)
    XCTAssertTrue(try machine.standing().contains(Self.uses))
    XCTAssertNil(machine.standstill(of: number))
    kill(number, SIGUSR1)
    machine.hears("activity over")
    try machine.stands("suspended")
    XCTAssertTrue(waitUntil(secondsMax: 10) { machine.standstill(of: number) != nil })
    XCTAssertEqual(machine.appNumbers, [number])
  }

  /// Behaviour 9.12, 9.26.
  func test_an_app_that_is_started_again_takes_up_its_activity_session_and_goes_on_after_the_event() throws {
    let machine = try makeMachine(["wakeWindowSeconds": 2, "sessionRejoinSeconds": 2.5])
    let number = try holdAway(machine)
    crossAfterCrash(machine, of: number, behaviour: "activity")
    machine.hears("activity held", count: 2)
    // Longer than its time for the event, and than it had to take the session up.
    machine.awaitPlaces(30)
    XCTAssertTrue(try machine.standing().contains(Self.uses))
    let again = try XCTUnwrap(machine.appNumbers.first)
    XCTAssertNil(machine.standstill(of: again))
    XCTAssertFalse(machine.heard.contains("activity refused"))
    kill(again, SIGUSR1)
    try machine.stands("suspended")
  }

  /// Behaviour 9.12, 9.26.
  func test_an_app_that_takes_its_activity_session_up_too_late_has_it_again_in_the_foreground_only() throws {
    let machine = try makeMachine(["wakeWindowSeconds": 4, "sessionRejoinSeconds": 1])
    let number = try holdAway(machine)
    crossAfterCrash(machine, of: number, behaviour: "late")
    machine.awaitPlaces(13)
    let again = try XCTUnwrap(machine.appNumbers.first)
    XCTAssertNil(machine.standstill(of: again), "it has its time for the event still")
    kill(again, SIGUSR2)
    machine.hears("activity refused")
    try machine.stands("suspended")
    XCTAssertEqual(machine.heard.count { $0 == "activity held" }, 1)
    try machine.command("foreground", "region")
    machine.hears("activity held", count: 2)
    try machine.command("background", "region")
    try machine.stands(Self.uses)
    machine.awaitPlaces(10)
    XCTAssertTrue(try machine.standing().contains(Self.uses))
    XCTAssertEqual(machine.appNumbers, [again])
  }

  /// Behaviour 9.12.
  func test_an_app_that_held_no_activity_session_cannot_begin_one_in_the_background() throws {
    let machine = try makeMachine(["wakeWindowSeconds": 2])
    try machine.beginAway()
    crossAfterCrash(machine, of: try XCTUnwrap(machine.appNumbers.first), behaviour: "activity")
    machine.hears("activity refused")
    try machine.stands("suspended")
    XCTAssertFalse(machine.heard.contains("activity held"))
  }

  /// Behaviour 9.12, 9.26.
  func test_who_held_an_activity_session_when_the_service_was_killed_holds_it_again() throws {
    let machine = try makeMachine(["crashLoopSeconds": 0, "wakeWindowSeconds": 2, "sessionRejoinSeconds": 2.5])
    _ = try holdAway(machine)
    machine.daemon.signal(SIGKILL)
    _ = machine.daemon.waitForEnd()
    try machine.daemon.start()
    machine.hears("activity held", count: 2)
    XCTAssertEqual(machine.startsForEvents, 1, "in the background")
    machine.awaitPlaces(30)
    XCTAssertTrue(try machine.standing().contains(Self.uses))
    XCTAssertEqual(machine.appNumbers.count, 1)
    XCTAssertFalse(machine.heard.contains("activity refused"))
  }

  // MARK: CLMonitor, CLServiceSession

  /// Far from the condition's circle, the app reads its monitor, and is ended then.
  private func endReader(_ machine: InstalledAppMachine, behaviour: String) throws {
    try machine.begin(behaviour: behaviour)
    machine.goAway()
    machine.daemon.receiver.feed()
    try machine.command("launch", "region")
    machine.hears("monitor new")
    machine.hears("settled condition unsatisfied")
    try machine.command("terminate", "region")
    machine.awaitEnd()
  }

  /// Behaviour 9.23, 9.26, 9.36.
  func test_an_event_of_a_condition_starts_an_app_that_opens_its_monitor_and_gets_it_and_later_wakes_it() throws {
    let machine = try makeMachine(["wakeWindowSeconds": 2, "sessionRejoinSeconds": 2])
    try endReader(machine, behaviour: "monitor service")
    machine.goHome()
    machine.hears("launched location")
    machine.hears("monitor home")
    machine.hears("settled condition satisfied")
    try machine.stands("suspended")
    machine.awaitPlaces(10)
    machine.goAway()
    machine.hears("settled condition unsatisfied", count: 2)
    XCTAssertEqual(machine.startsForEvents, 1, "a suspended app is woken, and not started")
    let told = machine.heard.filter { $0.hasPrefix("condition") }
    XCTAssertEqual(told, ["condition unsatisfied", "condition satisfied", "condition unsatisfied"])
  }

  /// Behaviour 9.23: Always counts for monitors only with a session for it.
  func test_without_a_service_session_a_condition_starts_nothing_and_the_log_says_what_is_missing() throws {
    let machine = try makeMachine()
    try endReader(machine, behaviour: "monitor")
    machine.goHome()
    machine.awaitPlaces(15)
    XCTAssertEqual(machine.startsForEvents, 0)
    XCTAssertTrue(
      machine.daemon.log.contains("hold a CLServiceSession(authorization: .always)"), machine.daemon.log)
    try machine.command("launch", "region")
    machine.hears("settled condition satisfied")
  }

  /// Behaviour 9.26: what the last process held counts for a moment only.
  func test_an_app_that_does_not_take_up_its_service_session_hears_the_event_and_no_further_one() throws {
    let machine = try makeMachine(["wakeWindowSeconds": 2, "sessionRejoinSeconds": 1.5])
    try endReader(machine, behaviour: "monitor service")
    machine.behave("monitor")
    machine.goHome()
    machine.hears("settled condition satisfied")
    try machine.stands("suspended")
    machine.awaitPlaces(10)
    machine.goAway()
    machine.awaitPlaces(15)
    XCTAssertEqual(machine.heard.count { $0 == "condition unsatisfied" }, 1)
    try machine.stands("suspended")
    XCTAssertEqual(machine.startsForEvents, 1)
  }
}

import Foundation
import Glibc
import XCTest

/// Installed apps that run longer than they may, with real processes: they are killed, and the log says why.
final class InstalledAppOverrunTests: XCTestCase {
  private static let wakeSeconds = 2.0

  /// The app is in the foreground, and the device far from its region.
  private func launchedAway(behaviour: String = "") throws -> InstalledAppMachine {
    let machine = try InstalledAppMachine(
      policy: ["wakeWindowSeconds": Self.wakeSeconds, "backgroundEntrySeconds": 0.5])
    try machine.beginAway(behaviour: behaviour)
    return machine
  }

  private func expectOverrun(of number: Int32, _ machine: InstalledAppMachine) {
    XCTAssertTrue(waitUntil(secondsMax: 30) { !machine.appNumbers.contains(number) }, machine.daemon.log)
    let lines = [
      "org.example.region was ended: its time for an event was over, and the callback for it had not returned.",
      "org.example.region is ended: its time for an event is over, and its callback has not returned.",
      "org.example.region ended (process \(number)): signal \(SIGKILL)",
    ]
    for line in lines {
      XCTAssertTrue(waitUntil(secondsMax: 10) { machine.daemon.log.contains(line) }, "\(line): \(machine.daemon.log)")
    }
  }

  /// Behaviour 3.6; seed 000.
  func test_an_app_started_for_an_event_that_hangs_in_its_callback_is_killed_and_told_again() throws {
    let machine = try launchedAway()
    try machine.command("terminate", "region")
    machine.awaitEnd()
    let goodbyes = machine.heard.count { $0 == "goodbye" }
    machine.behave("hang")
    machine.goHome()
    machine.hears("entered")
    let number = try XCTUnwrap(machine.appNumbers.first)
    let start = try machine.startNanoseconds(of: number)
    machine.behave("")
    expectOverrun(of: number, machine)
    let seconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
    XCTAssertGreaterThanOrEqual(seconds, Self.wakeSeconds, "it has all of its time")
    machine.hears("returned entered")
    XCTAssertEqual(machine.heard.count { $0 == "goodbye" }, goodbyes, "it was not asked")
    XCTAssertEqual(machine.startsForEvents, 2)
    XCTAssertEqual(machine.heard.count { $0 == "entered" }, 2)
    XCTAssertEqual(machine.heard.count { $0 == "returned entered" }, 1)
  }

  /// Behaviour 3.6.
  func test_a_woken_app_that_hangs_in_its_callback_is_killed_and_told_again_at_its_next_start() throws {
    let machine = try launchedAway(behaviour: "hang=entered")
    try machine.command("background", "region")
    try machine.stands("suspended")
    let number = try XCTUnwrap(machine.appNumbers.first)
    machine.behave("")
    machine.goHome()
    machine.hears("entered")
    XCTAssertEqual(machine.appNumbers, [number], "a suspended app is woken, and not started")
    expectOverrun(of: number, machine)
    machine.hears("returned entered")
    XCTAssertEqual(machine.startsForEvents, 1)
    XCTAssertFalse(machine.heard.contains("goodbye"), "it was not asked")
  }

  /// Behaviour 3.7, 3.10; seed 004.
  func test_an_app_that_does_not_end_its_task_is_told_and_then_killed_and_the_log_says_why() throws {
    let machine = try InstalledAppMachine(
      policy: ["backgroundTaskSeconds": 1, "expirationGraceSeconds": 1, "backgroundEntrySeconds": 1])
    try machine.begin(behaviour: "task")
    try machine.command("launch", "region")
    machine.hears("active")
    let number = try XCTUnwrap(machine.appNumbers.first)
    try machine.command("background", "region")
    machine.hears("background")
    machine.hears("expired")
    machine.awaitEnd()
    for line in [
      "org.example.region was ended: its background time was over, and it had not ended upload.",
      "org.example.region is ended: its background time is over, and it has not ended upload.",
      "org.example.region ended (process \(number)): signal \(SIGKILL)",
    ] {
      XCTAssertTrue(waitUntil(secondsMax: 10) { machine.daemon.log.contains(line) }, "\(line): \(machine.daemon.log)")
    }
    XCTAssertFalse(machine.heard.contains("goodbye"))
  }
}

import Foundation
import Glibc
import XCTest

/// What goes wrong with an installed app is said in words that help, and what a person does about it does.
final class InstalledAppRepairTests: XCTestCase {
  func test_an_app_that_was_moved_away_is_said_to_be_so_and_is_started_once_it_is_installed_where_it_is() throws {
    let machine = try InstalledAppMachine(policy: ["crashLoopStartsMax": 3])
    try machine.beginAway()
    try machine.command("terminate", "region")
    machine.awaitEnd()
    let moved = machine.bundle.replacingOccurrences(of: "Region.app", with: "Moved.app")
    try FileManager.default.moveItem(atPath: machine.bundle, toPath: moved)
    machine.goHome()
    let isSaid = waitUntil(secondsMax: 60) { machine.daemon.log.contains("could not be started in 3 tries") }
    XCTAssertTrue(isSaid, machine.daemon.log)
    XCTAssertTrue(machine.daemon.log.contains("An event waits for org.example.region. \(machine.bundle)"))
    XCTAssertFalse(machine.daemon.log.contains("CommandProblem"), machine.daemon.log)
    XCTAssertTrue(try machine.standing().hasSuffix("held off, could not be started"))
    XCTAssertTrue(try machine.command("status").contains("it could not be started"))
    try FileManager.default.moveItem(atPath: moved, toPath: machine.bundle)
    try machine.command("install", machine.bundle)
    machine.hears("returned entered")
    XCTAssertEqual(machine.startsForEvents, 1)
  }

  func test_a_process_that_nobody_here_has_started_is_named_to_who_wants_the_app_ended_or_uninstalled() throws {
    let machine = try InstalledAppMachine()
    try machine.begin()
    machine.goAway()
    machine.daemon.receiver.feed()
    let plain = Process()
    plain.executableURL = URL(fileURLWithPath: machine.bundle + "/Region")
    plain.environment = ["CORELOCATION_SOCKET": machine.daemon.socketPath, "SWIFT_BACKTRACE": "enable=no"]
    try plain.run()
    machine.hears("state 2")
    for words in [["terminate", "region"], ["terminate", "region", "--force"], ["uninstall", "region"]] {
      let run = try machine.run(words)
      XCTAssertNotEqual(run.status, 0, "\(words)")
      XCTAssertTrue(run.output.contains("kill \(plain.processIdentifier)"), "\(words): \(run.output)")
    }
    kill(plain.processIdentifier, SIGKILL)
    plain.waitUntilExit()
    let isGone = waitUntil(secondsMax: 30) { (try? machine.standing())?.hasSuffix(" -") == true }
    XCTAssertTrue(isGone, machine.daemon.log)
    XCTAssertEqual(try machine.command("terminate", "region"), "org.example.region does not run.\n")
    try machine.command("uninstall", "region")
  }

  func test_the_log_says_who_had_an_app_ended() throws {
    let machine = try InstalledAppMachine()
    try machine.begin()
    try machine.command("launch", "region")
    machine.hears("active")
    try machine.command("terminate", "region")
    machine.awaitEnd()
    try machine.command("launch", "region")
    machine.hears("active", count: 2)
    try machine.command("terminate", "region", "--force")
    machine.awaitEnd()
    XCTAssertTrue(machine.daemon.log.contains(", as was asked."), machine.daemon.log)
    XCTAssertTrue(machine.daemon.log.contains(": signal 9 (Killed), by a force-quit."), machine.daemon.log)
  }

  /// Without control groups, which a user who may make none does not have, nothing tells whose it was.
  func test_what_an_app_has_left_behind_without_a_mark_ends_with_the_service() throws {
    try TestPrograms.requireRoot()
    try TestPrograms.require("/usr/bin/setpriv")
    let machine = try InstalledAppMachine(user: 61_004)
    try machine.begin(behaviour: "abandon")
    try machine.command("launch", "region")
    machine.hears("abandoned")
    let line = try XCTUnwrap(machine.heard.first { $0.hasPrefix("abandoned ") })
    let left = try XCTUnwrap(line.split(separator: " ").last.flatMap { Int32($0) })
    defer { kill(left, SIGKILL) }
    try machine.command("terminate", "region")
    machine.awaitEnd()
    XCTAssertEqual(kill(left, 0), 0, "it got away from its app")
    machine.daemon.signal(SIGTERM)
    XCTAssertTrue(waitUntil(secondsMax: 30) { kill(left, 0) != 0 }, machine.daemon.log)
    XCTAssertTrue(machine.daemon.log.contains("Process \(left), which an app has left behind, is killed."))
  }
}

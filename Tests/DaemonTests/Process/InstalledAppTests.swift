import Foundation
import Glibc
import XCTest

/// The life of an installed app with real processes and real signals: app, service, receiver, commands.
final class InstalledAppTests: XCTestCase {
  /// The app is in the foreground, and the device far from its region.
  private func launchedAway(policy: [String: Any] = [:]) throws -> InstalledAppMachine {
    let machine = try InstalledAppMachine(policy: policy)
    try machine.beginAway()
    return machine
  }

  /// Behaviour 1.23, 3.6, 4.5, 5.23; seed 000.
  func test_a_crossing_starts_an_app_that_was_ended_and_later_wakes_it() throws {
    let machine = try launchedAway(policy: ["wakeWindowSeconds": 3])
    XCTAssertTrue(try machine.standing().contains("foreground"))
    try machine.command("terminate", "region")
    XCTAssertEqual(machine.heard.last, "goodbye")
    machine.awaitEnd()
    machine.goHome()
    machine.hears("returned entered")
    XCTAssertEqual(machine.startsForEvents, 1)
    try machine.stands("suspended")
    machine.goAway()
    machine.hears("returned exited")
    XCTAssertEqual(machine.startsForEvents, 1, "a suspended app is woken, and not started")
    XCTAssertEqual(machine.heard.count { $0 == "entered" || $0 == "exited" }, 2)
  }

  /// Behaviour 1.23, 4.5, 8.1.
  func test_a_visit_starts_an_app_that_was_ended_and_later_wakes_it() throws {
    try startsAndWakes(
      "visits", InstalledAppMachine.quickVisits, first: ["arrived 0"], away: ["left 0", "arrived 400"],
      home: ["left 400", "arrived 0"])
  }

  /// Behaviour 1.23, 4.5, 4.6; seed 000.
  func test_a_significant_change_starts_an_app_that_was_ended_and_later_wakes_it() throws {
    try startsAndWakes(
      "changes", InstalledAppMachine.quickChanges, first: ["moved 0"], away: ["moved 400"], home: ["moved 0"])
  }

  /// Behaviour 4.4, whose quarter of an hour is two seconds here; seed 000.
  func test_where_nothing_changes_an_app_is_woken_and_started_all_the_same() throws {
    let policy = InstalledAppMachine.quickChanges.merging(["significantChangeWakeSeconds": 2]) { $1 }
    let machine = try InstalledAppMachine(policy: policy)
    try machine.begin(behaviour: "changes")
    machine.goHome()
    machine.daemon.receiver.feed()
    try machine.command("launch", "region")
    guard machine.hears("returned moved 0", count: 2) else { return }
    try machine.command("terminate", "region")
    guard machine.hears("launched location") else { return }
    let count = machine.heard.count { $0 == "returned moved 0" }
    machine.hears("returned moved 0", count: count + 1)
    XCTAssertFalse(machine.heard.contains("moved 400"))
  }

  func test_an_event_starts_nothing_where_the_bundle_holds_another_app_than_was_installed() throws {
    let machine = try launchedAway()
    try machine.command("terminate", "region")
    let path = machine.bundle + "/Info.plist"
    let list = try String(contentsOfFile: path, encoding: .utf8)
    XCTAssertTrue(list.contains(InstalledAppMachine.name))
    try list.replacingOccurrences(of: InstalledAppMachine.name, with: "org.example.other")
      .write(toFile: path, atomically: true, encoding: .utf8)
    machine.goHome()
    XCTAssertTrue(waitUntil(secondsMax: 30) { machine.daemon.log.contains("holds another app or program") })
    XCTAssertEqual(machine.startsForEvents, 0)
  }

  func test_a_second_service_at_the_same_socket_touches_none_of_the_apps_of_the_first() throws {
    let machine = try InstalledAppMachine()
    try machine.begin()
    try machine.command("launch", "region")
    machine.hears("active")
    let apps = machine.appNumbers
    XCTAssertEqual(apps.count, 1)
    let second = try RunningDaemon()
    try second.begin(ownArguments: [
      "--user", "--socket", machine.daemon.socketPath, "--state", second.folder.path + "/state", "--source",
      "nmea:" + second.receiver.path,
    ])
    XCTAssertEqual(second.waitForEnd().status, 1)
    XCTAssertTrue(second.log.contains("listens at \(machine.daemon.socketPath) already"), second.log)
    XCTAssertEqual(machine.appNumbers, apps)
    XCTAssertTrue(try machine.standing().contains("foreground"))
  }

  private func startsAndWakes(
    _ behaviour: String, _ policy: [String: Any], first: [String], away: [String], home: [String]
  ) throws {
    let machine = try InstalledAppMachine(policy: policy.merging(["wakeWindowSeconds": 3]) { $1 })
    try machine.begin(behaviour: behaviour)
    machine.goHome()
    machine.daemon.receiver.feed()
    try machine.command("launch", "region")
    var returned = first.map { "returned \($0)" }
    guard machine.returns(returned) else { return }
    try machine.command("terminate", "region")
    machine.awaitEnd()
    machine.goAway()
    returned += away.map { "returned \($0)" }
    guard machine.returns(returned) else { return }
    XCTAssertEqual(machine.startsForEvents, 1, "in the background, with the location launch option")
    try machine.stands("suspended")
    machine.goHome()
    returned += home.map { "returned \($0)" }
    guard machine.returns(returned) else { return }
    XCTAssertEqual(machine.startsForEvents, 1, "a suspended app is woken, and not started")
  }

  func test_what_ran_when_the_service_was_killed_runs_again_and_nothing_is_left_frozen() throws {
    let machine = try InstalledAppMachine(policy: ["crashLoopSeconds": 0])
    try machine.begin(behaviour: "follow")
    machine.daemon.receiver.feed()
    try machine.command("launch", "region")
    machine.hears("fix")
    // In front.
    try killService(of: machine)
    machine.hears("active", count: 2)
    try machine.stands("foreground")
    XCTAssertEqual(machine.heard.count { $0.hasPrefix("launched person") }, 2)
    // In the background, and suspended.
    try machine.command("background", "region")
    try machine.stands("suspended")
    let launches = machine.heard.count { $0.hasPrefix("launched") }
    try killService(of: machine)
    XCTAssertTrue(waitUntil(secondsMax: 30) { machine.appNumbers.isEmpty }, "it is ended, and not left frozen")
    // The answer comes after all that the service has to begin with.
    try machine.command("status")
    XCTAssertEqual(machine.heard.count { $0.hasPrefix("launched") }, launches, "nothing waits for it")
    XCTAssertFalse(machine.heard.contains("goodbye"))
  }

  func test_an_app_that_follows_in_the_background_goes_on_there_after_the_service_was_killed() throws {
    let machine = try InstalledAppMachine(policy: ["crashLoopSeconds": 0])
    try machine.begin(behaviour: "follow background")
    machine.daemon.receiver.feed()
    try machine.command("launch", "region")
    machine.hears("fix")
    try machine.command("background", "region")
    try machine.stands("background")
    try killService(of: machine)
    XCTAssertTrue(waitUntil(secondsMax: 60) { machine.startsForEvents == 1 }, machine.daemon.log)
    let count = machine.heard.count
    XCTAssertTrue(waitUntil(secondsMax: 60) { machine.heard.dropFirst(count).contains { $0.hasPrefix("fix ") } })
    try machine.stands("background")
  }

  func test_after_an_ordered_end_of_the_service_and_where_it_is_killed_at_once_again_nothing_comes_back() throws {
    let machine = try InstalledAppMachine(policy: ["crashLoopSeconds": 3_600])
    try machine.begin()
    machine.daemon.receiver.feed()
    try machine.command("launch", "region")
    machine.hears("active")
    try killService(of: machine)
    try machine.command("status")
    machine.awaitEnd()
    try machine.command("launch", "region")
    machine.hears("active", count: 2)
    machine.daemon.stop()
    try machine.daemon.start()
    try machine.command("status")
    XCTAssertEqual(machine.heard.count { $0.hasPrefix("launched") }, 2)
  }

  private func killService(of machine: InstalledAppMachine) throws {
    machine.daemon.signal(SIGKILL)
    _ = machine.daemon.waitForEnd()
    try machine.daemon.start()
  }

  func test_a_suspended_app_uses_no_processor_and_has_all_that_came_when_it_runs_again() throws {
    let machine = try InstalledAppMachine(modes: [])
    try machine.begin(behaviour: "follow")
    machine.daemon.receiver.feed()
    try machine.command("launch", "region")
    machine.hears("fix")
    try machine.command("background", "region")
    machine.hears("background")
    try machine.stands("suspended")
    let number = try XCTUnwrap(machine.appNumbers.first)
    let before = (
      try machine.usedTicks(number), machine.heard.count, machine.daemon.receiver.told.withLock { $0.count }
    )
    // Seconds of fixes, and a crossing, which wakes nobody without Always.
    XCTAssertTrue(
      waitUntil(secondsMax: 60) { machine.daemon.receiver.told.withLock { $0.count } >= before.2 + 30 })
    XCTAssertEqual(try machine.usedTicks(number), before.0)
    XCTAssertEqual(machine.heard.count, before.1)
    let told = machine.daemon.receiver.told.withLock { $0.keys.sorted() }.dropLast(5)
    try machine.command("foreground", "region")
    XCTAssertTrue(waitUntil(secondsMax: 60) { fixes(machine).last ?? 0 >= told.last ?? 0 })
    let heard = fixes(machine)
    XCTAssertEqual(heard, heard.sorted(), "in order")
    let first = try XCTUnwrap(heard.first)
    XCTAssertEqual(told.filter { $0 >= first && !heard.contains($0) }, [], "none is missing")
  }

  private func fixes(_ machine: InstalledAppMachine) -> [Int64] {
    machine.heard.compactMap { line in line.hasPrefix("fix ") ? Int64(line.dropFirst(4)) : nil }
  }

  /// Behaviour 3.14, cases SP-7.
  func test_after_a_force_quit_the_policy_says_whether_a_crossing_starts_the_app_also_after_a_restart() throws {
    let machine = try InstalledAppMachine(policy: ["relaunchesAfterForceQuit": false])
    try machine.beginAway()
    try machine.command("terminate", "region", "--force")
    XCTAssertFalse(machine.heard.contains("goodbye"), "at once, without a word")
    machine.daemon.stop()
    try machine.daemon.start()
    machine.goHome()
    XCTAssertTrue(
      waitUntil(secondsMax: 60) { (try? machine.command("regions").contains("inside")) == true }, "it is watched")
    XCTAssertEqual(machine.startsForEvents, 0)
    try machine.command("launch", "region")
    machine.hears("returned entered")
  }

  /// Behaviour 3.11; seed 004.
  func test_with_background_refresh_off_no_crossing_starts_an_app_until_the_person_opens_it() throws {
    let machine = try InstalledAppMachine()
    try machine.beginAway()
    try machine.command("terminate", "region")
    try machine.command("refresh", "off", "--app", "region")
    machine.daemon.signal(SIGKILL)
    _ = machine.daemon.waitForEnd()
    try machine.daemon.start()
    machine.goHome()
    XCTAssertTrue(
      waitUntil(secondsMax: 60) { (try? machine.command("regions").contains("inside")) == true }, "it is watched")
    XCTAssertEqual(machine.startsForEvents, 0)
    try machine.command("launch", "region")
    machine.hears("returned entered")
  }

  /// What the first installation's process has noted as done says nothing of events of the second one.
  func test_an_app_that_is_installed_again_hears_the_crossing_it_is_started_for() throws {
    let machine = try launchedAway()
    machine.goHome()
    machine.hears("returned entered")
    machine.goAway()
    machine.hears("settled exited")
    machine.hears("state 2", count: 2)
    try machine.command("terminate", "region")
    machine.awaitEnd()
    try machine.command("uninstall", "region")
    try machine.begin()
    // By hand: no start by the service makes the file of what is done anew.
    let plain = Process()
    plain.executableURL = URL(fileURLWithPath: machine.bundle + "/Region")
    plain.environment = ["CORELOCATION_SOCKET": machine.daemon.socketPath, "SWIFT_BACKTRACE": "enable=no"]
    try plain.run()
    machine.hears("state 2", count: 3)
    kill(plain.processIdentifier, SIGKILL)
    plain.waitUntilExit()
    machine.goHome()
    machine.hears("returned entered", count: 2)
    XCTAssertEqual(machine.startsForEvents, 1)
  }

  func test_an_app_that_ends_as_soon_as_it_is_started_is_left_alone_for_a_while() throws {
    let machine = try InstalledAppMachine(policy: ["crashLoopStartsMax": 3])
    try machine.beginAway()
    try machine.command("terminate", "region")
    machine.behave("die")
    machine.goHome()
    XCTAssertTrue(waitUntil(secondsMax: 60) { machine.daemon.log.contains("was started 3 times") }, machine.daemon.log)
    XCTAssertEqual(machine.heard.count { $0 == "entered" }, 3, "killed inside its callback, it gets the event again")
    XCTAssertTrue(try machine.command("apps").contains("held off, ended at once"))
    XCTAssertTrue(try machine.command("status").contains("Events do not start"))
    machine.behave("")
    try machine.command("launch", "region")
    machine.hears("returned entered")
    XCTAssertFalse(try machine.command("status").contains("Events do not start"))
  }
}

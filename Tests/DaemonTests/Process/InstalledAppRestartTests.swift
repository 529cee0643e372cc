import Foundation
import Glibc
import LocationModel
import XCTest

@testable import LocationService

/// What a start of the machine leaves of installed apps: nothing comes back but what an event waits for.
final class InstalledAppRestartTests: XCTestCase {
  private func launchedAway(behaviour: String) throws -> InstalledAppMachine {
    let machine = try InstalledAppMachine(policy: ["crashLoopSeconds": 0])
    try machine.beginAway(behaviour: behaviour)
    XCTAssertTrue(try machine.standing().contains("foreground"))
    return machine
  }

  /// The service is killed with its machine; the store says that it last ran before another start of it.
  private func restart(_ machine: InstalledAppMachine, afterStartOfMachine isAfter: Bool) throws {
    machine.daemon.signal(SIGKILL)
    _ = machine.daemon.waitForEnd()
    if isAfter {
      let now = WallTime(secondsSince1970: Date().timeIntervalSince1970)
      let store = try LocationStore(folder: machine.daemon.folder.path + "/state", now: now, log: { XCTFail($0) })
      XCTAssertNotNil(try store.lastMachineStart(), "the service has noted it")
      let before = try XCTUnwrap(try store.lastServiceStart())
      try store.store(machineStart: "00000000-0000-4000-8000-000000000000", serviceStart: before)
    }
    try machine.daemon.start()
  }

  func test_after_a_start_of_the_machine_no_app_comes_back_that_was_in_front() throws {
    let machine = try launchedAway(behaviour: "")
    // In the same start it does.
    try restart(machine, afterStartOfMachine: false)
    machine.hears("active", count: 2)
    try restart(machine, afterStartOfMachine: true)
    machine.awaitEnd()
    // The answer comes after all that the service has to begin with.
    try machine.command("status")
    machine.awaitPlaces(5)
    XCTAssertEqual(machine.heard.count { $0.hasPrefix("launched") }, 2, machine.daemon.log)
    XCTAssertTrue(try machine.standing().hasSuffix("-"))
    // It is watched as before.
    machine.goHome()
    machine.hears("returned entered")
    XCTAssertEqual(machine.startsForEvents, 1)
  }

  func test_after_a_start_of_the_machine_what_waits_for_an_app_starts_it_in_the_background() throws {
    let machine = try launchedAway(behaviour: "hang=entered")
    machine.goHome()
    machine.hears("entered")
    machine.behave("")
    try restart(machine, afterStartOfMachine: true)
    machine.hears("returned entered")
    XCTAssertEqual(machine.startsForEvents, 1)
    XCTAssertEqual(machine.heard.count { $0 == "active" }, 1, "it is not in front again")
    XCTAssertTrue(try machine.standing().contains("background"))
  }
}

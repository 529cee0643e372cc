import Foundation
import Glibc
import XCTest

@testable import LocationService

/// Suspended means no processor time, by the kernel's word (proc_pid_stat(5)), of an app that would use all it gets.
final class InstalledAppStandstillTests: XCTestCase {
  func test_an_app_that_never_rests_gets_no_processor_while_its_group_is_frozen() throws {
    if GroupTree.find(owner: UUID().uuidString) == nil {
      try TestPrograms.skipOrFail("no control group of version 2 can be made here (mount -t cgroup2, as root)")
    }
    try prove(.frozen, InstalledAppMachine(policy: Self.policy, modes: []))
  }

  /// The service of a user who may write in no control group: the machine's are root's.
  func test_an_app_that_never_rests_gets_no_processor_while_its_processes_are_stopped() throws {
    try TestPrograms.requireRoot()
    try TestPrograms.require("/usr/bin/setpriv")
    try prove(.stopped, InstalledAppMachine(policy: Self.policy, modes: [], user: 61_003))
  }

  private static let policy = ["backgroundEntrySeconds": 0.5]

  private func prove(_ expected: InstalledAppMachine.Standstill, _ machine: InstalledAppMachine) throws {
    try machine.begin(behaviour: "spin")
    machine.daemon.receiver.feed()
    try machine.command("launch", "region")
    machine.hears("active")
    let number = try XCTUnwrap(machine.appNumbers.first)
    for _ in 0..<2 {
      try expectWork(number, machine)
      try machine.command("background", "region")
      try machine.stands("suspended")
      XCTAssertTrue(waitUntil(secondsMax: 30) { machine.standstill(of: number) == expected }, machine.daemon.log)
      let before = try machine.usedTicks(number)
      machine.awaitPlaces(15)
      XCTAssertEqual(try machine.usedTicks(number), before, "one second and a half without a tick of a processor")
      try machine.command("foreground", "region")
    }
    try expectWork(number, machine)
    XCTAssertNil(machine.standstill(of: number))
    XCTAssertEqual(machine.appNumbers, [number])
  }

  /// Its ticks grow by a tenth of a second.
  private func expectWork(_ number: Int32, _ machine: InstalledAppMachine) throws {
    let before = try machine.usedTicks(number)
    let hasWorked = waitUntil(secondsMax: 30) { ((try? machine.usedTicks(number)) ?? 0) >= before + 10 }
    XCTAssertTrue(hasWorked, "it gets no processor; \(machine.daemon.log)")
  }
}

import Foundation
import Glibc
import LocationEngine
import LocationRuntime
import XCTest

/// Installed apps of persons whom the system's service serves, with real processes: the service, each person's
/// supervisor as that user, the app, receiver, commands. Needs root.
final class SystemSupervisorTests: XCTestCase {
  private let person: UInt32 = 61_001
  private let other: UInt32 = 61_002

  private func makeSystem(_ policy: [String: Any] = [:]) throws -> SystemMachine {
    try SystemMachine(policy: InstalledAppMachine.policy(policy))
  }

  /// The user of a process, by the kernel.
  private func user(of number: Int32) -> UInt32? {
    var status = stat()
    return stat("/proc/\(number)", &status) == 0 ? status.st_uid : nil
  }

  private func letGo(_ machine: InstalledAppMachine) throws {
    machine.goAway()
    machine.daemon.receiver.feed()
    try machine.command("launch", "region")
    machine.hears("state 2")
    try machine.command("terminate", "region")
    XCTAssertTrue(waitUntil(secondsMax: 30) { machine.appNumbers.isEmpty })
  }

  /// Behaviour 1.23, 3.6, 4.5, 5.23.
  func test_a_crossing_that_the_systems_service_decides_starts_an_app_by_its_persons_supervisor_and_wakes_it() throws {
    let machine = try InstalledAppMachine(makeSystem(["wakeWindowSeconds": 3]), user: person)
    try machine.beginAway()
    XCTAssertTrue(try machine.standing().contains("foreground"))
    XCTAssertEqual(machine.appNumbers.compactMap(user(of:)), [person], "it has its person's rights, and no others")
    try machine.command("terminate", "region")
    XCTAssertEqual(machine.heard.last, "goodbye")
    XCTAssertTrue(waitUntil(secondsMax: 30) { machine.appNumbers.isEmpty })
    machine.goHome()
    machine.hears("returned entered")
    XCTAssertEqual(machine.startsForEvents, 1, "in the background, with the location launch option")
    try machine.stands("suspended")
    let number = try XCTUnwrap(machine.appNumbers.first)
    let before = (try machine.usedTicks(number), machine.daemon.receiver.told.withLock { $0.count })
    XCTAssertTrue(waitUntil(secondsMax: 60) { machine.daemon.receiver.told.withLock { $0.count } >= before.1 + 30 })
    XCTAssertEqual(try machine.usedTicks(number), before.0, "three seconds without a tick of a processor")
    machine.goAway()
    machine.hears("returned exited")
    XCTAssertEqual(machine.appNumbers, [number], "a suspended app is woken, and not started")
    XCTAssertEqual(machine.heard.count { $0 == "entered" || $0 == "exited" }, 2)
  }

  func test_without_a_supervisor_an_event_waits_and_everybody_is_told_why_until_one_comes() throws {
    let machine = try InstalledAppMachine(makeSystem(), user: person)
    try machine.begin()
    try letGo(machine)
    machine.supervisor?.end(SIGTERM)
    let refused = try machine.run(["launch", "region"])
    XCTAssertEqual(refused.status, 1)
    XCTAssertTrue(refused.output.contains("user \(person) has no supervisor"), refused.output)
    XCTAssertTrue(refused.output.contains("--supervise \(machine.daemon.socketPath)"), refused.output)
    machine.goHome()
    try machine.stands("waits for a supervisor")
    XCTAssertTrue(try machine.command("status").contains("1 app has an event waiting"))
    let doctor = try machine.run(["doctor"])
    XCTAssertTrue(doctor.output.contains("an event waits for 1 app"), doctor.output)
    XCTAssertTrue(machine.daemon.log.contains("An event waits for \(InstalledAppMachine.name)"), machine.daemon.log)
    // Also a service that knows it from its store only.
    machine.daemon.signal(SIGKILL)
    _ = machine.daemon.waitForEnd()
    try machine.daemon.start()
    try machine.stands("waits for a supervisor")
    XCTAssertEqual(machine.startsForEvents, 0)
    try machine.supervise()
    machine.hears("returned entered")
    XCTAssertEqual(machine.startsForEvents, 1)
    XCTAssertEqual(machine.heard.count { $0 == "entered" }, 1)
  }

  /// Behaviour 1.23: only Always lets an app be started.
  func test_what_waited_for_a_supervisor_starts_nothing_where_permission_has_gone_meanwhile() throws {
    let machine = try InstalledAppMachine(makeSystem(), user: person)
    try machine.begin()
    try letGo(machine)
    machine.supervisor?.end(SIGTERM)
    machine.goHome()
    try machine.stands("waits for a supervisor")
    try machine.command("grant", InstalledAppMachine.name, "whenInUse")
    try machine.supervise()
    // The answer comes after all that the supervisor's coming has set off.
    try machine.command("status")
    XCTAssertEqual(machine.startsForEvents, 0)
    XCTAssertTrue(try machine.standing().hasSuffix("-"))
  }

  // MARK: Who was killed

  func test_a_killed_supervisors_apps_are_ended_frozen_or_not_and_come_back_as_they_stood() throws {
    let machine = try InstalledAppMachine(makeSystem(["crashLoopSeconds": 0]), user: person)
    try machine.begin(behaviour: "follow")
    machine.daemon.receiver.feed()
    try machine.command("launch", "region")
    machine.hears("fix")
    let first = try XCTUnwrap(machine.appNumbers.first)
    machine.supervisor?.end(SIGKILL)
    // Nobody could suspend it: it is told nothing more.
    XCTAssertTrue(waitUntil(secondsMax: 30) { machine.daemon.log.contains("its supervisor has gone") })
    XCTAssertEqual(machine.appNumbers, [first], "nobody is there to end it")
    try machine.supervise()
    machine.hears("active", count: 2)
    try machine.stands("foreground")
    XCTAssertFalse(machine.appNumbers.contains(first), "what was left is ended")
    XCTAssertEqual(machine.heard.count { $0.hasPrefix("launched person") }, 2)
    // Suspended.
    try machine.command("background", "region")
    try machine.stands("suspended")
    let launches = machine.heard.count { $0.hasPrefix("launched") }
    machine.supervisor?.end(SIGKILL)
    try machine.supervise()
    XCTAssertTrue(waitUntil(secondsMax: 30) { machine.appNumbers.isEmpty }, "it is ended, and not left frozen")
    try machine.command("status")
    XCTAssertEqual(machine.heard.count { $0.hasPrefix("launched") }, launches, "nothing waits for it")
    XCTAssertFalse(machine.heard.contains("goodbye"))
  }

  func test_where_the_systems_service_is_killed_its_apps_are_told_and_ended_and_come_back_with_it() throws {
    let machine = try InstalledAppMachine(makeSystem(["crashLoopSeconds": 0]), user: person)
    try machine.begin(behaviour: "follow")
    machine.daemon.receiver.feed()
    try machine.command("launch", "region")
    machine.hears("fix")
    machine.daemon.signal(SIGKILL)
    _ = machine.daemon.waitForEnd()
    machine.hears("goodbye")
    XCTAssertTrue(waitUntil(secondsMax: 30) { machine.appNumbers.isEmpty })
    try machine.daemon.start()
    machine.hears("active", count: 2)
    try machine.stands("foreground")
    // In order nothing comes back.
    machine.daemon.stop()
    XCTAssertTrue(waitUntil(secondsMax: 30) { machine.appNumbers.isEmpty })
    try machine.daemon.start()
    machine.awaitSupervisor()
    XCTAssertEqual(machine.heard.count { $0.hasPrefix("launched") }, 2)
  }

  // MARK: Persons among each other

  func test_supervisors_of_two_users_and_of_root_never_touch_each_others_apps() throws {
    let system = try makeSystem(["crashLoopSeconds": 0])
    let machines = try [person, other, 0].map { try InstalledAppMachine(system, user: $0) }
    for machine in machines { try machine.begin() }
    system.daemon.receiver.feed()
    for machine in machines {
      try machine.command("launch", "region")
      machine.hears("active")
    }
    let numbers = machines.map(\.appNumbers)
    XCTAssertEqual(numbers.map { $0.compactMap(user(of:)) }, [[person], [other], [0]])
    // One that ends, is killed or comes ends its own user's apps, and no others; root sees all of them.
    for (index, machine) in machines.enumerated() {
      machine.supervisor?.end(SIGKILL)
      try machine.supervise()
      machine.hears("active", count: 2)
      for (position, neighbour) in machines.enumerated() where position != index {
        XCTAssertEqual(neighbour.appNumbers, position < index ? neighbour.appNumbers : numbers[position])
        XCTAssertEqual(neighbour.heard.count { $0.hasPrefix("launched") }, position < index ? 2 : 1)
        XCTAssertTrue(try neighbour.standing().contains("foreground"))
      }
    }
    // A command reaches the own app alone, though all have the same identifier.
    try machines[0].command("terminate", "region")
    XCTAssertTrue(waitUntil(secondsMax: 30) { machines[0].appNumbers.isEmpty })
    XCTAssertEqual(machines.map { $0.heard.count { $0 == "goodbye" } }, [1, 0, 0])
    machines[1].supervisor?.end(SIGTERM)
    machines[1].hears("goodbye")
    XCTAssertEqual(machines[2].appNumbers.count, 1)
    XCTAssertFalse(machines[2].heard.contains("goodbye"))
  }

  func test_a_second_supervisor_of_a_user_is_refused_and_ends_nothing() throws {
    let system = try makeSystem()
    let machine = try InstalledAppMachine(system, user: person)
    try machine.begin()
    machine.daemon.receiver.feed()
    try machine.command("launch", "region")
    machine.hears("active")
    let folder = system.daemon.folder.path + "/second"
    XCTAssertEqual(mkdir(folder, 0o755), 0)
    XCTAssertEqual(chown(folder, person, person), 0)
    let second = RunningSupervisor(
      of: person, socket: system.daemon.socketPath, program: system.programs + "/corelocationd", in: folder)
    try second.start()
    XCTAssertTrue(
      waitUntil(secondsMax: 30) { second.log.contains("user \(person) has a supervisor already") }, second.log)
    XCTAssertEqual(machine.appNumbers.count, 1)
    XCTAssertTrue(try machine.standing().contains("foreground"))
    // It waits, and takes over from the first.
    machine.supervisor?.end(SIGTERM)
    XCTAssertTrue(waitUntil(secondsMax: 30) { second.log.contains("Supervising the apps of user \(person)") })
    try machine.command("launch", "region")
    machine.hears("active", count: 2)
    second.end(SIGTERM)
  }

  // MARK: What is started

  func test_a_bundle_that_has_become_another_is_not_started_for_an_event_either() throws {
    let machine = try InstalledAppMachine(makeSystem(["crashLoopStartsMax": 2]), user: person)
    try machine.begin()
    try letGo(machine)
    let plist = try String(contentsOfFile: machine.bundle + "/Info.plist", encoding: .utf8)
    try plist.replacingOccurrences(of: InstalledAppMachine.name, with: "org.example.stranger")
      .write(toFile: machine.bundle + "/Info.plist", atomically: true, encoding: .utf8)
    let refused = try machine.run(["launch", "region"])
    XCTAssertEqual(refused.status, 1)
    XCTAssertTrue(refused.output.contains("install it again"), refused.output)
    machine.goHome()
    XCTAssertTrue(waitUntil(secondsMax: 60) { machine.daemon.log.contains("was started 2 times") }, machine.daemon.log)
    XCTAssertEqual(machine.startsForEvents, 0)
    try plist.write(toFile: machine.bundle + "/Info.plist", atomically: true, encoding: .utf8)
    try machine.command("launch", "region")
    machine.hears("returned entered")
  }
}

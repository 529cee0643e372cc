import Foundation
import Glibc
import LinuxIO
import LocationEngine
import LocationRuntime
import XCTest

@testable import LocationService

/// Real processes and real signals. XCTest, since it blocks.
final class ProcessSupervisorTests: XCTestCase {
  // MARK: Suspended

  func testStoppedAppUsesNoProcessorChildrenAndOrphansIncluded() throws {
    try checkSuspension(SupervisorBench(role: "family"))
  }

  func testFrozenAppUsesNoProcessorChildrenAndOrphansIncluded() throws {
    try checkSuspension(SupervisorBench(role: "family", groups: try groups()))
  }

  /// Behaviour 3.6: a suspended app gets no time at all. Another app that spins says how much it could have had.
  private func checkSuspension(_ bench: SupervisorBench) throws {
    try bench.launch()
    let family = try bench.ready()
    XCTAssertEqual(family.count, 3)
    XCTAssertTrue(comes { usedTicks(family).allSatisfy { $0 >= 3 } }, "each of them spins")
    bench.suspend()
    try waitUntilStill(family)
    let before = usedTicks(family)
    let control = SupervisorBench.other
    let clock = try SupervisorBench(role: "spin")
    let spinner = [try clock.launch(control)]
    XCTAssertTrue(comes { usedTicks(spinner)[0] >= 30 })
    XCTAssertEqual(usedTicks(family), before)
    bench.resume()
    XCTAssertTrue(comes { zip(usedTicks(family), before).allSatisfy { $0 > $1 } }, "each of them goes on")
    bench.terminate(.forceQuit)
    XCTAssertEqual(try bench.end().termination, .forceQuit)
    XCTAssertTrue(comes { family.allSatisfy(hasEnded) }, "nothing is left")
    XCTAssertEqual(bench.lines.all.filter { $0.contains("cannot") || $0.contains("not stopped") }, [])
  }

  /// The kernel takes a moment to stop what runs on another processor.
  private func waitUntilStill(_ family: [Int32]) throws {
    XCTAssertTrue(
      comes {
        let states = family.compactMap { ProcessFamily.process($0)?.state }
        let isFrozen = family.allSatisfy { number in
          let text = (try? SmallFile(path: "/proc/\(number)/cgroup")).map { String(decoding: $0.bytes, as: UTF8.self) }
          guard let line = text?.split(separator: "\n").first(where: { $0.hasPrefix("0::") }),
            let tree = GroupTree.find(owner: "test"), line.count > 4
          else { return false }
          let events = try? SmallFile(path: tree.folder + line.dropFirst(3) + "/cgroup.events")
          return events.map { String(decoding: $0.bytes, as: UTF8.self).contains("frozen 1") } ?? false
        }
        return states == family.map { _ in "T" } || isFrozen
      })
  }

  func testProcessesMadeWhileTheAppIsStoppedAreStoppedToo() throws {
    let bench = try SupervisorBench(role: "breed")
    let number = try bench.launch()
    _ = try bench.ready()
    bench.suspend()
    let family = ProcessFamily(root: number, rootStartTicks: 0, mark: "none=")
    XCTAssertTrue(comes { family.members().allSatisfy { ProcessFamily.process($0.number)?.state == "T" } })
    let members = family.members()
    bench.resume()
    XCTAssertTrue(comes { ProcessFamily.process(members[0].number).map { $0.state != "T" } ?? false })
    bench.terminate(.forceQuit)
    _ = try bench.end()
    XCTAssertTrue(comes { members.allSatisfy { hasEnded($0.number) } })
  }

  /// Where apps are stopped by signals: each process of such a chain is gone before a second look.
  func testAChainOfForksDoesNotOutrunSuspensionNorTheEnd() throws {
    // Another app that spins says how long the chain had for its next link.
    let clock = try SupervisorBench(role: "spin")
    let spinner = [try clock.launch(SupervisorBench.other)]
    let bench = try SupervisorBench(role: "run away")
    // The first launches of two supervisors in one process have the same name.
    bench.skipLaunchName()
    for round in 0..<20 {
      let number = try bench.launch()
      _ = try bench.ready()
      let family = ProcessFamily(
        root: number, rootStartTicks: ProcessFamily.process(number)?.startTicks ?? 0,
        mark: try mark(of: number))
      bench.suspend()
      let members = Set(family.members().map(\.number))
      XCTAssertGreaterThan(members.count, 1, "round \(round): a link of the chain was caught")
      let before = usedTicks(spinner)[0]
      XCTAssertTrue(comes { usedTicks(spinner)[0] >= before + 3 })
      XCTAssertEqual(Set(family.members().map(\.number)), members, "round \(round): it is where it was")
      bench.terminate(.forceQuit)
      _ = try bench.end()
      XCTAssertTrue(comes { family.members().isEmpty }, "round \(round): nothing is left")
    }
    XCTAssertEqual(bench.lines.all.filter { $0.contains("not stopped") }, [])
  }

  private func mark(of number: Int32) throws -> String {
    let line = try XCTUnwrap(
      ProcessFamily.environment(of: number).first { $0.starts(with: "\(LaunchEnvironment.launchVariable)=".utf8) })
    return String(decoding: line, as: UTF8.self)
  }

  func testSuspendedAppCanBeEndedAndHearsNothingOfIt() throws {
    for groups in [nil, GroupTree.find(owner: UUID().uuidString)] {
      let bench = try SupervisorBench(role: "polite", groups: groups)
      try bench.launch()
      _ = try bench.ready()
      bench.suspend()
      bench.terminate(.asked)
      let end = try bench.end()
      XCTAssertEqual(end.end, .killed(signal: SIGKILL), "no last words (behaviour 3.9 is for apps that run)")
      XCTAssertFalse(end.isCrash)
    }
  }

  // MARK: Ends

  func testAskedAppHasItsLastWords() throws {
    let bench = try SupervisorBench(role: "polite")
    let number = try bench.launch()
    _ = try bench.ready()
    bench.terminate(.asked)
    XCTAssertEqual(try bench.line(), "goodbye")
    XCTAssertEqual(try bench.end(), AppEnd(processNumber: number, end: .exited(status: 7), termination: .asked))
  }

  func testAppThatDoesNotListenIsKilledAfterItsTime() throws {
    let bench = try SupervisorBench(role: "deaf", lastWordsSeconds: 0.05)
    try bench.launch()
    _ = try bench.ready()
    bench.terminate(.asked)
    XCTAssertEqual(try bench.end().end, .killed(signal: SIGKILL))
    XCTAssertTrue(bench.lines.all.contains { $0.contains("has not ended within") })
  }

  func testServiceThatEndsAsksItsAppsFirstAndWaitsForThem() throws {
    let bench = try SupervisorBench(role: "polite", groups: GroupTree.find(owner: UUID().uuidString))
    let number = try bench.launch()
    _ = try bench.ready()
    bench.queue.sync { bench.supervisor.stop() }
    XCTAssertTrue(hasEnded(number))
    XCTAssertEqual(try bench.end().end, .exited(status: 7))

    let deaf = try SupervisorBench(role: "deaf", lastWordsSeconds: 0.05)
    try deaf.launch()
    _ = try deaf.ready()
    deaf.queue.sync { deaf.supervisor.stop() }
    XCTAssertEqual(try deaf.end().end, .killed(signal: SIGKILL))
  }

  func testForceQuitDoesNotAsk() throws {
    let bench = try SupervisorBench(role: "polite")
    try bench.launch()
    _ = try bench.ready()
    bench.terminate(.forceQuit)
    XCTAssertEqual(try bench.end().end, .killed(signal: SIGKILL))
  }

  func testOverrunIsKilledAndTheLogSaysWhy() throws {
    let bench = try SupervisorBench(role: "polite")
    try bench.launch()
    _ = try bench.ready()
    let why = "its background task 1 was not ended."
    bench.terminate(.overrun(why))
    XCTAssertEqual(try bench.end().termination, .overrun(why))
    XCTAssertTrue(bench.lines.all.contains("org.example.walk is ended: \(why)"))
  }

  func testCrashIsToldFromAnEnd() throws {
    let crash = try SupervisorBench(role: "crash")
    try crash.launch()
    let crashed = try crash.end()
    XCTAssertEqual(crashed.end, .killed(signal: SIGSEGV))
    XCTAssertTrue(crashed.isCrash)
    XCTAssertTrue(crash.lines.all.contains { $0.contains("crashed") && $0.contains("signal 11") })

    let exit = try SupervisorBench(role: "status")
    try exit.launch()
    let ended = try exit.end()
    XCTAssertEqual(ended.end, .exited(status: 3))
    XCTAssertFalse(ended.isCrash)
    // It can be started again.
    try exit.launch()
    XCTAssertEqual(try exit.end().end, .exited(status: 3))
  }

  func testAppTakesWithItWhatItHasLeftBehind() throws {
    for groups in [nil, GroupTree.find(owner: UUID().uuidString)] {
      let bench = try SupervisorBench(role: "leaves", groups: groups)
      try bench.launch()
      _ = try bench.ready()
      let orphan = try XCTUnwrap(bench.line().split(separator: " ").last.flatMap { Int32($0) })
      XCTAssertEqual(try bench.end().end, .exited(status: 0))
      XCTAssertTrue(comes { hasEnded(orphan) })
    }
  }

  // MARK: Beginnings

  func testAppFindsWhatItNeedsAndNothingOfTheService() throws {
    signal(SIGUSR2, SIG_IGN)
    defer { signal(SIGUSR2, SIG_DFL) }
    let bench = try SupervisorBench(
      role: "surroundings",
      environment: [
        "NOTIFY_SOCKET=/run/x", "CORELOCATION_SOURCE=fixed:1,2", "CORELOCATION_SENSORS=/x", "LANG=de_DE.UTF-8",
      ])
    try bench.launch(because: .location)
    var told: [String] = []
    while let line = try? bench.line(), line != "end" { told.append(line) }
    XCTAssertEqual(try bench.end().end, .exited(status: 0))
    let variables = told.filter { $0.hasPrefix("variable ") && !$0.contains("CORELOCATION_LAUNCH=") }.sorted()
    XCTAssertEqual(
      variables,
      [
        "variable CORELOCATION_LAUNCH_REASON=location", "variable CORELOCATION_SOCKET=\(bench.folder.path)/socket",
        "variable LANG=de_DE.UTF-8", "variable SUPERVISED_PROGRAM=surroundings",
      ])
    XCTAssertTrue(told.contains("folder /"))
    XCTAssertTrue(told.contains("leads 1"), "a session and a process group of its own")
    XCTAssertEqual(told.filter { $0.hasPrefix("file ") }.sorted(), ["file 0", "file 1", "file 2"])
    let signals = told.filter { $0.hasPrefix("Sig") }.compactMap { line in
      line.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) }
    }
    // 32 and 33 are the C library's own, which nobody else can set.
    let ownOfLibrary = UInt64(1) << 31 | UInt64(1) << 32
    XCTAssertEqual(signals.map { $0 & ~ownOfLibrary }, [0, 0], "none is blocked or ignored")
  }

  func testProgramThatCannotBeRunSaysSo() throws {
    let bench = try SupervisorBench(role: "spin", groups: GroupTree.find(owner: UUID().uuidString))
    let text = try bench.folder.write("no program", to: "Walk.app/walk")
    for path in [text, bench.folder.path + "/missing"] {
      let failure = bench.queue.sync { () -> LaunchFailure? in
        do throws(LaunchFailure) {
          try bench.supervisor.launch(
            SupervisorBench.app, bundlePath: "/", executablePath: path, arguments: [], because: .person)
          return nil
        } catch {
          return error
        }
      }
      XCTAssertTrue(failure?.description.contains(path) == true, failure?.description ?? "it was started")
      XCTAssertFalse(bench.queue.sync { bench.supervisor.isRunning(SupervisorBench.app) })
    }
  }

  func testAppRunsOnce() throws {
    let bench = try SupervisorBench(role: "deaf")
    try bench.launch()
    XCTAssertThrowsError(try bench.launch())
  }

  func testWhatAKilledServiceLeftIsEnded() throws {
    let owner = UUID().uuidString
    for groups in [nil, GroupTree.find(owner: owner)] {
      let first = try SupervisorBench(role: "family", groups: groups)
      try first.launch()
      let family = try first.ready()
      first.suspend()
      // The next run of the same service, at the same socket.
      let second = try SupervisorBench(role: "spin", groups: groups, folder: first.folder)
      XCTAssertTrue(comes { family.allSatisfy(hasEnded) })
      _ = second
      _ = try first.end()
    }
  }

  /// Its socket is another one: its state says whose apps they were.
  func testWhatAKilledServiceLeftAtAnotherSocketIsEndedAndNoAppOfAnotherState() throws {
    let state = try TemporaryFolder()
    let prefix = UUID().uuidString
    for isGrouped in [false, true] {
      func groups(_ name: String) -> GroupTree? { isGrouped ? GroupTree.find(owner: prefix + name) : nil }
      let first = try SupervisorBench(role: "family", groups: groups("first"), stateFolder: state.path + "/own")
      let stranger = try SupervisorBench(role: "family", groups: groups("other"), stateFolder: state.path + "/own2")
      // Both are of this process: without that their launches would have one name, and the end of the one's app, when
      // it is heard, would take the other's with it.
      stranger.skipLaunchName()
      for bench in [first, stranger] { try bench.launch() }
      let (family, others) = (try first.ready(), try stranger.ready())
      first.suspend()
      let second = try SupervisorBench(role: "spin", groups: groups("second"), stateFolder: state.path + "/own")
      XCTAssertTrue(comes { family.allSatisfy(hasEnded) })
      XCTAssertFalse(others.contains(where: hasEnded), "another state's, also where its folder's name begins as this")
      _ = second
      _ = try first.end()
      XCTAssertEqual(groups("first")?.leftovers.filter { !$0.remove() } ?? [], [], "no group is left")
    }
  }

  func testAProcessOfAnotherRunIsEndedWhenItIsFoundLaterAndItsOwnIsNot() throws {
    let bench = try SupervisorBench(role: "spin")
    let number = try bench.launch()
    XCTAssertFalse(bench.queue.sync { bench.supervisor.endLeftover(number) })
    let settings = ProcessSupervisor.Settings(socketPath: bench.folder.path + "/socket")
    let next = ProcessSupervisor(settings, queue: bench.queue, log: { _ in })
    XCTAssertFalse(bench.queue.sync { next.endLeftover(getpid()) }, "no app at all")
    XCTAssertTrue(bench.queue.sync { next.endLeftover(number) })
    XCTAssertTrue(try bench.end().isCrash)
  }

  // MARK: Groups

  func testNoGroupIsLeft() throws {
    let tree = try groups()
    let bench = try SupervisorBench(role: "polite", groups: tree)
    for _ in 0..<3 {
      let number = try bench.launch()
      XCTAssertEqual(tree.leftovers.map(\.processes), [[number]])
      bench.terminate(.forceQuit)
      _ = try bench.end()
      XCTAssertEqual(tree.leftovers, [])
    }
  }

  /// Where this machine lets the tests make no groups, the test is skipped; in CI that is a failure.
  private func groups() throws -> GroupTree {
    if let tree = GroupTree.find(owner: UUID().uuidString) { return tree }
    if ProcessInfo.processInfo.environment["CI"] == "true" {
      XCTFail("no control group of version 2 can be made here")
    }
    print("SKIPPED: no control group of version 2 can be made here (mount -t cgroup2, as root).")
    throw XCTSkip("no control group of version 2 can be made here")
  }
}

import Foundation
import Glibc
import XCTest

/// Whatever is killed and whenever, each event that may start an app is heard once by a callback that returns: none is
/// lost, none doubled.
final class InstalledAppKillTests: XCTestCase {
  private enum Blow: CaseIterable {
    case none, app, service, both
    /// In its callback, by itself.
    case inCallback, inCallbackAndService
    /// Beside a system's service: a person's own is its supervisor.
    case supervisor, supervisorAndService, all

    static let ofOwnService: [Blow] = [.none, .app, .service, .both, .inCallback, .inCallbackAndService]

    var strikesApp: Bool { self == .app || self == .both || self == .all }
    var strikesSupervisor: Bool { self == .supervisor || self == .supervisorAndService || self == .all }
    var strikesService: Bool {
      [.service, .both, .inCallbackAndService, .supervisorAndService, .all].contains(self)
    }
  }

  /// What the app has watched while the device goes 400 m away and comes home in turn.
  private struct Watched {
    /// Of the app.
    var behaviour = ""
    /// Fields of the policy, beside the machine's.
    var policy: [String: Any] = [:]
    /// What the app hears before the first journey.
    var first: [String] = []
    var away: [String]
    var home: [String]
    /// What the app is started for it hears only when it asks for it.
    var isAskedFor = false
    /// Rounds of a quick run.
    var rounds = Blow.ofOwnService.count
    /// What may be killed.
    var blows = Blow.ofOwnService

    func told(_ round: Int) -> [String] { round % 2 == 0 ? away : home }
  }

  func test_no_crossing_is_lost_and_none_doubled_whatever_is_killed() throws {
    try prove(Watched(away: ["exited"], home: ["entered"], rounds: 12))
  }

  /// Behaviour 8.1, 8.4: what shows that the device has arrived shows that it has left elsewhere.
  func test_no_visit_is_lost_and_none_doubled_whatever_is_killed() throws {
    try prove(
      Watched(
        behaviour: "visits", policy: InstalledAppMachine.quickVisits, first: ["arrived 0"],
        away: ["left 0", "arrived 400"],
        home: ["left 400", "arrived 0"]))
  }

  /// Behaviour 4.5, 4.6.
  func test_no_significant_change_that_starts_or_wakes_an_app_is_lost_and_none_doubled_whatever_is_killed() throws {
    try prove(
      Watched(
        behaviour: "changes", policy: InstalledAppMachine.quickChanges, first: ["moved 0"], away: ["moved 400"],
        home: ["moved 0"], isAskedFor: true, rounds: 12))
  }

  func test_no_crossing_is_lost_and_none_doubled_whatever_of_supervisor_service_and_app_is_killed() throws {
    let watched = Watched(away: ["exited"], home: ["entered"], rounds: 12, blows: Blow.allCases)
    let system = try SystemMachine(policy: InstalledAppMachine.policy([:]))
    try prove(watched, try InstalledAppMachine(system, user: 61_001))
  }

  private func prove(_ watched: Watched, _ own: InstalledAppMachine? = nil) throws {
    let machine = try own ?? InstalledAppMachine(policy: watched.policy)
    try machine.begin(behaviour: watched.behaviour)
    machine.goHome()
    machine.daemon.receiver.feed()
    try machine.command("launch", "region")
    machine.hears("state")
    var expected = watched.first.map { "returned \($0)" }
    guard machine.returns(expected) else { return }
    var random = RandomMessages(seed: 20_261_130)
    let count = TestPrograms.isFull ? 200 : watched.rounds
    var seconds: [Double] = []
    for round in 0..<count {
      let blow = round < watched.blows.count ? watched.blows[round] : random.pick(watched.blows)
      if random.flag() {
        try machine.command("terminate", "region", "--force")
        XCTAssertTrue(waitUntil(secondsMax: 30) { machine.appNumbers.isEmpty })
      }
      let start = Date()
      try play(blow, watched, round, microseconds: UInt32(random.number(0...600_000)), machine)
      expected += watched.told(round).map { "returned \($0)" }
      guard machine.returns(expected) else { return XCTFail("round \(round), \(blow)") }
      if blow == .none { seconds.append(Date().timeIntervalSince(start)) }
    }
    guard TestPrograms.isFull else { return }
    print("\(count) rounds; undisturbed events were heard within \(seconds.max() ?? 0) s of the first fix behind them")
    if watched.behaviour.isEmpty { XCTAssertLessThan(seconds.sorted()[seconds.count / 2], 1) }
  }

  private func play(
    _ blow: Blow, _ watched: Watched, _ round: Int, microseconds: UInt32, _ machine: InstalledAppMachine
  ) throws {
    let what = watched.told(round)[0]
    let before = machine.heard.count { $0 == what }
    let isInCallback = blow == .inCallback || blow == .inCallbackAndService
    if isInCallback {
      machine.behave(watched.behaviour + " die=" + what.replacingOccurrences(of: " ", with: "_"))
      machine.appNumbers.forEach { kill($0, SIGKILL) }
    }
    if round % 2 == 0 { machine.goAway() } else { machine.goHome() }
    // Who was started for a change, and did not come to ask for it, is not started again for that.
    if isInCallback || (watched.isAskedFor && blow == .app) { machine.hears(what, count: before + 1) }
    if isInCallback { machine.behave(watched.behaviour) } else { usleep(microseconds) }
    if blow.strikesApp { machine.appNumbers.forEach { kill($0, SIGKILL) } }
    if blow.strikesSupervisor { machine.supervisor?.end(SIGKILL) }
    if blow.strikesService {
      machine.daemon.signal(SIGKILL)
      _ = machine.daemon.waitForEnd()
      try machine.daemon.start()
    }
    if blow.strikesSupervisor { try machine.supervise() } else if blow.strikesService { machine.awaitSupervisor() }
  }
}

import Foundation
import Glibc
import XCTest

/// Whatever is killed and whenever, each crossing is heard once by a callback that returns: none is lost, none doubled.
final class InstalledAppKillTests: XCTestCase {
  private enum Blow: CaseIterable {
    case none, app, service, both
    /// In its callback, by itself.
    case inCallback, inCallbackAndService
  }

  func test_no_crossing_is_lost_and_none_doubled_whatever_is_killed() throws {
    let machine = try InstalledAppMachine()
    try machine.begin()
    machine.goAway()
    machine.daemon.receiver.feed()
    try machine.command("launch", "region")
    machine.hears("state 2")
    var random = RandomMessages(seed: 20_261_130)
    let count = TestPrograms.isFull ? 200 : 12
    var seconds: [Double] = []
    for round in 0..<count {
      let isEntry = round % 2 == 0
      let blow = round < 6 ? Blow.allCases[round] : random.pick(Blow.allCases)
      if random.flag() { try machine.command("terminate", "region", "--force") }
      let start = Date()
      try play(blow, isEntry: isEntry, microseconds: UInt32(random.number(0...600_000)), machine)
      let told = isEntry ? "returned entered" : "returned exited"
      guard machine.hears(told, count: round / 2 + 1) else { return XCTFail("round \(round), \(blow)") }
      if blow == .none { seconds.append(Date().timeIntervalSince(start)) }
      let returned = machine.heard.filter { $0.hasPrefix("returned ") }
      guard returned == (0...round).map({ $0 % 2 == 0 ? "returned entered" : "returned exited" }) else {
        return XCTFail("round \(round), \(blow): \(machine.heard.suffix(30)); \(machine.daemon.log)")
      }
    }
    guard TestPrograms.isFull else { return }
    print("\(count) rounds; undisturbed crossings were heard within \(seconds.max() ?? 0) s of the first fix behind it")
    XCTAssertLessThan(seconds.sorted()[seconds.count / 2], 1)
  }

  private func play(_ blow: Blow, isEntry: Bool, microseconds: UInt32, _ machine: InstalledAppMachine) throws {
    let what = isEntry ? "entered" : "exited"
    let before = machine.heard.count { $0 == what }
    if blow == .inCallback || blow == .inCallbackAndService {
      machine.behave("die")
      machine.appNumbers.forEach { kill($0, SIGKILL) }
    }
    if isEntry { machine.goHome() } else { machine.goAway() }
    if blow == .inCallback || blow == .inCallbackAndService {
      machine.hears(what, count: before + 1)
      machine.behave("")
    } else {
      usleep(microseconds)
    }
    if blow == .app || blow == .both { machine.appNumbers.forEach { kill($0, SIGKILL) } }
    guard blow == .service || blow == .both || blow == .inCallbackAndService else { return }
    machine.daemon.signal(SIGKILL)
    _ = machine.daemon.waitForEnd()
    try machine.daemon.start()
  }
}

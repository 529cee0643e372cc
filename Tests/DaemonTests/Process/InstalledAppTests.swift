import Foundation
import Glibc
import XCTest

/// Issue: the life of an app. Real processes, real signals: an installed app, its service, its receiver.
final class InstalledAppTests: XCTestCase {
  func test_a_crossing_starts_an_app_that_was_ended_in_the_background_and_its_delegate_hears() throws {
    let machine = try InstalledAppMachine()
    try machine.begin()
    machine.goAway()
    machine.daemon.receiver.feed()
    try machine.command("launch", "region")
    machine.hears("active")
    machine.hears("state 2")
    try machine.command("terminate", "region")
    XCTAssertEqual(machine.heard.last, "goodbye")
    XCTAssertTrue(waitUntil(secondsMax: 30) { machine.appNumbers.isEmpty })
    machine.goHome()
    machine.hears("returned entered")
    XCTAssertEqual(machine.heard.count { $0.hasPrefix("launched location") }, 1)
    XCTAssertEqual(machine.heard.count { $0 == "entered" }, 1)
    try machine.stands("background")
    try machine.stands("suspended")
    machine.goAway()
    machine.hears("returned exited")
    XCTAssertEqual(machine.heard.count { $0.hasPrefix("launched location") }, 1, "a suspended app is woken, not started")
  }
}

import Foundation
import Glibc
import LocationEngine
import LocationRuntime
import XCTest

/// Who may do what in the service of the whole machine: the real programs, as users of their own. Blocks, so XCTest.
final class SystemServiceTests: XCTestCase {
  private let person: UInt32 = 61_001
  private let other: UInt32 = 61_002
  private let group: UInt32 = 61_900

  /// The app, the user and the grant of each app that the service knows.
  private func decisions(_ service: SystemService) throws -> [[String]] {
    let listed = try service.corelocation(["apps"], as: 0)
    XCTAssertEqual(listed.status, 0, listed.output)
    return listed.output.split(separator: "\n").dropFirst().map { line in
      let grant = ["not decided", "denied", "whenInUse", "always"].first { line.contains($0) }
      return line.split(separator: " ").prefix(2).map(String.init) + [grant ?? String(line)]
    }
  }

  func testAUserDecidesNeitherForOthersNorForTheMachine() throws {
    let service = try SystemService()
    let app = "/usr/bin/map"
    for command in [
      ["grant", app, "always", "--user", "\(other)"], ["deny", app, "--user", "\(other)"],
      ["reset", app, "--user", "\(other)"], ["grant", app, "always", "--user", "0"],
    ] {
      let refused = try service.corelocation(command, as: person)
      XCTAssertEqual(refused.status, 1, command.joined(separator: " "))
      XCTAssertTrue(refused.output.contains("User \(person) may not decide for user"), refused.output)
      XCTAssertTrue(refused.output.contains("member of the group corelocation"), refused.output)
    }
    for command in [["services", "off"], ["airplane", "on"]] {
      let refused = try service.corelocation(command, as: person)
      XCTAssertEqual(refused.status, 1, command.joined(separator: " "))
      XCTAssertTrue(refused.output.contains("member of the group corelocation"), refused.output)
    }
    XCTAssertEqual(try decisions(service), [], "something was decided all the same")
    let status = try service.corelocation(["status"], as: 0).output
    XCTAssertTrue(status.contains("Location Services are on."), status)
    XCTAssertFalse(FileManager.default.fileExists(atPath: service.daemon.folder.path + "/state/airplane"))
    // Groups of other names are worth nothing.
    let stranger = try service.corelocation(["services", "off"], as: person, groups: [other, group])
    XCTAssertEqual(stranger.status, 1, stranger.output)
    try service.stop()
  }

  func testRootAndTheGroupCorelocationDecideForAllUsersAndForTheMachine() throws {
    let service = try SystemService(groupNumber: group)
    let app = "/usr/bin/map"
    for (user, groups, level) in [(person, [group], "whenInUse"), (0, [], "always")] {
      func say(_ words: String...) throws {
        let said = try service.corelocation(words, as: user, groups: groups)
        XCTAssertEqual(said.status, 0, "\(words): \(said.output)")
      }
      try say("grant", app, level, "--user", "\(other)")
      XCTAssertEqual(try decisions(service), [[app, "\(other)", level]])
      try say("services", "off")
      try say("services", "on")
      try say("airplane", "on")
      XCTAssertTrue(FileManager.default.fileExists(atPath: service.daemon.folder.path + "/state/airplane"))
      try say("airplane", "off")
      XCTAssertFalse(FileManager.default.fileExists(atPath: service.daemon.folder.path + "/state/airplane"))
    }
    let outside = try service.corelocation(["deny", app, "--user", "\(other)"], as: person)
    XCTAssertEqual(outside.status, 1, "the same user without the group")
    try service.stop()
  }

  func testAnAgentIsAskedForItsOwnUserAloneAndAnswersForNoOther() throws {
    let service = try SystemService()
    let socket = service.daemon.socketPath
    let agents = try [person, other].map { (user: UInt32) in
      try ClientProgram("agent-\(user)", user: user, in: service.folder, socket: socket, ["tool", "agent"])
    }
    for agent in agents { XCTAssertTrue(agent.isGreeted, service.daemon.log) }
    func isAsked(_ agent: ClientProgram, by app: ClientProgram) -> Bool {
      agent.heard.contains { if case .prompt(let prompt) = $0 { prompt.app.name == app.path } else { false } }
    }
    let apps = try [person, other].map { (user: UInt32) in
      try ClientProgram("map-\(user)", user: user, in: service.folder, socket: socket, ["app", "ask"])
    }
    for (agent, app) in zip(agents, apps) {
      XCTAssertTrue(waitUntil(secondsMax: 20) { isAsked(agent, by: app) }, service.daemon.log)
    }
    XCTAssertFalse(isAsked(agents[0], by: apps[1]) || isAsked(agents[1], by: apps[0]))
    // One that guesses the number of a question that others are asked.
    let forger = try ClientProgram(
      "forger", user: person, in: service.folder, socket: socket,
      ["tool", "agent"] + (1...4).map { "answer=\($0)" })
    XCTAssertTrue(
      waitUntil(secondsMax: 20) {
        forger.heard.count { if case .promptAnswerRefused = $0 { true } else { false } } == 4
      }, "\(forger.heard)")
    XCTAssertTrue(try decisions(service).allSatisfy { $0[2] == "not decided" })
    try service.stop()
  }
}

import Foundation
import Glibc
import XCTest

/// `corelocation agent` on a terminal, the service and apps, of which one or the other is killed around the moment of
/// each answer. Blocks, so XCTest.
final class AgentKillTests: XCTestCase {
  private static let rounds = ProcessInfo.processInfo.environment["CORELOCATION_PROOF"] == "full" ? 60 : 4

  private enum Victim: CaseIterable { case agent, service, app, nobody }

  /// Reproducible, unlike the moment at which a kill arrives.
  private struct Dice {
    var state: UInt64
    mutating func roll(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(count))
    }
  }

  private var machine: ServiceMachine!
  private var agent: (program: StartedProgram, terminal: Terminal)!
  /// The questions of earlier rounds, on the terminal of the agent that is there.
  private var questionCount: [String: Int] = [:]

  override func tearDown() {
    agent = nil
    machine = nil
  }

  private func startAgent() throws {
    agent = try machine.startAgent()
    questionCount = [:]
  }

  private func waitUntil(_ isSo: () -> Bool) -> Bool {
    let end = Date(timeIntervalSinceNow: 60)
    while !isSo(), Date() < end { usleep(2_000) }
    return isSo()
  }

  /// How often the agent's terminal has shown the whole of an app's question.
  private func questions(of app: String) -> Int {
    let parts = agent.terminal.screen.text.components(separatedBy: "Allow \(machine.appPath(app)) to use")
    return parts.dropFirst().count { $0.contains("Don't Allow") }
  }

  private func answer(_ app: String) throws {
    questionCount[app] = questions(of: app)
    let part = try XCTUnwrap(
      agent.terminal.screen.text.components(separatedBy: "Allow \(machine.appPath(app)) to use").last)
    let line = try XCTUnwrap(
      part.split(whereSeparator: \.isNewline).first { $0.hasSuffix("  Allow While Using App") })
    agent.terminal.type(line.split(separator: " ")[0] + "\n")
  }

  /// Answers the app's question as often as it is asked, until the app has heard the answer.
  private func bringToAnEnd(_ name: String, _ app: StartedProgram) throws {
    while true {
      let isOver = waitUntil {
        app.output.text.contains("status authorizedWhenInUse") || questions(of: name) > questionCount[name] ?? 0
      }
      guard isOver else { return XCTFail("\(name): \(app.output.text)\n\(agent.terminal.screen.text)") }
      if app.output.text.contains("status authorizedWhenInUse") { return }
      try answer(name)
    }
  }

  /// What the service says of the apps: their last words to what they may have.
  private func grants() throws -> [String: String] {
    let lines = try machine.command("apps").output.split(whereSeparator: \.isNewline).dropFirst()
    let words = lines.map { $0.split(separator: " ", omittingEmptySubsequences: true).map(String.init) }
    return Dictionary(
      words.compactMap { words in words.first.map { ($0, words.contains("whenInUse") ? "whenInUse" : "other") } },
      uniquingKeysWith: { $1 })
  }

  private func kill(_ victim: Victim, _ app: StartedProgram) {
    switch victim {
    case .agent: agent.program.signal(SIGKILL)
    case .service: machine.daemon?.signal(SIGKILL)
    case .app: app.signal(SIGKILL)
    case .nobody: break
    }
  }

  func test_whoever_is_killed_around_an_answer_it_counts_once_it_was_told_and_no_question_is_lost() throws {
    machine = try ServiceMachine()
    try startAgent()
    var dice = Dice(state: 11)
    var told: Set<String> = []
    for round in 1...Self.rounds {
      let name = "walk\(round)"
      var app = try machine.startApp(name)
      XCTAssertTrue(waitUntil { questions(of: name) > 0 }, "round \(round): nobody is asked")
      let victim = Victim.allCases[dice.roll(Victim.allCases.count)]
      let delay = dice.roll(20_000)
      let isBefore = dice.roll(2) == 0
      if isBefore { usleep(UInt32(delay)) } else { try answer(name) }
      if !isBefore { usleep(UInt32(delay)) }
      kill(victim, app)
      switch victim {
      case .agent:
        agent.program.kill()
        try startAgent()
      case .service:
        machine.daemon?.kill()
        try machine.startDaemon()
      case .app:
        app.kill()
        // A grant that was given stands; else the question of a new start comes.
        app = try machine.startApp(name)
      case .nobody: break
      }
      try bringToAnEnd(name, app)
      told.insert(machine.appPath(name))
      app.kill()
      guard victim == .service || round == Self.rounds else { continue }
      let found = try grants()
      XCTAssertEqual(told.filter { found[$0] != "whenInUse" }, [], "round \(round): \(found)")
    }
    print("agent: \(Self.rounds) questions answered, agent, service or app killed at random; none lost")
  }
}

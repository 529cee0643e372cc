import Foundation
import Glibc
import LinuxIO
import LocationEngine
import LocationModel
import LocationRuntime
import XCTest

/// The real service is ended at random moments and at its writes. Blocks, so XCTest.
final class KillTests: XCTestCase {
  /// What `corelocation apps` says of each app that was decided about.
  private typealias Decisions = [String: String]

  private func decisions(_ tool: WireProbe) throws -> Decisions {
    let rows = try XCTUnwrap(tool.rows(.apps))
    return Dictionary(
      rows.filter { $0[0].hasPrefix("/decided/") && $0[3] != "not decided" }.map { ($0[0], $0[3]) },
      uniquingKeysWith: { $1 })
  }

  private func words(_ change: GrantChange) -> String {
    let level = change.level == .always ? "always" : change.level == .denied ? "denied" : "whenInUse"
    return change.isPrecise == false && change.level != .denied ? level + ", reduced" : level
  }

  /// An app of the library's own connection, and what it heard since the last look.
  private final class ListeningApp: Sendable {
    private let connection: ServiceConnection
    private let unknownCount = Locked(0)
    private let lastFix = Locked<Fix?>(nil)

    init(_ path: String, log: Lines) {
      connection = DaemonBench.connection(to: path, log: log)
      let unknownCount = unknownCount
      let lastFix = lastFix
      let manager = connection.addManager { event in
        switch event {
        case .failed(.locationUnknown, _): unknownCount.withLock { $0 += 1 }
        case .locationsUpdated(let fixes, _): lastFix.withLock { $0 = fixes.last }
        default: break
        }
      }
      connection.send(.requestWhenInUseAuthorization, from: manager)
      connection.send(.startUpdatingLocation, from: manager)
    }

    var lastFixSeconds: Double { lastFix.withLock { Double($0?.time.nanosecondsSince1970 ?? 0) / 1e9 } }
    func takeUnknownCount() -> Int {
      unknownCount.withLock { count in
        defer { count = 0 }
        return count
      }
    }
  }

  func testKilledAtRandomItLosesNothingAcknowledgedAndItsClientsRecoverByThemselves() throws {
    let rounds = TestPrograms.isFull ? 200 : 4
    var random = RandomMessages(seed: 4)
    let daemon = try RunningDaemon()
    let log = Lines()
    var kept: Decisions = [:]
    var pending: (app: String, words: String)?
    var acknowledgedCount = 0
    let apps = [ListeningApp(daemon.socketPath, log: log), ListeningApp(daemon.socketPath, log: log)]
    daemon.receiver.feed()
    for round in 1...rounds {
      let startSeconds = Date().timeIntervalSince1970
      try daemon.start()
      let tool = try WireProbe.tool(daemon.socketPath)
      let found = try decisions(tool)
      if let pending, found != kept { kept[pending.app] = pending.words }
      XCTAssertEqual(found, kept, "round \(round)")
      for app in apps {
        XCTAssertTrue(
          waitUntil(secondsMax: 20) { app.lastFixSeconds > startSeconds }, "round \(round): no location any more")
        XCTAssertLessThanOrEqual(app.takeUnknownCount(), 1, "round \(round)")
      }
      let delay = Double(random.number(0...60_000)) / 1e6
      let number = try daemon.processNumber()
      DispatchQueue.global(qos: .userInteractive).asyncAfter(deadline: .now() + delay) { kill(number, SIGKILL) }
      while true {
        let change = GrantChange(level: random.pick([.denied, .whenInUse, .always]), isPrecise: random.flag())
        let app = "/decided/\(random.number(1...40))"
        pending = (app, words(change))
        guard let answer = tool.ask(.grant(app: app, change, user: nil)) else { break }
        XCTAssertEqual(answer, .done)
        kept[app] = words(change)
        acknowledgedCount += 1
      }
      XCTAssertEqual(daemon.waitForEnd().signal, SIGKILL)
    }
    XCTAssertGreaterThan(acknowledgedCount, rounds)
    print("daemon: killed \(rounds) times after \(acknowledgedCount) decisions, none lost")
  }

  /// Some decisions, a prompt and its answer, an app's use of location, and the end. Gives what was acknowledged, in
  /// order; stops where the service has gone.
  private func work(with daemon: RunningDaemon) throws -> [(app: String, words: String)] {
    var acknowledged: [(String, String)] = []
    guard let tool = try? WireProbe.tool(daemon.socketPath) else { return [] }
    let first = GrantChange(level: .whenInUse, isPrecise: true)
    guard tool.ask(.grant(app: "/decided/1", first, user: nil)) == .done else { return acknowledged }
    acknowledged.append(("/decided/1", words(first)))
    guard let agent = try? WireProbe.tool(daemon.socketPath), agent.say(.becomeAgent),
      let app = try? WireProbe.app(daemon.socketPath, .requestWhenInUseAuthorization)
    else { return acknowledged }
    let question = agent.wait(secondsMax: 20) { if case .prompt = $0 { true } else { false } }
    guard case .prompt(let prompt) = question else { return acknowledged }
    agent.say(.answerPrompt(prompt.identifier, PromptAnswer(.allowWhileUsing)))
    let news = app.wait(secondsMax: 20) {
      if case .event(.authorizationChanged(_, isInitial: false, _), _) = $0 { true } else { false }
    }
    guard news != nil else { return acknowledged }
    acknowledged.append((prompt.app.name, "whenInUse"))
    app.say(.request(.startUpdatingLocation, manager: 1))
    guard app.nextFix(secondsMax: 20) != nil else { return acknowledged }
    for (app, level) in [("/decided/2", Grant.Level.denied), ("/decided/1", .always)] {
      let change = GrantChange(level: level, isPrecise: true)
      guard tool.ask(.grant(app: app, change, user: nil)) == .done else { return acknowledged }
      acknowledged.append((app, words(change)))
    }
    return acknowledged
  }

  private func found(in daemon: RunningDaemon) throws -> Decisions {
    try daemon.start()
    let tool = try WireProbe.tool(daemon.socketPath)
    let rows = try XCTUnwrap(tool.rows(.apps)).filter { $0[3] != "not decided" }
    daemon.stop()
    return Dictionary(rows.map { ($0[0], $0[3]) }, uniquingKeysWith: { $1 })
  }

  func testKilledAtAnyWriteItLosesNothingAcknowledged() throws {
    try TestPrograms.require("/usr/bin/strace")
    for (call, stride) in [("pwrite64", TestPrograms.isFull ? 1 : 23), ("fdatasync", TestPrograms.isFull ? 1 : 7)] {
      var kills = 0
      var isOver = false
      for number in Swift.stride(from: 1, through: 400, by: stride) where !isOver {
        let daemon = try RunningDaemon(permissions: nil)
        daemon.receiver.feed()
        // The number counts the calls of each thread.
        let strace = [
          "/usr/bin/strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
          "inject=\(call):signal=SIGKILL:when=\(number)",
        ]
        try daemon.begin(below: strace)
        _ = waitUntil(secondsMax: 30) { !daemon.isRunning || (try? WireProbe.tool(daemon.socketPath)) != nil }
        let acknowledged = try work(with: daemon)
        if daemon.isRunning, let process = try? daemon.processNumber() { kill(process, SIGTERM) }
        let end = daemon.waitForEnd()
        isOver = end.signal == nil && end.status == 0
        if !isOver { kills += 1 }
        try expect(acknowledged, in: daemon, "\(call) \(number)")
      }
      XCTAssertGreaterThan(kills, 0)
      XCTAssertTrue(isOver || !TestPrograms.isFull, "\(call) never ended by itself")
      print("daemon: killed at \(kills) calls of \(call)")
    }
  }

  /// What was under way may have reached the disk too.
  private func expect(
    _ acknowledged: [(app: String, words: String)], in daemon: RunningDaemon, _ moment: String
  ) throws {
    let order = ["/decided/1", "", "/decided/2", "/decided/1"]
    let decided = Dictionary(acknowledged.map { ($0.app, $0.words) }, uniquingKeysWith: { $1 })
    var found = try found(in: daemon)
    guard found != decided, acknowledged.count < order.count else {
      return XCTAssertEqual(found, decided, moment)
    }
    let underWay = order[acknowledged.count]
    var others = decided
    for name in Set(found.keys).union(decided.keys)
    where name == underWay || (underWay.isEmpty && !name.hasPrefix("/decided/")) {
      found[name] = nil
      others[name] = nil
    }
    XCTAssertEqual(found, others, moment)
  }
}

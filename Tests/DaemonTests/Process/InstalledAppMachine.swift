import Foundation
import Glibc
import LinuxIO
import XCTest

/// The real service of a person, or of the system and the person's supervisor, the real region-app installed, the real
/// commands. Its calls block: for XCTest.
final class InstalledAppMachine {
  static let name = "org.example.region"

  /// A policy by which a stay is one after a second.
  static let quickVisits: [String: Double] = [
    "visitArrivalSeconds": 1, "visitDepartureSeconds": 0.5, "visitMergeSeconds": 0.5, "visitLookIntervalSeconds": 1,
    "lookIntervalSeconds": 1, "lookIntervalSecondsMax": 1,
  ]
  /// A policy by which 200 m are a change, a second after the last one.
  static let quickChanges: [String: Double] = [
    "significantChangeMeters": 200, "significantChangeIntervalSeconds": 1, "lookIntervalSeconds": 1,
    "lookIntervalSecondsMax": 1,
  ]

  let daemon: RunningDaemon
  /// Beside a system's service.
  let supervisor: RunningSupervisor?
  /// Whose app it is; nil for the test's own user.
  private let user: UInt32?
  private let commandPath: String
  let bundle: String
  private let heardPath: String
  private let behaviourPath: String

  /// Fields that make the service decide at the first fix, and start apps at any rate.
  static func policy(_ more: [String: Any]) -> [String: Any] {
    let usual: [String: Any] = [
      "regionHoldSeconds": 0, "regionHoldFixesMin": 1, "crashLoopStartsMax": 100_000, "regionSleepSecondsMin": 1e6,
    ]
    return usual.merging(more) { $1 }
  }

  /// With a person's own service.
  ///
  /// - Parameter policy: fields beside the usual ones.
  init(policy: [String: Any] = [:], modes: [String] = ["location"]) throws {
    let folder = DaemonBench.Folder()
    // Where the app is, links and all, as the service names it.
    let path = URL(fileURLWithPath: folder.path).resolvingSymlinksInPath().path
    bundle = path + "/Region.app"
    heardPath = path + "/heard"
    behaviourPath = path + "/behaviour"
    let policyPath = folder.path + "/policy.json"
    try JSONSerialization.data(withJSONObject: Self.policy(policy)).write(to: URL(fileURLWithPath: policyPath))
    daemon = try RunningDaemon(permissions: nil, more: ["--user", "--policy", policyPath], in: folder)
    supervisor = nil
    user = nil
    commandPath = try TestPrograms.path("corelocation")
    try makeBundle(modes)
  }

  /// With a system's service, whose policy counts, and a supervisor of one of its users.
  init(_ system: SystemMachine, user: UInt32, modes: [String] = ["location"]) throws {
    let path = URL(fileURLWithPath: try system.makeFolder(of: user)).resolvingSymlinksInPath().path
    bundle = path + "/Region.app"
    heardPath = path + "/heard"
    behaviourPath = path + "/behaviour"
    daemon = system.daemon
    supervisor = RunningSupervisor(
      of: user, socket: daemon.socketPath, program: system.programs + "/corelocationd", in: path)
    self.user = user
    commandPath = system.programs + "/corelocation"
    try makeBundle(modes)
  }

  private func makeBundle(_ modes: [String]) throws {
    try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
    try ClientProgram.copy("region-app", to: bundle + "/Region")
    let keys = modes.map { "<string>\($0)</string>" }.joined()
    let plist = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
      <key>CFBundleIdentifier</key><string>\(Self.name)</string>
      <key>NSLocationWhenInUseUsageDescription</key><string>To show where you are.</string>
      <key>NSLocationAlwaysAndWhenInUseUsageDescription</key><string>To remind you.</string>
      <key>UIBackgroundModes</key><array>\(keys)</array>
      </dict></plist>
      """
    try plist.write(toFile: bundle + "/Info.plist", atomically: false, encoding: .utf8)
  }

  deinit {
    supervisor?.signal(SIGTERM)
    _ = waitUntil(secondsMax: 20) { supervisor?.isRunning != true }
    if daemon.isRunning { daemon.signal(SIGTERM) }
    _ = waitUntil(secondsMax: 20) { !daemon.isRunning }
    for number in appNumbers { kill(number, SIGKILL) }
  }

  /// Starts the service, installs the app and lets it have Always.
  func begin(behaviour: String = "") throws {
    behave(behaviour)
    if !daemon.isRunning { try daemon.start() }
    try command("install", bundle)
    try command("grant", Self.name, "always")
    try supervise()
  }

  /// Starts the supervisor, where there is one, and waits until it takes orders.
  func supervise(file: StaticString = #filePath, line: UInt = #line) throws {
    try supervisor?.start()
    awaitSupervisor(file: file, line: line)
  }

  /// Waits until the supervisor takes orders, where there is one.
  func awaitSupervisor(file: StaticString = #filePath, line: UInt = #line) {
    guard let supervisor else { return }
    let isReady = waitUntil(secondsMax: 30) {
      (try? run(["status"]))?.output.contains("have a supervisor") == true
    }
    XCTAssertTrue(isReady, supervisor.log + daemon.log, file: file, line: line)
  }

  /// What the app does from its next start on.
  func behave(_ words: String) {
    try? words.write(toFile: behaviourPath, atomically: true, encoding: .utf8)
  }

  @discardableResult
  func command(_ words: String..., file: StaticString = #filePath, line: UInt = #line) throws -> String {
    let run = try run(words)
    XCTAssertEqual(run.status, 0, "\(words): \(run.output)", file: file, line: line)
    return run.output
  }

  func run(_ words: [String]) throws -> (status: Int32, output: String) {
    try ProgramRun.run(
      (user.map { ClientProgram.asUser($0) } ?? []) + [commandPath] + words,
      variables: ["CORELOCATION_SOCKET": daemon.socketPath])
  }

  // MARK: What the app hears

  /// Every line that its processes have written, the oldest first.
  var heard: [String] {
    ((try? String(contentsOfFile: heardPath, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
  }

  /// Waits until a line has been written so often.
  @discardableResult
  func hears(
    _ line: String, count: Int = 1, secondsMax: Double = 60, file: StaticString = #filePath, at number: UInt = #line
  ) -> Bool {
    let isSo = waitUntil(secondsMax: secondsMax) { heard.count { $0 == line || $0.hasPrefix(line + " ") } >= count }
    if !isSo { XCTFail("no \(count) × \(line) in \(heard); \(daemon.log)", file: file, line: number) }
    return isSo
  }

  /// What callbacks have returned from. One whose process was killed before it was settled may come again: that was
  /// between the last line of its callback and what follows.
  var returned: [String] {
    var lines: [String] = []
    // Of the process that writes, and of those before it; what comes again comes before anything new.
    var (unsettled, earlier): (Set<Substring>, Set<Substring>) = ([], [])
    for line in heard {
      if line.hasPrefix("launched ") {
        earlier.formUnion(unsettled)
        unsettled = []
      } else if line.hasPrefix("returned ") {
        let event = line.dropFirst("returned ".count)
        if earlier.remove(event) == nil {
          lines.append(line)
          earlier = []
        }
        unsettled.insert(event)
      } else if line.hasPrefix("settled ") {
        unsettled.remove(line.dropFirst("settled ".count))
      }
    }
    return lines
  }

  /// Waits until callbacks have returned for these events, in this order, and for no others.
  func returns(_ lines: [String], file: StaticString = #filePath, at number: UInt = #line) -> Bool {
    var returned: [String] = []
    _ = waitUntil(secondsMax: 60) {
      returned = self.returned
      return returned.count >= lines.count
    }
    if returned != lines {
      XCTFail("expected \(lines.suffix(4)), found \(heard.suffix(30)); \(daemon.log)", file: file, line: number)
    }
    return returned == lines
  }

  /// The processes of the app that have written, and have not ended.
  var appNumbers: [Int32] {
    heard.compactMap { line -> Int32? in
      guard line.hasPrefix("launched ") else { return nil }
      return line.split(separator: " ").last.flatMap { Int32($0) }
    }.filter { isRunning($0) }
  }

  private func isRunning(_ number: Int32) -> Bool {
    guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(number)/exe") else {
      return false
    }
    return path.hasPrefix(bundle)
  }

  /// The words that `corelocation apps` says of the app now.
  func standing() throws -> String {
    let line = try command("apps").split(separator: "\n").first { $0.contains(Self.name) }
    return String(line ?? "")
  }

  func stands(_ word: String, file: StaticString = #filePath, line: UInt = #line) throws {
    var last = ""
    let isSo = waitUntil(secondsMax: 60) {
      last = (try? standing()) ?? ""
      return last.contains(word)
    }
    if !isSo { XCTFail("expected \(word), found \(last); \(daemon.log)", file: file, line: line) }
  }

  /// Ticks of the processors that a process has used, and its state's letter.
  func usedTicks(_ number: Int32) throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    return (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0)
  }

  // MARK: Where the device is

  func goHome() { daemon.receiver.stand(metersNorth: 0) }
  func goAway() { daemon.receiver.stand(metersNorth: 400) }
}

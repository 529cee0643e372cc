import Foundation
import Glibc
import LinuxIO
import XCTest

@testable import LocationService

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
  /// - Parameters:
  ///   - policy: fields beside the usual ones.
  ///   - user: whose service it is; nil for the test's own. Takes root.
  init(policy: [String: Any] = [:], modes: [String] = ["location"], user: UInt32? = nil) throws {
    let folder = DaemonBench.Folder()
    // Where the app is, links and all, as the service names it.
    let path = URL(fileURLWithPath: folder.path).resolvingSymlinksInPath().path
    bundle = path + "/Region.app"
    heardPath = path + "/heard"
    behaviourPath = path + "/behaviour"
    let policyPath = folder.path + "/policy.json"
    try JSONSerialization.data(withJSONObject: Self.policy(policy)).write(to: URL(fileURLWithPath: policyPath))
    daemon = try RunningDaemon(permissions: nil, more: ["--user", "--policy", policyPath], user: user, in: folder)
    supervisor = nil
    self.user = user
    if user == nil {
      commandPath = try TestPrograms.path("corelocation")
    } else {
      commandPath = folder.path + "/corelocation"
      try ClientProgram.copy("corelocation", to: commandPath)
    }
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

  /// Starts the service, installs the app and lets it have Always, or what is granted.
  func begin(behaviour: String = "", grant: String = "always") throws {
    behave(behaviour)
    if !daemon.isRunning { try daemon.start() }
    try command("install", bundle)
    try command("grant", Self.name, grant)
    try supervise()
  }

  /// Begins far from home, with the app in the foreground, which has found out that it is there.
  func beginAway(behaviour: String = "") throws {
    try begin(behaviour: behaviour)
    goAway()
    daemon.receiver.feed()
    try command("launch", "region")
    hears("active")
    hears("state 2")
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

  // MARK: What the kernel says of a process

  /// The fields of proc_pid_stat(5) from the third on, the state.
  private static func fields(_ path: String) -> [Substring] {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return text.split(separator: ")").last?.split(separator: " ") ?? []
  }

  /// Ticks of the processors that a process has used.
  func usedTicks(_ number: Int32) throws -> Int {
    let fields = Self.fields("/proc/\(number)/stat")
    guard fields.count > 12 else { throw CocoaError(.fileReadNoSuchFile) }
    return (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0)
  }

  enum Standstill {
    /// Its control group is frozen.
    case frozen
    /// Each thread has stopped at a signal.
    case stopped
  }

  /// How a process is kept from running; nil where it is not.
  func standstill(of number: Int32) -> Standstill? {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(number)/task")) ?? []
    let states = threads.map { Self.fields("/proc/\(number)/task/\($0)/stat").first }
    if !states.isEmpty, states.allSatisfy({ $0 == "T" }) { return .stopped }
    guard let mounts = try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8),
      let groups = try? String(contentsOfFile: "/proc/\(number)/cgroup", encoding: .utf8),
      let folder = GroupTree.ownFolder(mounts: mounts, groups: groups),
      let events = try? String(contentsOfFile: folder + "/cgroup.events", encoding: .utf8)
    else { return nil }
    return events.contains("frozen 1") ? .frozen : nil
  }

  /// When a process was started, by the clock of `PipeReceiver.told`; its ticks are hundredths of a second.
  func startNanoseconds(of number: Int32) throws -> UInt64 {
    let fields = Self.fields("/proc/\(number)/stat")
    guard fields.count > 19, let ticks = UInt64(fields[19]) else { throw CocoaError(.fileReadNoSuchFile) }
    var boot = timespec()
    clock_gettime(CLOCK_BOOTTIME, &boot)
    let age = UInt64(boot.tv_sec) * 1_000_000_000 + UInt64(boot.tv_nsec) - ticks * 10_000_000
    return DispatchTime.now().uptimeNanoseconds - age
  }

  /// How long after the first fix since a moment the newest process of the app was started. The decision was made
  /// after that fix, so that this is no less than the time from the decision.
  func secondsToStart(afterFixSince moment: UInt64) throws -> Double {
    let number = try XCTUnwrap(appNumbers.last)
    let fix = try XCTUnwrap(daemon.receiver.told.withLock { $0.values.filter { $0 >= moment }.min() })
    return (Double(try startNanoseconds(of: number)) - Double(fix)) / 1e9
  }

  /// Waits until the receiver has told so many places, ten a second.
  func awaitPlaces(_ count: Int, file: StaticString = #filePath, line: UInt = #line) {
    let before = daemon.receiver.told.withLock { $0.count }
    let isSo = waitUntil(secondsMax: 60) { daemon.receiver.told.withLock { $0.count } >= before + count }
    XCTAssertTrue(isSo, "the receiver tells nothing", file: file, line: line)
  }

  /// Waits until no process of the app is there.
  func awaitEnd(file: StaticString = #filePath, line: UInt = #line) {
    let hasEnded = waitUntil(secondsMax: 30) { appNumbers.isEmpty }
    XCTAssertTrue(hasEnded, daemon.log, file: file, line: line)
  }

  /// How often an event has started the app.
  var startsForEvents: Int { heard.count { $0.hasPrefix("launched location") } }

  // MARK: Where the device is

  func goHome() { daemon.receiver.stand(metersNorth: 0) }
  func goAway() { daemon.receiver.stand(metersNorth: 400) }
}

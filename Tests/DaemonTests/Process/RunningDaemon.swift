import Foundation
import Glibc
import LinuxIO
import XCTest

/// The real program `corelocationd` with a socket, a state folder and a receiver of its own. Its calls block: for
/// XCTest only.
final class RunningDaemon {
  let folder: DaemonBench.Folder
  let socketPath: String
  let receiver: PipeReceiver
  private let arguments: [String]
  /// Program and words before it, such as those that make it another user's.
  private let command: [String]
  private var process: Process?
  private var knownNumber: Int32?

  /// - Parameters:
  ///   - permissions: what the operator's file says; nil for none.
  ///   - receiverPath: of a receiver that the test makes; nil for a named pipe.
  ///   - more: further arguments.
  ///   - user: whose process it is, and whose its folder; nil for the test's own. Takes root.
  init(
    permissions: String? = #"{"*": "whenInUse"}"#, receiverPath: String? = nil, more: [String] = ["--user"],
    user: UInt32? = nil, in folder: DaemonBench.Folder = DaemonBench.Folder()
  ) throws {
    self.folder = folder
    socketPath = folder.path + "/run/socket"
    receiver = try PipeReceiver(folder.path + "/receiver")
    let permissionsPath = folder.path + "/permissions.json"
    try (permissions ?? "{}").write(toFile: permissionsPath, atomically: true, encoding: .utf8)
    arguments =
      more + [
        "--socket", socketPath, "--state", folder.path + "/state", "--source",
        "nmea:" + (receiverPath ?? receiver.path), "--permissions", permissionsPath,
      ]
    guard let user else {
      command = [try TestPrograms.path("corelocationd")]
      return
    }
    let program = folder.path + "/corelocationd"
    try ClientProgram.copy("corelocationd", to: program)
    command = ClientProgram.asUser(user) + [program]
    for path in [folder.path, receiver.path] { XCTAssertEqual(chown(path, user, user), 0) }
  }

  deinit {
    if let process, process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) }
  }

  var permissionsPath: String { folder.path + "/permissions.json" }
  var logPath: String { folder.path + "/log" }
  var log: String { (try? String(contentsOfFile: logPath, encoding: .utf8)) ?? "" }
  var isRunning: Bool { process?.isRunning == true }

  /// The daemon itself, also below another program: the kernel's word on who listens.
  func processNumber() throws -> Int32 {
    if let knownNumber { return knownNumber }
    let client = try Syscalls.connectLocally(to: socketPath)
    defer { close(client) }
    let number = try Syscalls.peerCredentials(client).processNumber
    knownNumber = number
    return number
  }

  /// Starts it, below another command where one is given, and returns when it listens.
  func start(below command: [String] = [], variables: [String: String] = [:]) throws {
    try begin(below: command, variables: variables)
    guard waitUntil(secondsMax: 30, { self.canConnect || !self.isRunning }), canConnect else {
      throw Failure(description: "corelocationd does not listen: \(log)")
    }
  }

  /// Starts it without waiting.
  func begin(below command: [String] = [], variables: [String: String] = [:], ownArguments: [String]? = nil) throws {
    receiver.drain()
    knownNumber = nil
    _ = FileManager.default.createFile(atPath: logPath, contents: nil)
    let words = command + self.command + (ownArguments ?? arguments)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: words[0])
    process.arguments = Array(words.dropFirst())
    process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
      .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = try XCTUnwrap(FileHandle(forWritingAtPath: logPath))
    try process.run()
    self.process = process
  }

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private var canConnect: Bool {
    guard let client = try? Syscalls.connectLocally(to: socketPath) else { return false }
    close(client)
    return true
  }

  func signal(_ number: Int32) {
    if let process { Glibc.kill(process.processIdentifier, number) }
  }

  /// Waits for its end, which must come by itself.
  ///
  /// - Returns: the exit status, and the signal where one ended it.
  func waitForEnd() -> (status: Int32, signal: Int32?) {
    guard let process else { return (0, nil) }
    guard waitUntil(secondsMax: 30, { !process.isRunning }) else {
      XCTFail("corelocationd does not end")
      Glibc.kill(process.processIdentifier, SIGKILL)
      return (-1, SIGKILL)
    }
    let status = process.terminationStatus
    return process.terminationReason == .uncaughtSignal ? (status, status) : (status, nil)
  }

  /// Ends it as a service manager does; that has to succeed.
  func stop(file: StaticString = #filePath, line: UInt = #line) {
    signal(SIGTERM)
    let end = waitForEnd()
    XCTAssertNil(end.signal, log, file: file, line: line)
    XCTAssertEqual(end.status, 0, log, file: file, line: line)
  }

  // MARK: What it holds

  func memoryKilobytes(_ field: String = "VmRSS") throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(processNumber())/status", encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.hasPrefix(field + ":") }
    return try XCTUnwrap(line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) })
  }

  /// What its open files are, without the connection that asks.
  func openFiles() throws -> [String] {
    let folder = "/proc/\(try processNumber())/fd"
    return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + $0)
    }
  }
}

/// Looks until it is so, no longer than so many seconds.
func waitUntil(secondsMax: Double, _ isSo: () -> Bool) -> Bool {
  let end = Date(timeIntervalSinceNow: secondsMax)
  while !isSo() {
    guard Date() < end else { return isSo() }
    usleep(2_000)
  }
  return true
}

/// Where the programs are that tests start: the folder of the test bundle.
enum TestPrograms {
  /// Another build of the service is tested, whose memory is not the program's alone where a sanitizer keeps its own.
  static let hasOtherDaemon = ProcessInfo.processInfo.environment["CORELOCATIOND"] != nil
  static let isFull = ProcessInfo.processInfo.environment["CORELOCATION_PROOF"] == "full"

  /// `CORELOCATIOND` names another build of the service, such as one with the thread sanitizer.
  static func path(_ name: String) throws -> String {
    if name == "corelocationd", let other = ProcessInfo.processInfo.environment["CORELOCATIOND"] { return other }
    let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let bundles = [own] + CommandLine.arguments.filter { $0.hasSuffix(".xctest") }.map { URL(fileURLWithPath: $0) }
    for bundle in bundles {
      let path = bundle.deletingLastPathComponent().appendingPathComponent(name).path
      if FileManager.default.isExecutableFile(atPath: path) { return path }
    }
    throw CocoaError(.fileNoSuchFile)
  }

  /// A program that the machine must have.
  static func require(_ path: String) throws {
    guard !FileManager.default.isExecutableFile(atPath: path) else { return }
    try skipOrFail("\(path) is missing")
  }

  /// For tests of several users.
  static func requireRoot() throws {
    guard getuid() != 0 else { return }
    try skipOrFail("user \(getuid()) cannot be other users, as root can; run the tests as root")
  }

  /// Skips loudly on a machine that lacks what the test needs; in CI, which has it, that is a failure.
  static func skipOrFail(_ reason: String) throws {
    if ProcessInfo.processInfo.environment["CI"] == "true" { XCTFail("\(reason), and CI may skip nothing") }
    print("SKIPPED: \(reason).")
    throw XCTSkip(reason)
  }
}

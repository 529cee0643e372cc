import Foundation
import Glibc
import XCTest

/// The real `corelocationd --supervise` of one user, whose programs others may run. Its calls block: for XCTest only.
final class RunningSupervisor {
  let user: UInt32
  let logPath: String
  private let command: [String]
  private var process: Process?

  /// - Parameters:
  ///   - folder: is the user's own.
  ///   - program: `corelocationd`, where the user may run it.
  init(of user: UInt32, socket: String, program: String, in folder: String) {
    self.user = user
    logPath = folder + "/supervisor.log"
    command =
      ClientProgram.asUser(user) + [program, "--user", "--supervise", socket, "--state", folder + "/supervisor"]
  }

  deinit { signal(SIGKILL) }

  var log: String { (try? String(contentsOfFile: logPath, encoding: .utf8)) ?? "" }
  var isRunning: Bool { process?.isRunning == true }
  var processNumber: Int32 { process?.processIdentifier ?? 0 }

  /// Starts it, and does not wait until it takes orders.
  func start() throws {
    if !FileManager.default.fileExists(atPath: logPath) {
      _ = FileManager.default.createFile(atPath: logPath, contents: nil)
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    let own = ["SWIFT_BACKTRACE": "enable=no", "HOME": "/", "CORELOCATION_SOCKET": ""]
    process.environment = ProcessInfo.processInfo.environment.merging(own) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    let log = try XCTUnwrap(FileHandle(forWritingAtPath: logPath))
    log.seekToEndOfFile()
    process.standardError = log
    try process.run()
    self.process = process
  }

  func signal(_ number: Int32) {
    if let process, process.isRunning { Glibc.kill(process.processIdentifier, number) }
  }

  /// Ends it by a signal and waits.
  func end(_ number: Int32) {
    signal(number)
    XCTAssertTrue(waitUntil(secondsMax: 30) { !self.isRunning }, log)
  }
}

/// The real service of the whole machine, and the folders of the persons whose apps it has started. Needs root, which
/// can be other users.
final class SystemMachine {
  let daemon: RunningDaemon
  /// Where programs are that every user may run.
  let programs: String

  /// - Parameter policy: fields of the policy.
  init(policy: [String: Any]) throws {
    try TestPrograms.requireRoot()
    try TestPrograms.require("/usr/bin/setpriv")
    let folder = DaemonBench.Folder()
    let policyPath = folder.path + "/policy.json"
    try JSONSerialization.data(withJSONObject: policy).write(to: URL(fileURLWithPath: policyPath))
    daemon = try RunningDaemon(permissions: nil, more: ["--system", "--policy", policyPath], in: folder)
    XCTAssertEqual(chmod(folder.path, 0o755), 0)
    programs = folder.path + "/programs"
    XCTAssertEqual(mkdir(programs, 0o755), 0)
    for program in ["corelocation", "corelocationd"] { try ClientProgram.copy(program, to: programs + "/" + program) }
  }

  /// A folder that is a user's own.
  func makeFolder(of user: UInt32) throws -> String {
    let path = daemon.folder.path + "/person-\(user)"
    XCTAssertEqual(mkdir(path, 0o755), 0)
    XCTAssertEqual(chown(path, user, user), 0)
    return path
  }
}

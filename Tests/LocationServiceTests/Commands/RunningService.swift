import Foundation
import Glibc
import LinuxIO
import XCTest

/// The real corelocationd of one person at a socket of its own, and the real corelocation that speaks to it.
final class RunningService {
  let folder: TemporaryFolder
  private let daemon = Process()
  private let errors = Pipe()
  private let output = Locked<[String]>([])
  private let arrived = DispatchSemaphore(value: 0)
  private var taken = 0

  let socketPath: String

  /// - Parameters:
  ///   - role: of supervised-program, which apps inherit.
  ///   - folder: of a service before this one, for its state.
  ///   - socketName: of the socket in it.
  ///   - source: where locations come from, by default the desktop, which need not have a receiver.
  init(
    role: String, in folder: TemporaryFolder? = nil, socketName: String = "socket", source: String = "geoclue:"
  ) throws {
    let folder = try folder ?? TemporaryFolder()
    self.folder = folder
    socketPath = folder.path + "/" + socketName
    daemon.executableURL = try SupervisorBench.builtProducts().appendingPathComponent("corelocationd")
    daemon.arguments = [
      "--user", "--socket", socketPath, "--state", folder.path + "/state", "--source", source,
    ]
    daemon.environment = try Self.environment(["SUPERVISED_PROGRAM": role])
    daemon.standardInput = FileHandle.nullDevice
    daemon.standardOutput = FileHandle.nullDevice
    daemon.standardError = errors
    read(errors.fileHandleForReading)
    try daemon.run()
    _ = try line { $0.contains("Listening at") }
  }

  /// In order, so that its apps end with it and leave no groups. Where it was killed, the folder of their bundles ends
  /// them.
  deinit { stop() }

  /// As a crash would.
  func kill() {
    guard daemon.isRunning else { return }
    Glibc.kill(daemon.processIdentifier, SIGKILL)
    daemon.waitUntilExit()
  }

  /// As a service manager would.
  func stop() {
    guard daemon.isRunning else { return }
    daemon.terminate()
    daemon.waitUntilExit()
  }

  private static func environment(_ own: [String: String]) throws -> [String: String] {
    let inherited = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("CORELOCATION_") }
    return inherited.merging(own) { $1 }.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
  }

  private func read(_ handle: FileHandle) {
    let (output, arrived) = (output, arrived)
    Thread.detachNewThread {
      var rest = ""
      while true {
        let data = handle.availableData
        if data.isEmpty { return }
        rest += String(decoding: data, as: UTF8.self)
        while let end = rest.firstIndex(of: "\n") {
          let line = String(rest[..<end])
          output.withLock { $0.append(line) }
          rest.removeSubrange(...end)
          arrived.signal()
        }
      }
    }
  }

  /// The next line that the service or an app of it has written.
  func line(where isWanted: (String) -> Bool) throws -> String {
    while arrived.wait(timeout: .now() + 60) == .success {
      let line = output.withLock { $0[taken] }
      taken += 1
      if isWanted(line) { return line }
    }
    throw CocoaError(.fileReadUnknown)
  }

  func family() throws -> [Int32] {
    try line { $0.hasPrefix("ready ") }.split(separator: " ").compactMap { Int32($0) }
  }

  struct Answer: Equatable {
    var status: Int32
    var output: String
    var errors: String
  }

  func ask(_ arguments: String..., variables: [String: String] = [:]) throws -> Answer {
    try ask(arguments, variables: variables)
  }

  func ask(
    _ arguments: [String], variables: [String: String] = [:], in workingFolder: String? = nil
  ) throws -> Answer {
    try begin(arguments, variables: variables, in: workingFolder)()
  }

  /// The command runs; what is returned waits for its end.
  func begin(
    _ arguments: [String], variables: [String: String] = [:], in workingFolder: String? = nil
  ) throws -> () -> Answer {
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    if let workingFolder { process.currentDirectoryURL = URL(fileURLWithPath: workingFolder) }
    process.executableURL = try SupervisorBench.builtProducts().appendingPathComponent("corelocation")
    process.arguments = arguments
    process.environment = try Self.environment(["CORELOCATION_SOCKET": socketPath].merging(variables) { $1 })
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    return {
      // Neither fills a pipe.
      process.waitUntilExit()
      return Answer(
        status: process.terminationStatus,
        output: String(decoding: output.fileHandleForReading.availableData, as: UTF8.self),
        errors: String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self))
    }
  }
}

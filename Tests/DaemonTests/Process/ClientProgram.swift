import Foundation
import Glibc
import LinuxIO
import LocationEngine
import LocationModel
import LocationRuntime
import XCTest

/// `service-client` under a name and a user of its own: an app of its own to the service.
final class ClientProgram {
  let path: String
  private let heardPath: String
  private let process = Process()
  private let input = Pipe()

  /// - Parameters:
  ///   - name: of the copy of the program, which is the app's name to the service.
  ///   - user: whose process it is; nil for the test's own.
  ///   - words: what it says (Tests/DaemonPrograms/Client).
  init(_ name: String, user: UInt32? = nil, in folder: String, socket: String, _ words: [String]) throws {
    path = folder + "/" + name
    heardPath = folder + "/\(name).\(UUID().uuidString.prefix(8)).heard"
    try Self.copy("service-client", to: path)
    _ = FileManager.default.createFile(atPath: heardPath, contents: nil, attributes: [.posixPermissions: 0o666])
    let own = [path, socket, heardPath] + words
    let command = user.map { Self.asUser($0) + own } ?? own
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    try process.run()
  }

  deinit { stop() }

  /// Ends it and waits.
  func stop() {
    guard process.isRunning else { return }
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  static func asUser(_ user: UInt32, groups: [UInt32] = []) -> [String] {
    let others = groups.isEmpty ? "--clear-groups" : "--groups=" + groups.map(String.init).joined(separator: ",")
    return ["/usr/bin/setpriv", "--reuid", "\(user)", "--regid", "\(user)", others]
  }

  /// A program of the build, where other users can run it.
  static func copy(_ program: String, to path: String) throws {
    guard !FileManager.default.fileExists(atPath: path) else { return }
    try FileManager.default.copyItem(atPath: try TestPrograms.path(program), toPath: path)
  }

  /// Every byte that the service has sent.
  var heardBytes: [UInt8] { FileManager.default.contents(atPath: heardPath).map(Array.init) ?? [] }

  var heard: [ServerMessage] {
    var frames = FrameReader(bytesMax: WireFrame.serverBytesMax)
    heardBytes.withUnsafeBytes { frames.append($0) }
    var messages: [ServerMessage] = []
    while let frame = try? frames.next(), let message = try? FrameReader.decode(frame, as: ServerMessage.self) {
      messages.append(message)
    }
    return messages
  }

  var fixes: [Fix] {
    heard.flatMap { message -> [Fix] in
      if case .event(.locationsUpdated(let fixes, _), _) = message { fixes } else { [] }
    }
  }

  /// Waits until it has heard something that is meant.
  func hears(secondsMax: Double = 20, _ isMeant: (ServerMessage) -> Bool) -> Bool {
    waitUntil(secondsMax: secondsMax) { heard.contains(where: isMeant) }
  }

  var isGreeted: Bool {
    hears {
      switch $0 {
      case .greeting, .toolGreeting: true
      default: false
      }
    }
  }
}

/// A program that was run to its end.
enum ProgramRun {
  static func run(_ command: [String], variables: [String: String]) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }
}

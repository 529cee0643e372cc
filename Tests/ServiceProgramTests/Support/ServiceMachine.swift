import Foundation
import Glibc
import XCTest

/// A person's machine in a folder: a daemon at its socket, a store, and copies of the app under names of their own.
final class ServiceMachine {
  /// What a command has come to.
  struct Outcome {
    var status: Int32
    var output: String
    var errors: String
  }

  let folder: String
  private(set) var daemon: StartedProgram?
  private var agents: [StartedProgram] = []

  var socketPath: String { folder + "/run/corelocation/socket" }
  var statePath: String { folder + "/state/corelocation" }

  /// The kernel's sensors, where a test lays some out.
  var sensorFolder: String { folder + "/sensors" }

  init(isStarted: Bool = true, _ options: String...) throws {
    var template = Array("/tmp/corelocation-service-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw XCTSkip("no folder can be made") }
    folder = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    for name in ["run", "state", "home"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/\(name)", withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }
    try Self.infoPlist.write(toFile: folder + "/Info.plist", atomically: false, encoding: .utf8)
    if isStarted { try startDaemon(options) }
  }

  deinit {
    daemon?.kill()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Returns when it listens.
  func startDaemon(_ options: [String] = []) throws {
    let started = try StartedProgram(
      [Self.built("corelocationd")] + (options.contains("--source") ? [] : ["--source", "fixed:48.5,11.25"]) + options,
      variables: variables)
    started.errors.wait(for: "Listening at \(socketPath)")
    daemon = started
  }

  /// The daemon with these options, which is to end by itself.
  func daemonOutcome(_ options: String...) throws -> Outcome {
    try outcome(StartedProgram([Self.built("corelocationd")] + options, variables: variables))
  }

  // MARK: Programs

  private static let infoPlist = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict>
    <key>NSLocationWhenInUseUsageDescription</key><string>To show where you are.</string>
    <key>NSLocationAlwaysAndWhenInUseUsageDescription</key><string>To remind you.</string>
    </dict></plist>
    """

  var variables: [String: String] {
    [
      "XDG_RUNTIME_DIR": folder + "/run", "XDG_STATE_HOME": folder + "/state", "HOME": folder + "/home",
      "CORELOCATION_INFO_PLIST": folder + "/Info.plist", "CORELOCATION_SENSORS": sensorFolder,
    ]
  }

  /// An app with a path, and so a name, of its own.
  func startApp(_ name: String, _ arguments: String...) throws -> StartedProgram {
    let path = appPath(name)
    if access(path, F_OK) != 0 {
      try FileManager.default.copyItem(atPath: Self.built("service-app"), toPath: path)
    }
    return try StartedProgram([path] + arguments, variables: variables)
  }

  func appPath(_ name: String) -> String { folder + "/" + name }

  /// `corelocation` with these arguments, to its end.
  func command(_ arguments: String..., variables more: [String: String] = [:]) throws -> Outcome {
    try outcome(
      StartedProgram([Self.built("corelocation")] + arguments, variables: variables.merging(more) { $1 }))
  }

  func outcome(_ program: StartedProgram) -> Outcome {
    let output = program.output.all()
    let errors = program.errors.all()
    return Outcome(status: program.waitForStatus(), output: output, errors: errors)
  }

  /// An agent on a terminal of its own, that waits for questions.
  func startAgent() throws -> (program: StartedProgram, terminal: Terminal) {
    let terminal = try Terminal()
    let program = try StartedProgram([Self.built("corelocation"), "agent"], variables: variables, terminal: terminal)
    agents.append(program)
    terminal.screen.wait(for: "Waiting for questions.")
    return (program, terminal)
  }

  /// Built beside the tests.
  static func built(_ name: String) -> String {
    let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    return tests.deletingLastPathComponent().appendingPathComponent(name).path
  }
}

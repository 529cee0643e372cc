import Foundation
import Glibc
import Testing

/// One run of the built `corelocation`, without a terminal and without the caller's settings.
struct CommandRun {
  var status: Int32
  var output: String
  var errors: String

  var lines: [Substring] { output.split(separator: "\n") }

  enum Input {
    case nothing
    case closed
    case file(String)
  }

  enum Output {
    case captured
    /// Nobody reads: the reading end of the pipe is closed already.
    case brokenPipe
    case closed
    case file(String)
  }

  init(
    _ arguments: String..., authorization: String? = nil, source: String? = nil, sensors: String? = nil,
    input: Input = .nothing,
    output: Output = .captured
  ) throws {
    try self.init(
      arguments: arguments, authorization: authorization, source: source, sensors: sensors, input: input,
      output: output)
  }

  init(
    arguments: [String], authorization: String? = nil, source: String? = nil, sensors: String? = nil,
    input: Input = .nothing,
    output: Output = .captured
  ) throws {
    let folder = try TemporaryFolder()
    let outputPath = folder.path + "/output"
    let errorsPath = folder.path + "/errors"
    var pipeEnds: [Int32] = [-1, -1]
    if case .brokenPipe = output {
      try #require(pipe(&pipeEnds) == 0)
      close(pipeEnds[0])
    }
    let process = try Spawned(
      arguments, authorization: authorization, source: source, sensors: sensors, stateFolder: folder.path
    ) { actions in
      switch input {
      case .nothing: posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
      case .closed: posix_spawn_file_actions_addclose(&actions, STDIN_FILENO)
      case .file(let path): posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, path, O_RDONLY, 0)
      }
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errorsPath, O_WRONLY | O_CREAT, 0o600)
      switch output {
      case .captured:
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, outputPath, O_WRONLY | O_CREAT, 0o600)
      case .brokenPipe: posix_spawn_file_actions_adddup2(&actions, pipeEnds[1], STDOUT_FILENO)
      case .closed: posix_spawn_file_actions_addclose(&actions, STDOUT_FILENO)
      case .file(let path): posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, path, O_WRONLY, 0)
      }
    }
    if pipeEnds[1] >= 0 { close(pipeEnds[1]) }
    status = process.waitForStatus()
    self.output = (try? String(contentsOfFile: outputPath, encoding: .utf8)) ?? ""
    errors = (try? String(contentsOfFile: errorsPath, encoding: .utf8)) ?? ""
  }
}

/// A child process of the built command line.
struct Spawned {
  let identifier: pid_t

  init(
    _ arguments: [String], authorization: String? = nil, source: String? = nil, sensors: String? = nil,
    stateFolder: String,
    _ addActions: (inout posix_spawn_file_actions_t) -> Void
  ) throws {
    var environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("CORELOCATION_") }
    environment["SWIFT_BACKTRACE"] = "enable=no"
    environment["XDG_STATE_HOME"] = stateFolder
    environment["CORELOCATION_AUTHORIZATION"] = authorization
    environment["CORELOCATION_SOURCE"] = source
    // Never the sensors and the bus of the machine that runs the tests.
    environment["CORELOCATION_SENSORS"] = sensors ?? stateFolder + "/no-sensors"
    environment["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=" + stateFolder + "/no-bus"
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    addActions(&actions)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A session of its own has no terminal to ask on: POSIX_SPAWN_SETSID, a macro that Swift does not see.
    posix_spawnattr_setflags(&attributes, 0x80)
    let executable = try Self.executable()
    let argumentPointers = ([executable] + arguments).map { strdup($0) } + [nil]
    let variablePointers = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (argumentPointers + variablePointers).forEach { free($0) } }
    var child: pid_t = 0
    let result = posix_spawn(&child, executable, &actions, &attributes, argumentPointers, variablePointers)
    try #require(result == 0, "cannot start \(executable): \(String(cString: strerror(result)))")
    identifier = child
  }

  /// The exit status; minus the signal's number where one ended the process. A program that hangs is killed after a
  /// minute, so that it fails its test and not the whole run.
  func waitForStatus() -> Int32 {
    let identifier = identifier
    let killer = DispatchWorkItem { kill(identifier, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: killer)
    defer { killer.cancel() }
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
  }

  /// Built beside the tests.
  private static func executable() throws -> String {
    let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let path = tests.deletingLastPathComponent().appendingPathComponent("corelocation").path
    try #require(access(path, X_OK) == 0, "there is no \(path)")
    return path
  }
}

/// A folder that ends with the test.
final class TemporaryFolder {
  let path: String

  init() throws {
    var template = Array("/tmp/corelocation-tests-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  func write(_ text: String, to name: String) throws -> String {
    let file = path + "/" + name
    try text.write(toFile: file, atomically: false, encoding: .utf8)
    return file
  }
}

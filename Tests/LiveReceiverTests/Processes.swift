import Foundation
import Glibc
import XCTest

/// A program that a test has started, and ends.
final class StartedProcess {
  private(set) var identifier: pid_t = 0

  init(
    _ arguments: [String], input: String = "/dev/null", output: String = "/dev/null", variables: [String: String] = [:]
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDONLY | O_NOCTTY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT, 0o600)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    let environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
    let pointers = arguments.map { strdup($0) } + [nil]
    let variablePointers = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (pointers + variablePointers).forEach { free($0) } }
    let result = posix_spawn(&identifier, arguments[0], &actions, nil, pointers, variablePointers)
    try XCTSkipIf(result != 0, "cannot start \(arguments[0]): \(String(cString: strerror(result)))")
  }

  /// Kills it as a crash would, and returns when it is gone.
  func kill() {
    guard identifier > 0 else { return }
    Glibc.kill(identifier, SIGKILL)
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
    identifier = 0
  }

  /// Waits for its own end: the exit status, or minus the number of the signal that ended it.
  func waitForStatus() -> Int32 {
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
    identifier = 0
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
  }

  deinit { kill() }
}

enum RealGPSD {
  static let path = "/usr/sbin/gpsd"

  /// gpsd on the port, with the receiver at `device`; skips where it is not installed, in CI that is a failure.
  ///
  /// - Parameter onlyListens: nothing is written to the receiver, and its speed is left as it is.
  static func start(
    port: UInt16, device: String, pollsAlways: Bool = true, onlyListens: Bool = false
  ) throws -> StartedProcess {
    if access(path, X_OK) != 0 {
      if ProcessInfo.processInfo.environment["CI"] == "true" {
        XCTFail("there is no \(path): scripts/install-dependencies test installs it")
      }
      print("SKIPPED: there is no \(path). scripts/install-dependencies test installs it.")
      throw XCTSkip("there is no \(path)")
    }
    return try StartedProcess(
      [path, "-N"] + (pollsAlways ? ["-n"] : []) + (onlyListens ? ["-b"] : []) + ["-S", String(port), device])
  }
}

/// A port of this machine that was free a moment ago.
func freePort(_ type: __socket_type = SOCK_STREAM) throws -> UInt16 {
  let (descriptor, number) = try boundPort(type)
  close(descriptor)
  return number
}

/// A port for datagrams that this process has, until the descriptor is closed.
func boundDatagramPort() throws -> (descriptor: Int32, number: UInt16) {
  try boundPort(SOCK_DGRAM)
}

private func boundPort(_ type: __socket_type) throws -> (descriptor: Int32, number: UInt16) {
  let descriptor = socket(AF_INET, Int32(type.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  let result = withUnsafeMutablePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
    }
  }
  try XCTSkipIf(!result, "no port is free")
  return (descriptor, UInt16(bigEndian: address.sin_port))
}

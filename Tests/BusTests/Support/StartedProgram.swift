import Foundation
import Glibc

/// A program that a test has started, and ends.
final class StartedProgram {
  private(set) var identifier: pid_t = 0

  /// - Parameters:
  ///   - environment: is added to the test's own.
  ///   - output: gets what it prints; else that is lost.
  init(_ arguments: [String], environment: [String: String] = [:], output: Int32? = nil) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    if let output {
      posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    } else {
      posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    }
    let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let words = arguments.map { strdup($0) } + [nil]
    let settings = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { (words + settings).forEach { free($0) } }
    let result = posix_spawnp(&identifier, arguments[0], &actions, nil, words, settings)
    guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: result) ?? .ENOENT) }
  }

  /// Kills it as a crash would, and returns when it is gone.
  func kill() {
    guard identifier > 0 else { return }
    Glibc.kill(identifier, SIGKILL)
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
    identifier = 0
  }

  /// Waits for its end: the exit status, or -1 where a signal ended it.
  func waitForStatus() -> Int32 {
    guard identifier > 0 else { return -1 }
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
    identifier = 0
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : -1
  }

  deinit { kill() }
}

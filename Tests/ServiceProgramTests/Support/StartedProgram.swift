import Foundation
import Glibc
import XCTest

/// What a program has printed so far, on its output, its errors or its terminal, and a way to wait for more.
final class Printed: @unchecked Sendable {
  private let condition = NSCondition()
  private var bytes: [UInt8] = []
  private var hasEnded = false

  /// Reads until the writers are gone, and closes the descriptor.
  func read(from descriptor: Int32) {
    Thread.detachNewThread { [self] in
      var buffer = [UInt8](repeating: 0, count: 4_096)
      while true {
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count < 0 && errno == EINTR { continue }
        condition.withLock {
          if count > 0 { bytes += buffer[..<count] } else { hasEnded = true }
          condition.broadcast()
        }
        if count <= 0 { break }
      }
      close(descriptor)
    }
  }

  var text: String { condition.withLock { String(decoding: bytes, as: UTF8.self) } }

  /// Waits until all was read: the program has ended.
  func all() -> String {
    condition.withLock {
      let limit = Date(timeIntervalSinceNow: 20)
      while !hasEnded, condition.wait(until: limit) {}
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// All so far, as soon as `text` stands in it so often; the test fails where it never does.
  @discardableResult
  func wait(
    for text: String, count: Int = 1, file: StaticString = #filePath, line: UInt = #line
  ) -> String {
    condition.withLock {
      let limit = Date(timeIntervalSinceNow: 20)
      while true {
        let all = String(decoding: bytes, as: UTF8.self)
        if all.components(separatedBy: text).count > count { return all }
        guard !hasEnded, condition.wait(until: limit) else {
          XCTFail("waited in vain for \(count) × \"\(text)\"; so far: \(all)", file: file, line: line)
          return all
        }
      }
    }
  }
}

/// A terminal with a program in its foreground: what is typed there, and what stands there.
final class Terminal {
  let screen = Printed()
  let path: String
  private let person: Int32

  init() throws {
    // posix_openpt(3) and its kin, which Swift's Glibc module does not show: TIOCSPTLCK and TIOCGPTN of ioctl_tty(2).
    person = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var isLocked: Int32 = 0
    var number: UInt32 = 0
    guard person >= 0, ioctl(person, 0x4004_5431, &isLocked) == 0, ioctl(person, 0x8004_5430, &number) == 0 else {
      throw XCTSkip("no terminal can be made")
    }
    path = "/dev/pts/\(number)"
  }

  /// After the program was started, so that its end ends the reading.
  func beginReading() {
    screen.read(from: dup(person))
  }

  func type(_ text: String) {
    _ = text.withCString { write(person, $0, strlen($0)) }
  }

  deinit { close(person) }
}

/// One of the built programs, or a copy, in a session of its own, without the caller's settings.
final class StartedProgram {
  let output = Printed()
  let errors = Printed()
  private(set) var identifier: pid_t = 0

  /// - Parameter terminal: the one that controls it; else it has none.
  init(
    _ arguments: [String], variables: [String: String] = [:], terminal: Terminal? = nil
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var outputEnds: [Int32] = [-1, -1]
    var errorEnds: [Int32] = [-1, -1]
    if let terminal {
      // The first terminal that the leader of a session opens controls it.
      for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
        posix_spawn_file_actions_addopen(&actions, descriptor, terminal.path, O_RDWR, 0)
      }
    } else {
      guard pipe(&outputEnds) == 0, pipe(&errorEnds) == 0 else { throw XCTSkip("no pipe") }
      for end in outputEnds + errorEnds { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_adddup2(&actions, outputEnds[1], STDOUT_FILENO)
      posix_spawn_file_actions_adddup2(&actions, errorEnds[1], STDERR_FILENO)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // POSIX_SPAWN_SETSID, a macro that Swift does not see.
    posix_spawnattr_setflags(&attributes, 0x80)
    let foreign = ["CORELOCATION_", "XDG_", "DBUS_"]
    var environment = ProcessInfo.processInfo.environment.filter { pair in
      !foreign.contains { pair.key.hasPrefix($0) }
    }
    environment["SWIFT_BACKTRACE"] = "enable=no"
    environment.merge(variables) { $1 }
    let words = arguments.map { strdup($0) } + [nil]
    let settings = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (words + settings).forEach { free($0) } }
    let result = posix_spawnp(&identifier, arguments[0], &actions, &attributes, words, settings)
    for descriptor in [outputEnds[1], errorEnds[1]] where descriptor >= 0 { close(descriptor) }
    guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: result) ?? .ENOENT) }
    if let terminal {
      terminal.beginReading()
    } else {
      output.read(from: outputEnds[0])
      errors.read(from: errorEnds[0])
    }
  }

  func signal(_ number: Int32) {
    if identifier > 0 { Glibc.kill(identifier, number) }
  }

  /// Kills it as a crash would, and returns when it is gone.
  func kill() {
    signal(SIGKILL)
    _ = waitForStatus()
  }

  /// The exit status, or minus the number of the signal that ended it. Who hangs is killed after 30 s.
  func waitForStatus() -> Int32 {
    guard identifier > 0 else { return 0 }
    let number = identifier
    let killer = DispatchWorkItem { Glibc.kill(number, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + 30, execute: killer)
    defer { killer.cancel() }
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
    identifier = 0
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
  }

  deinit { kill() }
}

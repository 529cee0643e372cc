import Foundation
import Glibc

/// A program that the benchmark has started; its output goes to a file.
package final class Child {
  package let identifier: pid_t
  private let output: String
  package private(set) var status: Int32?

  /// Without `output` its errors are not shown either.
  package init?(_ arguments: [String], output: String = "/dev/null", variables: [String: String] = [:]) {
    self.output = output
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    if output == "/dev/null" { posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, output, O_WRONLY, 0) }
    let environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
    let words = arguments.map { strdup($0) } + [nil]
    let settings = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (words + settings).forEach { free($0) } }
    var identifier = pid_t()
    guard posix_spawn(&identifier, arguments[0], &actions, nil, words, settings) == 0 else { return nil }
    self.identifier = identifier
  }

  deinit { end() }

  /// Looks without waiting.
  package var isOver: Bool {
    if status != nil { return true }
    var status: Int32 = 0
    if waitpid(identifier, &status, WNOHANG) == identifier { self.status = status }
    return self.status != nil
  }

  package func end() {
    guard status == nil else { return }
    kill(identifier, SIGKILL)
    var status: Int32 = 0
    waitpid(identifier, &status, 0)
    self.status = status
  }

  package var lines: [[Substring]] {
    let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map { $0.split(separator: " ") }
  }

  /// How often any of its threads was given a processor so far, or took itself off it; and the clock ticks it ran.
  ///
  /// A thread that sleeps makes a system call only after it was woken, and sleeps again with a voluntary switch. So a
  /// process whose threads all sleep, and whose switches stay the same, has made no system call.
  package var activity: (switches: Int, ticks: Int) {
    var switches = 0
    let folder = "/proc/\(identifier)/task"
    for task in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      let text = (try? String(contentsOfFile: "\(folder)/\(task)/status", encoding: .utf8)) ?? ""
      for line in text.split(separator: "\n") where line.contains("ctxt_switches:") {
        switches += line.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) } ?? 0
      }
    }
    let text = (try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8)) ?? ""
    // After the name in parentheses, utime and stime are the 12th and 13th field (proc(5)).
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    let ticks = fields.count > 12 ? (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0) : 0
    return (switches, ticks)
  }

  /// Asks it to end, and waits; gives its exit status.
  package func finish() -> Int32 {
    guard status == nil else { return status ?? 0 }
    kill(identifier, SIGTERM)
    var status: Int32 = 0
    waitpid(identifier, &status, 0)
    self.status = status
    return status
  }

  /// What all of its threads ran so far, those that ended too.
  package var processorSeconds: Double {
    var clock = clockid_t()
    var time = timespec()
    guard clock_getcpuclockid(identifier, &clock) == 0, clock_gettime(clock, &time) == 0 else { return .nan }
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// A field of /proc/PID/status in kilobytes, such as VmRSS or RssAnon.
  package func memoryKilobytes(_ field: String) -> Int? {
    let text = (try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix(field + ":") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
  }
}

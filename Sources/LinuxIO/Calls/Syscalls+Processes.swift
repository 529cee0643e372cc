import CLinux
import Glibc

/// What a process is started with.
package struct ProcessStart: Hashable, Sendable {
  package var executablePath: String
  package var arguments: [String]
  /// `NAME=value`, all of it: nothing else is handed down.
  package var environment: [String]
  /// Open files of this process that become the new one's standard output and standard error; standard input is empty.
  package var output: Int32
  package var errors: Int32
  /// `cgroup.procs` of the group that it is put into before its program begins; nil for this process's own.
  package var groupFile: Int32?

  package init(
    executablePath: String, arguments: [String] = [], environment: [String], output: Int32 = STDERR_FILENO,
    errors: Int32 = STDERR_FILENO, groupFile: Int32? = nil
  ) {
    self.executablePath = executablePath
    self.arguments = arguments
    self.environment = environment
    self.output = output
    self.errors = errors
    self.groupFile = groupFile
  }
}

/// How a process ended.
package enum ProcessEnd: Hashable, Sendable, CustomStringConvertible {
  case exited(status: Int32)
  case killed(signal: Int32)
  /// Somebody else took note of it.
  case unknown

  /// Such as "exit status 3" or "signal 11 (Segmentation fault)".
  package var description: String {
    switch self {
    case .exited(let status): "exit status \(status)"
    case .killed(let signal): "signal \(signal) (\(strsignal(signal).map { String(cString: $0) } ?? "unknown"))"
    case .unknown: "an end that is not known"
    }
  }
}

extension Syscalls {
  /// Starts a program in a session and process group of its own, in the root folder, with no open files but the three
  /// standard ones and with every signal as a program expects it. Throws where the program cannot be run.
  package static func start(_ start: ProcessStart) throws(SystemError) -> Int32 {
    let arguments = ([start.executablePath] + start.arguments).map { strdup($0) } + [nil]
    let environment = start.environment.map { strdup($0) } + [nil]
    defer { (arguments + environment).forEach { free($0) } }
    var failure: Int32 = 0
    let number = linux_start_process(
      start.executablePath, arguments, environment, start.output, start.errors, start.groupFile ?? -1, &failure)
    guard number > 0 else { throw SystemError(call: "start", number: failure) }
    return number
  }

  /// How a child of this process ended, which then is no child any more; nil where it has not ended.
  package static func reap(_ number: Int32) -> ProcessEnd? {
    var status: Int32 = 0
    let found = retrying { waitpid(number, &status, WNOHANG) }
    if found == 0 { return nil }
    guard found == number else { return .unknown }
    let signal = status & 0x7F
    return signal == 0 ? .exited(status: (status >> 8) & 0xFF) : .killed(signal: signal)
  }

  /// A child of this process that has ended, whichever; nil where there is none. It stays until it is reaped.
  package static var endedChild: Int32? {
    let number = linux_ended_child()
    return number > 0 ? number : nil
  }

  /// False where there is no such process any more.
  @discardableResult
  package static func send(_ signal: Int32, to number: Int32) -> Bool {
    // Zero and less are whole groups of processes.
    number > 0 && kill(number, signal) == 0
  }

  /// From now on, processes below this one whose parent ends become children of this one (prctl(2)).
  package static func adoptOrphans() throws(SystemError) {
    guard linux_adopt_orphans() else { throw SystemError(call: "prctl") }
  }

  package static var processNumber: Int32 { getpid() }

  /// The environment of this process, `NAME=value` each.
  package static var environment: [String] {
    var lines: [String] = []
    var next = environ
    while let line = next.pointee {
      lines.append(String(cString: line))
      next += 1
    }
    return lines
  }

  // MARK: Files of the kernel's that are written in one go

  package static func openForWriting(_ path: String) throws(SystemError) -> Int32 {
    let file = retrying { SystemFaults.fails(.open) ? -1 : open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY) }
    guard file >= 0 else { throw SystemError(call: "open") }
    return file
  }

  package static func write(_ text: String, to path: String) throws(SystemError) {
    let file = try openForWriting(path)
    defer { close(file) }
    let bytes = Array(text.utf8)
    let count = retrying {
      SystemFaults.fails(.write) ? -1 : bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
    }
    guard count == bytes.count else { throw SystemError(call: "write") }
  }

  package static func makeFolder(_ path: String) throws(SystemError) {
    guard mkdir(path, 0o700) == 0 else { throw SystemError(call: "mkdir") }
  }

  package static func removeFolder(_ path: String) throws(SystemError) {
    guard rmdir(path) == 0 else { throw SystemError(call: "rmdir") }
  }
}

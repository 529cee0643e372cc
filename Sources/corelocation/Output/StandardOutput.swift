import Dispatch
import Glibc
import LinuxIO

/// Standard output for results: whole lines, in pieces as large as the command allows.
///
/// A reader that goes away (`| head`) ends the output and, at the next look at `isOpen`, the command; that is no error.
final class StandardOutput: Sendable {
  static let shared = StandardOutput()

  private struct State {
    var buffer: [UInt8] = []
    var isOpen = true
    /// The number of the error that ended the output; a broken pipe is none.
    var errorNumber: Int32?
  }

  /// Quick enough for a person who watches, and rare enough to cost nothing.
  private static let handOverMilliseconds = 100
  // Dispatch sources may be used from any thread; the module just does not say so.
  private nonisolated(unsafe) static let handOverTimer: any DispatchSourceTimer = {
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "corelocation.output"))
    timer.setEventHandler { @Sendable in shared.handOver() }
    timer.schedule(
      deadline: .now() + .milliseconds(handOverMilliseconds), repeating: .milliseconds(handOverMilliseconds))
    return timer
  }()

  private static let pieceBytes = 65_536
  private let state = Locked(State())

  /// A broken pipe is met where it is written to instead of ending the process.
  static func ignoreBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
  }

  /// False once nobody reads, or writing has failed.
  var isOpen: Bool {
    state.withLock { $0.isOpen }
  }

  /// Appends to the output. With `flushes` it is handed to the reader at once.
  func write(flushes: Bool = false, _ append: (inout [UInt8]) -> Void) {
    state.withLock { state in
      guard state.isOpen else { return }
      append(&state.buffer)
      if flushes || state.buffer.count >= Self.pieceBytes { Self.flush(&state) }
    }
  }

  /// From now on no line waits longer than a tenth of a second for others to fill a piece, whatever the command itself
  /// waits for. For results that somebody may watch: a pipe or a terminal.
  func handOverRegularly() {
    if !StandardDescriptors.outputIsFile { Self.handOverTimer.activate() }
  }

  private func handOver() {
    state.withLock { state in
      if state.isOpen { Self.flush(&state) }
    }
  }

  func write(_ text: String) {
    write { $0.append(contentsOf: text.utf8) }
  }

  /// Hands over the rest. A status where writing failed, which is said on standard error.
  func finish() -> ExitStatus? {
    let errorNumber = state.withLock { state in
      if state.isOpen { Self.flush(&state) }
      defer { state.errorNumber = nil }
      return state.errorNumber
    }
    guard let errorNumber else { return nil }
    Messages.say("standard output cannot be written: \(String(cString: strerror(errorNumber)))")
    return .failed
  }

  /// Hands over the rest; nothing is written after it.
  func close() {
    state.withLock { state in
      if state.isOpen { Self.flush(&state) }
      state.isOpen = false
    }
  }

  private static func flush(_ state: inout State) {
    var rest = state.buffer[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        state.isOpen = false
        if errno != EPIPE { state.errorNumber = errno }
        break
      }
    }
    state.buffer.removeAll(keepingCapacity: true)
  }
}

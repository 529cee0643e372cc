import Glibc

/// A thread that waits for input and hands it on as it comes, since waiting there costs a hand-over less than
/// Dispatch's sources do: these wake one thread that waits for all files, which wakes one that reads. Ends at once when
/// it is stopped or let go; a wait under way makes no system call.
final class InputThread: Sendable {
  private let stopWriter: Locked<FileDescriptor?>

  enum Next {
    case wait
    /// Nothing more is read for so long.
    case rest(milliseconds: Int32)
    case end
  }

  /// - Parameter ready: is called on the thread where there is input, or an end of it. An error of the wait itself
  ///   comes instead of input.
  init(
    _ descriptor: FileDescriptor, ready: @escaping @Sendable (SystemError?) -> Next
  ) throws(SystemError) {
    let (reader, writer) = try Syscalls.makePipe()
    let stop = FileDescriptor(reader)
    stopWriter = Locked(FileDescriptor(writer))
    try Thread.start {
      while true {
        do throws(SystemError) {
          guard try Syscalls.waitForInput(descriptor.number, orEndOf: stop.number) else { return }
        } catch {
          _ = ready(error)
          return
        }
        switch ready(nil) {
        case .wait: break
        case .rest(let milliseconds):
          guard Syscalls.rest(milliseconds: milliseconds, orEndOf: stop.number) else { return }
        case .end: return
        }
      }
    }
  }

  deinit { stop() }

  func stop() {
    stopWriter.withLock { $0 = nil }
  }
}

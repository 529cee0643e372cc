import Glibc

/// A thread that waits for input and hands it on as it comes, since waiting there costs a hand-over less than
/// Dispatch's sources do: these wake one thread that waits for all files, which wakes one that reads. Ends at once when
/// it is stopped or let go; a wait under way makes no system call.
final class InputThread: Sendable {
  private let stopWriter: Locked<FileDescriptor?>

  /// - Parameter ready: is called on the thread where there is input, or an end of it; false ends the thread. An error
  ///   of the wait itself comes instead of input.
  init(
    _ descriptor: FileDescriptor, ready: @escaping @Sendable (SystemError?) -> Bool
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
        guard ready(nil) else { return }
      }
    }
  }

  deinit { stop() }

  func stop() {
    stopWriter.withLock { $0 = nil }
  }
}

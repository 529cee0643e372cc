/// A process that stays the one it was: its number may pass to another after its end, the handle does not.
package final class ProcessHandle: Sendable {
  package enum Origin: Hashable, Sendable {
    /// The kernel gave the process that connected (SO_PEERPIDFD, Linux 6.5).
    case socket
    /// Opened by its number, which could have passed to another process before that.
    case number
  }

  package let origin: Origin
  private let file: FileDescriptor

  /// The process at the other end of a connected Unix socket, whose number is `number`.
  ///
  /// - Parameter kernelGivesProcess: where false, the socket is not asked, as on a kernel older than 6.5.
  package init(peerOf socket: Int32, number: Int32, kernelGivesProcess: Bool = true) throws(SystemError) {
    if kernelGivesProcess, let descriptor = try Syscalls.peerProcess(socket) {
      origin = .socket
      file = FileDescriptor(descriptor)
    } else {
      origin = .number
      file = FileDescriptor(try Syscalls.openProcess(number))
    }
  }

  /// A child of this process that has not been reaped: its number is no other's.
  package init(child number: Int32) throws(SystemError) {
    origin = .number
    file = FileDescriptor(try Syscalls.openProcess(number))
  }

  /// Can be read once the process has ended, so that an event loop can wait for it. Closed with this object.
  package var descriptor: Int32 { file.number }

  /// All its threads have ended, whether or not its parent has taken note.
  package var hasEnded: Bool { hasEnded(withinMilliseconds: 0) }

  /// Waits for the end, no longer than so many milliseconds.
  package func hasEnded(withinMilliseconds milliseconds: Int32) -> Bool {
    Syscalls.hasInput(file.number, withinMilliseconds: milliseconds)
  }
}

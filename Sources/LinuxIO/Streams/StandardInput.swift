import Dispatch

/// Reads standard input on a thread of its own, since Dispatch does not tell the end of every kind of file, and gives
/// each piece on a queue. Nothing is taken from the input once it was stopped.
final class StandardInput: Sendable {
  private let thread: InputThread

  /// - Parameter received: gets each piece, nil at the end.
  init(queue: DispatchQueue, received: @escaping @Sendable (Result<[UInt8]?, SystemError>) -> Void) throws(SystemError)
  {
    thread = try InputThread(FileDescriptor(0, closes: false)) { failure in
      let piece: [UInt8]?
      do throws(SystemError) {
        if let failure { throw failure }
        piece = try Syscalls.readPiece(0)
      } catch {
        queue.async { received(.failure(error)) }
        return .end
      }
      queue.async { received(.success(piece)) }
      return piece == nil ? .end : .wait
    }
  }

  func stop() {
    thread.stop()
  }
}

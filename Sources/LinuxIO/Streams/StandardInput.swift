import Dispatch
import Glibc

/// Reads standard input on a thread of its own, since Dispatch does not tell the end of every kind of file, and gives
/// each piece on a queue. Nothing is taken from the input once it was stopped.
final class StandardInput: Sendable {
  private let stopReader: FileDescriptor
  private let stopWriter: Locked<FileDescriptor?>

  /// - Parameter received: gets each piece, nil at the end.
  init(queue: DispatchQueue, received: @escaping @Sendable (Result<[UInt8]?, SystemError>) -> Void) throws(SystemError)
  {
    let (reader, writer) = try Syscalls.makePipe()
    let stop = FileDescriptor(reader)
    stopReader = stop
    stopWriter = Locked(FileDescriptor(writer))
    try Thread.start {
      while true {
        let piece: [UInt8]?
        do throws(SystemError) {
          guard try Syscalls.waitForInput(0, orEndOf: stop.number) else { return }
          piece = try Syscalls.readPiece(0)
        } catch {
          queue.async { received(.failure(error)) }
          return
        }
        queue.async { received(.success(piece)) }
        if piece == nil { return }
      }
    }
  }

  deinit { stop() }

  func stop() {
    stopWriter.withLock { $0 = nil }
  }
}

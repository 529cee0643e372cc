import Dispatch

/// Waits for input on a thread of its own and has it read on a queue, in that thread where the queue is free: of a
/// piece of input one thread is woken, where a source of Dispatch's wakes two, one of them twice. The thread sleeps
/// until something comes and ends with the watch.
final class InputWatch: Sendable {
  private let stopWriter: Locked<FileDescriptor?>

  /// - Parameters:
  ///   - descriptor: stays open until the thread has ended.
  ///   - queue: serial.
  ///   - hasInput: reads what is there, or cancels the watch; called again until nothing is left.
  init(_ descriptor: FileDescriptor, queue: DispatchQueue, hasInput: @escaping @Sendable () -> Void) throws(SystemError)
  {
    let (reader, writer) = try Syscalls.makePipe()
    let stop = FileDescriptor(reader)
    stopWriter = Locked(FileDescriptor(writer))
    try Thread.start {
      while let isThere = try? Syscalls.waitForInput(descriptor.number, orEndOf: stop.number) {
        guard isThere else { return }
        queue.sync(execute: hasInput)
      }
    }
  }

  deinit { cancel() }

  /// Nothing is called any more once what runs on the queue has ended. From any thread.
  func cancel() {
    stopWriter.withLock { $0 = nil }
  }
}

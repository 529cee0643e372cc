import Dispatch

/// A connected local socket that is never waited for: what comes is told on a queue, what goes is sent as far as there
/// is room. Costs no system call while nothing happens.
package final class LocalStream: @unchecked Sendable {
  /// Bytes of one sender, and who that was where the socket tells (`Syscalls.tellSenders`).
  package typealias Received = @Sendable (UnsafeRawBufferPointer, ReceivedBytes) -> Void

  private struct Listener {
    var received: Received
    var hasRoom: @Sendable () -> Void
    var ended: @Sendable (SystemError?) -> Void
  }

  private struct State {
    var listener: Listener?
    var reading: (any DispatchSourceRead)?
    var isReadingPaused = false
    /// Exists while the other side has no room.
    var writing: (any DispatchSourceWrite)?
    var isClosed = false
  }

  package let peer: PeerCredentials
  private let descriptor: FileDescriptor
  private let queue: DispatchQueue
  private let state = Locked(State())

  /// - Parameter descriptor: is this object's from now on, whatever happens.
  package init(_ number: Int32, queue: DispatchQueue) throws(SystemError) {
    descriptor = FileDescriptor(number)
    self.queue = queue
    peer = try Syscalls.peerCredentials(number)
  }

  deinit { close() }

  package var number: Int32 { descriptor.number }

  /// Begins to listen. All three are called on the queue.
  ///
  /// - Parameters:
  ///   - hasRoom: after `send` found none, there is some again.
  ///   - ended: the other side has gone, or the connection broke; the last call.
  package func start(
    received: @escaping Received, hasRoom: @escaping @Sendable () -> Void,
    ended: @escaping @Sendable (SystemError?) -> Void
  ) {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor.number, queue: queue)
    source.setEventHandler { [weak self] in self?.readAll() }
    source.setCancelHandler { [descriptor] in withExtendedLifetime(descriptor) {} }
    source.activate()
    let isLate = state.withLock { state -> Bool in
      guard !state.isClosed else { return true }
      state.listener = Listener(received: received, hasRoom: hasRoom, ended: ended)
      state.reading = source
      return false
    }
    if isLate { source.cancel() }
  }

  /// Reads until nothing is left. The end of a stream may be told together with its last bytes, and not again.
  private func readAll() {
    while let listener = state.withLock({ $0.isClosed || $0.isReadingPaused ? nil : $0.listener }) {
      var failure: SystemError?
      var piece: ReceivedBytes?
      withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
        do throws(SystemError) {
          piece = try Syscalls.receive(descriptor.number, into: buffer)
          if let piece, piece.count > 0 {
            listener.received(UnsafeRawBufferPointer(rebasing: buffer[..<piece.count]), piece)
          }
        } catch {
          failure = error
        }
      }
      if piece == nil, failure == nil { return }
      if let piece, piece.count > 0 { continue }
      guard !state.withLock({ $0.isClosed }) else { return }
      close()
      return listener.ended(failure)
    }
  }

  /// Lets what comes wait in the socket, and then the other side with it, until `resumeReading`. From any thread.
  package func pauseReading() {
    state.withLock { state in
      guard let reading = state.reading, !state.isClosed, !state.isReadingPaused else { return }
      state.isReadingPaused = true
      reading.suspend()
    }
  }

  package func resumeReading() {
    let isResumed = state.withLock { state -> Bool in
      guard let reading = state.reading, state.isReadingPaused, !state.isClosed else { return false }
      state.isReadingPaused = false
      reading.resume()
      return true
    }
    if isResumed { queue.async { [weak self] in self?.readAll() } }
  }

  // MARK: Sending

  /// Sends what there is room for and gives how much that was; with less than all, `hasRoom` follows. From any thread,
  /// by one at a time.
  package func send(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
    // After `close` the system says that it is shut down; the number stays this file's as long as this object lives.
    let count = try Syscalls.sendAvailable(bytes, to: descriptor.number) ?? 0
    if count < bytes.count { waitForRoom() }
    return count
  }

  private func waitForRoom() {
    state.withLock { state in
      guard state.writing == nil, !state.isClosed else { return }
      let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor.number, queue: queue)
      source.setEventHandler { [weak self] in self?.roomCame() }
      source.setCancelHandler { [descriptor] in withExtendedLifetime(descriptor) {} }
      state.writing = source
      source.activate()
    }
  }

  private func roomCame() {
    let listener = state.withLock { state -> Listener? in
      guard let writing = state.writing, !state.isClosed else { return nil }
      writing.cancel()
      state.writing = nil
      return state.listener
    }
    listener?.hasRoom()
  }

  /// Nothing is told any more, and the other side sees the end. From any thread, any number of times.
  package func close() {
    state.withLock { state in
      guard !state.isClosed else { return }
      state.isClosed = true
      Syscalls.shutDown(descriptor.number)
      state.writing?.cancel()
      state.reading?.cancel()
      // A suspended source does not come to its cancel handler, which holds the file.
      if state.isReadingPaused { state.reading?.resume() }
      state.writing = nil
      state.reading = nil
      state.listener = nil
    }
  }
}

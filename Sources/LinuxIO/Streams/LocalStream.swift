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
    var watch: EventPoll.Watch?
    var isReadingPaused = false
    /// The other side had no room.
    var waitsForRoom = false
    var isClosed = false

    func updateWatch() {
      watch?.wait(forInput: !isReadingPaused, forRoom: waitsForRoom)
    }
  }

  package let peer: PeerCredentials
  package let number: Int32
  private let descriptor: FileDescriptor
  /// Whose queue everything is told on.
  package let poll: EventPoll
  private let state = Locked(State())

  /// - Parameter number: is this object's from now on, whatever happens.
  package init(_ number: Int32, poll: EventPoll) throws(SystemError) {
    descriptor = FileDescriptor(number)
    self.number = number
    self.poll = poll
    peer = try Syscalls.peerCredentials(number)
  }

  /// With a poll of its own.
  package convenience init(_ number: Int32, queue: DispatchQueue) throws(SystemError) {
    let poll: EventPoll
    do throws(SystemError) {
      poll = try EventPoll(queue: queue)
    } catch {
      Syscalls.close(number)
      throw error
    }
    try self.init(number, poll: poll)
  }

  deinit { close() }

  /// Begins to listen. All three are called on the queue.
  ///
  /// - Parameters:
  ///   - hasRoom: after `send` found none, there is some again.
  ///   - ended: the other side has gone, or the connection broke; the last call.
  /// - Throws: the system cannot wait for the socket; nothing is told then.
  package func start(
    received: @escaping Received, hasRoom: @escaping @Sendable () -> Void,
    ended: @escaping @Sendable (SystemError?) -> Void
  ) throws(SystemError) {
    let watch = try poll.watch(number) { [weak self] canBeRead, canBeWritten in
      if canBeWritten { self?.roomCame() }
      if canBeRead { self?.readAll() }
    }
    state.withLock { state in
      guard !state.isClosed else { return watch.cancel() }
      state.listener = Listener(received: received, hasRoom: hasRoom, ended: ended)
      state.watch = watch
      if state.waitsForRoom { state.updateWatch() }
    }
  }

  /// Reads until nothing is left. The end of a stream may be told together with its last bytes, and not again.
  private func readAll() {
    while let listener = state.withLock({ $0.isClosed || $0.isReadingPaused ? nil : $0.listener }) {
      var failure: SystemError?
      var piece: ReceivedBytes?
      withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
        do throws(SystemError) {
          piece = try Syscalls.receive(number, into: buffer)
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
      state.isReadingPaused = true
      state.updateWatch()
    }
  }

  package func resumeReading() {
    state.withLock { state in
      state.isReadingPaused = false
      state.updateWatch()
    }
  }

  // MARK: Sending

  /// Sends what there is room for and gives how much that was; with less than all, `hasRoom` follows. From any thread,
  /// by one at a time.
  package func send(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
    // After `close` the system says that it is shut down; the number stays this file's as long as this object lives.
    let count = try Syscalls.sendAvailable(bytes, to: number) ?? 0
    if count < bytes.count { waitForRoom() }
    return count
  }

  private func waitForRoom() {
    state.withLock { state in
      guard !state.waitsForRoom else { return }
      state.waitsForRoom = true
      state.updateWatch()
    }
  }

  private func roomCame() {
    let listener = state.withLock { state -> Listener? in
      guard state.waitsForRoom, !state.isClosed else { return nil }
      state.waitsForRoom = false
      state.updateWatch()
      return state.listener
    }
    listener?.hasRoom()
  }

  /// Nothing is told any more, and the other side sees the end. From any thread, any number of times.
  package func close() {
    state.withLock { state in
      guard !state.isClosed else { return }
      state.isClosed = true
      Syscalls.shutDown(number)
      state.watch?.cancel()
      state.watch = nil
      state.listener = nil
    }
  }
}

import Dispatch

/// A connected local socket that is never waited for: what comes is told on a queue, what goes is sent as far as there
/// is room. Costs no system call while nothing happens.
package final class LocalStream: @unchecked Sendable {
  package typealias Received = @Sendable (UnsafeRawBufferPointer) -> Void

  package let peer: PeerCredentials
  private let descriptor: FileDescriptor
  private let queue: DispatchQueue
  private let reading: any DispatchSourceRead
  private let writing: any DispatchSourceWrite
  private struct State {
    var waitsForRoom = false
    var isClosed = false
    var isActivated = false
    var isReadingPaused = false
  }
  private let state = Locked(State())

  /// - Parameter descriptor: is this object's from now on, whatever happens.
  package init(_ number: Int32, queue: DispatchQueue) throws(SystemError) {
    let descriptor = FileDescriptor(number)
    self.descriptor = descriptor
    self.queue = queue
    peer = try Syscalls.peerCredentials(of: number)
    reading = DispatchSource.makeReadSource(fileDescriptor: number, queue: queue)
    writing = DispatchSource.makeWriteSource(fileDescriptor: number, queue: queue)
    reading.setCancelHandler { withExtendedLifetime(descriptor) {} }
    writing.setCancelHandler { withExtendedLifetime(descriptor) {} }
  }

  deinit {
    close()
    if !state.withLock({ $0.isActivated }) {
      reading.activate()
      writing.activate()
    }
  }

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
    reading.setEventHandler { [weak self] in self?.read(received, ended: ended) }
    writing.setEventHandler { [weak self] in
      guard let self, stopWaitingForRoom() else { return }
      hasRoom()
    }
    state.withLock { state in
      guard !state.isClosed, !state.isActivated else { return }
      state.isActivated = true
      reading.activate()
      writing.activate()
      // Active once, so that it can be suspended and cancelled; it rings only when it is waited for.
      writing.suspend()
    }
  }

  private func read(_ received: Received, ended: @Sendable (SystemError?) -> Void) {
    var failure: SystemError?
    var isOver = false
    withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
      do throws(SystemError) {
        guard let count = try Syscalls.readAvailable(descriptor.number, into: buffer) else { return }
        if count == 0 { isOver = true } else { received(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
      } catch {
        failure = error
        isOver = true
      }
    }
    guard isOver, !state.withLock({ $0.isClosed }) else { return }
    close()
    ended(failure)
  }

  /// Sends what there is room for and gives how much that was; with less than all, `hasRoom` follows. From any thread,
  /// by one at a time.
  package func send(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
    guard !state.withLock({ $0.isClosed }) else { throw SystemError(call: "send", number: SystemError.closedNumber) }
    let count = try Syscalls.sendAvailable(bytes, to: descriptor.number) ?? 0
    if count < bytes.count { waitForRoom() }
    return count
  }

  private func waitForRoom() {
    state.withLock { state in
      guard !state.waitsForRoom, !state.isClosed else { return }
      state.waitsForRoom = true
      writing.resume()
    }
  }

  private func stopWaitingForRoom() -> Bool {
    state.withLock { state in
      guard state.waitsForRoom, !state.isClosed else { return false }
      state.waitsForRoom = false
      writing.suspend()
      return true
    }
  }

  /// Lets what comes wait in the socket, and then the other side with it, until `resumeReading`. From any thread.
  package func pauseReading() {
    state.withLock { state in
      guard state.isActivated, !state.isClosed, !state.isReadingPaused else { return }
      state.isReadingPaused = true
      reading.suspend()
    }
  }

  package func resumeReading() {
    state.withLock { state in
      guard state.isReadingPaused, !state.isClosed else { return }
      state.isReadingPaused = false
      reading.resume()
    }
  }

  /// Nothing is told any more, and the other side sees the end. From any thread, any number of times.
  package func close() {
    state.withLock { state in
      guard !state.isClosed else { return }
      state.isClosed = true
      Syscalls.shutDown(descriptor.number)
      reading.cancel()
      writing.cancel()
      // A suspended source does not come to its cancel handler, which holds the file.
      if state.isActivated, !state.waitsForRoom { writing.resume() }
      if state.isReadingPaused { reading.resume() }
    }
  }
}

import Dispatch
import Glibc

/// A connected local socket that is never waited for: what comes is told on a queue, what goes is sent as far as there
/// is room. Costs no system call while nothing happens.
///
/// Either side may move what it sends to a pipe (`moveToPipe`), which costs the machine much less than a socket; the
/// socket stays, and its end is the end of the stream.
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
    /// The pipe through which the other side sends.
    var inlet: FileDescriptor?
    var inletWatch: EventPoll.Watch?
    /// Of the pipe through which this side sends, while it waits for room there.
    var outletWatch: EventPoll.Watch?
    var isReadingPaused = false
    /// The other side had no room.
    var waitsForRoom = false
    var isClosed = false

    func updateWatch() {
      watch?.wait(forInput: !isReadingPaused, forRoom: waitsForRoom)
      inletWatch?.wait(forInput: !isReadingPaused, forRoom: false)
    }

    mutating func cancelWatches() {
      for watch in [watch, inletWatch, outletWatch] { watch?.cancel() }
      watch = nil
      inletWatch = nil
      outletWatch = nil
    }
  }

  package let peer: PeerCredentials
  package let number: Int32
  private let descriptor: FileDescriptor
  /// Whose queue everything is told on.
  package let poll: EventPoll
  private let state = Locked(State())
  /// The pipe that everything is sent through; of who sends, one at a time.
  private var outlet: FileDescriptor?

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
  ///   - takesPipe: a pipe that comes along is what the other side sends through from then on; who sent what is not
  ///     told. Without, files that come along are closed.
  /// - Throws: the system cannot wait for the socket; nothing is told then.
  package func start(
    received: @escaping Received, hasRoom: @escaping @Sendable () -> Void,
    ended: @escaping @Sendable (SystemError?) -> Void, takesPipe: Bool = false
  ) throws(SystemError) {
    let watch = try poll.watch(number) { [weak self] canBeRead, canBeWritten in
      if canBeWritten { self?.roomCame() }
      if canBeRead { self?.readSocket(takesPipe: takesPipe) }
    }
    state.withLock { state in
      guard !state.isClosed else { return watch.cancel() }
      state.listener = Listener(received: received, hasRoom: hasRoom, ended: ended)
      state.watch = watch
      if state.waitsForRoom { state.updateWatch() }
    }
  }

  /// Reads until nothing is left. The end of a stream may be told together with its last bytes, and not again.
  private func readSocket(takesPipe: Bool) {
    let end = readAll { buffer throws(SystemError) in
      guard takesPipe else { return try Syscalls.receive(number, into: buffer) }
      var file: Int32?
      let count = try Syscalls.receive(number, into: buffer, file: &file)
      if let file { try take(FileDescriptor(file)) }
      return count.map { ReceivedBytes(count: $0) }
    }
    guard let end, !state.withLock({ $0.isReadingPaused }) else { return }
    // What was sent through the pipe was sent before.
    if let inlet = state.withLock({ $0.inlet }) { _ = readPipe(inlet) }
    // Nobody listens any more where somebody has closed it meanwhile.
    guard let listener = state.withLock({ $0.isClosed ? nil : $0.listener }) else { return }
    close()
    listener.ended(end.failure)
  }

  private struct End {
    var failure: SystemError?
  }

  /// - Returns: the end, where it has come.
  private func readAll(
    _ read: (UnsafeMutableRawBufferPointer) throws(SystemError) -> ReceivedBytes?
  ) -> End? {
    while let listener = state.withLock({ $0.isClosed || $0.isReadingPaused ? nil : $0.listener }) {
      var failure: SystemError?
      var piece: ReceivedBytes?
      withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
        do throws(SystemError) {
          piece = try read(buffer)
          if let piece, piece.count > 0 {
            listener.received(UnsafeRawBufferPointer(rebasing: buffer[..<piece.count]), piece)
          }
        } catch {
          failure = error
        }
      }
      guard let piece else { return failure.map { End(failure: $0) } }
      if piece.count == 0 { return End() }
    }
    return nil
  }

  // MARK: The other side's pipe

  /// True where the other side sends through a pipe.
  package var hasInlet: Bool { state.withLock { $0.inlet != nil } }

  private func take(_ pipe: FileDescriptor) throws(SystemError) {
    // Another one, or no pipe, is nothing that was agreed on.
    guard Syscalls.isPipe(pipe.number), !hasInlet else { return }
    let watch = try poll.watch(pipe.number) { [weak self] _, _ in
      guard let self, readPipe(pipe) != nil else { return }
      state.withLock { state in
        state.inletWatch?.cancel()
        state.inletWatch = nil
      }
    }
    state.withLock { state in
      guard !state.isClosed else { return watch.cancel() }
      state.inlet = pipe
      state.inletWatch = watch
      state.updateWatch()
    }
  }

  /// - Returns: its end, where that has come. The stream's is the socket's.
  private func readPipe(_ pipe: FileDescriptor) -> End? {
    readAll { buffer throws(SystemError) in
      try Syscalls.readAvailable(pipe.number, into: buffer).map { ReceivedBytes(count: $0) }
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
    let sent =
      if let outlet { try Syscalls.writeAvailable(bytes, to: outlet.number) } else {
        try Syscalls.sendAvailable(bytes, to: number)
      }
    let count = sent ?? 0
    if count < bytes.count { waitForRoom() }
    return count
  }

  /// Sends a message together with a pipe, through which everything is sent from then on. From any thread, by one at a
  /// time with `send`, with nothing unsent. The program has to ignore broken pipes (`Syscalls.ignoreBrokenPipes`).
  ///
  /// - Parameter message: tells the other side, which starts with `takesPipe`, that the pipe came with it.
  /// - Throws: there is no pipe to be had, or no room for the message: nothing was sent, and all goes on as before.
  package func moveToPipe(_ message: UnsafeRawBufferPointer) throws(SystemError) {
    guard outlet == nil else { return }
    let ends = try Syscalls.makeOpenPipe()
    let writer = FileDescriptor(ends.writer)
    defer { Syscalls.close(ends.reader) }
    guard let count = try Syscalls.sendAvailable(message, to: number, with: ends.reader) else {
      throw SystemError(call: "sendmsg", number: EAGAIN)
    }
    outlet = writer
    // A few bytes go whole or not at all.
    guard count == message.count else { return Syscalls.shutDown(number) }
  }

  private func waitForRoom() {
    let outlet = outlet
    state.withLock { state in
      guard !state.waitsForRoom, !state.isClosed else { return }
      state.waitsForRoom = true
      guard let outlet else { return state.updateWatch() }
      // Made for each wait: a pipe whose reader has gone says so without end.
      do throws(SystemError) {
        let watch = try poll.watch(outlet.number) { [weak self] _, _ in self?.roomCame() }
        watch.wait(forInput: false, forRoom: true)
        state.outletWatch = watch
      } catch {
        // Who cannot wait would never go on: the end is noticed where the socket is read.
        Syscalls.shutDown(number)
      }
    }
  }

  private func roomCame() {
    let listener = state.withLock { state -> Listener? in
      guard state.waitsForRoom, !state.isClosed else { return nil }
      state.waitsForRoom = false
      if let watch = state.outletWatch {
        watch.cancel()
        state.outletWatch = nil
      } else {
        state.updateWatch()
      }
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
      state.cancelWatches()
      state.listener = nil
    }
  }
}

import Dispatch
import LinuxIO
import LocationEngine
import LocationModel
import LocationRuntime

/// One process that is connected: its messages come in, what it is told goes out as fast as it reads.
///
/// Belongs to the service's queue, except `send` and `disconnect`, which may be called from any thread. Whatever the
/// client does, it costs the service a bounded amount of memory and other clients nothing.
package final class ServedClient: @unchecked Sendable {
  /// Messages that are read in a second; beyond them the client waits, so that a flood delays only itself.
  static let messagesPerSecondMax = 2_000

  // What every delivered fix needs comes first, here and in `Outgoing`, so that it stands together in memory.
  let stream: LocalStream
  private let outgoing = Locked(Outgoing())
  let peer: ConnectedPeer
  let acceptedAt: Instant
  var identity: PeerIdentity { peer.identity }
  private let queue: DispatchQueue

  private struct Outgoing {
    var hasEnded = false
    /// It has been told a location since its use was last seen to end.
    var isUsingLocation = false
    /// Its process is frozen, or was until a moment ago: by the clock of `DispatchTime`, until when that excuses it for
    /// not reading.
    var excusedUntil: UInt64 = 0
    var queue = OutgoingQueue()
    var isExcused: Bool { excusedUntil > 0 && excusedUntil > DispatchTime.now().uptimeNanoseconds }
    var ended: (@Sendable (ServedClient, String?) -> Void)?
  }

  // MARK: On the queue

  var role: ClientRole?
  var client: ClientIdentifier?
  var managers: Set<UInt64> = []
  /// It was no process of a supervised app when it was greeted.
  var isPlain = false
  /// What it says until it is known whether it may be served; nil where it is.
  var unheard: [ClientMessage]?
  private var processEnd: EventPoll.Watch?
  private var frames = FrameReader(bytesMax: WireFrame.clientBytesMax)
  private var countedSecond: UInt64 = 0
  private var messagesInSecond = 0

  init(stream: LocalStream, peer: ConnectedPeer, acceptedAt: Instant, queue: DispatchQueue) {
    self.acceptedAt = acceptedAt
    self.stream = stream
    self.peer = peer
    self.queue = queue
  }

  /// - Parameters:
  ///   - heard: is given each message, in order, on the queue.
  ///   - ended: the client has gone, or had to; the last call, on the queue. The sentence is for the log.
  func start(
    heard: @escaping @Sendable (ServedClient, ClientMessage) -> Void,
    ended: @escaping @Sendable (ServedClient, String?) -> Void
  ) {
    outgoing.withLock { $0.ended = ended }
    do throws(SystemError) {
      try watchProcess()
      try stream.start(
        received: { [weak self] bytes, sender in
          guard let self else { return }
          if let fault = peer.checkSender?(sender) { return end(fault) }
          receive(bytes, heard: heard)
        },
        hasRoom: { [weak self] in self?.sendWaiting() },
        ended: { [weak self] error in self?.end(error.map { "its connection broke (\($0))" }) })
    } catch {
      end("it cannot be waited for (\(error))")
    }
  }

  /// A connection is worth no more than its process: a child that has kept it is not the app.
  private func watchProcess() throws(SystemError) {
    guard let descriptor = peer.processDescriptor else { return }
    processEnd = try stream.poll.watch(descriptor) { [weak self] _, _ in self?.processEnded() }
  }

  /// What the process said last is still heard: the end of its stream follows it at once, unless others hold it.
  private func processEnded() {
    processEnd?.cancel()
    processEnd = nil
    queue.asyncAfter(deadline: .now() + 0.1) { [weak self] in self?.end(nil) }
  }

  private func receive(
    _ bytes: UnsafeRawBufferPointer, heard: @Sendable (ServedClient, ClientMessage) -> Void
  ) {
    frames.append(bytes)
    do throws(WireError) {
      while let frame = try frames.next() {
        heard(self, try FrameReader.decode(frame, as: ClientMessage.self))
        countMessage()
      }
    } catch {
      let fault = "a message is none of protocol \(wireProtocolVersion): \(error)"
      send(.refusal(fault))
      end(fault)
    }
  }

  private func countMessage() {
    let second = DispatchTime.now().uptimeNanoseconds / 1_000_000_000
    if second != countedSecond {
      countedSecond = second
      messagesInSecond = 0
    }
    messagesInSecond += 1
    guard messagesInSecond == Self.messagesPerSecondMax else { return }
    stream.pauseReading()
    queue.asyncAfter(deadline: .now() + 1) { [weak self] in self?.stream.resumeReading() }
  }

  /// Ends the connection, from any thread; what was sent before still arrives.
  func disconnect(_ reason: String) {
    send(.refusal(reason))
    queue.async { self.end(reason) }
  }

  private func end(_ fault: String?) {
    let ended = outgoing.withLock { outgoing in
      defer { outgoing.ended = nil }
      outgoing.hasEnded = true
      return outgoing.ended
    }
    stream.close()
    processEnd?.cancel()
    processEnd = nil
    ended?(self, fault)
  }

  // MARK: Use of location

  /// True where it was using location.
  func endUse() -> Bool {
    outgoing.withLock { outgoing in
      defer { outgoing.isUsingLocation = false }
      return outgoing.isUsingLocation
    }
  }

  // MARK: Sending

  /// How long a client that runs again has to take what was kept for it before it counts as slow. Chosen: a thousand
  /// times what a thousand fixes take.
  private static let catchUpSeconds: UInt64 = 10

  /// Its process is about to be frozen, or to run again. From any thread.
  func setSuspended(_ isSuspended: Bool) {
    outgoing.withLock { outgoing in
      outgoing.excusedUntil =
        isSuspended ? .max : DispatchTime.now().uptimeNanoseconds + Self.catchUpSeconds * 1_000_000_000
    }
  }

  func send(_ message: ServerMessage) {
    var kind = OutgoingQueue.Kind.undroppable
    if case .snapshot = message { kind = .snapshot }
    send(WireFrame.encode(message), kind: kind)
  }

  /// An event of one of its managers.
  ///
  /// - Returns: true for the first location since `endUse`.
  func deliver(_ frame: EventFrame) -> Bool {
    let (isFirst, isOverfull) = outgoing.withLock { outgoing in
      let isFirst = frame.tellsLocation && !outgoing.isUsingLocation
      if isFirst { outgoing.isUsingLocation = true }
      // What was kept for it arrives whole.
      let kind = outgoing.isExcused ? .undroppable : frame.kind
      return (isFirst, !send(frame.bytes, kind: kind, &outgoing))
    }
    if isOverfull { endOverfull() }
    return isFirst
  }

  private func send(_ bytes: [UInt8], kind: OutgoingQueue.Kind) {
    if !outgoing.withLock({ send(bytes, kind: kind, &$0) }) { endOverfull() }
  }

  /// - Returns: false where the client has to go.
  private func send(_ bytes: [UInt8], kind: OutgoingQueue.Kind, _ outgoing: inout Outgoing) -> Bool {
    guard !outgoing.hasEnded else { return true }
    guard outgoing.queue.isEmpty else {
      return outgoing.queue.push(bytes, kind: kind, isBounded: !outgoing.isExcused)
    }
    // A broken connection is noticed where it is read.
    guard let sent = try? bytes.withUnsafeBytes({ try stream.send($0) }) else { return true }
    return sent == bytes.count
      || outgoing.queue.push(bytes, kind: kind, alreadySent: sent, isBounded: !outgoing.isExcused)
  }

  /// Tells it everything through a pipe from now on. Where none is to be had, or something waits already, all goes
  /// through the socket as before.
  func moveToPipe() {
    let message = WireFrame.encode(ServerMessage.pipe)
    outgoing.withLock { outgoing in
      guard !outgoing.hasEnded, outgoing.queue.isEmpty else { return }
      try? message.withUnsafeBytes { try stream.moveToPipe($0) }
    }
  }

  private func endOverfull() {
    queue.async { self.end("it has not read \(OutgoingQueue.messagesMax) messages that must not be lost") }
  }

  private func sendWaiting() {
    let isBroken = outgoing.withLock { outgoing -> Bool in
      while let bytes = outgoing.queue.next() {
        guard let sent = try? bytes.withUnsafeBytes({ try stream.send($0) }) else { return true }
        if sent > 0 { outgoing.queue.didSend(sent) }
        if sent < bytes.count { return false }
      }
      return false
    }
    if isBroken { end("its connection broke") }
  }
}

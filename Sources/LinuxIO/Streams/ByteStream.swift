import Dispatch

/// Bytes from a socket, a device or standard input, on a dispatch queue. What is open has a thread that waits for its
/// bytes and brings them to the queue itself; nothing else waits.
///
/// Belongs to its serial queue: it is made, used and let go there, and its events come there; none after `close()`.
package final class ByteStream: @unchecked Sendable {
  package typealias Events = (StreamEvent) -> Void

  private static let pieceBytes = 16_384
  /// Then others of the queue have their turn.
  private static let piecesInARowMax = 16

  /// What the thread has done on the queue. It holds no stream. Made once, since the way by which the queue takes a
  /// closure that gives something back is long.
  private final class Reader: @unchecked Sendable {
    /// Set and read by the thread only.
    var failure: SystemError?
    private(set) var next = InputThread.Next.end
    private(set) var work = DispatchWorkItem {}

    init(_ stream: ByteStream, _ descriptor: FileDescriptor) {
      work = DispatchWorkItem { [weak stream, unowned self] in
        next = stream?.inputCame(descriptor, failure) ?? .end
      }
    }
  }

  private let endpoint: StreamEndpoint
  private let queue: DispatchQueue
  private var events: Events?
  private var descriptor: FileDescriptor?
  /// Of a connection that is being made.
  private var connecting: EventPoll.Watch?
  private var inputThread: InputThread?
  private var standardInput: StandardInput?
  private var allowance = DatagramAllowance()
  private var candidates: ArraySlice<SocketAddress> = []
  private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: ByteStream.pieceBytes, alignment: 1)

  package init(_ endpoint: StreamEndpoint, queue: DispatchQueue, events: @escaping Events) {
    self.endpoint = endpoint
    self.queue = queue
    self.events = events
  }

  deinit {
    connecting?.cancel()
    piece.deallocate()
  }

  /// Begins to open. What comes of it is an event, after this call has returned.
  package func open() {
    queue.async { [weak self] in self?.beginOpening() }
  }

  /// Gives up what was open or opening. The file is closed when the queue is next idle.
  package func close() {
    events = nil
    release()
  }

  /// Sends all; where that cannot be done the stream ends.
  package func write(_ bytes: [UInt8]) {
    guard let descriptor, !bytes.isEmpty else { return }
    do throws(SystemError) {
      try Syscalls.send(bytes, to: descriptor.number)
    } catch {
      queue.async { [weak self] in self?.end(.failed(error)) }
    }
  }

  /// Listens at another speed from now on, where this is a serial port.
  package func setSpeed(_ speed: SerialSpeed) {
    guard let descriptor, Syscalls.isTerminal(descriptor.number) else { return }
    do throws(SystemError) {
      try Syscalls.makeRaw(descriptor.number, speed: speed)
    } catch {
      queue.async { [weak self] in self?.end(.failed(error)) }
    }
  }

  private func beginOpening() {
    guard events != nil else { return }
    switch endpoint {
    case .tcp(let host, let port): resolve(host: host, port: port)
    case .udp(let port): openDatagrams(port)
    case .standardInput: readStandardInput()
    case .device(let path, let speed):
      if let holder = DeviceHolder.find(path: path) {
        end(.busy(holder))
      } else {
        begin { () throws(SystemError) in try Self.openDevice(path, speed) }
      }
    }
  }

  private func openDatagrams(_ port: UInt16) {
    do throws(SystemError) {
      startReading(FileDescriptor(try Syscalls.bindDatagrams(port: port)))
    } catch {
      end(error.isAddressInUse ? .busy(DeviceHolder.find(datagramPort: port)) : .failed(error))
    }
  }

  private static func openDevice(_ path: String, _ speed: SerialSpeed) throws(SystemError) -> FileDescriptor {
    let number = try Syscalls.openDevice(path)
    guard Syscalls.isTerminal(number) else { return FileDescriptor(number) }
    Syscalls.setExclusive(number, true)
    let descriptor = FileDescriptor(number, isExclusiveTerminal: true)
    try Syscalls.makeRaw(number, speed: speed)
    return descriptor
  }

  private func begin(_ open: () throws(SystemError) -> FileDescriptor) {
    do throws(SystemError) {
      startReading(try open())
    } catch {
      end(error.isBusy ? .busy(nil) : .failed(error))
    }
  }

  // MARK: Connecting

  private func resolve(host: String, port: UInt16) {
    if let addresses = try? Syscalls.addresses(host: host, port: port, numericOnly: true) {
      candidates = addresses[...]
      connectNext(after: nil)
      return
    }
    // A name may take the resolver seconds, which are nobody else's.
    DispatchQueue.global().async { [queue] in
      let result = Result { () throws(ResolutionFailure) in
        try Syscalls.addresses(host: host, port: port, numericOnly: false)
      }
      queue.async { [weak self] in self?.resolved(result) }
    }
  }

  private func resolved(_ result: Result<[SocketAddress], ResolutionFailure>) {
    guard events != nil else { return }
    switch result {
    case .success(let addresses):
      candidates = addresses[...]
      connectNext(after: nil)
    case .failure(let failure):
      end(.unknownHost(failure.text))
    }
  }

  /// Tries the next address; ends with what the last one said where there is none.
  private func connectNext(after failure: SystemError?) {
    guard let address = candidates.popFirst() else {
      end(failure.map(StreamEnd.failed) ?? .unknownHost("no address"))
      return
    }
    do throws(SystemError) {
      let descriptor = FileDescriptor(try Syscalls.beginConnecting(to: address))
      self.descriptor = descriptor
      let connecting = try EventPoll(queue: queue).watch(descriptor.number) { [weak self] _, _ in
        self?.finishConnecting(descriptor)
      }
      connecting.wait(forInput: false, forRoom: true)
      self.connecting = connecting
    } catch {
      connectNext(after: error)
    }
  }

  private func finishConnecting(_ descriptor: FileDescriptor) {
    guard events != nil else { return }
    release()
    do throws(SystemError) {
      try Syscalls.finishConnecting(descriptor.number)
    } catch {
      connectNext(after: error)
      return
    }
    Syscalls.keepAlive(descriptor.number)
    startReading(descriptor)
  }

  // MARK: Reading

  private func startReading(_ descriptor: FileDescriptor) {
    self.descriptor = descriptor
    do throws(SystemError) {
      let reader = Reader(self, descriptor)
      inputThread = try InputThread(descriptor) { [queue] failure in
        reader.failure = failure
        // Runs on this very thread where the queue is idle, which it mostly is.
        queue.sync(execute: reader.work)
        return reader.next
      }
      events?(.opened)
    } catch {
      end(.failed(error))
    }
  }

  private func inputCame(_ descriptor: FileDescriptor, _ failure: SystemError?) -> InputThread.Next {
    guard self.descriptor === descriptor else { return .end }
    var byteCount = 0
    if let failure {
      end(.failed(failure))
    } else {
      byteCount = readPieces(descriptor)
    }
    guard self.descriptor === descriptor else { return .end }
    guard isDatagrams else { return .wait }
    let rest = allowance.restMilliseconds(afterReading: byteCount, atNanoseconds: Syscalls.monotonicNanoseconds)
    return rest > 0 ? .rest(milliseconds: rest) : .wait
  }

  /// Reads what is there, up to as much as leaves others of the queue their turn. What is left, and a hang-up behind
  /// the last bytes, is found by the next wait. Gives how much it was.
  private func readPieces(_ descriptor: FileDescriptor) -> Int {
    var byteCount = 0
    for _ in 0..<Self.piecesInARowMax {
      guard let events else { break }
      do throws(SystemError) {
        guard let count = try Syscalls.readAvailable(descriptor.number, into: piece) else { break }
        byteCount += count
        if count > 0 {
          events(.bytes(UnsafeRawBufferPointer(rebasing: piece[..<count])))
        } else if !isDatagrams {
          end(.closed)
        }
        if count < piece.count { break }
      } catch {
        end(.failed(error))
      }
    }
    return byteCount
  }

  private func readStandardInput() {
    do throws(SystemError) {
      standardInput = try StandardInput(queue: queue) { [weak self] piece in self?.standardInputGave(piece) }
      events?(.opened)
    } catch {
      end(.failed(error))
    }
  }

  private func standardInputGave(_ piece: Result<[UInt8]?, SystemError>) {
    guard let events else { return }
    switch piece {
    case .success(let bytes?): bytes.withUnsafeBytes { events(.bytes($0)) }
    case .success(nil): end(.closed)
    case .failure(let error): end(.failed(error))
    }
  }

  /// An empty datagram is no end.
  private var isDatagrams: Bool {
    if case .udp = endpoint { true } else { false }
  }

  private func end(_ end: StreamEnd) {
    guard let events else { return }
    close()
    events(.ended(end))
  }

  private func release() {
    connecting?.cancel()
    connecting = nil
    inputThread?.stop()
    inputThread = nil
    descriptor?.share()
    standardInput?.stop()
    standardInput = nil
    descriptor = nil
  }
}

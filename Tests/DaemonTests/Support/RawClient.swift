import Dispatch
import Foundation
import LinuxIO
import LocationEngine
import LocationRuntime
import LocationService

/// A client that sends what the test says, right or wrong, and keeps what it hears.
final class RawClient: Sendable {
  let heard = Inbox<ServerMessage>()
  private let stream: LocalStream
  private let frames = Locked(FrameReader(bytesMax: WireFrame.serverBytesMax))
  private let queue = DispatchQueue(label: "test.client")

  /// - Parameters:
  ///   - reads: false for one that never looks at what it is told.
  ///   - takesPipe: hears what the service sends through a pipe (`ClientMessage.takesPipe`).
  init(path: String, reads: Bool = true, takesPipe: Bool = false) throws {
    stream = try LocalStream(Syscalls.connectLocally(to: path), queue: queue)
    guard reads else { return }
    try stream.start(
      received: { [weak self] bytes, _ in self?.received(bytes) }, hasRoom: {}, ended: { [heard] _ in heard.end() },
      takesPipe: takesPipe)
  }

  deinit { stream.close() }

  private func received(_ bytes: UnsafeRawBufferPointer) {
    frames.withLock { frames in
      frames.append(bytes)
      while let frame = try? frames.next() {
        guard let message = try? FrameReader.decode(frame, as: ServerMessage.self) else { return heard.end() }
        heard.add(message)
      }
    }
  }

  func say(_ messages: ClientMessage...) throws {
    for message in messages { try say(bytes: WireFrame.encode(message)) }
  }

  /// - Returns: how many of them were taken.
  @discardableResult
  func say(bytes: [UInt8]) throws -> Int {
    try bytes.withUnsafeBytes { try stream.send($0) }
  }

  func sayHello(_ role: ClientRole = .app(AppDescription(identifier: AppIdentifier("forged")))) throws {
    try say(.hello(version: wireProtocolVersion, role))
  }

  func close() { stream.close() }
  var hasPipe: Bool { stream.hasInlet }

  /// What it is told waits from now on, as for a process that is frozen.
  func pauseReading() { stream.pauseReading() }
  func resumeReading() { stream.resumeReading() }

  /// The answer to a command.
  func ask(_ command: ServiceCommand) async throws -> CommandAnswer? {
    try say(.command(command, number: 7))
    while let message = await heard.next() {
      if case .answer(let answer, number: 7) = message { return answer }
    }
    return nil
  }
}

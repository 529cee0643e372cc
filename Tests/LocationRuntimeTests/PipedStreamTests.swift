import Dispatch
import Foundation
import Glibc
import LinuxIO
import Testing

@Suite("A stream whose other side sends through a pipe (decision 0014)", .timeLimit(.minutes(1)))
struct PipedStreamTests {
  private let queue = DispatchQueue(label: "test.pipe")
  private let poll: EventPoll
  private let sender: LocalStream
  private let receiver: LocalStream
  private let heard = Locked<[UInt8]>([])

  init() throws {
    Syscalls.ignoreBrokenPipes()
    poll = try EventPoll(queue: queue)
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
    sender = try LocalStream(ends[0], poll: poll)
    receiver = try LocalStream(ends[1], poll: poll)
  }

  /// Listens, and calls `ended` at the end.
  private func listen(takesPipe: Bool = true, ended: @escaping @Sendable () -> Void) throws {
    try queue.sync { [heard] in
      try receiver.start(
        received: { bytes, _ in heard.withLock { $0 += bytes } }, hasRoom: {}, ended: { _ in ended() },
        takesPipe: takesPipe)
    }
  }

  private func send(_ text: String) throws {
    #expect(try Array(text.utf8).withUnsafeBytes { try sender.send($0) } == text.utf8.count)
  }

  private func moveToPipe(_ text: String) throws {
    try Array(text.utf8).withUnsafeBytes { try sender.moveToPipe($0) }
  }

  private func wait(for signal: DispatchSemaphore) async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        signal.wait()
        continuation.resume()
      }
    }
  }

  private var text: String { String(decoding: heard.withLock { $0 }, as: UTF8.self) }

  @Test("hears what went through the socket, then what went through the pipe, and then the end")
  func order() async throws {
    let hasEnded = DispatchSemaphore(value: 0)
    try send("a")
    try moveToPipe("b")
    try send("c")
    try listen { hasEnded.signal() }
    try send("d")
    sender.close()
    await wait(for: hasEnded)
    #expect(text == "abcd")
  }

  @Test("hears all of what found no room at first, and no more than once")
  func room() async throws {
    let hasEnded = DispatchSemaphore(value: 0)
    let piece = [UInt8](repeating: 7, count: 100_000)
    let unsent = Locked(piece[...])
    let sendRest: @Sendable () -> Void = { [sender] in
      unsent.withLock { unsent in
        while !unsent.isEmpty, let count = try? unsent.withUnsafeBytes({ try sender.send($0) }), count > 0 {
          unsent.removeFirst(count)
        }
        if unsent.isEmpty { sender.close() }
      }
    }
    try queue.sync { try sender.start(received: { _, _ in }, hasRoom: sendRest, ended: { _ in }) }
    try moveToPipe("b")
    sendRest()
    // A pipe holds 64 KiB (pipe(7)).
    #expect(unsent.withLock { $0.count } == 100_000 - 65_536)
    try listen { hasEnded.signal() }
    await wait(for: hasEnded)
    #expect(heard.withLock { $0 } == [UInt8(ascii: "b")] + piece)
  }

  @Test("that has gone is an error to who sends, and no signal that ends the program")
  func gone() throws {
    try moveToPipe("b")
    // Nobody has taken the reading end out of the socket: it goes with the socket.
    receiver.close()
    var failure: SystemError?
    for _ in 0..<2 where failure == nil {
      do {
        _ = try Array("c".utf8).withUnsafeBytes { try sender.send($0) }
      } catch {
        failure = error as? SystemError
      }
      // Freed with the last that holds it.
      var byte: UInt8 = 0
      _ = recv(receiver.number, &byte, 1, Int32(MSG_DONTWAIT))
    }
    #expect(failure?.number == EPIPE)
  }

  @Test("that does not take pipes hears nothing of it")
  func refused() async throws {
    let hasEnded = DispatchSemaphore(value: 0)
    try listen(takesPipe: false) { hasEnded.signal() }
    try moveToPipe("b")
    _ = try? Array("c".utf8).withUnsafeBytes { try sender.send($0) }
    sender.close()
    await wait(for: hasEnded)
    #expect(text == "b")
    #expect(!receiver.hasInlet)
  }
}

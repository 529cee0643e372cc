import Dispatch
import Foundation
import Glibc
import LinuxIO
import Testing

@Suite("Waiting for many files", .timeLimit(.minutes(1)))
struct EventPollTests {
  private let queue = DispatchQueue(label: "test.poll")

  private func pair() throws -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
    return (ends[0], ends[1])
  }

  /// The end of a stream, told once.
  private func end(of stream: LocalStream, whenStarted: @escaping @Sendable () -> Void = {}) async {
    await withCheckedContinuation { continuation in
      queue.async {
        do throws(SystemError) {
          try stream.start(received: { _, _ in }, hasRoom: {}, ended: { _ in continuation.resume() })
          whenStarted()
        } catch {
          Issue.record("\(error)")
          continuation.resume()
        }
      }
    }
  }

  // A source of Dispatch's, cancelled at the moment at which its file hung up, ended the program once in a while.
  @Test("Sockets whose two sides go at the same moment harm nobody, however many there are")
  func hangUps() async throws {
    let poll = try EventPoll(queue: queue)
    for round in 0..<2_000 {
      let (own, other) = try pair()
      let stream = try LocalStream(own, poll: poll)
      await withCheckedContinuation { continuation in
        queue.async {
          try? stream.start(received: { _, _ in }, hasRoom: {}, ended: { _ in })
          continuation.resume()
        }
      }
      DispatchQueue.global().async { close(other) }
      if round % 2 == 0 { stream.close() } else { queue.async { stream.close() } }
    }
    let (own, other) = try pair()
    let last = try LocalStream(own, poll: poll)
    await end(of: last) { close(other) }
  }

  @Test("A paused stream hears nothing, not even the end and without spinning, until it goes on")
  func paused() async throws {
    let poll = try EventPoll(queue: queue)
    let (own, other) = try pair()
    let stream = try LocalStream(own, poll: poll)
    let heard = Locked(0)
    let hasEnded = DispatchSemaphore(value: 0)
    try queue.sync {
      try stream.start(
        received: { bytes, _ in heard.withLock { $0 += bytes.count } }, hasRoom: {}, ended: { _ in hasEnded.signal() })
      stream.pauseReading()
    }
    #expect(write(other, "abc", 3) == 3)
    close(other)
    // Whatever the poll has to tell has been told when the queue has had its turns.
    for _ in 0..<100 { queue.sync {} }
    #expect(heard.withLock { $0 } == 0)
    #expect(hasEnded.wait(timeout: .now()) == .timedOut)
    await withCheckedContinuation { continuation in
      stream.resumeReading()
      DispatchQueue.global().async {
        hasEnded.wait()
        continuation.resume()
      }
    }
    #expect(heard.withLock { $0 } == 3)
  }

  @Test("What found no room goes once there is some")
  func room() async throws {
    let poll = try EventPoll(queue: queue)
    let (own, other) = try pair()
    let stream = try LocalStream(own, poll: poll)
    let piece = [UInt8](repeating: 7, count: 65_536)
    await withCheckedContinuation { continuation in
      queue.async {
        let once = Locked<CheckedContinuation<Void, Never>?>(continuation)
        try? stream.start(
          received: { _, _ in }, hasRoom: { once.withLock { $0.take() }?.resume() }, ended: { _ in })
        var sent = 1
        while sent > 0 { sent = (try? piece.withUnsafeBytes { try stream.send($0) }) ?? 0 }
        DispatchQueue.global().async {
          var bytes = [UInt8](repeating: 0, count: 65_536)
          while recv(other, &bytes, bytes.count, 0) > 0 {}
        }
      }
    }
    stream.close()
    close(other)
  }
}

import CEpoll
import Glibc
import LinuxIO
import LiveSupport

/// Clients by the hundred on one thread, which notes when each heard the location of each moment.
final class Crowd: @unchecked Sendable {
  struct Heard {
    var client: Int
    var tenth: Int64
    var nanoseconds: Int64
  }

  private let clients: [any FanoutClient]
  private let poll = epoll_create1(0)
  private let isEnding = Locked(false)
  private var thread = pthread_t()
  /// To be read after `end`.
  private(set) var heard: [Heard] = []
  private(set) var endedCount = 0
  var droppedCount: Int { clients.reduce(0) { $0 + $1.droppedCount } }

  /// - Parameter expectedCount: of locations, so that the thread makes room for none while it listens.
  init(_ clients: [any FanoutClient], expectedCount: Int) {
    self.clients = clients
    heard.reserveCapacity(expectedCount)
    for (index, client) in clients.enumerated() {
      var event = epoll_event()
      event.events = UInt32(EPOLLIN.rawValue)
      event.data.u64 = UInt64(index)
      epoll_ctl(poll, EPOLL_CTL_ADD, client.descriptor, &event)
    }
    let own = Unmanaged.passRetained(self)
    pthread_create(
      &thread, nil,
      { pointer in
        pointer.map { Unmanaged<Crowd>.fromOpaque($0).takeRetainedValue().listen() }
        return nil
      }, own.toOpaque())
  }

  func end() {
    isEnding.withLock { $0 = true }
    pthread_join(thread, nil)
    close(poll)
  }

  private func listen() {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 8)
    defer { buffer.deallocate() }
    var events = [epoll_event](repeating: epoll_event(), count: 256)
    while !isEnding.withLock({ $0 }) {
      let count = epoll_wait(poll, &events, Int32(events.count), 100)
      for event in events.prefix(Int(max(0, count))) { read(Int(event.data.u64), buffer) }
    }
  }

  private func read(_ index: Int, _ buffer: UnsafeMutableRawBufferPointer) {
    let client = clients[index]
    let count = Glibc.read(client.descriptor, buffer.baseAddress, buffer.count)
    let now = monotonicNanoseconds()
    guard count > 0 else {
      guard count == 0 || errno != EAGAIN else { return }
      endedCount += 1
      epoll_ctl(poll, EPOLL_CTL_DEL, client.descriptor, nil)
      return
    }
    client.hear(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { tenth in
      heard.append(Heard(client: index, tenth: tenth, nanoseconds: now))
    }
  }
}

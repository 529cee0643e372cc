import Dispatch
import Foundation
import Glibc
import LinuxIO
import XCTest

/// A server on this machine that accepts one client after the other and tells what comes.
final class FakeServer: @unchecked Sendable {
  let port: UInt16
  private let listener: Int32
  private let queue = DispatchQueue(label: "tests.server")
  private let acceptSource: any DispatchSourceRead
  private var client: Int32 = -1
  private var clientSource: (any DispatchSourceRead)?
  private let received: (FakeServer, String) -> Void
  private let counts = Locked((accepted: 0, closed: 0))
  let accepted = Occurrence()
  let closed = Occurrence()

  /// - Parameters:
  ///   - greeting: is sent to each client.
  ///   - received: is called with what a client sends.
  init(greeting: String = "", port: UInt16 = 0, received: @escaping (FakeServer, String) -> Void = { _, _ in }) throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var yes: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 8) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    self.port = UInt16(bigEndian: address.sin_port)
    self.received = received
    acceptSource = DispatchSource.makeReadSource(fileDescriptor: listener, queue: queue)
    acceptSource.setCancelHandler { close(listener) }
    acceptSource.setEventHandler { [weak self] in self?.acceptClient(greeting) }
    acceptSource.activate()
    try XCTSkipIf(!isListening, "cannot listen on port \(port)")
  }

  deinit { acceptSource.cancel() }

  var acceptedCount: Int { counts.withLock { $0.accepted } }
  var closedCount: Int { counts.withLock { $0.closed } }

  func send(_ text: String) {
    queue.async { self.write(text) }
  }

  func stop() {
    queue.sync {
      acceptSource.cancel()
      dropClient()
    }
  }

  private func acceptClient(_ greeting: String) {
    let client = accept(listener, nil, nil)
    guard client >= 0 else { return }
    dropClient()
    self.client = client
    counts.withLock { $0.accepted += 1 }
    let source = DispatchSource.makeReadSource(fileDescriptor: client, queue: queue)
    source.setEventHandler { [weak self] in self?.readClient(client) }
    source.setCancelHandler { close(client) }
    source.activate()
    clientSource = source
    write(greeting)
    accepted.happen()
  }

  private func readClient(_ client: Int32) {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(client, &bytes, bytes.count)
    if count > 0 {
      received(self, String(decoding: bytes[..<count], as: UTF8.self))
    } else {
      dropClient()
      counts.withLock { $0.closed += 1 }
      closed.happen()
    }
  }

  private func write(_ text: String) {
    let bytes = Array(text.utf8)
    if client >= 0 { _ = Glibc.send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }
  }

  private func dropClient() {
    clientSource?.cancel()
    clientSource = nil
    client = -1
  }
}

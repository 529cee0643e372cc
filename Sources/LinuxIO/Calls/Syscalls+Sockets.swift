import Glibc

/// An address as the system's calls want it.
struct SocketAddress: Sendable {
  var storage = sockaddr_storage()
  var length: socklen_t = 0

  var family: Int32 { Int32(storage.ss_family) }

  fileprivate func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    withUnsafePointer(to: storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }
}

/// A name that no address was found for, with the resolver's own text.
struct ResolutionFailure: Error, Sendable {
  var text: String
}

extension Syscalls {
  private static let streamType = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
  private static let datagramType = Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)

  /// The addresses of a host, the preferred first. With `numericOnly` nothing is asked of anybody: a name has none.
  static func addresses(
    host: String, port: UInt16, numericOnly: Bool
  ) throws(ResolutionFailure) -> [SocketAddress] {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_NUMERICSERV | (numericOnly ? AI_NUMERICHOST : AI_ADDRCONFIG)
    var list: UnsafeMutablePointer<addrinfo>?
    let result = getaddrinfo(host, String(port), &hints, &list)
    guard result == 0 else { throw ResolutionFailure(text: String(cString: gai_strerror(result))) }
    defer { freeaddrinfo(list) }
    var addresses: [SocketAddress] = []
    var entry = list
    while let current = entry {
      let info = current.pointee
      var address = SocketAddress()
      let room = socklen_t(MemoryLayout<sockaddr_storage>.size)
      if let source = info.ai_addr, info.ai_addrlen <= room {
        withUnsafeMutableBytes(of: &address.storage) { target in
          target.copyMemory(from: UnsafeRawBufferPointer(start: source, count: Int(info.ai_addrlen)))
        }
        address.length = info.ai_addrlen
        addresses.append(address)
      }
      entry = info.ai_next
    }
    return addresses
  }

  /// Begins to connect, without waiting: whether it worked is known when the socket can be written.
  static func beginConnecting(to address: SocketAddress) throws(SystemError) -> Int32 {
    let descriptor = SystemFaults.fails(.open) ? -1 : socket(address.family, streamType, 0)
    guard descriptor >= 0 else { throw SystemError(call: "socket") }
    let result = retrying {
      SystemFaults.fails(.connect) ? -1 : address.withPointer { connect(descriptor, $0, $1) }
    }
    if result < 0 && errno != EINPROGRESS {
      let error = SystemError(call: "connect")
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// How the connecting that was begun has ended.
  static func finishConnecting(_ descriptor: Int32) throws(SystemError) {
    if SystemFaults.fails(.connect) { throw SystemError(call: "connect") }
    var number: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &length) == 0 else {
      throw SystemError(call: "getsockopt")
    }
    guard number == 0 else { throw SystemError(call: "connect", number: number) }
  }

  /// What a server answers to one question, as far as it came in time; `isComplete` ends the waiting.
  ///
  /// - Parameter address: in numbers.
  package static func ask(
    _ address: String, port: UInt16, _ question: String, millisecondsMax: Int, isComplete: ([UInt8]) -> Bool
  ) throws(SystemError) -> [UInt8] {
    guard let address = (try? addresses(host: address, port: port, numericOnly: true))?.first else {
      throw SystemError(call: "getaddrinfo", number: EINVAL)
    }
    let descriptor = try beginConnecting(to: address)
    defer { close(descriptor) }
    var one = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard retrying({ poll(&one, 1, Int32(millisecondsMax)) }) == 1 else {
      throw SystemError(call: "connect", number: ETIMEDOUT)
    }
    try finishConnecting(descriptor)
    try send(Array(question.utf8), to: descriptor)
    var answer: [UInt8] = []
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 4_096, alignment: 1)
    defer { piece.deallocate() }
    // A server that talks without an end is not listened to without one.
    while answer.count < 1 << 16, !isComplete(answer), hasInput(descriptor, withinMilliseconds: Int32(millisecondsMax))
    {
      guard let count = try readAvailable(descriptor, into: piece) else { continue }
      if count == 0 { break }
      answer += piece[..<count]
    }
    return answer
  }

  /// Lets the kernel find out within half a minute that the other machine is gone without a word.
  static func keepAlive(_ descriptor: Int32) {
    let options: [(Int32, Int32, Int32)] = [
      (SOL_SOCKET, SO_KEEPALIVE, 1), (Int32(IPPROTO_TCP), TCP_KEEPIDLE, 10), (Int32(IPPROTO_TCP), TCP_KEEPINTVL, 5),
      (Int32(IPPROTO_TCP), TCP_KEEPCNT, 4),
    ]
    for (level, name, value) in options {
      // A kernel without the option keeps its own times.
      _ = withUnsafePointer(to: value) {
        setsockopt(descriptor, level, name, $0, socklen_t(MemoryLayout<Int32>.size))
      }
    }
  }

  /// A socket for datagrams that come to `port`, on IPv6 and IPv4, on IPv4 alone where there is no IPv6.
  static func bindDatagrams(port: UInt16) throws(SystemError) -> Int32 {
    var descriptor = SystemFaults.fails(.open) ? -1 : socket(AF_INET6, datagramType, 0)
    let hasIPv6 = descriptor >= 0
    if !hasIPv6 { descriptor = SystemFaults.fails(.open) ? -1 : socket(AF_INET, datagramType, 0) }
    guard descriptor >= 0 else { throw SystemError(call: "socket") }
    var address = SocketAddress()
    if hasIPv6 {
      var off: Int32 = 0
      setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &off, socklen_t(MemoryLayout<Int32>.size))
      var own = sockaddr_in6()
      own.sin6_family = sa_family_t(AF_INET6)
      own.sin6_port = port.bigEndian
      address.set(own)
    } else {
      var own = sockaddr_in()
      own.sin_family = sa_family_t(AF_INET)
      own.sin_port = port.bigEndian
      address.set(own)
    }
    guard address.withPointer({ bind(descriptor, $0, $1) }) == 0 else {
      let error = SystemError(call: "bind")
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Sends all or fails; a connection that takes nothing any more is a failure, never a signal.
  static func send(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
    let count = retrying {
      SystemFaults.fails(.write)
        ? -1
        : bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }
    guard count >= 0 else { throw SystemError(call: "send") }
    guard count == bytes.count else { throw SystemError(call: "send", number: EAGAIN) }
  }
}

extension SocketAddress {
  fileprivate mutating func set<Address>(_ address: Address) {
    withUnsafeMutableBytes(of: &storage) { target in
      withUnsafeBytes(of: address) { target.copyMemory(from: $0) }
    }
    length = socklen_t(MemoryLayout<Address>.size)
  }
}

import CLinux
import Glibc

/// Sockets within the machine (unix(7)).
extension Syscalls {
  private static let localType = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)

  /// The longest path of a socket: 108 bytes with the zero at their end.
  package static let socketPathBytesMax = 107

  private static func withAddress<Result>(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) throws(SystemError) -> Result {
    let bytes = Array(path.utf8)
    guard !bytes.isEmpty, bytes.count <= socketPathBytesMax else {
      throw SystemError(call: "bind", number: ENAMETOOLONG)
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  /// A socket that listens at `path`, which must be free.
  ///
  /// - Parameter tellsSenders: what comes from its clients is told together with the process that sent it.
  package static func listen(at path: String, mode: UInt32, tellsSenders: Bool) throws(SystemError) -> Int32 {
    let descriptor = SystemFaults.fails(.open) ? -1 : socket(AF_UNIX, localType, 0)
    guard descriptor >= 0 else { throw SystemError(call: "socket") }
    do throws(SystemError) {
      guard try withAddress(path, { bind(descriptor, $0, $1) }) == 0 else { throw SystemError(call: "bind") }
      guard chmod(path, mode) == 0 else { throw SystemError(call: "chmod") }
      if tellsSenders { try self.tellSenders(descriptor) }
      guard Glibc.listen(descriptor, SOMAXCONN) == 0 else { throw SystemError(call: "listen") }
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// The next client that has connected; nil where none waits.
  package static func accept(_ listener: Int32) throws(SystemError) -> Int32? {
    let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = retrying { SystemFaults.fails(.open) ? -1 : linux_accept(listener, flags) }
    if descriptor < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == ECONNABORTED) { return nil }
    guard descriptor >= 0 else { throw SystemError(call: "accept") }
    return descriptor
  }

  /// Connects at once or fails: nobody listens there, the service has more callers than it can take (EAGAIN), or the
  /// path is not there.
  package static func connectLocally(to path: String) throws(SystemError) -> Int32 {
    let descriptor = SystemFaults.fails(.open) ? -1 : socket(AF_UNIX, localType, 0)
    guard descriptor >= 0 else { throw SystemError(call: "socket") }
    do throws(SystemError) {
      let result = try withAddress(path) { address, length in
        retrying { SystemFaults.fails(.connect) ? -1 : connect(descriptor, address, length) }
      }
      guard result == 0 else { throw SystemError(call: "connect") }
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Sends as much as there is room for; nil where there is none.
  static func sendAvailable(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(SystemError) -> Int? {
    let count = retrying {
      SystemFaults.fails(.write)
        ? -1 : Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
    }
    if count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS) { return nil }
    guard count >= 0 else { throw SystemError(call: "send") }
    return count
  }

  /// The same with a file along, which the other side has then, too.
  static func sendAvailable(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, with file: Int32
  ) throws(SystemError) -> Int? {
    let count = retrying {
      SystemFaults.fails(.write)
        ? -1 : linux_send_with_file(descriptor, bytes.baseAddress, UInt(bytes.count), file)
    }
    if count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS) { return nil }
    guard count >= 0 else { throw SystemError(call: "sendmsg") }
    return count
  }

  /// The bytes that are there; nil where none are yet.
  ///
  /// - Parameter file: the one that came along, which is the caller's; nil where none did.
  package static func receive(
    _ socket: Int32, into buffer: UnsafeMutableRawBufferPointer, file: inout Int32?
  ) throws(SystemError) -> Int? {
    var number: Int32 = -1
    let count = retrying {
      SystemFaults.fails(.read)
        ? -1 : linux_receive_with_file(socket, buffer.baseAddress, UInt(buffer.count), &number)
    }
    file = number < 0 ? nil : number
    if count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) { return nil }
    guard count >= 0 else { throw SystemError(call: "recvmsg") }
    return count
  }

  // MARK: Pipes

  /// Neither end is ever waited for.
  static func makeOpenPipe() throws(SystemError) -> (reader: Int32, writer: Int32) {
    var ends: [Int32] = [-1, -1]
    guard !SystemFaults.fails(.open), linux_make_pipe(&ends) else { throw SystemError(call: "pipe2") }
    return (ends[0], ends[1])
  }

  static func isPipe(_ file: Int32) -> Bool {
    var facts = stat()
    return fstat(file, &facts) == 0 && facts.st_mode & S_IFMT == S_IFIFO
  }

  /// Writes as much as there is room for; nil where there is none. The program ignores SIGPIPE (`ignoreBrokenPipes`).
  static func writeAvailable(_ bytes: UnsafeRawBufferPointer, to pipe: Int32) throws(SystemError) -> Int? {
    let count = retrying { SystemFaults.fails(.write) ? -1 : Glibc.write(pipe, bytes.baseAddress, bytes.count) }
    if count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) { return nil }
    guard count >= 0 else { throw SystemError(call: "write") }
    return count
  }

  /// Writing to a pipe whose reader has gone is an error from now on, and not the end of this program.
  package static func ignoreBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
  }

  /// Ends both directions: the other side reads the end, and so does whoever reads here.
  static func shutDown(_ descriptor: Int32) {
    _ = shutdown(descriptor, Int32(SHUT_RDWR))
  }

  /// Gives memory that this process does not use just now back to the machine.
  package static func giveBackMemory() {
    linux_give_back_memory()
  }

  /// Has all threads take memory from one place: what many clients took in several can hardly be given back. Before the
  /// first thread is made.
  package static func keepMemoryTogether() {
    linux_keep_memory_together()
  }

  /// Whether this process may open so many other files just now.
  package static func hasRoom(forFiles count: Int) -> Bool {
    guard count > 0 else { return true }
    let probe = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)
    guard probe >= 0 else { return !SystemError(call: "fcntl").isOutOfFiles }
    defer { close(probe) }
    return hasRoom(forFiles: count - 1)
  }

  /// Lets this process have as many open files as it may at all, and gives how many that is.
  package static func raiseOpenFilesLimit() -> UInt64 {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
    limit.rlim_cur = limit.rlim_max
    _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    _ = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return UInt64(limit.rlim_cur)
  }
}

extension SystemError {
  /// This process, or the machine, has no more open files to give.
  package var isOutOfFiles: Bool { number == EMFILE || number == ENFILE }
}

import CLinux
import Glibc

/// What the kernel noted of a process when it connected a Unix socket, or began to listen on one.
package struct PeerCredentials: Hashable, Sendable {
  /// 0 where this process may not see that one.
  package var processNumber: Int32
  package var userNumber: UInt32
  package var groupNumber: UInt32

  package init(processNumber: Int32, userNumber: UInt32, groupNumber: UInt32) {
    self.processNumber = processNumber
    self.userNumber = userNumber
    self.groupNumber = groupNumber
  }
}

/// Bytes that came through a Unix socket, and the process that sent them.
package struct ReceivedBytes: Hashable, Sendable {
  /// 0 is the end.
  package var count: Int
  /// At the time of sending; nil where the socket does not tell or this process may not see that one.
  package var senderProcessNumber: Int32?
  package var senderUserNumber: UInt32?
}

extension Syscalls {
  /// The process at the other end of a connected Unix socket: the one that connected, or for a client the one that
  /// listens. What either has become since is not in it.
  package static func peerCredentials(_ socket: Int32) throws(SystemError) -> PeerCredentials {
    var process: Int32 = 0
    var user: UInt32 = 0
    var group: UInt32 = 0
    guard linux_peer_credentials(socket, &process, &user, &group) else { throw SystemError(call: "getsockopt") }
    return PeerCredentials(processNumber: process, userNumber: user, groupNumber: group)
  }

  /// Nil where the kernel is older than 6.5 and cannot tell. The caller closes it.
  static func peerProcess(_ socket: Int32) throws(SystemError) -> Int32? {
    let descriptor = linux_peer_process(socket)
    if descriptor < 0 && errno == ENOPROTOOPT { return nil }
    guard descriptor >= 0 else { throw SystemError(call: "getsockopt") }
    return descriptor
  }

  static func openProcess(_ number: Int32) throws(SystemError) -> Int32 {
    let descriptor = linux_open_process(number)
    guard descriptor >= 0 else { throw SystemError(call: "pidfd_open") }
    return descriptor
  }

  /// From now on `receive` tells who sent what. To be called before the socket listens: what is accepted inherits it,
  /// so that no byte comes without its sender.
  package static func tellSenders(_ socket: Int32) throws(SystemError) {
    var on: Int32 = 1
    guard setsockopt(socket, SOL_SOCKET, SO_PASSCRED, &on, socklen_t(MemoryLayout<Int32>.size)) == 0 else {
      throw SystemError(call: "setsockopt")
    }
  }

  /// The bytes that are there, of one sender; nil where none are yet. Descriptors that were sent along are closed.
  package static func receive(
    _ socket: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemError) -> ReceivedBytes? {
    var process: Int32 = 0
    var user: UInt32 = 0
    let count = retrying {
      SystemFaults.fails(.read)
        ? -1 : linux_receive_with_sender(socket, buffer.baseAddress, UInt(buffer.count), &process, &user)
    }
    if count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) { return nil }
    guard count >= 0 else { throw SystemError(call: "recvmsg") }
    return ReceivedBytes(
      count: count, senderProcessNumber: process > 0 ? process : nil, senderUserNumber: process > 0 ? user : nil)
  }

  // MARK: Users and groups

  /// The user that this process acts as.
  package static var userNumber: UInt32 { geteuid() }

  /// Nil where there is no such user, or where that cannot be found out.
  package static func userNumber(named name: String) -> UInt32? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var room = [CChar](repeating: 0, count: 16_384)
    guard getpwnam_r(name, &entry, &room, room.count, &found) == 0, found != nil else { return nil }
    return entry.pw_uid
  }

  /// Nil where there is no such group, or where that cannot be found out.
  package static func groupNumber(named name: String) -> UInt32? {
    var entry = group()
    var found: UnsafeMutablePointer<group>?
    var room = [CChar](repeating: 0, count: 65_536)
    guard getgrnam_r(name, &entry, &room, room.count, &found) == 0, found != nil else { return nil }
    return entry.gr_gid
  }

  // MARK: Time

  /// Clock ticks since the machine started, its sleep included: the unit of a process's start in /proc.
  package static var ticksSinceStart: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    let ticksPerSecond = UInt64(max(sysconf(Int32(_SC_CLK_TCK)), 1))
    return UInt64(time.tv_sec) * ticksPerSecond + UInt64(time.tv_nsec) * ticksPerSecond / 1_000_000_000
  }
}

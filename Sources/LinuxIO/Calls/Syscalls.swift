import Glibc

/// A system call that failed: its name, the number, and the system's text for it.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  package var call: String
  package var number: Int32

  package init(call: String, number: Int32 = errno) {
    self.call = call
    self.number = number
  }

  /// Such as "No such file or directory".
  package var text: String {
    String(cString: strerror(number))
  }

  package var description: String {
    "\(call): \(text)"
  }

  /// What was to be opened is not there: no such file, or a device file without its device.
  package var isMissing: Bool {
    number == ENOENT || number == ENODEV || number == ENXIO || number == ENOTDIR
  }

  /// What was to be made is there already.
  package var isThere: Bool { number == EEXIST }

  package var isRefused: Bool { number == EACCES || number == EPERM }

  /// There is no process of that number any more.
  package var isNoProcess: Bool { number == ESRCH }

  package var isBusy: Bool { number == EBUSY }

  /// Another socket has the port.
  package var isAddressInUse: Bool { number == EADDRINUSE }
}

/// The system calls that this package makes, each at one place. Calls that a signal interrupts are made again.
package enum Syscalls {
  /// Opens for reading; waits for a writer where `path` is a named pipe.
  package static func openForReading(_ path: String) throws(SystemError) -> Int32 {
    let file = retrying { SystemFaults.fails(.open) ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY) }
    guard file >= 0 else { throw SystemError(call: "open") }
    return file
  }

  package static func isDirectory(_ file: Int32) throws(SystemError) -> Bool {
    var status = stat()
    guard fstat(file, &status) == 0 else { throw SystemError(call: "fstat") }
    return status.st_mode & S_IFMT == S_IFDIR
  }

  /// False where there is no such file, or none that may be looked at.
  package static func isRegularFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Waits until bytes come, and gives how many; 0 is the end.
  package static func read(
    _ file: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemError) -> Int {
    let count = retrying { SystemFaults.fails(.read) ? -1 : Glibc.read(file, buffer.baseAddress, buffer.count) }
    guard count >= 0 else { throw SystemError(call: "read") }
    return count
  }

  /// True where reading would not wait, and where that cannot be told.
  static func hasInput(_ file: Int32, withinMilliseconds milliseconds: Int32) -> Bool {
    var one = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
    return retrying { poll(&one, 1, milliseconds) } != 0
  }

  package static func close(_ file: Int32) {
    // Linux frees the number whatever the answer is, so that there is nothing to repeat.
    _ = Glibc.close(file)
  }

  /// The bytes that are there; nil where none are yet. 0 is the end.
  static func readAvailable(
    _ file: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemError) -> Int? {
    let count = retrying { SystemFaults.fails(.read) ? -1 : Glibc.read(file, buffer.baseAddress, buffer.count) }
    if count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) { return nil }
    guard count >= 0 else { throw SystemError(call: "read") }
    return count
  }

  /// One piece; waits until it comes. Nil at the end.
  static func readPiece(_ file: Int32) throws(SystemError) -> [UInt8]? {
    var piece = [UInt8](repeating: 0, count: 16_384)
    let count = retrying {
      SystemFaults.fails(.read) ? -1 : piece.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
    }
    guard count >= 0 else { throw SystemError(call: "read") }
    return count == 0 ? nil : Array(piece[..<count])
  }

  static func makePipe() throws(SystemError) -> (reader: Int32, writer: Int32) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SystemError(call: "pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Waits so long, and false where `stop` ended first.
  static func rest(milliseconds: Int32, orEndOf stop: Int32) -> Bool {
    var one = pollfd(fd: stop, events: Int16(POLLIN), revents: 0)
    return poll(&one, 1, milliseconds) <= 0
  }

  /// Of the clock that nobody sets.
  static var monotonicNanoseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Waits until `file` can be read, which its end counts as; false where `stop` ended first.
  static func waitForInput(_ file: Int32, orEndOf stop: Int32) throws(SystemError) -> Bool {
    var both = [
      pollfd(fd: file, events: Int16(POLLIN), revents: 0), pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
    ]
    let count = retrying { poll(&both, 2, -1) }
    guard count >= 0 else { throw SystemError(call: "poll") }
    return both[1].revents == 0
  }

  static func retrying<Count: FixedWidthInteger>(_ call: () -> Count) -> Count {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }
}

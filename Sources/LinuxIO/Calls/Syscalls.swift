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

  package var isBusy: Bool { number == EBUSY }
}

/// The system calls that this package makes, each at one place. Calls that a signal interrupts are made again.
package enum Syscalls {
  /// Opens for reading; waits for a writer where `path` is a named pipe.
  package static func openForReading(_ path: String) throws(SystemError) -> Int32 {
    let file = retrying { open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY) }
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
    let count = retrying { Glibc.read(file, buffer.baseAddress, buffer.count) }
    guard count >= 0 else { throw SystemError(call: "read") }
    return count
  }

  package static func close(_ file: Int32) {
    // Linux frees the number whatever the answer is, so that there is nothing to repeat.
    _ = Glibc.close(file)
  }

  /// The bytes that are there; nil where none are yet. 0 is the end.
  static func readAvailable(
    _ file: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemError) -> Int? {
    let count = retrying { Glibc.read(file, buffer.baseAddress, buffer.count) }
    if count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) { return nil }
    guard count >= 0 else { throw SystemError(call: "read") }
    return count
  }

  static func retrying<Count: FixedWidthInteger>(_ call: () -> Count) -> Count {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }
}

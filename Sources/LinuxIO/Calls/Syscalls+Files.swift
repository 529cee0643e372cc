import Glibc

package struct FileIdentity: Hashable, Sendable {
  package var device: UInt64
  package var number: UInt64
}

extension Syscalls {
  /// Nil where nothing has this name. A link is looked at itself.
  package static func status(ofName path: String) throws(SystemError) -> FileStatus? {
    try status(path, followsLink: false)
  }

  /// As `status(ofName:)`, for what the name leads to.
  package static func status(of path: String) throws(SystemError) -> FileStatus? {
    try status(path, followsLink: true)
  }

  private static func status(_ path: String, followsLink: Bool) throws(SystemError) -> FileStatus? {
    do throws(SystemError) {
      return try FileStatus(path: path, followsLink: followsLink)
    } catch {
      if error.number == ENOENT { return nil }
      throw error
    }
  }

  /// A path from the root, without links, dots and doubled slashes; everything on it has to be there.
  package static func realPath(of path: String) throws(SystemError) -> String {
    guard let found = realpath(path, nil) else { throw SystemError(call: "realpath") }
    defer { free(found) }
    return String(cString: found)
  }

  /// Fewer where the file has not so many.
  package static func firstBytes(of path: String, countMax: Int) throws(SystemError) -> [UInt8] {
    let file = try openForReading(path)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: countMax)
    let count = retrying { bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) } }
    guard count >= 0 else { throw SystemError(call: "read") }
    return Array(bytes[..<count])
  }

  /// An empty file for its owner alone; EEXIST where the name is taken.
  package static func createPrivateFile(_ path: String) throws(SystemError) {
    let file = retrying {
      SystemFaults.fails(.open) ? -1 : open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    }
    guard file >= 0 else { throw SystemError(call: "open") }
    close(file)
  }

  package static func rename(_ old: String, to new: String) throws(SystemError) {
    guard Glibc.rename(old, new) == 0 else { throw SystemError(call: "rename") }
  }

  /// The process that holds a record lock (fcntl) somewhere in a file; nil where none does or it cannot be told. The
  /// caller holds none itself: it would lose it.
  package static func recordLockHolder(of path: String) -> Int32? {
    guard let file = try? openForReading(path) else { return nil }
    defer { close(file) }
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    guard fcntl(file, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK), lock.l_pid > 0 else { return nil }
    return lock.l_pid
  }

  // MARK: Short notes at the end of a file

  /// A file that is there; a link in its place is an error.
  package static func openForAppending(_ path: String) throws(SystemError) -> Int32 {
    let flags = O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY
    let file = retrying { SystemFaults.fails(.open) ? -1 : open(path, flags) }
    guard file >= 0 else { throw SystemError(call: "open") }
    return file
  }

  /// In one piece: nobody who reads the file finds a part.
  package static func append(_ bytes: [UInt8], to file: Int32) throws(SystemError) {
    let count = retrying {
      SystemFaults.fails(.write) ? -1 : bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
    }
    guard count == bytes.count else { throw SystemError(call: "write") }
  }

  /// An empty file of this user's own, whatever was there.
  package static func makeEmptyFile(_ path: String) throws(SystemError) {
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY
    let file = retrying { SystemFaults.fails(.open) ? -1 : open(path, flags, 0o600) }
    guard file >= 0 else { throw SystemError(call: "open") }
    close(file)
  }

  /// For writing, this user's own; one that is there is an error (`isThere`).
  static func makeNewFile(_ path: String) throws(SystemError) -> Int32 {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY
    let file = retrying { SystemFaults.fails(.open) ? -1 : open(path, flags, 0o600) }
    guard file >= 0 else { throw SystemError(call: "open") }
    return file
  }

  /// The whole of it, from there on.
  static func write(_ bytes: [UInt8], to file: Int32, at offset: Int64) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      let count = retrying {
        SystemFaults.fails(.write)
          ? -1
          : bytes.withUnsafeBytes { buffer in
            let rest = UnsafeRawBufferPointer(rebasing: buffer[written...])
            return pwrite(file, rest.baseAddress, rest.count, off_t(offset) + off_t(written))
          }
      }
      guard count > 0 else { throw SystemError(call: "write") }
      written += count
    }
  }

  /// Nobody can be told where it cannot be.
  package static func removeFile(_ path: String) {
    _ = unlink(path)
  }

  static func openLockFile(_ path: String) throws(SystemError) -> Int32 {
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let file = retrying { SystemFaults.fails(.open) ? -1 : open(path, flags, 0o600) }
    guard file >= 0 else { throw SystemError(call: "open") }
    return file
  }

  /// False where somebody else has it.
  static func lockWithoutWaiting(_ file: Int32) throws(SystemError) -> Bool {
    if retrying({ flock(file, LOCK_EX | LOCK_NB) }) == 0 { return true }
    if errno == EWOULDBLOCK { return false }
    throw SystemError(call: "flock")
  }

  /// Gives a lock back, for every copy of the file that a process which is just being made may have of it.
  static func unlock(_ file: Int32) {
    _ = retrying { flock(file, LOCK_UN) }
  }

  /// Replaces the content of an open small file; false where it cannot be.
  static func overwrite(_ file: Int32, with bytes: [UInt8]) -> Bool {
    guard ftruncate(file, 0) == 0 else { return false }
    let count = retrying { bytes.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 0) } }
    return count == bytes.count
  }
}

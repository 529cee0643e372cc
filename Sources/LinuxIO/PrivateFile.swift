import Glibc

/// Files that only their owner may read.
package enum PrivateFile {
  package struct Failure: Error, CustomStringConvertible, Sendable {
    package var operation: String
    package var code: Int32

    package var description: String {
      "\(operation): \(String(cString: strerror(code)))"
    }

    init(_ operation: String, code: Int32 = errno) {
      self.operation = operation
      self.code = code
    }
  }

  private static let nextNumber = Locked<UInt64>(1)

  /// Puts `bytes` in the place of a file at once: readers see the old content or the new one, also after a crash. What
  /// others put there at the same time is not mixed with it. After a failure nothing is left over.
  package static func replace(_ path: String, with bytes: [UInt8]) throws(Failure) {
    let number = nextNumber.withLock { number -> UInt64 in
      defer { number += 1 }
      return number
    }
    let temporary = "\(path).\(getpid()).\(number).new"
    let file = try create(temporary)
    do throws(Failure) {
      defer { close(file) }
      try write(bytes, to: file, named: temporary)
      guard rename(temporary, path) == 0 else { throw Failure("rename \(temporary) to \(path)") }
    } catch {
      unlink(temporary)
      throw error
    }
    try synchronizeFolder(of: path)
  }

  /// A file that nobody else has open. One that a crashed process of the same number left is removed first.
  private static func create(_ path: String) throws(Failure) -> Int32 {
    for _ in 0..<2 {
      let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
      if file >= 0 { return file }
      guard errno == EEXIST, unlink(path) == 0 else { break }
    }
    throw Failure("open \(path)")
  }

  private static func write(_ bytes: [UInt8], to file: Int32, named name: String) throws(Failure) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.write(file, UnsafeRawBufferPointer(rebasing: buffer[written...]).baseAddress, buffer.count - written)
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw Failure("write \(name)")
      }
      written += count
    }
    guard fsync(file) == 0 else { throw Failure("fsync \(name)") }
  }

  /// A new name in a folder outlives a crash only once the folder itself is on the disk.
  private static func synchronizeFolder(of path: String) throws(Failure) {
    let name = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let folder = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw Failure("open \(name)") }
    defer { close(folder) }
    // Some file systems cannot do it for folders and say EINVAL; there is nothing more to be had from them.
    guard fsync(folder) == 0 || errno == EINVAL else { throw Failure("fsync \(name)") }
  }

  /// Nothing is left to do where there is no such file.
  package static func remove(_ path: String) throws(Failure) {
    guard unlink(path) == 0 || errno == ENOENT else { throw Failure("remove \(path)") }
  }

  /// Makes a folder and those above it that are missing, for their owner alone.
  package static func makeFolder(_ path: String) throws(Failure) {
    var folder = ""
    for part in path.split(separator: "/") {
      folder += (folder.isEmpty && !path.hasPrefix("/") ? "" : "/") + part
      if mkdir(folder, 0o700) == 0 { continue }
      let code = errno
      var status = stat()
      if stat(folder, &status) == 0 {
        guard status.st_mode & S_IFMT == S_IFDIR else { throw Failure("mkdir \(folder)", code: ENOTDIR) }
      } else {
        throw Failure("mkdir \(folder)", code: code)
      }
    }
  }

  /// Runs `body` while no other process and no other thread has `path` locked. Waits `waitSeconds` at most: a process
  /// that was stopped in the middle of its turn must not stop the others.
  package static func withLock<Result>(
    _ path: String, waitSeconds: Double, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard file >= 0 else { throw Failure("open \(path)") }
    // Closing gives the lock back.
    defer { close(file) }
    let pauseSeconds = 0.005
    var triesLeft = Int((min(max(waitSeconds, 0), 60) / pauseSeconds).rounded(.up))
    while flock(file, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR, triesLeft > 0 else { throw Failure("lock \(path)") }
      triesLeft -= 1
      usleep(useconds_t(pauseSeconds * 1e6))
    }
    return try body()
  }
}

import Glibc

/// Files that only their owner may read.
package enum PrivateFile {
  package struct Failure: Error, CustomStringConvertible, Sendable {
    package var operation: String
    package var code: Int32

    package init(operation: String, code: Int32) {
      self.operation = operation
      self.code = code
    }

    package var description: String {
      "\(operation): \(String(cString: strerror(code)))"
    }
  }

  /// Puts `bytes` in the place of a file at once: readers see the old content or the new one, also after a crash.
  package static func replace(_ path: String, with bytes: [UInt8]) throws(Failure) {
    let temporary = path + ".new"
    let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Failure(operation: "open \(temporary)", code: errno) }
    defer { close(file) }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { write(file, $0.baseAddress! + written, $0.count - written) }
      if count < 0 {
        if errno == EINTR { continue }
        throw Failure(operation: "write \(temporary)", code: errno)
      }
      written += count
    }
    guard fsync(file) == 0 else { throw Failure(operation: "fsync \(temporary)", code: errno) }
    guard rename(temporary, path) == 0 else {
      throw Failure(operation: "rename \(temporary) to \(path)", code: errno)
    }
  }
}

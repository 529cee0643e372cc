import Glibc

/// A file of settings or state, read whole: a regular file of a bounded size, or an error at once. Never waits for a
/// writer, as a named pipe would make it, and never reads a device that has no end.
package struct SmallFile: Sendable {
  package enum Failure: Error, Hashable, Sendable {
    case system(SystemError)
    case notRegular
    case tooLarge(bytesMax: Int)

    /// Such as "No such file or directory".
    package var text: String {
      switch self {
      case .system(let error): error.text
      case .notRegular: "not a regular file"
      case .tooLarge(let bytesMax): "more than \(bytesMax) bytes"
      }
    }

    package var isMissing: Bool {
      guard case .system(let error) = self else { return false }
      return error.number == ENOENT || error.number == ENOTDIR
    }
  }

  package var bytes: [UInt8]
  package var owner: UInt32
  /// Somebody besides the owner may change the file.
  package var isWritableByOthers: Bool

  package static let bytesMax = 1 << 20

  /// - Parameter followsLink: where false, a link in the place of the file is an error: in a folder of somebody else's
  ///   making it could lead anywhere.
  package init(path: String, bytesMax: Int = SmallFile.bytesMax, followsLink: Bool = true) throws(Failure) {
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | (followsLink ? 0 : O_NOFOLLOW))
    guard file >= 0 else { throw .system(SystemError(call: "open")) }
    defer { Syscalls.close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .system(SystemError(call: "fstat")) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
    owner = status.st_uid
    isWritableByOthers = status.st_mode & (S_IWGRP | S_IWOTH) != 0
    bytes = try Self.read(file, bytesMax: bytesMax)
  }

  /// Reads to the end, whatever size the file was said to have: it may grow meanwhile.
  private static func read(_ file: Int32, bytesMax: Int) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 1)
    defer { buffer.deallocate() }
    while true {
      let count: Int
      do {
        count = try Syscalls.read(file, into: buffer)
      } catch {
        throw .system(error)
      }
      if count == 0 { return bytes }
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      if bytes.count > bytesMax { throw .tooLarge(bytesMax: bytesMax) }
    }
  }
}

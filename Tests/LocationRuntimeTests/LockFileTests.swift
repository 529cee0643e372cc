import Foundation
import LinuxIO
import Testing

@Suite("A file that one process at a time holds")
struct LockFileTests {
  @Test("Given back it is free, also while a process that is just being made has a copy of the file")
  func copies() throws {
    let path = NSTemporaryDirectory() + "lock-\(UUID().uuidString)"
    defer { unlink(path) }
    var lock: LockFile? = try LockFile(path)
    #expect(throws: LockFile.Failure.self) { try LockFile(path) }
    // What fork(2) does to every open file, until the new program begins.
    let copies = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init)
      .filter { (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path }
      .map { dup($0) }
    #expect(!copies.isEmpty)
    withExtendedLifetime(lock) {}
    lock = nil
    _ = try LockFile(path)
    for copy in copies { close(copy) }
  }
}

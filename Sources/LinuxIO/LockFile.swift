import Glibc

/// A file that one process at a time holds, with the holder's number in it. Given back when this value goes, and by
/// the system when its process ends in whatever way. The file itself stays: removing it would let two hold one name.
package final class LockFile: Sendable {
  package enum Failure: Error, Sendable {
    /// Somebody else has it; who, as far as it can be told.
    case held(by: ProcessName?)
    case system(SystemError)
  }

  private let file: Int32

  /// Never waits.
  package init(_ path: String) throws(Failure) {
    file = try Self.openLocked(path)
    // On a full disk the number is missing, and the next one is not told who has it.
    _ = Syscalls.overwrite(file, with: Array("\(getpid())\n".utf8))
  }

  deinit {
    Syscalls.unlock(file)
    Syscalls.close(file)
  }

  private static func openLocked(_ path: String) throws(Failure) -> Int32 {
    let file: Int32
    let isLocked: Bool
    do throws(SystemError) {
      file = try Syscalls.openLockFile(path)
    } catch {
      throw .system(error)
    }
    do throws(SystemError) {
      isLocked = try Syscalls.lockWithoutWaiting(file)
    } catch {
      Syscalls.close(file)
      throw .system(error)
    }
    if isLocked { return file }
    defer { Syscalls.close(file) }
    throw .held(by: holder(namedIn: file))
  }

  private static func holder(namedIn file: Int32) -> ProcessName? {
    guard let bytes = try? Syscalls.readPiece(file) else { return nil }
    let digits = bytes.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return Int32(String(decoding: digits, as: UTF8.self)).map(ProcessName.init)
  }
}

/// A process as a person can find it: "corelocationd (process 812)".
package struct ProcessName: Hashable, Sendable, CustomStringConvertible {
  package var number: Int32
  package var program: String

  package init(number: Int32) {
    self.number = number
    program = DeviceHolder.programName(number)
  }

  package var description: String { "\(program) (process \(number))" }
}

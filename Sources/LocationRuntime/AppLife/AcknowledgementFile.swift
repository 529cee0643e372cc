import LinuxIO

/// Where an installed app notes the numbers of events whose callbacks have returned, eight bytes each, beside what it
/// says to the service: what stands here counts also where service and app are killed in the same moment.
///
/// The app appends; the service reads it before it tells anything again, and takes it away when the app is started.
package final class AcknowledgementFile: Sendable {
  /// The environment variable that holds the path.
  package static let variable = "CORELOCATION_ACKNOWLEDGEMENTS"
  /// As many as the service keeps, many times over; what an app writes beyond is not read.
  private static let bytesMax = 1_048_576

  private let path: String
  private let file = Locked<Int32?>(nil)

  package init(path: String) {
    self.path = path
  }

  /// One that cannot be written leaves the socket, which is what counts nearly always.
  package func add(_ number: UInt64) {
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
    file.withLock { file in
      if file == nil { file = try? Syscalls.openForAppending(path) }
      if let file { try? Syscalls.append(bytes, to: file) }
    }
  }

  deinit {
    file.withLock { file in
      if let file { Syscalls.close(file) }
    }
  }

  /// What an app has noted; nothing where there is no such file. A last number that is not whole is none.
  package static func numbers(at path: String) -> [UInt64] {
    guard let bytes = try? SmallFile(path: path, bytesMax: bytesMax).bytes else { return [] }
    return stride(from: 0, to: bytes.count - bytes.count % 8, by: 8).map { start in
      (0..<8).reduce(0) { $0 | UInt64(bytes[start + $1]) << (8 * UInt64($1)) }
    }
  }
}

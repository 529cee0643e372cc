import LinuxIO

/// What a recording is written in.
package enum RecordingFormat: Hashable, Sendable {
  case gpx
  case nmea

  /// How far a plain file is looked into: notes at its head are no longer.
  private static let headBytesMax = 65_536

  /// By the head of a plain file: in GPX a line begins with `<` where NMEA has a `$` or `!`. By its name where nothing
  /// may be taken from it, as from a pipe, and GPX where that says nothing either.
  package static func of(path: String) -> RecordingFormat {
    let named: RecordingFormat = path.lowercased().hasSuffix(".nmea") ? .nmea : .gpx
    guard path != "-", InputFile.isRegular(path: path), let file = try? InputFile(path: path) else { return named }
    return withUnsafeTemporaryAllocation(byteCount: headBytesMax, alignment: 1) { buffer in
      guard let count = try? file.read(into: buffer) else { return named }
      return of(head: UnsafeRawBufferPointer(rebasing: buffer[..<count])) ?? named
    }
  }

  private static func of(head: UnsafeRawBufferPointer) -> RecordingFormat? {
    var isLineBegun = false
    for (index, byte) in head.enumerated() {
      switch byte {
      case UInt8(ascii: "<") where !isLineBegun: return .gpx
      case UInt8(ascii: "$") where isSentence(head, after: index),
        UInt8(ascii: "!") where isSentence(head, after: index):
        return .nmea
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): isLineBegun = false
      // Spaces, and the mark that some editors put before UTF-8.
      case UInt8(ascii: " "), UInt8(ascii: "\t"), 0xEF, 0xBB, 0xBF: break
      default: isLineBegun = true
      }
    }
    return nil
  }

  /// Whether what follows begins like a talker and its sentence.
  private static func isSentence(_ head: UnsafeRawBufferPointer, after index: Int) -> Bool {
    guard index + 3 < head.count else { return false }
    return head[(index + 1)...(index + 3)].allSatisfy { $0 &- 0x41 < 26 || $0 &- 0x30 <= 9 }
  }
}

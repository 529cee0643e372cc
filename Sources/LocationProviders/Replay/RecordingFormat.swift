import LinuxIO

/// What a recording is written in.
package enum RecordingFormat: Hashable, Sendable {
  case gpx
  case nmea

  /// By the first bytes of a plain file: GPX has a `<` where NMEA has a `$` or `!`. By its name where nothing may be
  /// taken from it, as from a pipe, and GPX where that says nothing either.
  package static func of(path: String) -> RecordingFormat {
    let named: RecordingFormat = path.lowercased().hasSuffix(".nmea") ? .nmea : .gpx
    guard path != "-", InputFile.isRegular(path: path), let file = try? InputFile(path: path) else { return named }
    return withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      guard let count = try? file.read(into: buffer) else { return named }
      for (index, byte) in buffer[..<count].enumerated() {
        if byte == UInt8(ascii: "<") { return .gpx }
        let next = index + 3 < count ? buffer[(index + 1)...(index + 3)] : buffer[..<0]
        let isSentence = !next.isEmpty && next.allSatisfy { $0 &- 0x41 < 26 || $0 &- 0x30 <= 9 }
        if isSentence && (byte == UInt8(ascii: "$") || byte == UInt8(ascii: "!")) { return .nmea }
      }
      return named
    }
  }
}

import LocationModel

/// One framed sentence, its checksum right or absent. Points into the framer's bytes: valid only inside the call that
/// hands it out.
package struct NMEALine {
  /// Behind the `$` or `!`.
  package let start: UnsafePointer<UInt8>
  /// At the `*` or at the line's end; the byte there can be read.
  package let end: UnsafePointer<UInt8>
  /// `!`: AIS and other encapsulated data.
  package let isEncapsulated: Bool
  /// The tag block right before the sentence.
  package let tag: NMEATagBlock?

  package var hasChecksum: Bool { end[0] == UInt8(ascii: "*") }

  package var text: String {
    String(decoding: UnsafeBufferPointer(start: start, count: end - start), as: UTF8.self)
  }
}

/// The tag block of IEC 61162-450 / NMEA 4.0 before a sentence: `\s:x,c:1577833200*hh\`. Other parameters are skipped.
package struct NMEATagBlock: Equatable, Sendable {
  /// Parameter `c`: when the sentence was received or sent. Written in seconds since 1970, by some in milliseconds,
  /// which are the values above 10^11 (the year 5138 in seconds).
  package var time: WallTime?
  private var sourceBytes = SIMD16<UInt8>.zero

  /// Parameter `s`: who sent the sentence. The standard allows 15 characters; more are cut.
  package var source: String? {
    guard sourceBytes[0] != 0 else { return nil }
    return String(decoding: (0..<16).map { sourceBytes[$0] }.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Reads the parameters between the backslash and the `*`.
  init(_ start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) {
    var at = start
    while at < end {
      let parameter = at
      while at < end && at[0] != UInt8(ascii: ",") { at += 1 }
      if at - parameter > 2 && parameter[1] == UInt8(ascii: ":") {
        if parameter[0] == UInt8(ascii: "c") { time = Self.time(parameter + 2, end: at) }
        if parameter[0] == UInt8(ascii: "s") {
          for index in 0..<min(at - parameter - 2, 15) { sourceBytes[index] = parameter[2 + index] }
        }
      }
      at += 1
    }
  }

  private static func time(_ start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) -> WallTime? {
    guard end - start <= 13 else { return nil }
    var value: Int64 = 0
    for offset in 0..<(end - start) {
      let digit = start[offset] &- 0x30
      guard digit <= 9 else { return nil }
      value = value * 10 + Int64(digit)
    }
    if value > 100_000_000_000 { return WallTime(nanosecondsSince1970: value * 1_000_000) }
    return value < 9_000_000_000 ? WallTime(nanosecondsSince1970: value * 1_000_000_000) : nil
  }
}

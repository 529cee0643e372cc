import LocationFormats
import LocationModel

/// JSON by hand, straight into the output: nothing is allocated for a number but its own digits.
extension [UInt8] {
  mutating func append(text: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(text: String) {
    append(contentsOf: text.utf8)
  }

  /// The shortest digits that read back as the same double. JSON has no word for what is no number.
  mutating func append(number: Double) {
    append(text: number.isFinite ? number.description : "null")
  }

  /// `"…"` with what JSON wants escaped.
  mutating func append(string: String) {
    append(UInt8(ascii: "\""))
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        append(UInt8(ascii: "\\"))
        append(byte)
      case 0..<0x20:
        append(text: "\\u00")
        append(Self.hexadecimal(byte >> 4))
        append(Self.hexadecimal(byte & 15))
      default:
        append(byte)
      }
    }
    append(UInt8(ascii: "\""))
  }

  /// UTC with milliseconds.
  mutating func append(time: WallTime) {
    append(UInt8(ascii: "\""))
    append(text: InternetTime.text(time, alwaysWithMilliseconds: true))
    append(UInt8(ascii: "\""))
  }

  private static func hexadecimal(_ digit: UInt8) -> UInt8 {
    digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
  }
}

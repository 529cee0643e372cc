/// Numbers as files and people write them: `-12.5`, `+3`, `.5`, `1e-3`; with a dot whatever the machine's locale is.
///
/// The result is the double nearest to the written number, as strtod gives it. NaN, infinity, hexadecimal floats,
/// thousands separators and anything before or after the number but white space are refused.
package enum DecimalNumber {
  /// The most characters that a number may have; a longer one is no measurement.
  package static let lengthMax = 255

  /// Reads bytes that end with a zero byte. With `acceptsComma` one comma may stand for the dot (case GX-05).
  @inline(__always)
  package static func parse(
    terminated text: UnsafePointer<UInt8>, acceptsComma: Bool = false
  ) -> Double? {
    var cursor = text
    while isSpace(cursor[0]) { cursor += 1 }
    guard let value = scan(&cursor, acceptsComma: acceptsComma) else { return nil }
    while isSpace(cursor[0]) { cursor += 1 }
    return cursor[0] == 0 ? value : nil
  }

  /// Reads the number that begins at `cursor` and leaves `cursor` behind it; the bytes must end with a zero byte.
  @inline(__always)
  static func scan(_ cursor: inout UnsafePointer<UInt8>, acceptsComma: Bool = false) -> Double? {
    let isNegative = cursor[0] == UInt8(ascii: "-")
    if isNegative || cursor[0] == UInt8(ascii: "+") { cursor += 1 }
    let start = cursor
    var mantissa: UInt64 = 0
    takeDigits(&cursor, into: &mantissa)
    var digitCount = cursor - start
    var exponent = 0
    if cursor[0] == UInt8(ascii: ".") || (acceptsComma && cursor[0] == UInt8(ascii: ",")) {
      cursor += 1
      let fraction = cursor
      takeDigits(&cursor, into: &mantissa)
      exponent = fraction - cursor
      digitCount -= exponent
    }
    guard digitCount > 0 else { return nil }
    if cursor[0] | 0x20 == UInt8(ascii: "e") {
      guard let written = takeExponent(&cursor) else { return nil }
      exponent += written
    }
    let magnitude =
      digitCount <= 19
      ? nearest(mantissa, exponent: exponent) ?? readSlowly(start, cursor) : readSlowly(start, cursor)
    guard let magnitude, magnitude.isFinite else { return nil }
    return isNegative ? -magnitude : magnitude
  }

  package static func parse(_ text: some StringProtocol, acceptsComma: Bool = false) -> Double? {
    guard !text.utf8.contains(0) else { return nil }
    return (Array(text.utf8) + [0]).withUnsafeBufferPointer { bytes in
      bytes.baseAddress.flatMap { parse(terminated: $0, acceptsComma: acceptsComma) }
    }
  }

  @inline(__always)
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  /// Wraps beyond 19 digits; the caller counts them.
  @inline(__always)
  private static func takeDigits(_ cursor: inout UnsafePointer<UInt8>, into value: inout UInt64) {
    while true {
      let digit = cursor[0] &- 0x30
      if digit > 9 { return }
      value = value &* 10 &+ UInt64(truncatingIfNeeded: digit)
      cursor += 1
    }
  }

  /// The exponent after its `e`; nil where no digit follows. Held to 9999, where every number is zero or infinite.
  private static func takeExponent(_ cursor: inout UnsafePointer<UInt8>) -> Int? {
    cursor += 1
    let isNegative = cursor[0] == UInt8(ascii: "-")
    if isNegative || cursor[0] == UInt8(ascii: "+") { cursor += 1 }
    let start = cursor
    var value = 0
    while cursor[0] &- 0x30 <= 9 {
      value = min(value * 10 + Int(cursor[0] &- 0x30), 9999)
      cursor += 1
    }
    return cursor == start ? nil : (isNegative ? -value : value)
  }

  /// `mantissa` x 10^`exponent`, rounded once; nil where 64-bit arithmetic cannot do that.
  @inline(__always)
  private static func nearest(_ mantissa: UInt64, exponent: Int) -> Double? {
    if mantissa <= 1 << 53 && exponent >= -22 && exponent <= 22 {
      // Both numbers are exact doubles, so that the one operation rounds once.
      return exponent < 0
        ? Double(mantissa) / exactPowers[-exponent] : Double(mantissa) * exactPowers[exponent]
    }
    return quotient(mantissa, exponent: exponent)
  }

  /// 16 to 19 digits: the quotient to 63 bits, its last bit set where a remainder is left, then rounded to a double.
  private static func quotient(_ mantissa: UInt64, exponent: Int) -> Double? {
    guard mantissa > 0, exponent < 0, exponent >= -19 else { return nil }
    var divisor: UInt64 = 1
    for _ in 0..<(-exponent) { divisor &*= 10 }
    let divisorShift = divisor.leadingZeroBitCount
    let mantissaShift = mantissa.leadingZeroBitCount
    let normal = mantissa << UInt64(mantissaShift)
    let (quotient, remainder) = (divisor << UInt64(divisorShift)).dividingFullWidth(
      (normal >> 1, (normal & 1) << 63))
    let sticky = remainder == 0 ? quotient : quotient | 1
    return Double(
      sign: .plus, exponent: divisorShift - mantissaShift - 63, significand: Double(sticky))
  }

  /// Any length and exponent through the standard library, which knows no locale.
  @inline(never)
  private static func readSlowly(
    _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> Double? {
    let bytes = UnsafeBufferPointer(start: start, count: end - start)
    guard bytes.count <= lengthMax else { return nil }
    let dotted = bytes.map { $0 == UInt8(ascii: ",") ? UInt8(ascii: ".") : $0 }
    return Double(String(decoding: dotted, as: UTF8.self))
  }

  private static let exactPowers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}

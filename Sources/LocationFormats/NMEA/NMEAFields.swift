import LocationModel

/// Reads the fields of one sentence from left to right. An empty or missing field is no value, never 0 (case NM-04);
/// one that cannot be read is no value either and is counted.
struct NMEAFields {
  private var at: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>
  private(set) var refusedCount = 0

  /// `start` at the first byte of a field; the byte at `end` must be readable and no digit, sign, dot or comma.
  @inline(__always)
  init(_ start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) {
    at = start
    self.end = end
  }

  @inline(__always)
  var isAtEnd: Bool { at == end }

  /// Fields from here to the end.
  var remainingCount: Int {
    var count = 1
    var cursor = at
    while cursor < end {
      if cursor[0] == Self.comma { count += 1 }
      cursor += 1
    }
    return count
  }

  @inline(__always)
  mutating func skip(_ count: Int = 1) {
    for _ in 0..<count {
      while at < end && at[0] != Self.comma { at += 1 }
      if at < end { at += 1 }
    }
  }

  /// A value was read and then found impossible.
  mutating func refuse() { refusedCount += 1 }

  /// The letter of the current field, which stays; 0 where it is empty.
  var peekLetter: UInt8 { at < end && at[0] != Self.comma ? at[0] : 0 }

  /// The next byte of the current field; nil at its end, which is passed.
  mutating func nextByte() -> UInt8? {
    guard at < end else { return nil }
    let byte = at[0]
    at += 1
    return byte == Self.comma ? nil : byte
  }

  /// One character is left of the sentence, and it is no comma.
  @inline(__always)
  var hasOneLetterLeft: Bool { end - at == 1 && at[0] != Self.comma }

  /// `number,elevation,azimuth,` of a satellite in their usual widths of 2, 2 and 3 digits; nil, and nothing is passed,
  /// where they are written otherwise.
  @inline(__always)
  mutating func sightingOfUsualWidth() -> (number: Int, elevation: Int, azimuth: Int)? {
    guard end - at >= 10 else { return nil }
    // "00,00,00" from the low byte on: a digit's exclusive or with it is 0 to 9, a comma's 0. What is added carries
    // into the top bit where it is more.
    let word = UInt64(littleEndian: UnsafeRawPointer(at).loadUnaligned(as: UInt64.self)) ^ 0x3030_2C30_302C_3030
    let excess = (word &+ 0x7676_7F76_767F_7676) | word
    let last = at[8] &- 0x30
    guard excess & 0x8080_8080_8080_8080 == 0, last <= 9, at[9] == Self.comma else { return nil }
    at += 10
    // Every pair of digits at once: the byte at an odd place of each pair becomes tens times 10 plus ones.
    let pairs = (word &* 10) &+ (word >> 8)
    let number = Int(pairs & 0xFF)
    let elevation = Int((pairs >> 24) & 0xFF)
    let azimuth = Int((pairs >> 48) & 0xFF) &* 10 &+ Int(last)
    return (number, elevation, azimuth)
  }

  /// As `integer`, quickest for two digits and for none.
  @inline(__always)
  mutating func smallNumber() -> Int {
    let first = at[0] &- 0x30
    if first <= 9 {
      let second = at[1] &- 0x30
      if second <= 9 {
        if at[2] == Self.comma || at + 2 == end {
          at += at + 2 == end ? 2 : 3
          return Int(first) &* 10 &+ Int(second)
        }
      } else if at[1] == Self.comma {
        at += 2
        return Int(first)
      }
    } else if at[0] == Self.comma {
      at += 1
      return -1
    }
    return integer()
  }

  /// A whole number of up to 9 digits; -1 for none.
  @inline(never)
  mutating func integer() -> Int {
    let start = at
    var value = 0
    while true {
      let digit = at[0] &- 0x30
      if digit > 9 { break }
      value = value &* 10 &+ Int(digit)
      at += 1
    }
    let digitCount = at - start
    return closeField(isRead: digitCount <= 9) && digitCount > 0 ? value : -1
  }

  /// A letter or digit that stands alone; 0 for none.
  @inline(__always)
  mutating func letter() -> UInt8 {
    guard at < end && at[0] != Self.comma else {
      _ = closeField(isRead: true)
      return 0
    }
    let byte = at[0]
    at += 1
    return closeField(isRead: true) ? byte : 0
  }

  /// A decimal number with or without a sign, the double nearest to what is written.
  @inline(__always)
  mutating func decimal() -> Double? {
    guard let number = fixedPoint() else { return nil }
    return number.value
  }

  /// A decimal number times `numerator` / `denominator`, rounded once while all fits 53 bits.
  @inline(__always)
  mutating func decimal(times numerator: UInt64, over denominator: UInt64) -> Double? {
    guard let number = fixedPoint() else { return nil }
    let (product, overflow) = number.mantissa.multipliedReportingOverflow(by: numerator)
    guard !overflow, product <= 1 << 53, number.decimalCount <= 15 else {
      return number.value * Double(numerator) / Double(denominator)
    }
    // Below 2^53 both are exact for up to 12 decimals of the denominators used here.
    let magnitude = Double(product) / (Double(denominator) * Self.powersOfTen[number.decimalCount])
    return number.isNegative ? -magnitude : magnitude
  }

  /// A number within `range`; one outside is refused.
  @inline(__always)
  mutating func decimal(in range: ClosedRange<Double>) -> Double? {
    guard let value = decimal() else { return nil }
    if range.contains(value) { return value }
    refusedCount += 1
    return nil
  }

  /// Degrees clockwise from north in [0, 360); 360 is 0.
  @inline(__always)
  mutating func bearing() -> Double? {
    guard let degrees = decimal(in: 0...360) else { return nil }
    return degrees == 360 ? 0 : degrees
  }

  /// A size followed by E or W: degrees, east positive. Without the letter it is no value.
  @inline(__always)
  mutating func variation() -> Double? {
    let degrees = decimal(in: 0...180)
    let side = letter()
    guard let degrees else { return nil }
    if side == UInt8(ascii: "E") { return degrees }
    return side == UInt8(ascii: "W") ? -degrees : nil
  }
}

// MARK: - Time and place

extension NMEAFields {
  /// `hhmmss` with 0 to 9 decimals (further ones are cut): nanoseconds since midnight, -1 for none. A leap second's
  /// `:60` lies in the last millisecond of its minute (`InternetTime`).
  @inline(__always)
  mutating func timeOfDay() -> Int64 {
    let start = at
    var value: Int64 = 0
    takeDigits(&value, countMax: 9)
    let digitCount = at - start
    if digitCount == 0 {
      _ = closeField(isRead: true)
      return -1
    }
    var nanoseconds: Int64 = 0
    if at[0] == Self.dot {
      at += 1
      let fraction = at
      takeDigits(&nanoseconds, countMax: 9)
      for _ in (at - fraction)..<9 { nanoseconds *= 10 }
      while at[0] &- 0x30 <= 9 { at += 1 }
    }
    let (hour, minute, second) = (value / 10_000, value / 100 % 100, value % 100)
    let isRight = digitCount == 6 && hour <= 23 && minute <= 59 && second <= 60
    guard closeField(isRead: isRight) else { return -1 }
    let minutes = hour * 60 + minute
    if second == 60 { return minutes * 60_000_000_000 + InternetTime.leapSecond(nanoseconds: nanoseconds) }
    return (minutes * 60 + second) * 1_000_000_000 + nanoseconds
  }

  /// `ddmmyy`: days since 1970; nil for none. A year from 80 on is 19yy, else 20yy (case NM-03).
  @inline(__always)
  mutating func date() -> Int64? {
    let start = at
    var value: Int64 = 0
    takeDigits(&value, countMax: 9)
    let digitCount = at - start
    if digitCount == 0 {
      _ = closeField(isRead: true)
      return nil
    }
    let year = value % 100
    let days = Self.days(year: year >= 80 ? 1900 + year : 2000 + year, month: value / 100 % 100, day: value / 10_000)
    return closeField(isRead: digitCount == 6 && days != nil) ? days : nil
  }

  /// Nil where there is no such date between 1980, the year of the GPS epoch, and 2261, where `WallTime` ends.
  static func days(year: Int64, month: Int64, day: Int64) -> Int64? {
    guard year >= 1980, year < 2261, month >= 1, month <= 12, day >= 1,
      day <= InternetTime.dayCount(year: year, month: month)
    else { return nil }
    return InternetTime.daysSince1970(year: year, month: month, day: day)
  }

  enum Place {
    case none
    case refused
    case position(Coordinate, decimalCount: Int)
  }

  /// Latitude, N or S, longitude, E or W.
  @inline(__always)
  mutating func place() -> Place {
    let before = refusedCount
    let latitude = angle(degreesMax: 90, positive: UInt8(ascii: "N"), negative: UInt8(ascii: "S"))
    let longitude = angle(degreesMax: 180, positive: UInt8(ascii: "E"), negative: UInt8(ascii: "W"))
    if refusedCount != before { return .refused }
    guard let latitude, let longitude else { return .none }
    return .position(
      Coordinate(latitude: latitude.degrees, longitude: longitude.degrees),
      decimalCount: min(latitude.decimalCount, longitude.decimalCount))
  }

  /// `dddmm.mmmm` and its side. Degrees are (60 d + m) / 60 in whole units of the last decimal: one rounding. Decimals
  /// beyond the eleventh, 2e-8 m, are cut.
  @inline(__always)
  private mutating func angle(
    degreesMax: Int64, positive: UInt8, negative: UInt8
  ) -> (degrees: Double, decimalCount: Int)? {
    let start = at
    var whole: Int64 = 0
    takeDigits(&whole, countMax: 9)
    var units: Int64 = whole / 100 * 60 + whole % 100
    let digitCount = at - start
    var decimalCount = 0
    if at[0] == Self.dot {
      at += 1
      let fraction = at
      takeDigits(&units, countMax: Self.minuteDecimalsMax)
      decimalCount = at - fraction
      while at[0] &- 0x30 <= 9 { at += 1 }
    }
    let isRight = digitCount <= 5 && whole % 100 < 60
    let isRead = closeField(isRead: isRight)
    let side = letter()
    guard isRead, digitCount > 0 else { return nil }
    // Exact: at most 180 x 60 x 10^11 and 60 x 10^11, both below 2^53.
    let degrees = Double(units) / (60 * Self.powersOfTen[decimalCount])
    guard degrees <= Double(degreesMax), side == positive || side == negative else {
      refusedCount += 1
      return nil
    }
    return (side == positive ? degrees : -degrees, decimalCount)
  }
}

// MARK: - Bytes

extension NMEAFields {
  private static var comma: UInt8 { UInt8(ascii: ",") }
  private static var dot: UInt8 { UInt8(ascii: ".") }
  private static var minuteDecimalsMax: Int { 11 }

  private struct FixedPoint {
    var mantissa: UInt64
    var decimalCount: Int
    var isNegative: Bool
    var value: Double
  }

  @inline(__always)
  private mutating func fixedPoint() -> FixedPoint? {
    let start = at
    let isNegative = at[0] == UInt8(ascii: "-")
    if isNegative || at[0] == UInt8(ascii: "+") { at += 1 }
    let first = at
    var mantissa: UInt64 = 0
    while at[0] &- 0x30 <= 9 {
      mantissa = mantissa &* 10 &+ UInt64(at[0] &- 0x30)
      at += 1
    }
    var digitCount = at - first
    var decimalCount = 0
    if at[0] == Self.dot {
      at += 1
      let fraction = at
      while at[0] &- 0x30 <= 9 {
        mantissa = mantissa &* 10 &+ UInt64(at[0] &- 0x30)
        at += 1
      }
      decimalCount = at - fraction
      digitCount += decimalCount
    }
    let last = at
    guard closeField(isRead: digitCount > 0 || last == start), digitCount > 0 else { return nil }
    guard digitCount <= 18, mantissa <= 1 << 53 else { return readSlowly(start, last) }
    let magnitude = Double(mantissa) / Self.powersOfTen[decimalCount]
    return FixedPoint(
      mantissa: mantissa, decimalCount: decimalCount, isNegative: isNegative,
      value: isNegative ? -magnitude : magnitude)
  }

  /// More digits than one exact division can take.
  @inline(never)
  private mutating func readSlowly(
    _ start: UnsafePointer<UInt8>, _ last: UnsafePointer<UInt8>
  ) -> FixedPoint? {
    var cursor = start
    guard let value = DecimalNumber.scan(&cursor), cursor == last else {
      refusedCount += 1
      return nil
    }
    return FixedPoint(mantissa: .max, decimalCount: 0, isNegative: value < 0, value: value)
  }

  @inline(__always)
  private mutating func takeDigits(_ value: inout Int64, countMax: Int) {
    var count = 0
    while count < countMax {
      let digit = at[0] &- 0x30
      if digit > 9 { return }
      value = value &* 10 &+ Int64(digit)
      at += 1
      count += 1
    }
  }

  /// Passes the comma. False, with the count raised, where the field holds more than was read or `isRead` says no.
  @inline(__always)
  private mutating func closeField(isRead: Bool) -> Bool {
    if isRead {
      if at[0] == Self.comma {
        at += 1
        return true
      }
      if at == end { return true }
    }
    refusedCount += 1
    skip()
    return false
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
  ]
}

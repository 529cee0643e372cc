import LocationModel

/// Dates of ISO 8601 and XML Schema: `2026-06-01T08:00:03.125+02:00`.
///
/// Read: a fraction of any length (cut, not rounded, after nanoseconds), `Z`, `+hh:mm`, `+hhmm`, `+hh` or no zone,
/// which is UTC; `24:00:00` is the next day's start. The years are those of `WallTime`.
///
/// A leap second has no place of its own in civil time as machines count it. Its `:60` lies in the last millisecond of
/// the minute that it ends, so that it comes after `:59` and before `:00`, and neither of the two is moved for it.
package enum InternetTime {
  /// Reads bytes that end with a zero byte; nil where they are not such a date, or one out of range.
  package static func parse(terminated text: UnsafePointer<UInt8>) -> WallTime? {
    var cursor = text
    while DecimalNumber.isSpace(cursor[0]) { cursor += 1 }
    guard let time = scan(&cursor) else { return nil }
    while DecimalNumber.isSpace(cursor[0]) { cursor += 1 }
    return cursor[0] == 0 ? time : nil
  }

  /// Whether the bytes are a date but for its year, which `WallTime` does not reach.
  package static func isOutOfRange(terminated text: UnsafePointer<UInt8>) -> Bool {
    var cursor = text
    while DecimalNumber.isSpace(cursor[0]) { cursor += 1 }
    guard let century = takePair(&cursor), let rest = takePair(&cursor), cursor[0] == UInt8(ascii: "-") else {
      return false
    }
    let year = century * 100 + rest
    guard !years.contains(year) else { return false }
    // The calendar repeats after 400 years: this year within the range has the same days.
    let twin = year % 400 + (year % 400 <= 261 ? 2000 : 1600)
    var bytes = Array(String(twin).utf8)
    while cursor[0] != 0 {
      bytes.append(cursor[0])
      cursor += 1
    }
    bytes.append(0)
    return bytes.withUnsafeBufferPointer { $0.baseAddress.flatMap { parse(terminated: $0) } != nil }
  }

  /// The whole years of `WallTime`.
  private static let years: ClosedRange<Int64> = 1678...2261

  /// Reads the date that begins at `cursor` and leaves `cursor` behind it; the bytes must end with a zero byte.
  @inline(__always)
  static func scan(_ cursor: inout UnsafePointer<UInt8>) -> WallTime? {
    guard let days = takeDate(&cursor), let seconds = takeClock(&cursor) else { return nil }
    // Behind the two digits of the seconds, which begin with 6 in no other.
    let isLeapSecond = cursor[-2] == UInt8(ascii: "6")
    var nanoseconds: Int64 = 0
    if cursor[0] == UInt8(ascii: ".") || cursor[0] == UInt8(ascii: ",") {
      guard let fraction = takeFraction(&cursor) else { return nil }
      nanoseconds = fraction
    }
    guard let offsetSeconds = takeZone(&cursor) else { return nil }
    var total = days * 86_400 + seconds - offsetSeconds
    if isLeapSecond {
      total -= 60
      nanoseconds = leapSecond(nanoseconds: nanoseconds)
    }
    let (whole, overflow) = total.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflowOfSum) = whole.addingReportingOverflow(nanoseconds)
    return overflow || overflowOfSum ? nil : WallTime(nanosecondsSince1970: sum)
  }

  /// Nanoseconds from a minute's start to so many nanoseconds into its leap second.
  @inline(__always)
  static func leapSecond(nanoseconds: Int64) -> Int64 {
    59_999_000_000 + nanoseconds / 1_000
  }

  package static func parse(_ text: some StringProtocol) -> WallTime? {
    guard !text.utf8.contains(0) else { return nil }
    return (Array(text.utf8) + [0]).withUnsafeBufferPointer { bytes in
      bytes.baseAddress.flatMap { parse(terminated: $0) }
    }
  }

  /// Days from 1970-01-01 to a date of the Gregorian calendar. By whole eras of 400 years, counted from 1 March so
  /// that the leap day is a year's last.
  package static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month > 2 ? year : year - 1
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  @inline(__always)
  private static func takeDate(_ cursor: inout UnsafePointer<UInt8>) -> Int64? {
    guard let century = takePair(&cursor), let rest = takePair(&cursor),
      take(UInt8(ascii: "-"), &cursor), let month = takePair(&cursor),
      take(UInt8(ascii: "-"), &cursor), let day = takePair(&cursor)
    else { return nil }
    let year = century * 100 + rest
    guard years.contains(year), month >= 1, month <= 12, day >= 1,
      day <= dayCount(year: year, month: month)
    else { return nil }
    return daysSince1970(year: year, month: month, day: day)
  }

  @inline(__always)
  static func dayCount(year: Int64, month: Int64) -> Int64 {
    if month == 2 { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28 }
    return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31
  }

  /// Seconds since midnight, from the separator `T` (or `t`, or a blank as RFC 3339 allows) on.
  @inline(__always)
  private static func takeClock(_ cursor: inout UnsafePointer<UInt8>) -> Int64? {
    guard cursor[0] | 0x20 == UInt8(ascii: "t") || cursor[0] == UInt8(ascii: " ") else { return nil }
    cursor += 1
    guard let hour = takePair(&cursor), take(UInt8(ascii: ":"), &cursor),
      let minute = takePair(&cursor), take(UInt8(ascii: ":"), &cursor),
      let second = takePair(&cursor), minute <= 59, second <= 60,
      hour <= 23 || (hour == 24 && minute == 0 && second == 0)
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  @inline(__always)
  private static func takeFraction(_ cursor: inout UnsafePointer<UInt8>) -> Int64? {
    cursor += 1
    var unit: Int64 = 100_000_000
    var nanoseconds: Int64 = 0
    let start = cursor
    while cursor[0] &- 0x30 <= 9 {
      nanoseconds += Int64(cursor[0] &- 0x30) * unit
      unit /= 10
      cursor += 1
    }
    return cursor == start ? nil : nanoseconds
  }

  /// Seconds east of UTC; 0 where no zone is written.
  @inline(__always)
  private static func takeZone(_ cursor: inout UnsafePointer<UInt8>) -> Int64? {
    if cursor[0] | 0x20 == UInt8(ascii: "z") {
      cursor += 1
      return 0
    }
    let isWest = cursor[0] == UInt8(ascii: "-")
    guard isWest || cursor[0] == UInt8(ascii: "+") else { return 0 }
    cursor += 1
    guard let hours = takePair(&cursor), hours <= 23 else { return nil }
    var minutes: Int64 = 0
    if cursor[0] == UInt8(ascii: ":") || cursor[0] &- 0x30 <= 9 {
      if cursor[0] == UInt8(ascii: ":") { cursor += 1 }
      guard let written = takePair(&cursor), written <= 59 else { return nil }
      minutes = written
    }
    let seconds = hours * 3600 + minutes * 60
    return isWest ? -seconds : seconds
  }

  @inline(__always)
  private static func take(_ byte: UInt8, _ cursor: inout UnsafePointer<UInt8>) -> Bool {
    guard cursor[0] == byte else { return false }
    cursor += 1
    return true
  }

  /// Two digits. Looks at the second only where the first is one, so that the final zero byte is never passed.
  @inline(__always)
  private static func takePair(_ cursor: inout UnsafePointer<UInt8>) -> Int64? {
    let tens = cursor[0] &- 0x30
    guard tens <= 9 else { return nil }
    let ones = cursor[1] &- 0x30
    guard ones <= 9 else { return nil }
    cursor += 2
    return Int64(tens) * 10 + Int64(ones)
  }
}

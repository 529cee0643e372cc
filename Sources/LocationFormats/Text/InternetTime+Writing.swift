import LocationModel

extension InternetTime {
  /// `2026-06-01T08:00:03Z`, with milliseconds where they are not 0 or `alwaysWithMilliseconds`; what is finer is cut.
  package static func text(_ time: WallTime, alwaysWithMilliseconds: Bool = false) -> String {
    let (seconds, nanoseconds) = floorDivision(time.nanosecondsSince1970, 1_000_000_000)
    let (days, secondOfDay) = floorDivision(seconds, 86_400)
    let (year, month, day) = date(daysSince1970: days)
    var text = padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2)
    text += "T" + padded(secondOfDay / 3600, 2) + ":" + padded(secondOfDay / 60 % 60, 2)
    text += ":" + padded(secondOfDay % 60, 2)
    let milliseconds = nanoseconds / 1_000_000
    if milliseconds != 0 || alwaysWithMilliseconds { text += "." + padded(milliseconds, 3) }
    return text + "Z"
  }

  /// The Gregorian date of a day; the inverse of `daysSince1970(year:month:day:)`.
  package static func date(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = floorDivision(days + 719_468, 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  private static func floorDivision(_ value: Int64, _ divisor: Int64) -> (Int64, Int64) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  private static func padded(_ value: Int64, _ count: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }
}

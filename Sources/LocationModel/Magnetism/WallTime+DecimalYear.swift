extension WallTime {
  /// The year with its passed part as a fraction, as geomagnetic models count time: 2026.5 is the middle of 2026.
  package var decimalYear: Double {
    let secondsPerDay = 86_400.0
    let days = secondsSince1970 / secondsPerDay
    // An average year is 365.2425 days, so that the guess is off by one at most.
    var year = 1970 + Int((days / 365.2425).rounded(.down))
    if days < Self.daysSince1970(startOf: year) { year -= 1 }
    if days >= Self.daysSince1970(startOf: year + 1) { year += 1 }
    let start = Self.daysSince1970(startOf: year)
    return Double(year) + (days - start) / (Self.daysSince1970(startOf: year + 1) - start)
  }

  /// Days from 1970-01-01 to the first of January of a year after 1600, in the Gregorian calendar.
  private static func daysSince1970(startOf year: Int) -> Double {
    let before = year - 1
    let leapDays = before / 4 - before / 100 + before / 400
    let leapDaysBefore1970 = 1969 / 4 - 1969 / 100 + 1969 / 400
    return Double((year - 1970) * 365 + leapDays - leapDaysBefore1970)
  }
}

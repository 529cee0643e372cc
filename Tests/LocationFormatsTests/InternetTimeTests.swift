import LocationFormats
import LocationModel
import Testing

@Suite("Dates")
struct InternetTimeTests {
  @Test(
    "a date is its seconds since 1970 (seconds from GNU date -u)",
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("2026-06-01T08:00:03Z", 1_780_300_803),
      ("1678-01-01T00:00:00Z", -9_214_560_000), ("2261-12-31T23:59:59Z", 9_214_646_399),
      ("2000-02-29T12:00:00Z", 951_825_600), ("1901-12-13T20:45:52Z", -2_147_483_648),
      ("2021-01-07T21:51:59+01:15", 1_610_051_819), ("2100-03-01T00:00:00Z", 4_107_542_400),
      ("1969-12-31T23:59:59Z", -1), ("2024-12-31T23:30:00-05:30", 1_735_707_600),
      // The same moment in the other forms of the zone and the separators.
      ("2024-12-31T23:30:00-0530", 1_735_707_600), ("2026-06-01T10:00:03+02", 1_780_300_803),
      ("2026-06-01t08:00:03z", 1_780_300_803), ("2026-06-01 08:00:03", 1_780_300_803),
      ("\n 2026-06-01T08:00:03 \n", 1_780_300_803),
      // Midnight as 24 o'clock: 1483228799 + 1.
      ("2016-12-31T24:00:00Z", 1_483_228_800),
    ] as [(String, Int64)])
  func seconds(text: String, seconds: Int64) {
    #expect(InternetTime.parse(text)?.nanosecondsSince1970 == seconds * 1_000_000_000)
  }

  @Test(
    "a fraction of any length is cut after nanoseconds",
    arguments: [
      ("2026-06-01T08:00:03.1Z", 100_000_000), ("2026-06-01T08:00:03.125Z", 125_000_000),
      ("2026-06-01T08:00:03,5Z", 500_000_000), ("2026-06-01T08:00:03.2073437Z", 207_343_700),
      ("2026-06-01T08:00:03.9999999999999Z", 999_999_999), ("2026-06-01T08:00:03.000000001", 1),
    ] as [(String, Int64)])
  func fraction(text: String, nanoseconds: Int64) {
    #expect(InternetTime.parse(text)?.nanosecondsSince1970 == 1_780_300_803_000_000_000 + nanoseconds)
  }

  @Test(
    "a leap second lies between the second before and the one after, in the order of its fractions",
    arguments: [
      ("2016-12-31T23:59:60Z", 0), ("2016-12-31T23:59:60.5Z", 500_000), ("2016-12-31T23:59:60.999999999Z", 999_999),
      ("2017-01-01T01:59:60+02:00", 0),
    ] as [(String, Int64)])
  func leapSecond(text: String, nanoseconds: Int64) {
    #expect(InternetTime.parse(text)?.nanosecondsSince1970 == 1_483_228_799_999_000_000 + nanoseconds)
  }

  @Test("a fraction before 1970 counts forward: 1901-12-13T20:45:52.25 is a quarter second after 52")
  func fractionBefore1970() {
    #expect(InternetTime.parse("1901-12-13T20:45:52.25Z")?.nanosecondsSince1970 == -2_147_483_647_750_000_000)
  }

  @Test(
    "what is no date, or one out of range, is refused",
    arguments: [
      "", "2026", "2026-06-01", "2026-06-01T08:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
      "2026-06-31T00:00:00Z", "2026-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2026-06-00T00:00:00Z",
      "2026-06-01T25:00:00Z", "2026-06-01T24:00:01Z", "2026-06-01T08:60:00Z", "2026-06-01T08:00:61Z",
      "2026-06-01T08:00:03.Z", "2026-06-01T08:00:03Zx", "2026-06-01T08:00:03+2", "2026-06-01T08:00:03+24:00",
      "2026-06-01T08:00:03+02:60", "1677-12-31T23:59:59Z", "2262-01-01T00:00:00Z", "0000-01-01T00:00:00Z",
      "-2026-06-01T08:00:03Z", "12026-06-01T08:00:03Z", "2026/06/01T08:00:03Z", "2026-6-1T08:00:03Z", "yesterday",
      "2026-06-01T08:00:03Z\u{0}",
    ])
  func refuses(text: String) {
    #expect(InternetTime.parse(text) == nil)
  }

  @Test(
    "a date is written in UTC, with milliseconds where there are some",
    arguments: [
      (1_780_300_803_000_000_000, "2026-06-01T08:00:03Z"), (1_780_300_803_125_999_999, "2026-06-01T08:00:03.125Z"),
      (-1_000_000, "1969-12-31T23:59:59.999Z"), (951_825_600_000_000_000, "2000-02-29T12:00:00Z"),
      (-9_214_560_000_000_000_000, "1678-01-01T00:00:00Z"),
    ] as [(Int64, String)])
  func writes(nanoseconds: Int64, text: String) {
    #expect(InternetTime.text(WallTime(nanosecondsSince1970: nanoseconds)) == text)
  }

  @Test("every day of the years 1678 to 2261 is the day after the one before, and is written as it is read")
  func everyDay() {
    let days =
      InternetTime.daysSince1970(
        year: 1678, month: 1, day: 1)...InternetTime.daysSince1970(
        year: 2261, month: 12, day: 31)
    // 584 years; of the 146 divisible by 4 (1680 to 2260), 1700, 1800, 1900, 2100 and 2200 have no leap day.
    #expect(days.count == 584 * 365 + 146 - 5)
    for day in days {
      let (year, month, dayOfMonth) = InternetTime.date(daysSince1970: day)
      #expect(InternetTime.daysSince1970(year: year, month: month, day: dayOfMonth) == day)
    }
  }

  @Test("milliseconds can be asked for always")
  func alwaysWithMilliseconds() {
    let time = WallTime(nanosecondsSince1970: 0)
    #expect(InternetTime.text(time, alwaysWithMilliseconds: true) == "1970-01-01T00:00:00.000Z")
  }
}

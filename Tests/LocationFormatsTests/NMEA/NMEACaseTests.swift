import LocationFormats
import LocationModel
import Testing

@Suite("NMEA: cases from the field, replayed")
struct NMEACaseTests {
  static let floor = NMEADating.live(floor: InternetTime.parse("2025-01-01T00:00:00Z") ?? WallTime(secondsSince1970: 0))
  static let rolledOver =
    "$GPRMC,120000.00,A,4730.0000,N,01912.0000,E,0.0,0.0,230806,,,A*59\r\n"

  @Test("a live date before the floor moves by whole rollovers of 7168 days (case NM-01)")
  func rolloverLive() {
    let read = ReadNMEA(Self.rolledOver, dating: Self.floor, clock: moment("2026-04-08T12:00:00Z"))
    #expect(read.fixes.map(\.time) == [moment("2026-04-08T12:00:00Z")])
  }

  @Test("a clock that stands at 1970 gives way to the floor (case NM-01)")
  func rolloverWithoutClock() {
    let unset = ReadNMEA(Self.rolledOver, dating: Self.floor, clock: moment("1970-01-01T00:00:10Z"))
    #expect(unset.fixes.map(\.time) == [moment("2026-04-08T12:00:00Z")])
    let none = ReadNMEA(Self.rolledOver, dating: Self.floor)
    #expect(none.fixes.map(\.time) == [moment("2026-04-08T12:00:00Z")])
  }

  @Test("of several rollovers the one nearest to the clock is taken, never one before the floor")
  func severalRollovers() {
    // 1999-08-22 + 7168 d = 2019-04-07, which is before the floor; + 14,336 d = 2038-11-21.
    let text = sentence("GPRMC,120000,A,4730.0,N,01912.0,E,0.0,0.0,220899,,,A")
    let read = ReadNMEA(text, dating: Self.floor, clock: moment("2026-04-08T12:00:00Z"))
    #expect(read.fixes.map(\.time) == [moment("2038-11-21T12:00:00Z")])
  }

  @Test("a live date after the floor stays as it is, and so does the machine's opinion of it")
  func plausibleDate() {
    let text = sentence("GPRMC,120000,A,4730.0,N,01912.0,E,0.0,0.0,010625,,,A")
    let read = ReadNMEA(text, dating: Self.floor, clock: moment("2026-04-08T12:00:00Z"))
    #expect(read.fixes.map(\.time) == [moment("2025-06-01T12:00:00Z")])
  }

  @Test("a recording's dates are never moved (case NM-01)")
  func rolloverRecorded() {
    #expect(ReadNMEA(Self.rolledOver).fixes.map(\.time) == [moment("2006-08-23T12:00:00Z")])
  }

  @Test("a sentence without a date behind midnight is the next day's (case NM-03)")
  func midnight() {
    let read = ReadNMEA(
      "$GPRMC,235959.50,A,4730.0000,N,01912.0000,E,0.0,0.0,310325,,,A*57\r\n"
        + "$GPGGA,000000.50,4730.0000,N,01912.0000,E,1,08,1.0,100.0,M,40.0,M,,*6E\r\n")
    #expect(read.fixes.map(\.time) == [moment("2025-03-31T23:59:59.5Z"), moment("2025-04-01T00:00:00.5Z")])
  }

  @Test("a dated sentence behind midnight resets the date and adds nothing (case NM-03)")
  func midnightTwice() {
    let text =
      sentence("GPRMC,235959,A,4730.0,N,01912.0,E,0.0,0.0,310325,,,A")
      + sentence("GPGGA,000000,4730.0,N,01912.0,E,1,08,1.0,100.0,M,40.0,M,,")
      + sentence("GPRMC,000000,A,4730.0,N,01912.0,E,0.0,0.0,010425,,,A")
      + sentence("GPGGA,000001,4730.0,N,01912.0,E,1,08,1.0,100.0,M,40.0,M,,")
    let expected = ["2025-03-31T23:59:59Z", "2025-04-01T00:00:00Z", "2025-04-01T00:00:01Z"].map { moment($0) }
    #expect(ReadNMEA(text).fixes.map(\.time) == expected)
  }

  @Test("a time just before midnight read just after it is yesterday's (case NM-03)")
  func midnightByClock() {
    let text = "$GPGGA,235959.50,4730.0000,N,01912.0000,E,1,08,1.0,100.0,M,40.0,M,,*6F\r\n"
    for dating in [Self.floor, .recorded] {
      let read = ReadNMEA(text, dating: dating, clock: moment("2025-04-01T00:00:02Z"))
      #expect(read.fixes.map(\.time) == [moment("2025-03-31T23:59:59.5Z")])
    }
  }

  @Test("years from 80 on are 19yy, others 20yy (case NM-03)")
  func twoDigitYears() {
    let text = "$GPRMC,101503.00,A,4730.0030,N,01912.0000,E,,,050694,,,A*5E\r\n"
    #expect(ReadNMEA(text).fixes.map(\.time) == [moment("1994-06-05T10:15:03Z")])
    for (year, full) in [("80", "1980"), ("99", "1999"), ("00", "2000"), ("79", "2079")] {
      let other = sentence("GPRMC,101503,A,4730.0,N,01912.0,E,,,0506\(year),,,A")
      #expect(ReadNMEA(other).fixes.map(\.time) == [moment("\(full)-06-05T10:15:03Z")])
    }
  }

  @Test("empty fields are no values, and no fix is no location (case NM-04)")
  func emptyFields() {
    let searching =
      "$GPRMC,,V,,,,,,,,,,N*53\r\n$GPRMC,101500.00,V,,,,,,,050625,,,N*7C\r\n"
      + "$GPGGA,101500.00,,,,,0,00,99.99,,,,,,*63\r\n"
    let without = ReadNMEA(searching)
    #expect(without.fixes.isEmpty)
    #expect(without.epochs.allSatisfy { $0.isNoFix })
    #expect(!without.epochs.isEmpty)
    let read = ReadNMEA(searching + "$GPRMC,101503.00,A,4730.0030,N,01912.0000,E,,,050625,,,A*54\r\n")
    #expect(read.fixes.count == 1)
    let fix = read.fixes.first
    #expect(fix?.time == moment("2025-06-05T10:15:03Z"))
    #expect(fix?.speedMetersPerSecond == nil)
    #expect(fix?.courseDegrees == nil)
    #expect(fix?.altitudeMeters == nil)
    #expect(fix?.horizontalAccuracyMeters == nil)
  }

  @Test("a real 0, 0 with status A is a place (case NM-04)")
  func nullIsland() {
    let read = ReadNMEA(sentence("GPRMC,101503,A,0000.0000,N,00000.0000,E,0.0,,050625,,,A"))
    #expect(read.fixes.map(\.coordinate) == [Coordinate(latitude: 0, longitude: 0)])
    #expect(read.fixes.first?.speedMetersPerSecond == 0)
  }

  @Test("pieces, a cut line, CR alone and a time of six digits (case NM-07)")
  func cutLines() {
    let reader = NMEAReader(.recorded)
    var epochs: [NMEAEpoch] = []
    reader.feed(Array("$GPRMC,101500.00,A,4730.0000,N,0".utf8))
    reader.feed(Array("1912.0000,E,3.2,90.0,050625,,,A*6C".utf8))
    reader.flush()
    reader.takeEpochs(into: &epochs)
    #expect(epochs.isEmpty)
    reader.feed(Array("\r".utf8))
    reader.flush()
    reader.takeEpochs(into: &epochs)
    #expect(epochs.compactMap(\.fix?.time) == [moment("2025-06-05T10:15:00Z")])
    reader.feed(Array("\n$GPRMC,10$GPRMC,101501,A,4730.0010,N,01912.0000,E,3.2,90.0,050625,,,A*42\r".utf8))
    reader.flush()
    reader.takeEpochs(into: &epochs)
    #expect(epochs.compactMap(\.fix?.time) == [moment("2025-06-05T10:15:01Z")])
    #expect(reader.counts.fragments == 1)
    #expect(reader.counts.sentences == 2)
  }

  @Test("the three pieces as the case writes them give two locations (case NM-07)")
  func threePieces() {
    let reader = NMEAReader(.recorded)
    let pieces = [
      "$GPRMC,101500.00,A,4730.0000,N,0", "1912.0000,E,3.2,90.0,050625,,,A*6C\r",
      "\n$GPRMC,10$GPRMC,101501,A,4730.0010,N,01912.0000,E,3.2,90.0,050625,,,A*42\r",
    ]
    for piece in pieces { reader.feed(Array(piece.utf8)) }
    reader.finish()
    var epochs: [NMEAEpoch] = []
    reader.takeEpochs(into: &epochs)
    let times = ["2025-06-05T10:15:00Z", "2025-06-05T10:15:01Z"].map { moment($0) }
    #expect(epochs.compactMap(\.fix).map(\.time) == times)
    // 47 degrees 30.001 minutes.
    #expect(epochs.last?.fix?.coordinate.latitude == 2_850_001.0 / 60_000)
    // 3.2 kn x 1852 m / 3600 s.
    #expect(epochs.last?.fix?.speedMetersPerSecond == 59_264.0 / 36_000)
    #expect(epochs.last?.fix?.courseDegrees == 90)
  }
}

import Glibc
import LocationFormats
import LocationModel
import Testing

@Suite("NMEA: sentences to epochs")
struct NMEAEpochTests {
  static func cycle(_ second: Int, speed: String = "10.0") -> String {
    let time = "1015\(second < 10 ? "0" : "")\(second).00"
    return sentence("GNRMC,\(time),A,4730.0\(second),N,01912.0,E,\(speed),90.0,050625,,,A")
      + sentence("GNVTG,90.0,T,,M,\(speed),N,18.5,K,A")
      + sentence("GNGGA,\(time),4730.0\(second),N,01912.0,E,1,08,1.2,100.5,M,40.25,M,,")
      + sentence("GNGSA,A,3,01,02,03,04,,,,,,,,,2.0,1.2,1.6,1")
      + sentence("GPGSV,1,1,04,01,10,020,30,02,20,030,31,03,30,040,32,04,40,050,,1")
      + sentence("GNGLL,4730.0\(second),N,01912.0,E,\(time),A,A")
  }

  static let severalCycles = (10..<16).map { cycle($0) }.joined()

  private func seconds(_ read: ReadNMEA) -> [Int] {
    read.fixes.map { Int($0.time.nanosecondsSince1970 / 1_000_000_000 % 60) }
  }

  @Test("a cycle of six sentences is one fix with everything in it")
  func wholeCycle() throws {
    let read = ReadNMEA(Self.severalCycles)
    #expect(seconds(read) == [10, 11, 12, 13, 14, 15])
    let epoch = try #require(read.epochs.last)
    let fix = try #require(epoch.fix)
    // 47 degrees 30.015 minutes.
    #expect(fix.coordinate == Coordinate(latitude: 2_850_015.0 / 60_000, longitude: 19.2))
    #expect(fix.altitudeMeters == 100.5)
    #expect(fix.ellipsoidalAltitudeMeters == 140.75)
    #expect(fix.speedMetersPerSecond == 18_520.0 / 3600)
    #expect(fix.courseDegrees == 90)
    #expect(fix.speedAccuracyMetersPerSecond == nil)
    #expect(!fix.isSimulated)
    #expect(epoch.satellitesUsedCount == 8)
    #expect(epoch.dimension == 3)
    #expect(epoch.horizontalDilution == 1.2)
    #expect(epoch.verticalDilution == 1.6)
    #expect(epoch.quality == .autonomous)
  }

  @Test("once two cycles have ended alike, the end of the next is known without waiting for its successor")
  func learnedEnd() {
    let three = ReadNMEA((10..<13).map { Self.cycle($0) }.joined(), finishes: false)
    #expect(seconds(three) == [10, 11, 12])
    // Two give the first only, since nothing is learned yet.
    let two = ReadNMEA((10..<12).map { Self.cycle($0) }.joined(), finishes: false)
    #expect(seconds(two) == [10])
  }

  @Test("where cycles alternate, no epoch is given out before its sentences have come")
  func alternatingCycles() {
    var text = ""
    for second in 10..<20 {
      text += sentence("GPRMC,1015\(second),A,4730.0,N,01912.0,E,1.0,90.0,050625,,,A")
      if second % 2 == 0 { text += sentence("GPGGA,1015\(second),4730.0,N,01912.0,E,1,08,1.2,100.5,M,40.25,M,,") }
    }
    let read = ReadNMEA(text)
    #expect(seconds(read) == Array(10..<20))
    #expect(read.fixes.map { $0.altitudeMeters != nil } == (10..<20).map { $0 % 2 == 0 })
  }

  @Test("silence ends an epoch, and what comes late of it makes no second one")
  func flush() {
    let reader = NMEAReader(.recorded)
    var epochs: [NMEAEpoch] = []
    reader.feed(Array(sentence("GPRMC,101510,A,4730.0,N,01912.0,E,1.0,90.0,050625,,,A").utf8))
    reader.takeEpochs(into: &epochs)
    #expect(epochs.isEmpty)
    reader.flush()
    reader.takeEpochs(into: &epochs)
    #expect(epochs.count == 1)
    reader.feed(Array(sentence("GPGGA,101510,4730.0,N,01912.0,E,1,08,1.2,100.5,M,40.25,M,,").utf8))
    reader.flush()
    reader.flush()
    reader.takeEpochs(into: &epochs)
    #expect(epochs.isEmpty)
    reader.feed(Array(sentence("GPRMC,101511,A,4730.0,N,01912.0,E,1.0,90.0,050625,,,A").utf8))
    reader.finish()
    reader.takeEpochs(into: &epochs)
    #expect(epochs.count == 1)
  }

  @Test("the position that is written most finely wins, whatever the order")
  func finestPosition() {
    let coarse = sentence("GPRMC,101510,A,4730.0,N,01912.0,E,1.0,90.0,050625,,,A")
    let fine = sentence("GPGGA,101510,4730.00123,N,01912.00456,E,1,08,1.2,100.5,M,40.25,M,,")
    for text in [coarse + fine, fine + coarse] {
      // 47 degrees 30.00123 minutes.
      #expect(ReadNMEA(text).fixes.map(\.coordinate.latitude) == [285_000_123.0 / 6_000_000])
    }
  }

  @Test(
    "status V, quality 0 or mode N in any of its sentences makes an epoch without a location",
    arguments: [
      "GPRMC,101510,V,4730.0,N,01912.0,E,1.0,90.0,050625,,,A", "GPRMC,101510,A,4730.0,N,01912.0,E,1.0,90.0,050625,,,N",
      "GPGGA,101510,4730.0,N,01912.0,E,0,08,1.2,100.5,M,40.25,M,,", "GPGLL,4730.0,N,01912.0,E,101510,V,N",
      "GNGNS,101510,4730.0,N,01912.0,E,NN,14,0.8,100.5,40.25,,",
    ])
  func noFix(text: String) {
    let good = sentence("GPGLL,4730.0,N,01912.0,E,101510,A,A")
    for both in [sentence(text), sentence(text) + good, good + sentence(text)] {
      let read = ReadNMEA(both, clock: moment("2025-06-05T10:15:10Z"))
      #expect(read.epochs.map(\.isNoFix) == [true])
    }
  }

  @Test("simulator and typed-in positions are marked, and dilution says nothing of them", arguments: ["7", "8"])
  func simulated(quality: String) {
    let text = sentence("GPGGA,101510,4730.0,N,01912.0,E,\(quality),08,1.2,100.5,M,40.25,M,,")
    let fix = ReadNMEA(text).fixes.first
    #expect(fix?.isSimulated == true)
    #expect(fix?.horizontalAccuracyMeters == nil)
  }

  @Test("mode S of RMC marks the fix as well, and E does not")
  func simulatedMode() {
    for (letter, isSimulated) in [("S", true), ("M", true), ("E", false), ("A", false)] {
      let text = sentence("GPRMC,101510,A,4730.0,N,01912.0,E,1.0,90.0,050625,,,\(letter)")
      #expect(ReadNMEA(text).fixes.map(\.isSimulated) == [isSimulated])
    }
  }

  @Test("a two-dimensional fix has no height")
  func twoDimensions() {
    let text =
      sentence("GPGGA,101510,4730.0,N,01912.0,E,1,03,1.2,100.5,M,40.25,M,,")
      + sentence("GPGSA,A,2,01,02,03,,,,,,,,,,2.0,1.2,1.6")
    let fix = ReadNMEA(text).fixes.first
    #expect(fix?.altitudeMeters == nil)
    #expect(fix?.ellipsoidalAltitudeMeters == nil)
    #expect(fix?.verticalAccuracyMeters == nil)
  }

  @Test("GST gives the radius of 68.27 %, checked by counting drawn errors")
  func statisticsAccuracy() throws {
    var random = SeededNumbers(seed: 7)
    for (north, east) in [(3.0, 3.0), (4.0, 2.0), (1.0, 5.0), (2.0, 0.0)] {
      let text =
        sentence("GPGGA,101510,4730.0,N,01912.0,E,1,08,1.2,100.5,M,40.25,M,,")
        + sentence("GPGST,101510,,,,,\(north),\(east),6.5")
      let fix = try #require(ReadNMEA(text).fixes.first)
      #expect(fix.verticalAccuracyMeters == 6.5)
      let radius = try #require(fix.horizontalAccuracyMeters)
      var within = 0
      for _ in 0..<100_000 {
        // Two independent normal numbers by Box and Muller.
        let size = (-2 * log((Double(random.next() >> 11) + 1) * 0x1p-53)).squareRoot()
        let angle = 2 * Double.pi * Double(random.next() >> 11) * 0x1p-53
        if hypot(north * size * cos(angle), east * size * sin(angle)) <= radius { within += 1 }
      }
      // 0.9 % of the radius changes the share by less than 0.9 %; the drawing's own deviation is 0.15 %.
      #expect(abs(Double(within) / 100_000 - 0.6827) < 0.012)
    }
  }

  @Test("deviations of 0 are unknown, and dilution is used")
  func zeroDeviation() {
    let text =
      sentence("GPGGA,101510,4730.0,N,01912.0,E,1,08,2.0,100.5,M,40.25,M,,") + sentence("GPGST,101510,,,,,0.0,0.0,0.0")
    let fix = ReadNMEA(text).fixes.first
    #expect(abs((fix?.horizontalAccuracyMeters ?? 0) - 18.57) < 0.01)
    #expect(fix?.verticalAccuracyMeters == nil)
  }

  /// 15 m at 95 % is 15 x sqrt(ln(1 - 0.682689) / ln 0.05) = 15 x 0.619007 = 9.2851 m at 68.27 %, 23 m is
  /// 23 / 1.959964 = 11.7349 m; a quarter of both with differential corrections.
  @Test(
    "dilution times the stated range error of the fix's quality",
    arguments: [
      ("1", 9.2851, 11.7349), ("2", 2.3213, 2.9337), ("3", 9.2851, 11.7349), ("4", 0.62, 0.7836),
      ("5", 0.62, 0.7836),
    ])
  func dilution(quality: String, horizontal: Double, vertical: Double) {
    let text =
      sentence("GPGGA,101510,4730.0,N,01912.0,E,\(quality),08,2.0,100.5,M,40.25,M,,")
      + sentence("GPGSA,A,3,01,02,03,04,,,,,,,,,5.0,2.0,3.0")
    let fix = ReadNMEA(text).fixes.first
    #expect(abs((fix?.horizontalAccuracyMeters ?? 0) - 2 * horizontal) < 1e-3)
    #expect(abs((fix?.verticalAccuracyMeters ?? 0) - 3 * vertical) < 1e-3)
  }

  @Test("without VDOP it follows from PDOP and HDOP")
  func derivedDilution() {
    let text =
      sentence("GPGGA,101510,4730.0,N,01912.0,E,1,08,3.0,100.5,M,40.25,M,,")
      + sentence("GPGSA,A,3,01,02,03,04,,,,,,,,,5.0,3.0,")
    // sqrt(5² - 3²) = 4
    #expect(abs((ReadNMEA(text).fixes.first?.verticalAccuracyMeters ?? 0) - 4 * 11.7349) < 1e-3)
  }

  @Test("no accuracy is made of a dilution of 0, 99.99 or none", arguments: ["0.0", "99.99", ""])
  func noAccuracy(dilution: String) {
    let text = sentence("GPGGA,101510,4730.0,N,01912.0,E,1,08,\(dilution),100.5,M,40.25,M,,")
    let fix = ReadNMEA(text).fixes.first
    #expect(fix != nil)
    #expect(fix?.horizontalAccuracyMeters == nil)
    #expect(fix?.verticalAccuracyMeters == nil)
  }

  @Test("a recording's epochs before its first date get theirs from it, across midnight")
  func undatedBeginning() {
    let text =
      sentence("GPGGA,235959,4730.0,N,01912.0,E,1,08,1.2,100.5,M,40.25,M,,")
      + sentence("GPGGA,000000,4730.0,N,01912.0,E,1,08,1.2,100.5,M,40.25,M,,")
      + sentence("GPRMC,000001,A,4730.0,N,01912.0,E,1.0,90.0,010125,,,A")
    let expected = ["2024-12-31T23:59:59Z", "2025-01-01T00:00:00Z", "2025-01-01T00:00:01Z"].map { moment($0) }
    let read = ReadNMEA(text)
    #expect(read.fixes.map(\.time) == expected)
    #expect(read.epochs.allSatisfy { !$0.isDateAssumed && $0.time == $0.fix?.time })
  }

  @Test("a recording without any date counts from 2001-01-01, and passes midnight")
  func undatedRecording() {
    let text = ["235958", "235959", "000000"].map {
      sentence("GPGGA,\($0),4730.0,N,01912.0,E,1,08,1.2,100.5,M,40.25,M,,")
    }.joined()
    let read = ReadNMEA(text)
    let expected = ["2001-01-01T23:59:58Z", "2001-01-01T23:59:59Z", "2001-01-02T00:00:00Z"].map { moment($0) }
    #expect(read.fixes.map(\.time) == expected)
    #expect(read.epochs.allSatisfy { $0.isDateAssumed })
  }

  @Test("a date that a receiver without a fix makes up gives way to the one with a fix")
  func garbageDates() {
    let text =
      sentence("GPRMC,101509,V,,,,,,,161206,,,N") + sentence("GPZDA,101509,22,08,1999,,")
      + sentence("GPRMC,101510,A,4730.0,N,01912.0,E,1.0,90.0,050625,,,A") + sentence("GPZDA,101510,22,08,1999,,")
      + sentence("GPGGA,101511,4730.0,N,01912.0,E,1,08,1.2,100.5,M,40.25,M,,")
    let expected = ["2025-06-05T10:15:10Z", "2025-06-05T10:15:11Z"].map { moment($0) }
    #expect(ReadNMEA(text).fixes.map(\.time) == expected)
  }

  @Test("the leap second comes between its neighbours and moves neither")
  func leapSecond() {
    let text = ["235959.00,A", "235960.00,A"].map { sentence("GPRMC,\($0),4730.0,N,01912.0,E,1.0,90.0,311216,,,A") }
    let next = sentence("GPRMC,000000.00,A,4730.0,N,01912.0,E,1.0,90.0,010117,,,A")
    let expected = ["2016-12-31T23:59:59Z", "2016-12-31T23:59:59.999Z", "2017-01-01T00:00:00Z"].map { moment($0) }
    #expect(ReadNMEA(text.joined() + next).fixes.map(\.time) == expected)
  }

  @Test("a speed, a height or a geoid that cannot be is unknown, and the position counts")
  func impossibleValues() throws {
    let text =
      sentence("GPRMC,101510,A,4730.0,N,01912.0,E,21800.0,90.0,050625,,,A")
      + sentence("GPGGA,101510,4730.0,N,01912.0,E,1,08,1.2,100000001,M,1001,M,,")
      + sentence("GPVTG,90.0,T,,M,99999999,N,99999999,K,A")
    let fix = try #require(ReadNMEA(text).fixes.first)
    #expect(fix.coordinate.latitude == 47.5)
    #expect(fix.speedMetersPerSecond == nil && fix.altitudeMeters == nil && fix.ellipsoidalAltitudeMeters == nil)
    #expect(fix.verticalAccuracyMeters == nil)
    #expect(fix.courseDegrees == 90)
  }

  @Test("positions whose date is assumed are counted, where none is told and where it cannot be")
  func countedAssumptions() {
    let noDate = sentence("GPGGA,101510,4730.0,N,01912.0,E,1,08,1.2,100.5,M,40.25,M,,")
    #expect(ReadNMEA(noDate).counts.assumedDates == 1)
    let second = sentence("GPRMC,101511,A,4730.0,N,01912.0,E,1.0,90.0,310225,,,A")
    #expect(ReadNMEA(noDate + second).counts.assumedDates == 2)
    let dated = sentence("GPRMC,101511,A,4730.0,N,01912.0,E,1.0,90.0,280225,,,A")
    #expect(ReadNMEA(noDate + dated).counts.assumedDates == 0)
  }

  @Test("a position without a time takes the clock's, and without a clock is dropped and counted")
  func noTime() {
    let text = sentence("GPGLL,4730.0,N,01912.0,E")
    #expect(ReadNMEA(text, clock: moment("2025-06-05T10:15:10Z")).fixes.map(\.time) == [moment("2025-06-05T10:15:10Z")])
    let recorded = ReadNMEA(text)
    #expect(recorded.epochs.isEmpty)
    #expect(recorded.counts.positionsWithoutTime == 1)
  }

  @Test("without a checksum a sentence is used, unless its kind has come with one: then the line is cut")
  func cutSentences() {
    let plain = "$GPRMC,101510,A,4730.0,N,01912.0,E,1.0,90.0,050625,,,A\r\n"
    #expect(ReadNMEA(plain).fixes.count == 1)
    let whole = sentence("GPRMC,101511,A,4730.0,N,01912.0,E,32.5,90.0,050625,,,A")
    let read = ReadNMEA(plain + whole + "$GPRMC,101512,A,4730.0,N,01912.0,E,3\r\n")
    #expect(seconds(read) == [10, 11])
    #expect(read.counts.cutSentences == 1)
    #expect(read.counts.withoutChecksum == 2)
  }

  @Test("heading goes with the epoch that ends after it")
  func heading() {
    let text =
      sentence("HEHDT,123.4,T") + Self.cycle(10) + Self.cycle(11) + sentence("HCHDG,98.5,,E,12.5,W") + Self.cycle(12)
    let headings = ReadNMEA(text).epochs.map(\.heading)
    #expect(
      headings == [
        NMEAHeading(trueDegrees: 123.4), NMEAHeading(magneticDegrees: 98.5, variationDegrees: -12.5), nil,
      ])
  }

  @Test("satellites are kept by system and number, those in use marked, and gone when no longer named")
  func satellites() {
    let first =
      sentence("GPGSV,1,1,02,01,10,020,30,40,20,030,,1") + sentence("GPGSV,1,1,01,01,10,020,44,6")
      + sentence("GLGSV,1,1,02,65,30,040,32,66,40,050,33,1") + sentence("GAGSV,1,1,01,01,50,060,35,7")
      + sentence("GNGSA,A,3,01,,,,,,,,,,,,2.0,1.2,1.6,1") + sentence("GNGSA,A,3,66,,,,,,,,,,,,2.0,1.2,1.6,2")
    let read = ReadNMEA(first)
    let expected: [SatelliteView] = [
      SatelliteView(
        system: .gps, number: 1, elevationDegrees: 10, azimuthDegrees: 20, signalDecibelHertz: 44, isUsed: true),
      SatelliteView(
        system: .glonass, number: 65, elevationDegrees: 30, azimuthDegrees: 40, signalDecibelHertz: 32, isUsed: false),
      SatelliteView(
        system: .glonass, number: 66, elevationDegrees: 40, azimuthDegrees: 50, signalDecibelHertz: 33, isUsed: true),
      SatelliteView(
        system: .galileo, number: 1, elevationDegrees: 50, azimuthDegrees: 60, signalDecibelHertz: 35, isUsed: false),
      SatelliteView(
        system: .augmentation, number: 40, elevationDegrees: 20, azimuthDegrees: 30, signalDecibelHertz: nil,
        isUsed: false),
    ]
    #expect(read.satellites == expected)
    let later = ReadNMEA(first + sentence("GLGSV,1,1,01,70,30,040,32,1") + sentence("GPGSV,1,1,00,1"))
    let seen = later.satellites.filter { $0.system == .glonass }.map(\.number)
    // 66 is still in use, says the last GSA.
    #expect(seen == [66, 70])
  }
}

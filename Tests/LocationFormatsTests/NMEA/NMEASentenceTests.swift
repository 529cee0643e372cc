import LocationFormats
import LocationModel
import Testing

/// Decodes each line.
struct SentenceCollector: NMEALineReceiver {
  var sentences: [NMEASentence] = []
  var refusedFields = 0
  var undecoded = 0

  mutating func receive(_ line: NMEALine) {
    guard let decoded = NMEASentence.decode(line) else {
      undecoded += 1
      return
    }
    sentences.append(decoded.sentence)
    refusedFields += decoded.refusedFields
  }

  static func read(_ text: String) -> SentenceCollector {
    var framer = NMEAFramer()
    var collector = SentenceCollector()
    Array(sentence(text).utf8).withUnsafeBufferPointer { framer.feed($0, into: &collector) }
    return collector
  }
}

@Suite("NMEA: values of sentences")
struct NMEASentenceTests {
  private func only(_ text: String) throws -> NMEASentence {
    let read = SentenceCollector.read(text)
    #expect(read.refusedFields == 0)
    return try #require(read.sentences.first)
  }

  private func rmc(_ text: String) throws -> NMEASentence.RMC {
    guard case .rmc(let value) = try only(text) else { throw UnexpectedKind() }
    return value
  }

  private func gga(_ text: String) throws -> NMEASentence.GGA {
    guard case .gga(let value) = try only(text) else { throw UnexpectedKind() }
    return value
  }

  struct UnexpectedKind: Error {}

  @Test("RMC with every field")
  func wholeRMC() throws {
    let value = try rmc("GNRMC,235959.123456789,A,4530.25,S,12205.5,W,10,359.9,291224,13.06,W,F,V")
    #expect(value.timeOfDayNanoseconds == ((23 * 60 + 59) * 60 + 59) * 1_000_000_000 + 123_456_789)
    // 45 + 30.25 / 60 and 122 + 5.5 / 60, as quotients of whole numbers.
    #expect(value.position?.coordinate == Coordinate(latitude: -273_025.0 / 6000, longitude: -73_255.0 / 600))
    #expect(value.position?.decimalCount == 1)
    #expect(value.speedMetersPerSecond == 18_520.0 / 3600)
    #expect(value.courseDegrees == 359.9)
    // 2024-12-29: 54 years of which 13 have a leap day before 2024, and day 364 of 2024.
    #expect(value.daysSince1970 == Int64(54 * 365 + 13 + 363))
    #expect(value.magneticVariationDegrees == -13.06)
    #expect(value.quality == .realTimeKinematicFloat)
    #expect(value.navigationalStatus == UInt8(ascii: "V"))
    #expect(!value.isVoid)
  }

  @Test("RMC with nothing but commas, and with fewer fields than that")
  func emptyRMC() throws {
    for text in ["GPRMC,,,,,,,,,,,,", "GPRMC,", "GPRMC,,V"] {
      let value = try rmc(text)
      #expect(value.timeOfDayNanoseconds == -1)
      #expect(value.position == nil)
      #expect(value.speedMetersPerSecond == nil)
      #expect(value.courseDegrees == nil)
      #expect(value.daysSince1970 == nil)
      #expect(value.magneticVariationDegrees == nil)
      #expect(value.quality == nil)
    }
  }

  private static let writtenTimes: [(String, Int64)] = [
    ("000000", 0), ("101500.5", 36_900_500_000_000), ("101500.50", 36_900_500_000_000),
    ("101500.000000001", 36_900_000_000_001), ("101500.0000000019", 36_900_000_000_001),
    ("101500.", 36_900_000_000_000),
    // The last millisecond of the day.
    ("235960", 86_399_999_000_000), ("235960.00", 86_399_999_000_000), ("235960.5", 86_399_999_500_000),
  ]

  @Test("times with 0 to 9 decimals and more, and the leap second", arguments: writtenTimes)
  func times(text: String, nanoseconds: Int64) throws {
    #expect(try rmc("GPRMC,\(text),V").timeOfDayNanoseconds == nanoseconds)
  }

  @Test(
    "a time or a place that cannot be, or cannot be read, refuses the sentence",
    arguments: [
      "GPRMC,240000,A,4730.0,N,01912.0,E", "GPRMC,236000,A,4730.0,N,01912.0,E", "GPRMC,235961,A,4730.0,N,01912.0,E",
      "GPRMC,1015,A,4730.0,N,01912.0,E", "GPRMC,x01500,A,4730.0,N,01912.0,E", "GPRMC,10:15:00,A,4730.0,N,01912.0,E",
      "GPRMC,101500,A,9000.1,N,01912.0,E", "GPRMC,101500,A,9100.0,N,01912.0,E", "GPRMC,101500,A,4760.0,N,01912.0,E",
      "GPRMC,101500,A,4730.0,N,18000.1,E", "GPRMC,101500,A,4730.0,N,18100.0,E", "GPRMC,101500,A,4730.0,X,01912.0,E",
      "GPRMC,101500,A,4730.0,,01912.0,E", "GPRMC,101500,A,-4730.0,N,01912.0,E", "GPRMC,101500,A,4730.0.0,N,01912.0,E",
      "GPRMC,101500,A,4730.0,N,01912.0", "GPRMC,101500,A,047300.0,N,01912.0,E", "GPGGA,101500,4730.0,N,01912.0,Q,1",
      "GPGLL,4730.0,N,01912.0,E,1015x0,A", "GPGNS,101500,4730.0,N,1e1,E,AA", "GPGST,9999,1", "GPZDA,77,01,01,2025",
    ])
  func refused(text: String) {
    let read = SentenceCollector.read(text)
    #expect(read.sentences.isEmpty)
    #expect(read.undecoded == 1)
  }

  /// Whole units of the last decimal over 60 times its power of ten.
  private static let writtenPlaces: [(String, String, Double, Double)] = [
    ("9000", "18000", 90.0, 180.0), ("0000.0000", "00000.0000", 0, 0),
    ("3725.5838626", "12205.6186063", 22_455_838_626.0 / 6e8, 73_256_186_063.0 / 6e8),
    ("4134.49821229", "09345.03351845", 249_449_821_229.0 / 6e9, 562_503_351_845.0 / 6e9),
    ("5012.790800", "806.879600", 3_012_790_800.0 / 6e7, 486_879_600.0 / 6e7),
    ("4730.12345678901", "1912.99999999999", 285_012_345_678_901.0 / 6e12, 115_299_999_999_999.0 / 6e12),
  ]

  @Test("places are the doubles nearest to what is written, with any number of decimals", arguments: writtenPlaces)
  func places(latitude: String, longitude: String, north: Double, east: Double) throws {
    for (side, sign) in [("N", 1.0), ("S", -1.0)] {
      let value = try gga("GPGGA,101500,\(latitude),\(side),\(longitude),E,1,,,,,,")
      #expect(value.position?.coordinate == Coordinate(latitude: sign * north, longitude: east))
    }
    // Further decimals are cut.
    let longer = try gga("GPGGA,101500,4730.12345678901999,N,01912.5,E,1,,,,,,")
    #expect(longer.position?.coordinate.latitude == 285_012_345_678_901.0 / 6e12)
  }

  @Test("GGA with every field")
  func wholeGGA() throws {
    let value = try gga("GPGGA,021417.00,3725.58362,N,12205.61915,W,5,12,0.76,-4.4,M,-30.0,M,0.0,2000")
    #expect(value.quality == .realTimeKinematicFloat)
    #expect(value.satellitesUsedCount == 12)
    #expect(value.horizontalDilution == 0.76)
    #expect(value.altitudeMeters == -4.4)
    #expect(value.geoidSeparationMeters == -30)
  }

  @Test("GGA's qualities 0 to 8, and none beyond")
  func qualities() throws {
    let all: [FixQuality] = [
      .none, .autonomous, .differential, .precise, .realTimeKinematicFixed, .realTimeKinematicFloat, .estimated,
      .manual,
      .simulated,
    ]
    for (digit, quality) in all.enumerated() {
      #expect(try gga("GPGGA,101500,,,,,\(digit),,,,,,").quality == quality)
    }
    #expect(try gga("GPGGA,101500,,,,,9,,,,,,").quality == nil)
    #expect(try gga("GPGGA,101500,,,,,,,,,,,").quality == nil)
  }

  @Test("altitude in feet, a negative speed, a course beyond 360 and a wrong date are refused alone")
  func refusedFields() throws {
    let height = SentenceCollector.read("GPGGA,101500,4730.0,N,01912.0,E,1,08,1.0,330.0,F,40.0,M,,")
    guard case .gga(let data)? = height.sentences.first else { throw UnexpectedKind() }
    #expect(data.altitudeMeters == nil)
    #expect(data.geoidSeparationMeters == 40)
    #expect(height.refusedFields == 1)
    let minimum = SentenceCollector.read("GPRMC,101500,A,4730.0,N,01912.0,E,-1,360.1,310625,x,E,A")
    guard case .rmc(let value)? = minimum.sentences.first else { throw UnexpectedKind() }
    #expect(value.position != nil)
    #expect(value.speedMetersPerSecond == nil)
    #expect(value.courseDegrees == nil)
    #expect(value.daysSince1970 == nil)
    #expect(value.quality == .autonomous)
    #expect(minimum.refusedFields == 4)
  }

  @Test("GNS takes the best system's mode")
  func multipleModes() throws {
    for (letters, quality) in [
      ("AN", FixQuality.autonomous), ("NN", .none), ("ADN", .differential), ("NRFD", .realTimeKinematicFixed),
      ("NNNF", .realTimeKinematicFloat), ("EA", .autonomous), ("SN", .simulated), ("P", .precise), ("M", .manual),
    ] {
      guard case .gns(let value) = try only("GNGNS,101500,4730.0,N,01912.0,E,\(letters),14,0.8,100.5,40.25,,") else {
        throw UnexpectedKind()
      }
      #expect(value.quality == quality)
      #expect(value.satellitesUsedCount == 14)
      #expect(value.horizontalDilution == 0.8)
      #expect(value.altitudeMeters == 100.5)
      #expect(value.geoidSeparationMeters == 40.25)
    }
  }

  @Test("GLL with and without time and status")
  func shortGLL() throws {
    guard case .gll(let old) = try only("LCGLL,4001.74,N,07409.43,W") else { throw UnexpectedKind() }
    #expect(old.timeOfDayNanoseconds == -1)
    #expect(!old.isVoid)
    // 40 degrees 1.74 minutes.
    #expect(old.position?.coordinate.latitude == 240_174.0 / 6000)
    guard case .gll(let void) = try only("GPGLL,4001.74,N,07409.43,W,101500,V,N") else { throw UnexpectedKind() }
    #expect(void.isVoid)
  }

  private static let motions: [(String, Double, Double)] = [
    // 5.2 kn and 5.5 kn x 1852 m / 3600 s; 9 km/h; 0.5 kn; 10 kn.
    ("GPVTG,77.5,T,93.3,M,5.2,N,9.7,K", 77.5, 9630.4 / 3600), ("GPVTG,77.5,T,,M,,N,9,K,A", 77.5, 2.5),
    ("GPVTG,3.0,T,,,0.50,N,,,D", 3.0, 926.0 / 3600), ("GPVTG,054,034,005.5,010.2", 54, 10_186.0 / 3600),
    ("GPVTG,360,T,,M,10,N,,K", 0, 18_520.0 / 3600),
  ]

  @Test("VTG's speed from knots, else from km/h, and in the form of four fields", arguments: motions)
  func motion(text: String, course: Double, speed: Double) throws {
    guard case .vtg(let value) = try only(text) else { throw UnexpectedKind() }
    #expect(value.courseDegrees == course)
    #expect(abs((value.speedMetersPerSecond ?? .nan) - speed) < 1e-12)
  }

  @Test("VTG without values, and without a course at rest")
  func emptyVTG() throws {
    guard case .vtg(let empty) = try only("GPVTG,,T,,M,,N,,K,N") else { throw UnexpectedKind() }
    #expect(empty.courseDegrees == nil)
    #expect(empty.speedMetersPerSecond == nil)
    #expect(empty.quality == FixQuality.none)
    guard case .vtg(let still) = try only("GNVTG,,T,,M,0.000,N,0.000,K,A") else { throw UnexpectedKind() }
    #expect(still.courseDegrees == nil)
    #expect(still.speedMetersPerSecond == 0)
  }

  @Test("GST's deviations, and ZDA's date")
  func statistics() throws {
    guard case .gst(let errors) = try only("GNGST,101500.00,8.2,22.2,10.2,2.0,3.5,2.3,4.0") else {
      throw UnexpectedKind()
    }
    #expect(errors.latitudeDeviationMeters == 3.5)
    #expect(errors.longitudeDeviationMeters == 2.3)
    #expect(errors.altitudeDeviationMeters == 4)
    guard case .zda(let date) = try only("GPZDA,193913.00,07,09,2018,-05,00") else { throw UnexpectedKind() }
    // 2018-09-07: 48 years with 12 leap days, and day 250 of the year.
    #expect(date.daysSince1970 == Int64(48 * 365 + 12 + 249))
    #expect(SentenceCollector.read("GPZDA,193913.00,31,09,2018,00,00").refusedFields == 1)
  }

  @Test("headings: true, magnetic, and of a sensor with deviation and variation")
  func headings() throws {
    let table: [(String, Double?, Double?, Double?)] = [
      ("HEHDT,274.07,T", 274.07, nil, nil), ("HEHDT,,T", nil, nil, nil), ("HEHDT,360.0,T", 0, nil, nil),
      ("HCHDM,12.5,M", nil, 12.5, nil), ("HCHDG,98.5,,E,12.5,W", nil, 98.5, -12.5),
      ("HCHDG,359.5,1.5,E,4,E", nil, 1, 4), ("HCHDG,0.5,1.5,W,,", nil, 359, nil),
    ]
    for (text, trueDegrees, magnetic, variation) in table {
      guard case .heading(let value) = try only(text) else { throw UnexpectedKind() }
      #expect(value.trueDegrees == trueDegrees)
      #expect(value.magneticDegrees == magnetic)
      #expect(value.variationDegrees == variation)
    }
    guard case .heading(let value) = try only("HCHDG,2,,E,12.5,W") else { throw UnexpectedKind() }
    #expect(value.bestTrueDegrees == 349.5)
  }

  private static let skies: [(String, [Int], [Int], String)] = [
    ("GPGSV,3,1,11,01,78,221,47,03,09,042,00,04,05,242,00,06,04,149,00", [1, 3, 4, 6], [47, 0, 0, 0], "\u{0}"),
    ("GPGSV,3,3,11,25,20,108,,27,08,281,09,28,17,339,39,,,,", [25, 27, 28, 0], [-1, 9, 39, -1], "\u{0}"),
    ("GLGSV,3,3,09,,,,53,1", [0, 0, 0, 0], [-1, -1, -1, -1], "1"),
    ("GBGSV,3,3,09,37,60,131,45,B", [37, 0, 0, 0], [45, -1, -1, -1], "B"),
    ("GPGSV,1,1,02,193,5,7,9,8,45,045,30", [193, 8, 0, 0], [9, 30, -1, -1], "\u{0}"),
    ("GPGSV,1,1,00", [0, 0, 0, 0], [-1, -1, -1, -1], "\u{0}"),
    ("GAGSV,1,1,00,7", [0, 0, 0, 0], [-1, -1, -1, -1], "7"),
  ]

  @Test("GSV in the usual and in unusual widths, with and without signal id", arguments: skies)
  func sky(text: String, numbers: [Int], signals: [Int], signal: String) throws {
    guard case .gsv(let value) = try only(text) else { throw UnexpectedKind() }
    #expect((0..<4).map { Int(value.sightings[$0].number) } == numbers)
    #expect((0..<4).map { Int(value.sightings[$0].signalDecibelHertz) } == signals)
    #expect(value.signal == signal.utf8.first)
  }

  @Test("every elevation, azimuth and strength of the usual widths is read as written")
  func everyAngle() throws {
    for number in 1...99 {
      let (elevation, azimuth, strength) = (number % 91, (number * 37) % 361, number)
      let fields = [
        padded(number, 2), padded(elevation, 2), padded(azimuth, 3), padded(strength, 2), padded(100 - number, 2),
        padded(90 - elevation, 2), padded(360 - azimuth, 3), padded(99 - strength, 2),
      ]
      let text = "GPGSV,1,1,02," + fields.joined(separator: ",")
      guard case .gsv(let value) = try only(text) else { throw UnexpectedKind() }
      let (first, second) = (value.sightings[0], value.sightings[1])
      let read = [
        first.number, UInt16(first.elevationDegrees), UInt16(first.azimuthDegrees), UInt16(first.signalDecibelHertz),
        second.number, UInt16(second.elevationDegrees), UInt16(second.azimuthDegrees),
        UInt16(second.signalDecibelHertz),
      ]
      #expect(read.map(Int.init) == fields.compactMap { Int($0) })
    }
  }

  private func padded(_ number: Int, _ count: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: count - digits.count) + digits
  }

  @Test("GSA's satellites, dilutions and system")
  func active() throws {
    guard case .gsa(let value) = try only("GNGSA,A,3,80,83,73,84,82,,,,,,,,1.48,0.76,1.27,2") else {
      throw UnexpectedKind()
    }
    #expect(value.dimension == 3)
    #expect((0..<12).map { Int(value.satellites[$0]) } == [80, 83, 73, 84, 82, 0, 0, 0, 0, 0, 0, 0])
    #expect(value.positionDilution == 1.48)
    #expect(value.horizontalDilution == 0.76)
    #expect(value.verticalDilution == 1.27)
    #expect(value.system == .glonass)
  }

  @Test(
    "what is not used is counted by what it is",
    arguments: [
      ("PSTI,00,2,0", 1, 0), ("PGRME,15.0,M", 1, 0), ("PUBX,00,1", 1, 0), ("GPTXT,01", 0, 1), ("GPRMB,A", 0, 1),
      ("GP", 0, 1),
      ("GPRMC", 0, 1), ("GPRMCX,1", 0, 1), ("", 0, 1),
    ])
  func unused(text: String, proprietary: Int, other: Int) {
    let counts = ReadNMEA(sentence(text)).counts
    #expect(counts.proprietary == proprietary)
    #expect(counts.otherSentences == other)
  }
}

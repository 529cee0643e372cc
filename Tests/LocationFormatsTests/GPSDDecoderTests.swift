import LocationModel
import Testing

@testable import LocationFormats

@Suite("gpsd's lines")
struct GPSDDecoderTests {
  private func decode(_ text: String, pieceBytes: Int = .max) -> (reports: [GPSDReport], malformedCount: Int) {
    decode(Array(text.utf8), pieceBytes: pieceBytes)
  }

  private func decode(_ bytes: [UInt8], pieceBytes: Int = .max) -> (reports: [GPSDReport], malformedCount: Int) {
    var decoder = GPSDDecoder()
    var reports: [GPSDReport] = []
    var position = 0
    while position < bytes.count {
      let end = position + min(pieceBytes, bytes.count - position)
      bytes[position..<end].withUnsafeBytes { decoder.decode($0) { reports.append($0) } }
      position = end
    }
    return (reports, decoder.malformedCount)
  }

  private func positions(_ text: String) -> [GPSDPosition] {
    decode(text).reports.compactMap { if case .position(let position) = $0 { position } else { nil } }
  }

  private let received = WallTime(secondsSince1970: 1_800_000_000)

  @Test("a report with and without everything gives one location, in pieces of any size (case NM-08)", arguments: 1...9)
  func reportsWithAndWithoutEverything(pieceBytes: Int) throws {
    let text = """
      {"class":"TPV","mode":1}
      {"class":"SKY"}
      {"class":"TPV","mode":3,"lat":47.5,"lon":19.2,"altMSL":101.5,"time":"2025-06-05T10:15:00.000Z","eph":3.1,\
      "epv":6.0}
      {"class":"TPV","mo
      """
    let (reports, malformedCount) = decode(text, pieceBytes: pieceBytes)
    let fixes = reports.compactMap { report -> Fix? in
      if case .position(let position) = report { position.fix(receivedAt: received) } else { nil }
    }
    let fix = try #require(fixes.first)
    #expect(fixes.count == 1)
    #expect(malformedCount == 0, "the last line has no end yet")
    #expect(fix.altitudeMeters == 101.5)
    #expect(fix.speedMetersPerSecond == nil)
    // 2025-06-05T10:15:00Z by date(1).
    #expect(fix.time.secondsSince1970 == 1_749_118_500)
    // 3.1 m hold 95 %. With P(r) = 1 - exp(-r^2 / 2 s^2), s = 3.1 / sqrt(-2 ln 0.05) = 1.266469 m, and 68.2689 % lie
    // within s sqrt(-2 ln 0.317311) = 1.266469 x 1.515172 = 1.91892 m. 6.0 m hold 95 %: 6.0 / 1.959964 = 3.06128 m.
    #expect(abs(try #require(fix.horizontalAccuracyMeters) - 1.91892) < 1e-4)
    #expect(abs(try #require(fix.verticalAccuracyMeters) - 3.06128) < 1e-4)
  }

  @Test(
    "what is no location",
    arguments: [
      #"{"class":"TPV","mode":0,"lat":1,"lon":2}"#, #"{"class":"TPV","mode":1,"lat":1,"lon":2}"#,
      #"{"class":"TPV","lat":1,"lon":2}"#, #"{"class":"TPV","mode":2,"lat":1}"#,
      #"{"class":"TPV","mode":2,"lat":nan,"lon":2}"#, #"{"class":"TPV","mode":2,"lat":null,"lon":2}"#,
      #"{"class":"TPV","mode":2,"lat":91,"lon":2}"#, #"{"class":"TPV","mode":2,"lat":"1","lon":2}"#,
      #"{"class":"TPV","mode":2.5,"lat":1,"lon":2}"#,
    ])
  func noLocation(line: String) throws {
    let position = try #require(positions(line + "\n").first)
    #expect(position.fix(receivedAt: received) == nil)
  }

  @Test("mode 2 has no height, and a report without time was measured when it came (case NM-08)")
  func modeTwo() throws {
    let line =
      #"{"class":"TPV","mode":2,"lat":1,"lon":2,"altMSL":5,"altHAE":50,"epv":3,"speed":NaN,"track":-Inf}"# + "\n"
    let fix = try #require(positions(line).first?.fix(receivedAt: received))
    #expect(fix.altitudeMeters == nil && fix.ellipsoidalAltitudeMeters == nil && fix.verticalAccuracyMeters == nil)
    #expect(fix.speedMetersPerSecond == nil && fix.courseDegrees == nil)
    #expect(fix.horizontalAccuracyMeters == nil, "unknown stays unknown")
    #expect(fix.time == received)
  }

  @Test("names and dates that are written with escapes or blanks are the same ones")
  func escapes() throws {
    let line =
      #"{"cl\u0061ss":"TPV","mode":3,"l\u0061t":1,"lon":2,"time":" 2026-06-01T08:00:03\u005a ","d\\x":[{"lat":9}]}"#
      + "\n"
    let position = try #require(positions(line).first)
    #expect(position.latitude == 1 && position.longitude == 2)
    #expect(position.time == WallTime(secondsSince1970: 1_780_300_803))
  }

  @Test("one height leads to the other by the geoid's, and is alone where that is not told")
  func heights() throws {
    func fix(_ members: String) throws -> Fix {
      let line = #"{"class":"TPV","mode":3,"lat":1,"lon":2,"epv":10,\#(members)}"# + "\n"
      return try #require(positions(line).first?.fix(receivedAt: received))
    }
    let fromEllipsoid = try fix(#""altHAE":548,"geoidSep":27.5"#)
    #expect(fromEllipsoid.altitudeMeters == 520.5 && fromEllipsoid.ellipsoidalAltitudeMeters == 548)
    #expect(fromEllipsoid.verticalAccuracyMeters != nil)
    let fromSea = try fix(#""altMSL":520.5,"geoidSep":27.5"#)
    #expect(fromSea.altitudeMeters == 520.5 && fromSea.ellipsoidalAltitudeMeters == 548)
    let alone = try fix(#""altHAE":548"#)
    #expect(alone.altitudeMeters == nil && alone.ellipsoidalAltitudeMeters == 548)
  }

  @Test("an estimate, a height or a speed that cannot be is unknown, and the place counts")
  func impossibleValues() throws {
    let line =
      #"{"class":"TPV","mode":3,"lat":1,"lon":2,"altMSL":1e9,"altHAE":-1e9,"geoidSep":1e6,"eph":1e9,"epv":1e9,"#
      + #""speed":1e6,"eps":1e6,"track":10,"epd":1e6}"# + "\n"
    let fix = try #require(positions(line).first?.fix(receivedAt: received))
    #expect(fix.coordinate == Coordinate(latitude: 1, longitude: 2))
    #expect(fix.horizontalAccuracyMeters == nil && fix.altitudeMeters == nil && fix.ellipsoidalAltitudeMeters == nil)
    #expect(fix.verticalAccuracyMeters == nil && fix.speedMetersPerSecond == nil)
    #expect(fix.speedAccuracyMetersPerSecond == nil && fix.courseAccuracyDegrees == nil)
    #expect(fix.courseDegrees == 10)
  }

  @Test("both heights, speed, track and their errors")
  func everyMember() throws {
    let line =
      #"{"class":"TPV","device":"/dev/ttyACM0","mode":3,"lat":-33.5,"lon":-70.25,"altMSL":520.5,"altHAE":548,"epx":4,"#
      + #""epy":4,"epv":10,"speed":12.5,"eps":2,"track":360,"epd":20}"# + "\n"
    let fix = try #require(positions(line).first?.fix(receivedAt: received))
    #expect(fix.coordinate == Coordinate(latitude: -33.5, longitude: -70.25))
    #expect(fix.altitudeMeters == 520.5 && fix.ellipsoidalAltitudeMeters == 548)
    #expect(fix.speedMetersPerSecond == 12.5 && fix.courseDegrees == 0)
    // Equal axes: s = 4 / 1.959964 = 2.040854, the radius of 68.27 % is s x 1.515172 = 3.092245.
    #expect(abs(try #require(fix.horizontalAccuracyMeters) - 3.092245) < 1e-4)
    // 1 / 1.959964 = 0.510213 of each.
    #expect(abs(try #require(fix.verticalAccuracyMeters) - 5.10213) < 1e-4)
    #expect(abs(try #require(fix.speedAccuracyMetersPerSecond) - 1.020427) < 1e-4)
    #expect(abs(try #require(fix.courseAccuracyDegrees) - 10.20427) < 1e-4)
  }

  @Test(
    "a simulator's fix is marked (behaviour 10.11)",
    arguments: [("8", true), ("\"SIMULATED\"", true), ("\"Simulated\"", true), ("2", false), ("\"DGPS\"", false)])
  func simulated(status: String, isSimulated: Bool) {
    #expect(
      positions("{\"class\":\"TPV\",\"status\":\(status),\"mode\":1}\n").first?.isSimulated == isSimulated)
  }

  @Test("the greeting, the devices and a refusal")
  func greeting() {
    let text = """
      {"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}\r
      {"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/pts/4","activated":"2025-01-01T00:00:00Z",\
      "bps":38400},{"path":"\\u00e9\\ud83d\\ude00\\/x"}]}
      {"class":"DEVICE","path":"/dev/pts/4","activated":0}
      {"class":"WATCH","enable":true,"json":true}
      {"class":"ERROR","message":"Unrecognized request 'FOO'"}
      """
    let (reports, malformedCount) = decode(text + "\n")
    #expect(malformedCount == 0)
    #expect(
      reports == [
        .version(GPSDVersion(release: "3.22", protocolMajor: 3, protocolMinor: 14)),
        .devices([
          GPSDDevice(path: "/dev/pts/4", speedBaud: 38_400, isActive: true), GPSDDevice(path: "\u{e9}\u{1F600}/x"),
        ]),
        .device(GPSDDevice(path: "/dev/pts/4", isActive: false)),
        .failure("Unrecognized request 'FOO'"),
      ])
  }

  @Test("satellites by system and number, and which are used")
  func satellites() {
    let text =
      #"{"class":"SKY","hdop":0.76,"satellites":[{"PRN":2,"el":25,"az":181,"ss":42,"used":true,"gnssid":0,"svid":2},"#
      + #"{"PRN":66,"used":false,"gnssid":6,"svid":2},{"PRN":7}]}"# + "\n"
    let expected = [
      GPSDSatellite(
        system: 0, number: 2, overallNumber: 2, elevationDegrees: 25, azimuthDegrees: 181, signalDecibelHertz: 42,
        isUsed: true),
      GPSDSatellite(system: 6, number: 2, overallNumber: 66), GPSDSatellite(overallNumber: 7),
    ]
    #expect(decode(text).reports == [.sky(GPSDSky(horizontalDilution: 0.76, satellites: expected))])
  }

  @Test(
    "lines that cannot be read are counted and give nothing",
    arguments: [
      "{\"class\":\"TPV\",\"mo", "{", "garbage", "{}", "[]", "{\"class\":\"TPV\",\"mode\":3} x", "{\"class\":7}",
      "{\"class\":\"TPV\",\"mode\":3,}", "{\"class\":\"TPV\" \"mode\":3}", "{\"class\":\"TPV\",\"lat\":1.2.3}",
      "{\"class\":\"TPV\",\"device\":\"\\q\"}", "{\"class\":\"TPV\",\"device\":\"\\u12G4\"}",
      "{\"class\":\"TPV\u{0}\"}",
      String(repeating: "[", count: 10_000), "{\"class\":\"X\",\"a\":" + String(repeating: "[", count: 10_000),
      String(repeating: "a", count: GPSDDecoder.lineBytesMax + 1),
    ])
  func malformed(line: String) {
    let (reports, malformedCount) = decode(line + "\n{\"class\":\"TPV\",\"mode\":1}\n")
    #expect(reports == [.position(GPSDPosition(mode: 1))])
    #expect(malformedCount == 1)
  }

  @Test("a flipped bit anywhere traps nothing, and the next line is read")
  func flippedBits() {
    let line = Array(
      (#"{"class":"TPV","device":"/dev/\u0041","status":8,"mode":3,"time":"2025-06-05T10:15:00.000Z","lat":47.5,"#
        + #""lon":-1.9e1,"x":[{"y":[true,null]}],"altMSL":101.5}"# + "\n").utf8)
    let next = Array("{\"class\":\"TPV\",\"mode\":1}\n".utf8)
    for index in line.indices {
      for bit in 0..<8 {
        var bytes = line
        bytes[index] ^= 1 << UInt8(bit)
        // Without its end the first line swallows the second, the third is read.
        let reports = decode(bytes + next + next).reports
        #expect(reports.last == .position(GPSDPosition(mode: 1)), "byte \(index), bit \(bit)")
      }
    }
  }

  @Test("what GST says of the same moment counts where TPV has no estimate")
  func statistics() throws {
    let text = #"{"class":"TPV","mode":3,"lat":1,"lon":2,"alt":5,"time":"2025-06-05T10:15:00.000Z"}"# + "\n"
    let position = try #require(positions(text).first)
    var errors = GPSDErrorStatistics(
      time: position.time, latitudeErrorMeters: 2, longitudeErrorMeters: 2, altitudeErrorMeters: 3)
    let fix = try #require(position.fix(receivedAt: received, errors: errors))
    // Equal axes of deviation 2 m: 2 x sqrt(-2 ln 0.317311) = 3.030344.
    #expect(abs(try #require(fix.horizontalAccuracyMeters) - 3.030344) < 1e-4)
    #expect(fix.verticalAccuracyMeters == 3)
    errors.time = received
    #expect(position.fix(receivedAt: received, errors: errors)?.horizontalAccuracyMeters == nil)
  }
}

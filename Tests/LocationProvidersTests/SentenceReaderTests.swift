import LocationModel
import LocationProviders
import Testing

@Suite("NMEA recordings are played")
struct SentenceReaderTests {
  /// 2025-06-05T10:15:00Z and 70 s later, with a broken sentence between (checksums: the exclusive or of the bytes
  /// between $ and *, by hand-checked cases NM-04 and NM-07 where they stand there).
  private static let track = [
    "GPRMC,101500.00,A,4730.0000,N,01912.0000,E,3.2,90.0,050625,,,A",
    "GPGGA,101500.00,4730.0000,N,01912.0000,E,1,08,1.0,100.0,M,40.0,M,,",
    "GPRMC,101610.00,A,4730.0030,N,01912.0000,E,3.2,90.0,050625,,,A",
  ]

  private static func sentence(_ body: String) -> String {
    let sum = body.utf8.reduce(0, ^)
    return "$\(body)*" + (sum < 16 ? "0" : "") + String(sum, radix: 16, uppercase: true) + "\r\n"
  }

  @Test("at the recording's times, with nothing assumed where the receiver says nothing")
  func plays() throws {
    let text = Self.track.map(Self.sentence).joined(separator: "$GPRMC,1*00\r\nnoise\r\n")
    let file = try TemporaryFile(text, name: "track.log")
    #expect(RecordingFormat.of(path: file.path) == .nmea)
    let schedule = try ReplaySchedule.open(file.path, format: .nmea, shortensGaps: true)
    let first = try #require(try schedule.next())
    let second = try #require(try schedule.next())
    #expect(try schedule.next() == nil)
    // 2025-06-05T10:15:00Z by date(1).
    #expect(first.fix.time.secondsSince1970 == 1_749_118_500)
    #expect(first.fix.coordinate == Coordinate(latitude: 47.5, longitude: 19.2))
    #expect(first.fix.altitudeMeters == 100 && first.fix.ellipsoidalAltitudeMeters == 140)
    #expect(first.fix.isSimulated)
    #expect(second.fix.horizontalAccuracyMeters == nil && second.fix.verticalAccuracyMeters == nil)
    // 70 s are a gap that is waited for 1 s; the time is the recording's.
    #expect(second.offsetNanoseconds == 1_000_000_000)
    #expect(second.fix.time.seconds(since: first.fix.time) == 70)
    #expect(schedule.notices.map(\.kind) == [.shortenedGaps, .damagedSentences])
  }

  @Test("one sentence with a wrong date moves no other")
  func wrongDate() throws {
    for wrong in ["050699", "050679", "060625", "040625"] {
      let lines = (0..<5).map {
        Self.sentence("GPRMC,10150\($0).00,A,4730.0000,N,01912.0000,E,3.2,90.0,\($0 == 2 ? wrong : "050625"),,,A")
      }
      let file = try TemporaryFile("# a note\n" + lines.joined(), name: "track.log")
      let schedule = try ReplaySchedule.open(file.path, format: .of(path: file.path), shortensGaps: false)
      var times: [Double] = []
      while let next = try schedule.next() { times.append(next.fix.time.secondsSince1970) }
      #expect(times == (0..<5).map { 1_749_118_500 + Double($0) })
      #expect(schedule.notices.map(\.kind) == [.contradictedTimes])
    }
  }

  @Test(
    "what is no recording says so", arguments: [("", "is empty"), ("hello\n", "no sentence with a right checksum")])
  func refused(text: String, expected: String) throws {
    let file = try TemporaryFile(text, name: "track.log")
    let schedule = try ReplaySchedule.open(file.path, format: .nmea, shortensGaps: false)
    let error = #expect(throws: ReplayError.self) { try schedule.next() }
    #expect(error?.description.contains(expected) == true)
  }

  @Test(
    "the first bytes tell the format, and the name where there are none that do",
    arguments: [
      ("<?xml version=\"1.0\"?><gpx/>", "a.log", RecordingFormat.gpx), ("\u{FEFF}<gpx>$GPRMC", "b.nmea", .gpx),
      ("$GPRMC,1", "c.gpx", .nmea), ("# comment\r\n!AIVDM,1", "d.txt", .nmea), ("\\s:x*00\\$GNGGA,", "e", .nmea),
      ("", "f.nmea", .nmea), ("", "g.gpx", .gpx), ("costs $5", "h.txt", .gpx),
      ("# walk <home> to work, a < b\r\n#\r\n\r\n$GPRMC,1", "i.log", .nmea),
      ("# " + String(repeating: "long note ", count: 1000) + "\n$GPRMC,1", "j.log", .nmea),
      ("\n  <gpx>", "k.log", .gpx), ("<!-- $GPRMC -->\n<gpx>", "l.log", .gpx),
    ])
  func format(text: String, name: String, expected: RecordingFormat) throws {
    let file = try TemporaryFile(text, name: name)
    #expect(RecordingFormat.of(path: file.path) == expected)
  }
}

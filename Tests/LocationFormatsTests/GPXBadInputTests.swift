import LocationFormats
import LocationModel
import Testing

@Suite("GPX: bad input")
struct GPXBadInputTests {
  @Test(
    "a point without a readable place is left out and counted with its line; never 0,0",
    arguments: [
      "lat='undefined' lon='2'", "lat='1'", "lon='1'", "", "lat='' lon=''", "lat='91' lon='2'", "lat='1' lon='180.5'",
      "lat='nan' lon='2'", "lat='inf' lon='2'", "lat='0x1p3' lon='2'", "lat='1,2,3' lon='2'", "lat='1.5.2' lon='2'",
      "lat='47°' lon='2'", "lat='-90.0000001' lon='2'", "LAT='1' LON='2'",
    ])
  func malformedPlace(attributes: String) {
    let parsed = ParsedGPX.segment("\n<trkpt \(attributes)><ele>1</ele></trkpt><trkpt lat='3' lon='4'/>")
    #expect(parsed.points.map(\.coordinate) == [Coordinate(latitude: 3, longitude: 4)])
    #expect(parsed.complaints.skippedPoints?.count == 1)
    #expect(parsed.complaints.skippedPoints?.firstLine == 3)
    #expect(parsed.error == nil)
  }

  @Test("places at the very edge are places")
  func edges() {
    let parsed = ParsedGPX.segment("<trkpt lat='-90' lon='-180'/><trkpt lat='90' lon='180.0'/>")
    #expect(parsed.points.count == 2)
  }

  @Test("an unreadable date is counted with its line and text, and its point is kept without time")
  func malformedTime() {
    let parsed = ParsedGPX.segment(
      "<trkpt lat='1' lon='2'>\n<time>2025-02-30T00:00:00Z</time></trkpt><trkpt lat='1' lon='3'><time/></trkpt>")
    #expect(parsed.points.map(\.time) == [nil, nil])
    #expect(parsed.complaints.malformedTimes?.count == 2)
    #expect(parsed.complaints.malformedTimes?.firstLine == 3)
    #expect(parsed.complaints.malformedTimes?.firstFound == "2025-02-30T00:00:00Z")
  }

  @Test(
    "an unreadable height or speed is counted, and its point is kept without it",
    arguments: [
      "bad data", "NaN", "1,5", "1e999", String(repeating: "0", count: 300), String(repeating: "1", count: 5_000_000),
    ])
  func malformedValue(text: String) {
    let parsed = ParsedGPX.segment("<trkpt lat='1' lon='2'><ele>\(text)</ele></trkpt>")
    #expect(parsed.points.count == 1)
    #expect(parsed.points.first?.elevationMeters == nil)
    #expect(parsed.complaints.malformedValues?.count == 1)
  }

  @Test(
    "a value that cannot be is counted like one that cannot be read, and its point is kept without it",
    arguments: [
      "<ele>1e300</ele>", "<ele>-12000.5</ele>", "<ele>100000001</ele>", "<speed>1e308</speed>",
      "<speed>299792459</speed>",
      "<speed>-5</speed>", "<course>720</course>", "<course>-0.5</course>", "<geoidheight>1001</geoidheight>",
      "<extensions><hAcc>1e308</hAcc></extensions>", "<extensions><vAcc>1e9</vAcc></extensions>",
      "<extensions><speedAcc>-3</speedAcc></extensions>", "<extensions><courseAcc>361</courseAcc></extensions>",
    ])
  func impossibleValue(element: String) {
    // Beside it a good value of another kind, and both ways through the parser.
    let text = "<gpx><trk><trkseg><trkpt lat='1' lon='2'>\(element)</trkpt></trkseg></trk></gpx>"
    for usesShortcut in [true, false] {
      let parsed = ParsedGPX(Array(text.utf8), usesShortcut: usesShortcut)
      #expect(parsed.points == [Self.barePoint])
      #expect(parsed.complaints.malformedValues?.count == 1)
    }
  }

  /// What is left of a point whose only value was refused.
  static let barePoint = TrackPoint(coordinate: Coordinate(latitude: 1, longitude: 2), line: 1)

  @Test(
    "values at the very edge are values, and -1 is Core Location's mark of none (behaviour 10.3, 10.6)",
    arguments: [
      "<ele>-12000</ele>", "<ele>100000000</ele>", "<speed>299792458</speed>", "<course>360</course>",
      "<speed>-1</speed>", "<course>-1</course>", "<extensions><hAcc>20037509</hAcc></extensions>",
      "<extensions><speedAcc>-1</speedAcc><courseAcc>-1</courseAcc><vAcc>-1</vAcc></extensions>",
    ])
  func edgeValue(element: String) {
    let parsed = ParsedGPX.segment("<trkpt lat='1' lon='2'>\(element)</trkpt>")
    #expect(parsed.points.count == 1)
    #expect(parsed.complaints == GPXComplaints())
  }

  @Test(
    "a date of a year out of range is told from one that cannot be read",
    arguments: [
      "0001-01-01T00:00:00Z", "5000-02-29T12:00:00Z", "9999-12-31T23:59:59Z", "0000-01-01T00:00:00Z",
      "1677-12-31T23:59:59Z", "2262-01-01T00:00:00.5+02:00",
    ])
  func timeOutOfRange(text: String) {
    let parsed = ParsedGPX.segment("<trkpt lat='1' lon='2'><time> \(text) </time></trkpt>")
    // 5000 is no leap year's number: 5000 is divisible by 100 and not by 400.
    let isLeapDayThatIsNone = text.hasPrefix("5000-02-29")
    #expect(parsed.points.map(\.time) == [nil])
    #expect(parsed.complaints.timesOutOfRange?.count == (isLeapDayThatIsNone ? nil : 1))
    #expect(parsed.complaints.malformedTimes?.count == (isLeapDayThatIsNone ? 1 : nil))
  }

  @Test(
    "a zero byte in XML is named",
    arguments: ["<gpx><trk>\u{0}</trk></gpx>", "<gpx><trk><name>a\u{0}b</name></trk></gpx>"])
  func zeroByteInside(text: String) {
    #expect(ParsedGPX(text).error?.found.contains("zero byte") == true)
  }

  @Test("what a message repeats from a file is short and cannot steer a terminal")
  func excerpt() {
    let parsed = ParsedGPX.segment(
      "<trkpt lat='1' lon='2'><time>a\u{9B}31m\u{202E}\(String(repeating: "b", count: 100))</time></trkpt>")
    let found = parsed.complaints.malformedTimes?.firstFound ?? ""
    #expect(found.hasPrefix("a.31m.bbb"))
    #expect(found.count == 40)
  }

  @Test("a truncated file gives the points before the cut, then an error with the line")
  func truncated() {
    let text = "<gpx><trk><trkseg>\n<trkpt lat='1' lon='2'/>\n<trkpt lat='3' lon='4'><ele>5"
    let parsed = ParsedGPX(text)
    #expect(parsed.points.map(\.coordinate) == [Coordinate(latitude: 1, longitude: 2)])
    #expect(parsed.error?.reason == .cutShort)
    #expect(parsed.error?.line == 3)
    #expect(parsed.error?.description == "line 3: expected </gpx>, found the end of the file")
  }

  @Test("every prefix of a document ends in an error and gives no point that is not complete")
  func everyPrefix() {
    let text = "<?xml version='1.0'?><gpx><trk><trkseg><trkpt lat='1' lon='2'/></trkseg></trk></gpx>"
    let bytes = Array(text.utf8)
    for count in 0..<bytes.count {
      let parsed = ParsedGPX(Array(bytes.prefix(count)))
      #expect(parsed.error != nil)
      #expect(parsed.points.allSatisfy { $0.coordinate == Coordinate(latitude: 1, longitude: 2) })
    }
  }

  @Test(
    "what is no GPX file is named as such",
    arguments: [
      ("", GPXError.Reason.empty), ("   ", .notGPX), ("$GPRMC,101500\n", .notGPX), ("{\"a\":1}", .notGPX),
      ("<kml><Document/></kml>", .notGPX), ("<!DOCTYPE html><html><body></body></html>", .notGPX),
      ("\u{89}PNG\r\n\u{1A}\n", .notGPX), ("<trkpt lat='1' lon='2'/>", .notGPX),
      ("<gpx><trk></gpx>", .malformed), ("<gpx>&nbsp;</gpx>", .malformed), ("<gpx/><gpx/>", .malformed),
      ("<?xml version='1.0' encoding='KOI8-R'?><gpx/>", .malformed),
    ])
  func notGPX(text: String, reason: GPXError.Reason) {
    let parsed = ParsedGPX(text)
    #expect(parsed.error?.reason == reason)
    #expect(parsed.error?.line == 1)
    #expect(parsed.points.isEmpty)
  }

  @Test("zero bytes are no GPX file")
  func zeroBytes() {
    #expect(ParsedGPX([UInt8](repeating: 0, count: 100_000)).error != nil)
  }

  @Test("entities that unfold to gigabytes end in an error, quickly")
  func billionLaughs() {
    var entities = "<!ENTITY a0 \"ha\">"
    for level in 1...30 { entities += "<!ENTITY a\(level) \"&a\(level - 1);&a\(level - 1);\">" }
    let parsed = ParsedGPX(
      "<!DOCTYPE gpx [\(entities)]><gpx><trk><trkseg><trkpt lat='1' lon='2'/><name>&a30;</name></trkseg></trk></gpx>")
    #expect(parsed.points.count == 1)
    #expect(parsed.error?.reason == .beyondLimits)
    #expect(parsed.error?.expected == "a file without entities that unfold to many times its size")
  }

  @Test("entities that stand for files or addresses are not followed")
  func externalEntity() {
    let parsed = ParsedGPX(
      "<!DOCTYPE gpx [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><gpx><trk><trkseg><trkpt lat='1' lon='2'>"
        + "<ele>&x;</ele></trkpt></trkseg></trk></gpx>")
    #expect(parsed.points.first?.elevationMeters == nil)
  }

  @Test("nesting without end is refused")
  func deepNesting() {
    let parsed = ParsedGPX("<gpx>" + String(repeating: "<a>", count: 100_000))
    #expect(parsed.error?.reason == .beyondLimits)
    let inside = ParsedGPX.segment("<trkpt lat='1' lon='2'>" + String(repeating: "<a>", count: 100_000))
    #expect(inside.error?.reason == .beyondLimits)
  }

  @Test("one token without end is refused instead of held in memory")
  func endlessToken() {
    let parsed = ParsedGPX("<gpx><trk name=\"" + String(repeating: "x", count: 6_000_000))
    #expect(parsed.error?.reason == .beyondLimits)
  }

  @Test("after an error every call throws it again")
  func errorStays() {
    let parser = GPXParser()
    func feed(_ text: String) -> GPXError? {
      Array(text.utf8).withUnsafeBytes { parser.error(parsing: $0, isLast: false) }
    }
    let first = feed("<gpx></trk>")
    #expect(first != nil)
    #expect(feed("<gpx/>") == first)
  }

  @Test("bytes changed at random never trap or hang, and never yield a place out of range")
  func byteFlips() {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("GPX byte flips: seed \(seed)")
    var random = SeededNumbers(seed: seed)
    let original = Array(
      """
      <?xml version="1.0" encoding="UTF-8"?><!DOCTYPE gpx [<!ENTITY e "1">]><gpx version="1.1"><wpt lat="1" lon="2"/>
      <rte><rtept lat="1" lon="2"><ele>&e;</ele></rtept></rte><trk><name><![CDATA[x]]></name><trkseg>
      <trkpt lat="47.5" lon="19,25"><ele>101.5</ele><time>2025-06-05T10:00:00.5+02:00</time><extensions>
      <g:TrackPointExtension><g:speed>1</g:speed></g:TrackPointExtension><hAcc>5</hAcc></extensions></trkpt>
      <trkpt lat="-1.25e1" lon="2"/></trkseg></trk></gpx>
      """.utf8)
    for _ in 0..<3000 {
      var bytes = original
      for _ in 0...random.next(below: 6) {
        let position = random.next(below: bytes.count)
        switch random.next(below: 3) {
        case 0: bytes[position] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.remove(at: position)
        default: bytes.insert(bytes[random.next(below: bytes.count)], at: position)
        }
      }
      let parsed = ParsedGPX(bytes, pieceBytes: 1 + random.next(below: 200))
      #expect(parsed.points.allSatisfy { $0.coordinate.isValid }, "seed \(seed)")
    }
  }
}

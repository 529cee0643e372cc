import LocationFormats
import LocationModel
import Testing

@Suite("GPX: what good files hold")
struct GPXParserTests {
  @Test("empty tracks and segments are skipped, what follows them is read (GX-03)")
  func emptySegments() {
    let parsed = ParsedGPX(
      """
      <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk/><trk><trkseg/><trkseg></trkseg>\
      <trkseg><trkpt lat="1" lon="2"/></trkseg></trk></gpx>
      """)
    #expect(parsed.error == nil)
    #expect(parsed.points.map(\.coordinate) == [Coordinate(latitude: 1, longitude: 2)])
    #expect(parsed.points.map(\.segment) == [2])
  }

  @Test("a file with empty segments only gives no point at all (GX-03)")
  func onlyEmptySegments() {
    let parsed = ParsedGPX("<gpx><trk><trkseg/><trkseg></trkseg></trk></gpx>")
    #expect(parsed.points.isEmpty)
    #expect(parsed.error == nil)
  }

  @Test("a point without time stays without time (GX-02)")
  func untimed() {
    let parsed = ParsedGPX.segment(
      """
      <trkpt lat="1" lon="2"><time>2025-06-05T10:00:00Z</time></trkpt>
      <trkpt lat="1" lon="3"></trkpt>
      <trkpt lat="1" lon="4"><time>2025-06-05T10:00:10Z</time></trkpt>
      """)
    // date -u -d 2025-06-05T10:00:00Z +%s
    #expect(
      parsed.points.map(\.time) == [
        WallTime(nanosecondsSince1970: 1_749_117_600_000_000_000), nil,
        WallTime(nanosecondsSince1970: 1_749_117_610_000_000_000),
      ])
    #expect(parsed.points.map(\.line) == [2, 3, 4])
    #expect(parsed.complaints == GPXComplaints())
  }

  @Test("a decimal comma in a coordinate is a decimal sign, never an end (GX-05)")
  func decimalComma() {
    let parsed = ParsedGPX.segment("<trkpt lat=\"47,5\" lon=\"19,25\"/>")
    #expect(parsed.points.map(\.coordinate) == [Coordinate(latitude: 47.5, longitude: 19.25)])
  }

  @Test("GPX 1.0 has speed, course and geoid height as children of the point")
  func version10() {
    let parsed = ParsedGPX.segment(
      "<trkpt lat='1' lon='2'><ele>101.5</ele><geoidheight>43.25</geoidheight><course>90</course>"
        + "<speed>1.5</speed></trkpt>")
    let point = parsed.points.first
    #expect(point?.elevationMeters == 101.5)
    #expect(point?.geoidHeightMeters == 43.25)
    #expect(point?.courseDegrees == 90)
    #expect(point?.speedMetersPerSecond == 1.5)
    #expect(point?.horizontalAccuracyMeters == nil)
  }

  @Test("Apple Health and Garmin extensions give speed, course and accuracies, with any prefix")
  func extensions() {
    let parsed = ParsedGPX.segment(
      """
      <trkpt lat="1" lon="2"><extensions><speed>1.25</speed><course>101.5</course><hAcc>1.75</hAcc>\
      <vAcc>1.5</vAcc></extensions><ele>7</ele></trkpt>
      <trkpt lat="1" lon="2"><extensions><gpxtpx:TrackPointExtension><gpxtpx:hr>120</gpxtpx:hr>\
      <gpxtpx:speed>3.5</gpxtpx:speed><gpxtpx:course>12</gpxtpx:course></gpxtpx:TrackPointExtension>\
      </extensions></trkpt>
      """)
    #expect(parsed.points.map(\.speedMetersPerSecond) == [1.25, 3.5])
    #expect(parsed.points.map(\.courseDegrees) == [101.5, 12])
    #expect(parsed.points.map(\.horizontalAccuracyMeters) == [1.75, nil])
    #expect(parsed.points.map(\.verticalAccuracyMeters) == [1.5, nil])
    #expect(parsed.points.map(\.elevationMeters) == [7, nil])
  }

  @Test("elements of other depth that are named like a value are not the point's")
  func foreignElements() {
    let parsed = ParsedGPX(
      """
      <gpx><metadata><time>2020-01-01T00:00:00Z</time></metadata><time>2020-01-01T00:00:00Z</time><trk><trkseg>
      <trkpt lat="1" lon="2"><extensions><time>2021-01-01T00:00:00Z</time><x><speed>9</speed></x>
      </extensions><link href="a"><time>2022-01-01T00:00:00Z</time></link></trkpt></trkseg></trk></gpx>
      """)
    #expect(parsed.points.map(\.time) == [nil])
    #expect(parsed.points.map(\.speedMetersPerSecond) == [nil])
  }

  @Test("what Core Location calls invalid is absent: negative speed, course, vertical accuracy (behaviour 10.4, 10.6)")
  func invalidSentinels() {
    let parsed = ParsedGPX.segment(
      "<trkpt lat='1' lon='2'><ele>5</ele><extensions><speed>-1</speed><course>-1</course><vAcc>-1</vAcc>"
        + "</extensions></trkpt><trkpt lat='1' lon='2'><extensions><course>360</course></extensions></trkpt>"
        + "<trkpt lat='1' lon='2'><extensions><course>361</course></extensions></trkpt>")
    #expect(parsed.points.map(\.speedMetersPerSecond) == [nil, nil, nil])
    #expect(parsed.points.map(\.courseDegrees) == [nil, 0, nil])
    #expect(parsed.points.map(\.elevationMeters) == [nil, nil, nil])
    #expect(parsed.points.map(\.verticalAccuracyMeters) == [nil, nil, nil])
  }

  @Test("a negative horizontal accuracy marks an invalid place: the point is left out (behaviour 10.4)")
  func invalidPlace() {
    let parsed = ParsedGPX.segment("<trkpt lat='1' lon='2'><extensions><hAcc>-1</hAcc></extensions></trkpt>")
    #expect(parsed.points.isEmpty)
    #expect(parsed.complaints.skippedPoints?.count == 1)
  }

  @Test("tracks, routes and waypoints are told apart, and their segments counted")
  func kinds() {
    let parsed = ParsedGPX(
      "<gpx><wpt lat='1' lon='1'/><rte><rtept lat='2' lon='2'/></rte><trk><trkseg><trkpt lat='3' lon='3'/></trkseg>"
        + "<trkseg><trkpt lat='4' lon='4'/></trkseg></trk></gpx>")
    #expect(parsed.points.map(\.kind) == [.waypoint, .route, .track, .track])
    #expect(parsed.points.map(\.segment) == [0, 0, 1, 2])
  }

  @Test("any prefix and namespace is taken")
  func prefix() {
    let parsed = ParsedGPX(
      "<g:gpx xmlns:g='urn:x'><g:trk><g:trkseg><g:trkpt lat='1' lon='2'><g:ele>3</g:ele></g:trkpt></g:trkseg>"
        + "</g:trk></g:gpx>")
    #expect(parsed.points.map(\.elevationMeters) == [3])
  }

  static let document =
    "<gpx><trk><name>Köln</name><trkseg><trkpt lat='47.5' lon='19.25'><ele>101.5</ele></trkpt></trkseg></trk></gpx>"

  static func utf16(_ text: String, bigEndian: Bool) -> [UInt8] {
    ("\u{FEFF}" + text).utf16.flatMap { unit -> [UInt8] in
      let high = UInt8(unit >> 8)
      let low = UInt8(unit & 0xFF)
      return bigEndian ? [high, low] : [low, high]
    }
  }

  @Test(
    "UTF-8, UTF-16 and ISO-8859-1 are read, with byte order marks",
    arguments: [
      Array(document.utf8), [0xEF, 0xBB, 0xBF] + Array(document.utf8), utf16(document, bigEndian: true),
      utf16(document, bigEndian: false),
      Array("<?xml version='1.0' encoding='ISO-8859-1'?>".utf8)
        + document.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) },
    ])
  func encodings(bytes: [UInt8]) {
    let parsed = ParsedGPX(bytes)
    #expect(parsed.error == nil)
    #expect(parsed.points.map(\.coordinate) == [Coordinate(latitude: 47.5, longitude: 19.25)])
    #expect(parsed.points.map(\.elevationMeters) == [101.5])
  }

  @Test("comments, CDATA and character references inside a value belong to it")
  func markupInsideValues() {
    let parsed = ParsedGPX.segment(
      "<trkpt lat='1' lon='2'><ele>1<!-- x -->0<![CDATA[1]]>&#46;5</ele></trkpt>")
    #expect(parsed.points.map(\.elevationMeters) == [101.5])
  }

  @Test("pieces of any size give the same points", arguments: [1, 2, 3, 7, 64])
  func pieces(size: Int) {
    let text = """
      <?xml version="1.0"?><gpx>\n<trk><trkseg><trkpt lat="47.123456789" lon="-19.25"><ele>101.5</ele>
      <time>2025-06-05T10:00:00.5Z</time></trkpt><trkpt lat="x" lon="1"/>
      <trkpt lat="-1" lon="2"><extensions><hAcc>3</hAcc></extensions></trkpt></trkseg></trk></gpx>
      """
    let whole = ParsedGPX(text)
    let pieces = ParsedGPX(text, pieceBytes: size)
    #expect(whole.points.count == 2)
    #expect(pieces.points == whole.points)
    #expect(pieces.complaints == whole.complaints)
  }
}

import Foundation
import LocationFormats
import LocationModel
import Testing

@Suite("GPX: the shortcut for plain points gives what expat gives")
struct GPXShortcutTests {
  static let plain = """
    <?xml version="1.0" encoding="UTF-8"?>
    <gpx version="1.1"><trk><name>x</name><trkseg>
      <trkpt lat="47.5" lon="19.25">
        <ele>101.5</ele>
        <time>2025-06-05T10:00:00Z</time>
      </trkpt>
    <trkpt lon='-19,25' lat="47.123456789012345"><time>2025-06-05T10:00:00.5+02:00</time></trkpt>
    <trkpt lat="1" lon="2"/><trkpt  lat="1"
      lon="3" ></trkpt>
    <trkpt lat="1" lon="2"><ele>1e2</ele></trkpt></trkseg><trkseg>
    <trkpt lat="5" lon="6"><ele>7</ele><extensions><speed>2</speed></extensions></trkpt>
    <trkpt lat="8" lon="9"><ele>10</ele></trkpt>
    </trkseg></trk></gpx>
    """

  private func expectSame(_ bytes: [UInt8], pieceBytes: Int = GPXParser.pieceBytes, _ note: String = "") {
    let short = ParsedGPX(bytes, pieceBytes: pieceBytes)
    let long = ParsedGPX(bytes, pieceBytes: pieceBytes, usesShortcut: false)
    #expect(short.points == long.points, "\(note)")
    #expect(short.complaints == long.complaints, "\(note)")
    // How much of the text around a fault is repeated depends on the pieces.
    #expect(short.error?.reason == long.error?.reason, "\(note)")
    #expect(short.error?.line == long.error?.line, "\(note)")
    #expect(short.error?.expected == long.error?.expected, "\(note)")
  }

  @Test("points, lines and segments are the same, in pieces of any size", arguments: [1, 2, 5, 31, 100, 65_536])
  func plainPoints(pieceBytes: Int) {
    let parsed = ParsedGPX(Array(Self.plain.utf8), pieceBytes: pieceBytes)
    #expect(parsed.error == nil)
    #expect(parsed.points.map(\.line) == [3, 7, 8, 8, 10, 11, 12])
    #expect(parsed.points.map(\.segment) == [0, 0, 0, 0, 0, 1, 1])
    #expect(parsed.points.map(\.elevationMeters) == [101.5, nil, nil, nil, 100, 7, 10])
    expectSame(Array(Self.plain.utf8), pieceBytes: pieceBytes)
    let withReturns = Array(Self.plain.split(separator: "\n").joined(separator: "\r\n").utf8)
    #expect(ParsedGPX(withReturns, pieceBytes: pieceBytes).points == parsed.points)
    expectSame(withReturns, pieceBytes: pieceBytes)
  }

  @Test(
    "what is nearly plain is read as expat reads it",
    arguments: [
      "<trkpt lat='1' lon='2' lat='3'/>", "<trkpt lat='1'lon='2'/>", "<trkpt lat='1' lon='2'></trkpt >",
      "<trkpt lat='1' lon='2'><ele> 5 </ele></trkpt>", "<trkpt lat='1' lon='2'><ele></ele></trkpt>",
      "<trkpt lat='91' lon='2'/>", "<trkpt lat=' 1 ' lon='2'/>", "<trkpt lat='&#49;' lon='2'/>",
      "<trkpt lat='1' lon='2'><time>x</time></trkpt>", "<trkpt lat='1' lon='2'><!-- --><ele>5</ele></trkpt>",
      "<trkpt lat='1' lon='2'><time>2025-06-05T10:00:00Z</time><ele>5</ele></trkpt>",
      "<trkpt lat='1' lon='2'>t</trkpt>",
      "<trkpt lat='1' lon='2'><ele>5</ele><ele>6</ele></trkpt>", "<trkpt\r\nlat='1'\r\nlon='2'/>\r\n",
      "<!-- <trkpt lat='1' lon='2'/> --><trkpt lat='1' lon='3'/>",
      "<trkpt lat='1' lon='2'><trkpt lat='3' lon='4'/></trkpt>",
      "\r<trkpt lat='1' lon='2'/>", "<trkpt\rlat='1' lon='2'/>",
      "<![CDATA[<trkpt lat='1' lon='2'></trkpt><trkseg>]]><trkpt lat='1' lon='3'/>", "<trkpt lat='1' lon='2'/ >",
      "<?x </trkpt><trkpt lat='1' lon='2'/>?><trkpt lat='1' lon='3'/>", "<trkptx lat='1' lon='2'/>",
      "<x a=\"</trkpt>\"><trkpt lat='1' lon='2'/></x>", "<trkpt lat='1' lon='2'><ele>5</ele>", "</trkseg><trkseg\n>",
      "<trkpt lat='1' lon='2'><ele>5</ele>]]></trkpt>", "<trkpt lat='1' lon='2'>\u{0}</trkpt>",
    ])
  func nearlyPlain(inside: String) {
    let point = "<trkpt lat='7' lon='8'><ele>9</ele></trkpt>\n"
    let text = "<gpx><trk><trkseg>\(point)\(inside)\n\(point)\(point)</trkseg></trk></gpx>"
    for pieceBytes in [1, 3, 20, 65_536] { expectSame(Array(text.utf8), pieceBytes: pieceBytes, inside) }
  }

  @Test("attributes that a document type gives are the point's")
  func documentType() {
    let text =
      "<!DOCTYPE gpx [<!ATTLIST trkpt lat CDATA '5'>]><gpx><trk><trkseg><trkpt lon='2'/>"
      + "<trkpt lat='1' lon='3'/></trkseg></trk></gpx>"
    #expect(ParsedGPX(text).points.map(\.coordinate.latitude) == [5, 1])
    expectSame(Array(text.utf8))
  }

  @Test("bytes changed at random give the same with and without it")
  func byteFlips() {
    let rounds = ProcessInfo.processInfo.environment["CORELOCATION_PROOF"] == "full" ? 300_000 : 3000
    let seed = UInt64.random(in: 0...UInt64.max)
    print("GPX shortcut: seed \(seed)")
    var random = SeededNumbers(seed: seed)
    let original = Array(Self.plain.utf8)
    for _ in 0..<rounds {
      var bytes = original
      for _ in 0...random.next(below: 3) {
        let position = random.next(below: bytes.count)
        switch random.next(below: 4) {
        case 0: bytes[position] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.remove(at: position)
        case 2:
          let from = random.next(below: bytes.count)
          bytes.insert(contentsOf: bytes[from..<min(from + random.next(below: 60), bytes.count)], at: position)
        default: bytes.insert(bytes[random.next(below: bytes.count)], at: position)
        }
      }
      let note = "seed \(seed): \(String(decoding: bytes, as: UTF8.self))"
      expectSame(bytes, pieceBytes: 1 + random.next(below: 300), note)
    }
  }
}

import Foundation
import LocationFormats
import LocationModel
import Testing

/// Keeps the text of every line.
struct LineCollector: NMEALineReceiver {
  var lines: [String] = []
  var tags: [NMEATagBlock?] = []

  mutating func receive(_ line: NMEALine) {
    lines.append(line.text)
    tags.append(line.tag)
  }

  static func read(_ bytes: [UInt8], pieceBytes: Int = .max) -> (collector: LineCollector, counts: NMEACounts) {
    var framer = NMEAFramer()
    var collector = LineCollector()
    var rest = bytes[...]
    while !rest.isEmpty {
      Array(rest.prefix(pieceBytes)).withUnsafeBufferPointer { framer.feed($0, into: &collector) }
      rest = rest.dropFirst(pieceBytes)
    }
    framer.finish(into: &collector)
    return (collector, framer.counts)
  }
}

@Suite("NMEA: sentences out of bytes")
struct NMEAFramingTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var bytes: [UInt8]
    var lines: [String]
    var badChecksums = 0
    var fragments = 0
    var overlong = 0
    var withoutChecksum = 0
    var testDescription: String { name }

    init(
      _ name: String, _ text: String, _ lines: [String], badChecksums: Int = 0, fragments: Int = 0, overlong: Int = 0,
      withoutChecksum: Int = 0
    ) {
      self.init(
        name, Array(text.utf8), lines, badChecksums: badChecksums, fragments: fragments, overlong: overlong,
        withoutChecksum: withoutChecksum)
    }

    init(
      _ name: String, _ bytes: [UInt8], _ lines: [String], badChecksums: Int = 0, fragments: Int = 0,
      overlong: Int = 0, withoutChecksum: Int = 0
    ) {
      self.name = name
      self.bytes = bytes
      self.lines = lines
      self.badChecksums = badChecksums
      self.fragments = fragments
      self.overlong = overlong
      self.withoutChecksum = withoutChecksum
    }
  }

  /// "GPABC,1": G 47, P 50, A 41, B 42, C 43, comma 2C, 1 31: 47^50 = 17, ^41 = 56, ^42 = 14, ^43 = 57, ^2C = 7B,
  /// ^31 = 4A.
  static let good = "$GPABC,1*4A"

  static let rows: [Row] = [
    Row("CRLF", "$GPABC,1*4A\r\n$GPABC,1*4A\r\n", ["GPABC,1", "GPABC,1"]),
    Row("CR alone", "$GPABC,1*4A\r$GPABC,1*4A\r", ["GPABC,1", "GPABC,1"]),
    Row("LF alone", "$GPABC,1*4A\n$GPABC,1*4A\n", ["GPABC,1", "GPABC,1"]),
    Row("checksum in small letters", "$GPABC,1*4a\r\n", ["GPABC,1"]),
    Row("no line's end between", "$GPABC,1*4A$GPABC,1*4A\r\n", ["GPABC,1", "GPABC,1"]),
    Row("no line's end at the end", "$GPABC,1*4A", ["GPABC,1"]),
    Row("no checksum", "$GPABC,1\r\n$GPABC,1*4A\r\n", ["GPABC,1", "GPABC,1"], withoutChecksum: 1),
    Row("wrong checksum", "$GPABC,1*4B\r\n\(good)\r\n", ["GPABC,1"], badChecksums: 1),
    Row("checksum of one digit", "$GPABC,1*4\r\n\(good)\r\n", ["GPABC,1"], badChecksums: 1),
    Row("text behind the checksum", "$GPABC,1*4A0,4\r\n\(good)\r\n", ["GPABC,1"], badChecksums: 1),
    Row("begun twice", "$GPABC,$GPABC,1*4A\r\n", ["GPABC,1"], fragments: 1),
    Row("begun thrice", "$GP$!AI$GPABC,1*4A\r\n", ["GPABC,1"], fragments: 3),
    Row("noise before", "xyz\u{0}\u{0}#\(good)\r\n", ["GPABC,1"]),
    Row("NUL within", "$GPABC\u{0},1*4A\r\n\(good)\r\n", ["GPABC,1"], fragments: 1),
    Row(
      "high byte within", Array("$GPA".utf8) + [0xC3] + Array("BC,1*4A\r\n\(good)\r\n".utf8), ["GPABC,1"],
      fragments: 1),
    Row(
      "u-blox binary between",
      [0xB5, 0x62, 0x01, 0x07, 0x04, 0x00, 0x24, 0x10, 0x00, 0xFF, 0x40, 0x35]
        + Array(good.utf8) + [0x0D, 0x0A], ["GPABC,1"], fragments: 1),
    Row("RTCM between", [0xD3, 0x00, 0x13, 0x3E, 0xD0, 0x5C, 0x03] + Array("\(good)\r\n".utf8), ["GPABC,1"]),
    Row(
      "205 characters", sentence("GPABC," + String(repeating: "1", count: 195)),
      ["GPABC," + String(repeating: "1", count: 195)]),
    Row(
      "too long", sentence("GPABC," + String(repeating: "1", count: 300)) + good, ["GPABC,1"], overlong: 1),
    Row("AIS", sentence("AIVDM,1,1,,B,13aG,0", start: "!"), ["AIVDM,1,1,,B,13aG,0"]),
    Row("blank lines", "\r\n\r\n\(good)\r\n\n\n\r", ["GPABC,1"]),
    Row("nothing", "", []),
  ]

  @Test("each kind of stream gives its sentences, in pieces of any size", arguments: rows)
  func streams(row: Row) {
    for pieceBytes in [1, 2, 3, 5, 8, 13, 100, Int.max] {
      let (collector, counts) = LineCollector.read(row.bytes, pieceBytes: pieceBytes)
      #expect(collector.lines == row.lines)
      #expect(counts.badChecksums == row.badChecksums)
      #expect(counts.overlong == row.overlong)
      #expect(counts.withoutChecksum == row.withoutChecksum)
      #expect(counts.sentences == row.lines.count)
      if row.name != "RTCM between" { #expect(counts.fragments == row.fragments) }
    }
  }

  @Test("every wrong byte in a sentence is noticed by the checksum or breaks the sentence")
  func wrongBytes() {
    let whole = Array(sentence("GPRMC,101500.00,A,4730.0000,N,01912.0000,E,3.2,90.0,050625,,,A").utf8)
    for position in 1..<(whole.count - 5) {
      for bit in 0..<8 {
        var bytes = whole
        bytes[position] ^= 1 << UInt8(bit)
        #expect(!LineCollector.read(bytes).collector.lines.contains { $0.hasPrefix("GPRMC,101500") })
      }
    }
  }

  @Test("a tag block tells time and source, and its checksum is checked")
  func tagBlocks() {
    let tag = sentence("s:rPiB,c:1577833200,x:1", start: "\\", end: "\\")
    let milliseconds = sentence("c:1577833200500", start: "\\", end: "\\")
    let wrong = "\\c:1577833200*00\\"
    for pieceBytes in [1, 4, Int.max] {
      let text = tag + Self.good + "\r\n" + Self.good + "\r\n" + milliseconds + Self.good + "\r\n" + wrong + Self.good
      let (collector, counts) = LineCollector.read(Array(text.utf8), pieceBytes: pieceBytes)
      #expect(collector.lines.count == 4)
      // 1577833200 s = 2019-12-31T23:00:00Z.
      let times = ["2019-12-31T23:00:00Z", "2019-12-31T23:00:00.5Z"].map { moment($0) }
      #expect(collector.tags.map { $0?.time } == [times[0], nil, times[1], nil])
      #expect(collector.tags.first??.source == "rPiB")
      #expect(counts.tagBlocks == 2)
      #expect(counts.badTagBlocks == 1)
    }
  }

  @Test("a tag's time dates sentences that have no date of their own")
  func tagDates() {
    let text =
      sentence("c:1577833202", start: "\\", end: "\\")
      + sentence("GPGGA,225959,4730.0,N,01912.0,E,1,08,1.0,100.0,M,40.0,M,,")
    #expect(ReadNMEA(text).fixes.map(\.time) == [moment("2019-12-31T22:59:59Z")])
  }

  @Test("bytes changed at random neither stop nor upset the reader, and pieces do not matter")
  func byteFlips() {
    let rounds = ProcessInfo.processInfo.environment["CORELOCATION_PROOF"] == "full" ? 200_000 : 2000
    let seed = UInt64.random(in: 0...UInt64.max)
    print("NMEA: seed \(seed)")
    var random = SeededNumbers(seed: seed)
    let original = Array(NMEAEpochTests.severalCycles.utf8)
    for _ in 0..<rounds {
      var bytes = original
      for _ in 0...random.next(below: 6) {
        let position = random.next(below: bytes.count)
        switch random.next(below: 4) {
        case 0: bytes[position] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.remove(at: position)
        case 2: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: position)
        default: bytes.removeSubrange(position..<min(position + random.next(below: 80), bytes.count))
        }
        if bytes.isEmpty { bytes = original }
      }
      // Half of the rounds without checksums, so that changed fields are read.
      if random.next(below: 2) == 0 { bytes.removeAll { $0 == UInt8(ascii: "*") } }
      let whole = ReadNMEA(bytes)
      let cut = ReadNMEA(bytes, pieceBytes: 1 + random.next(below: 200))
      #expect(whole.epochs == cut.epochs, "seed \(seed)")
      #expect(whole.counts == cut.counts, "seed \(seed)")
      let areValid = whole.fixes.allSatisfy { $0.coordinate.isValid }
      #expect(areValid, "seed \(seed)")
    }
  }
}

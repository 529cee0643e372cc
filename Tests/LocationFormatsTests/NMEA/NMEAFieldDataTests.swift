import Foundation
import LocationFormats
import LocationModel
import Testing

/// One NMEA row of the field data's MANIFEST.tsv.
struct NMEAFieldRow: Sendable, CustomTestStringConvertible {
  struct Position: Decodable {
    var time: String?
    var lat: Double
    var lon: Double
  }

  var name: String
  /// gpsd moved the dates by a week rollover: only the time of day can be compared.
  var hasShiftedDates: Bool
  var testDescription: String { name }

  static let all: [NMEAFieldRow] = {
    guard let folder = FieldRow.folder,
      let manifest = try? String(contentsOfFile: folder + "/MANIFEST.tsv", encoding: .utf8)
    else {
      print("SKIPPED: NMEA field data, since CORELOCATION_FIELD_DATA names no folder with a MANIFEST.tsv")
      return []
    }
    return manifest.split(separator: "\n").dropFirst().compactMap { line in
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard columns.count >= 11, columns[1] == "nmea" else { return nil }
      return NMEAFieldRow(name: String(columns[0]), hasShiftedDates: columns[10].contains("\"NOTE\""))
    }
  }()

  func bytes() throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: (FieldRow.folder ?? "") + "/" + name)))
  }

  /// The positions that gpsd gives for the file, one a time; with `allReports` all of its reports.
  func expected(allReports: Bool = false) throws -> [Position] {
    let path = (FieldRow.folder ?? "") + "/expected/" + name + (allReports ? ".tpv.jsonl" : ".epochs.jsonl")
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return [] }
    return text.split(separator: "\n").compactMap { try? JSONDecoder().decode(Position.self, from: Data($0.utf8)) }
  }

  func key(_ time: WallTime) -> Int64 {
    hasShiftedDates ? time.nanosecondsSince1970 % 86_400_000_000_000 : time.nanosecondsSince1970
  }
}

/// Where a file gives other epochs than gpsd's, and why.
struct FieldDeviation {
  /// Fixes at times that gpsd does not give.
  var additionalFixes = 0
  /// Fixes at a time that has had one before.
  var repeatedTimes = 0
  /// Positions of gpsd's that come from bytes other than NMEA.
  var missingPositions = 0

  static func of(_ name: String) -> FieldDeviation {
    switch name {
    // gpsd reports positions before the first dated sentence without a time. Here they wait for the date.
    case "gpsd-blumax-gps009.log": FieldDeviation(additionalFixes: 1)
    case "gpsd-april6_2019.log": FieldDeviation(additionalFixes: 1)
    case "gpsd-gp-320fw-2019-04-07-coldboot.log": FieldDeviation(additionalFixes: 1)
    // The same for the first; the last time of the file has a GGA alone, after which gpsd waits for the cycle's end.
    case "gpsd-neo-m8n.log": FieldDeviation(additionalFixes: 2)
    case "signalk-gps.log": FieldDeviation(additionalFixes: 2)
    // The same for the first; one epoch, 23:57:26, has no report of gpsd's with its own time.
    case "gpsd-gp-320fw-2019-04-06-overflow.log": FieldDeviation(additionalFixes: 2)
    // GLL is a second later than the rest; from the second cycle on gpsd joins both and gives them the later time.
    case "gpsd-garmin48.log": FieldDeviation(additionalFixes: 6)
    // RMC, GLL and GGA have a time each. gpsd gives nothing at two before it has learned the cycle. The log goes back
    // in time by 13 s and passes 9 seconds again.
    case "gpsd-humminbird-M37.log": FieldDeviation(additionalFixes: 2, repeatedTimes: 9)
    // gpsd takes the first 15 fixes, whose GGA has 0 satellites, for no fix. Their quality says that they are one.
    case "gpsd-hemi.log": FieldDeviation(additionalFixes: 15)
    // SiRF binary: its positions are not NMEA's.
    case "gpsd-bu303-moving.log": FieldDeviation(missingPositions: 12)
    // gpsdecode gives nothing for the file's first cycle.
    case "truth-mtv-ublox-f9k-part1.nmea": FieldDeviation(additionalFixes: 1)
    // Every RMC has a wrong checksum, so that no date is told: gpsd gives no times at all.
    case "truth-mtv-span-reference.nmea": FieldDeviation(additionalFixes: 1748)
    default: FieldDeviation()
    }
  }
}

@Suite("NMEA: logs from the field", .enabled(if: FieldRow.folder != nil, "CORELOCATION_FIELD_DATA is not set"))
struct NMEAFieldDataTests {
  @Test("the folder has NMEA logs")
  func hasRows() {
    #expect(NMEAFieldRow.all.count >= 18)
  }

  @Test("times and positions are those that gpsd gives, one fix an epoch", arguments: NMEAFieldRow.all)
  func matchesExpected(row: NMEAFieldRow) throws {
    let read = ReadNMEA(try row.bytes(), pieceBytes: 4096)
    let deviation = FieldDeviation.of(row.name)
    let byTime = Dictionary(grouping: read.fixes) { row.key($0.time) }
    var expectedTimes = Set<Int64>()
    var missing = 0
    for expected in try row.expected() {
      let time = try #require(expected.time.flatMap { moment($0) })
      expectedTimes.insert(row.key(time))
      if byTime[row.key(time)]?.contains(where: { isSame($0, expected) }) != true { missing += 1 }
    }
    #expect(missing == deviation.missingPositions)
    #expect(byTime.keys.count { !expectedTimes.contains($0) } == deviation.additionalFixes)
    #expect(read.fixes.count - byTime.count == deviation.repeatedTimes)
    #expect(read.fixes.allSatisfy { $0.horizontalAccuracyMeters.map { $0 > 0 } ?? true })
  }

  @Test("the reference drive without dates counts from 2001, with gpsd's positions in their order")
  func referenceDrive() throws {
    let row = try #require(NMEAFieldRow.all.first { $0.name == "truth-mtv-span-reference.nmea" })
    let read = ReadNMEA(try row.bytes())
    #expect(read.epochs.allSatisfy { $0.isDateAssumed })
    #expect(read.fixes.first?.time == moment("2001-01-01T02:13:31Z"))
    #expect(read.counts.badChecksums == 1748)
    var index = 0
    for expected in try row.expected(allReports: true) {
      let found = read.fixes[index...].firstIndex { isSame($0, expected) }
      index = try #require(found, "\(expected) is not behind fix \(index)")
    }
  }

  @Test("any cut into pieces gives the same epochs", arguments: NMEAFieldRow.all)
  func pieces(row: NMEAFieldRow) throws {
    let bytes = Array(try row.bytes().prefix(60_000))
    let whole = ReadNMEA(bytes)
    for pieceBytes in [1, 7, 64, 1000] {
      let cut = ReadNMEA(bytes, pieceBytes: pieceBytes)
      #expect(cut.epochs == whole.epochs)
      #expect(cut.counts == whole.counts)
      #expect(cut.satellites == whole.satellites)
    }
  }

  private func isSame(_ fix: Fix, _ position: NMEAFieldRow.Position) -> Bool {
    abs(fix.coordinate.latitude - position.lat) <= 1e-7 && abs(fix.coordinate.longitude - position.lon) <= 1e-7
  }
}

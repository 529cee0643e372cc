import Foundation
import LocationFormats
import LocationModel
import Testing

/// One GPX row of the field data's MANIFEST.tsv with what other parsers say of the file.
struct FieldRow: Sendable, CustomTestStringConvertible {
  struct Expected: Decodable, Sendable {
    var n_trkseg: Int
    var n_rte: Int
    var n_trkpt: Int
    var n_rtept: Int
    var n_wpt: Int
    var trkpt_bad_or_out_of_range: Int
    var trkpt_with_time: Int
    var trkpt_with_ele: Int
    var bbox_trk: [Double]?
    var bbox_wpt_rte: [Double]?
    var first_trkpt: [Double]?
    var last_trkpt: [Double]?
    var ele_min_max: [Double]?
    var time_first_raw: String?
    var time_last_raw: String?
    var time_min_utc: String?
    var time_max_utc: String?
    var time_steps_zero: Int?
    var time_steps_backward: Int?
  }

  var path: String
  var expected: Expected
  var testDescription: String { URL(fileURLWithPath: path).lastPathComponent }

  static let folder = ProcessInfo.processInfo.environment["CORELOCATION_FIELD_DATA"]

  static let all: [FieldRow] = {
    guard let folder,
      let manifest = try? String(contentsOfFile: folder + "/MANIFEST.tsv", encoding: .utf8)
    else {
      print("SKIPPED: GPX field data, since CORELOCATION_FIELD_DATA names no folder with a MANIFEST.tsv")
      return []
    }
    return manifest.split(separator: "\n").dropFirst().compactMap { line in
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard columns.count >= 11, columns[1] == "gpx" else { return nil }
      guard let expected = try? JSONDecoder().decode(Expected.self, from: Data(columns[10].utf8)) else {
        Issue.record("the expectation of \(columns[0]) cannot be read")
        return nil
      }
      return FieldRow(path: folder + "/" + columns[0], expected: expected)
    }
  }()
}

@Suite("GPX: files from the field", .enabled(if: FieldRow.folder != nil, "CORELOCATION_FIELD_DATA is not set"))
struct GPXFieldDataTests {
  @Test("the folder has GPX files")
  func hasRows() {
    #expect(FieldRow.all.count >= 20)
  }

  @Test("counts, boxes, heights and times are those that other parsers found", arguments: FieldRow.all)
  func matchesManifest(row: FieldRow) throws {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: row.path)))
    let parsed = ParsedGPX(bytes)
    let expected = row.expected
    #expect(parsed.error == nil)
    #expect(ParsedGPX(bytes, usesShortcut: false).points == parsed.points)
    let track = parsed.points.filter { $0.kind == .track }
    let others = parsed.points.filter { $0.kind != .track }
    #expect(parsed.complaints.malformedTimes == nil)
    if expected.trkpt_bad_or_out_of_range == 0 {
      #expect(track.count == expected.n_trkpt)
      #expect(others.count { $0.kind == .route } == expected.n_rtept)
      #expect(others.count { $0.kind == .waypoint } == expected.n_wpt)
      #expect(track.count { $0.time != nil } == expected.trkpt_with_time)
      #expect(track.count { $0.elevationMeters != nil } == expected.trkpt_with_ele)
      #expect(parsed.complaints == GPXComplaints())
    } else {
      // The one such file: every point is malformed, waypoints and route points too.
      #expect(parsed.points.isEmpty)
      let total = expected.n_trkpt + expected.n_rtept + expected.n_wpt
      #expect(parsed.complaints.skippedPoints?.count == total)
    }
    check(box: expected.bbox_trk, of: track)
    check(box: expected.bbox_wpt_rte, of: others)
    check(place: expected.first_trkpt, of: track.first)
    check(place: expected.last_trkpt, of: track.last)
    if let heights = expected.ele_min_max, heights.count == 2 {
      #expect(track.compactMap(\.elevationMeters).min() == heights[0])
      #expect(track.compactMap(\.elevationMeters).max() == heights[1])
    }
    if expected.trkpt_bad_or_out_of_range == 0 { checkTimes(track, expected) }
  }

  private func check(box: [Double]?, of points: [TrackPoint]) {
    guard let box, box.count == 4 else { return }
    let latitudes = points.map(\.coordinate.latitude)
    let longitudes = points.map(\.coordinate.longitude)
    let found = [latitudes.min(), longitudes.min(), latitudes.max(), longitudes.max()]
    #expect(found == box.map { $0 })
  }

  private func check(place: [Double]?, of point: TrackPoint?) {
    guard let place, place.count == 2 else { return }
    #expect(point?.coordinate == Coordinate(latitude: place[0], longitude: place[1]))
  }

  /// The manifest has microseconds; the file may have more digits.
  private func checkTimes(_ track: [TrackPoint], _ expected: FieldRow.Expected) {
    let times = track.compactMap { $0.time?.nanosecondsSince1970 }
    func check(_ text: String?, _ time: Int64?) {
      guard let text else { return }
      let wanted = independentMicroseconds(text)
      #expect(wanted != nil)
      #expect(time.map { ($0 >= 0 ? $0 : $0 - 999) / 1000 } == wanted, "\(text)")
    }
    check(expected.time_min_utc, times.min())
    check(expected.time_max_utc, times.max())
    check(expected.time_first_raw, times.first)
    check(expected.time_last_raw, times.last)
    let steps = zip(times, times.dropFirst()).map { $1 - $0 }
    if let zero = expected.time_steps_zero { #expect(steps.count { $0 == 0 } == zero) }
    if let backward = expected.time_steps_backward { #expect(steps.count { $0 < 0 } == backward) }
  }

  /// Microseconds since 1970 by Foundation's calendar, which shares no code with ours.
  private func independentMicroseconds(_ text: String) -> Int64? {
    let clock = text.dropFirst(19)
    let fraction = clock.hasPrefix(".") ? clock.dropFirst().prefix { $0.isNumber } : ""
    var zone = clock.drop { $0 == "." || $0.isNumber }
    if zone.isEmpty { zone = "Z" }
    guard let date = try? Date("\(text.prefix(19))\(zone)", strategy: .iso8601) else { return nil }
    let digits = (fraction + "000000").prefix(6)
    return Int64(date.timeIntervalSince1970) * 1_000_000 + (Int64(digits) ?? 0)
  }
}

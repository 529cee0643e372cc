import Foundation
import Testing

@Suite("corelocation compare tells what each setting of one journey delivers and costs", .serialized)
struct CompareTests {
  struct Line: Decodable {
    var service: String
    var accuracy: String?
    var locationsDelivered: Int
    var visits: Int
    var crossings: Int
    var pauses: Int
    var receiverSeconds: Double
    var joules: Double
    var alwaysOnJoules: Double
    var medianMeters: Double?
    var percentile95Meters: Double?
    var secondsWithoutLocation: Double
  }

  static func lines(_ run: CommandRun) throws -> [Line] {
    try run.lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
  }

  @Test("every accuracy of standard updates, then the other services, each with simulate's own figures")
  func everySetting() throws {
    let run = try CommandRun("compare", Journey.path, "--json")
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    let lines = try Self.lines(run)
    #expect(
      lines.map { $0.accuracy ?? $0.service } == [
        "navigation", "best", "10m", "100m", "1km", "3km", "significant", "visits",
      ])
    for (line, options) in zip(
      lines, lines.map { $0.accuracy.map { ["--accuracy", $0] } ?? ["--service", $0.service] })
    {
      let simulated = try CommandRun(arguments: ["simulate", Journey.path, "--json"] + options)
      let summary = try #require(try simulated.events().last)
      #expect(line.locationsDelivered == summary.locationsDelivered && line.crossings == 0)
      #expect(abs(line.joules - (try #require(summary.energyJoules)).total) < 1e-5)
      #expect(line.receiverSeconds <= (try Journey()).seconds)
    }
    let joules = 28 * 0.190 + ((try Journey()).seconds - 28) * 0.060 + Double((try Journey()).points.count) * 0.020
    #expect(lines.allSatisfy { abs($0.alwaysOnJoules - joules) < 1e-5 })
  }

  @Test("a location told each second is where the recording is; one told at the start only is as far as the way went")
  func errors() throws {
    // A point each second, 10 m north of the last (a degree of the meridian is 111.2 km at 47.5 degrees).
    let folder = try TemporaryFolder()
    let points = (0..<600).map { second in
      "<trkpt lat=\"\(47.5 + Double(second) * 10 / 111_178)\" lon=\"19.2\"><time>2026-05-04T08:"
        + String(format: "%02d:%02d", second / 60, second % 60) + "Z</time></trkpt>"
    }
    let path = try folder.write(
      "<gpx version=\"1.1\"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>", to: "north.gpx")
    let every = try #require(try Self.lines(CommandRun("compare", path, "--json")).first)
    #expect(every.medianMeters == 0 && every.percentile95Meters == 0 && every.secondsWithoutLocation == 0)
    let first = try #require(
      try Self.lines(CommandRun("compare", path, "--json", "--distance-filter", "100000")).first)
    #expect(first.locationsDelivered == 1)
    // The 300th and the 570th of 600 distances that grow by 10 m from 0.
    #expect(abs((try #require(first.medianMeters)) - 2_990) < 5)
    #expect(abs((try #require(first.percentile95Meters)) - 5_690) < 10)
  }

  @Test("regions are a setting of their own where some are given, and tell no location")
  func regions() throws {
    let points = try Journey().points
    let middle = points[points.count / 3].coordinate
    let region = "shop:\(middle.latitude),\(middle.longitude),150"
    let lines = try Self.lines(CommandRun("compare", Journey.path, "--json", "--region", region))
    let last = try #require(lines.last)
    #expect(last.service == "regions" && last.crossings > 0 && last.locationsDelivered == 0)
    #expect(last.medianMeters == nil && last.secondsWithoutLocation > 0)
    #expect(lines.dropLast().allSatisfy { $0.crossings == 0 })
  }

  @Test("for people a table: a line each, and the receiver that is always on beside them")
  func table() throws {
    let run = try CommandRun("compare", Journey.path)
    #expect(run.status == 0)
    #expect(run.lines.count == 10)
    #expect(run.lines[0].hasPrefix("setting") && run.lines[0].contains("95 % m"))
    #expect(run.lines[1].hasPrefix("standard, navigation") && run.lines[9].hasPrefix("receiver always on"))
  }

  @Test("a stream cannot be played several times, and a file that cannot be read is named")
  func wrongTracks() throws {
    let stream = try CommandRun("compare", "-", input: .file(Journey.path))
    #expect(stream.status == 2 && stream.errors.contains("plain file"))
    let missing = try CommandRun("compare", "/nowhere/track.gpx")
    #expect(missing.status == 1 && missing.errors.contains("/nowhere/track.gpx") && missing.output.isEmpty)
  }

  @Test("what a permission withholds is said once")
  func withheld() throws {
    let run = try CommandRun("compare", Journey.path, "--json", authorization: "denied")
    #expect(run.status == 0 && run.errors.split(separator: "\n").count == 1)
    #expect(try Self.lines(run).allSatisfy { $0.locationsDelivered == 0 && $0.medianMeters == nil })
  }
}

import Foundation
import LocationModel
import Testing

@Suite("A journey of years and one around the Earth are told in words that can be read", .serialized)
struct LongJourneyTests {
  /// Two points, 56 years apart: 1,777,881,600 s.
  private static let recording = """
    <gpx version="1.1"><trk><trkseg>
    <trkpt lat="47.5" lon="19.2"><time>1970-01-01T00:00:00Z</time></trkpt>
    <trkpt lat="47.6" lon="19.3"><time>2026-05-04T08:00:00Z</time></trkpt>
    </trkseg></trk></gpx>
    """
  /// 190 mW for the 28 s of the first search, 60 mW after it, and 20 mJ for each of two fixes, by the model of
  /// docs/energy.md.
  private static let joules: Double = 5.32 + 1_777_881_572.0 * 0.060 + 0.040

  @Test("joules of years are megajoules, and to a microjoule for programs")
  func energy() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.recording, to: "long.gpx")
    let words = String(format: "%.1f MJ", Self.joules / 1e6)
    #expect(words == "106.7 MJ")
    let run = try CommandRun("simulate", path)
    #expect(run.status == 0 && run.output.contains("energy                106.7 MJ, GNSS on for"), "\(run.output)")
    #expect(run.output.contains("GNSS always on        106.7 MJ"))
    let json = try CommandRun("simulate", path, "--json")
    let total = try #require(try json.events().last?.energyJoules).total
    #expect(abs(total - Self.joules) < 1e-3)
  }

  @Test("joules of days are kilojoules, in the table and on the page, and hours of days are days")
  func kilojoules() throws {
    let folder = try TemporaryFolder()
    let path = try track(through: [(47.5, 19.2), (47.6, 19.3)], every: 3 * 86_400, in: folder)
    let report = folder.path + "/report.html"
    // 5.32 J for the 28 s of the search, 60 mW for the rest of three days, 20 mJ for each fix: 15,555.68 J.
    #expect(try CommandRun("simulate", path, "--report", report).status == 0)
    let page = ReportPage(try String(contentsOfFile: report, encoding: .utf8))
    #expect(page.words.contains("15.6 kJ") && !page.words.contains("15555"))
    #expect(page.words.contains(", 3 days, "))
    let compared = try CommandRun("compare", path)
    #expect(compared.lines.last?.hasSuffix(" 15.6 kJ") == true, "\(compared.output)")
  }

  /// Three points, so many days apart.
  private func gaps(ofDays days: Int, in folder: TemporaryFolder) throws -> String {
    try track(
      through: [(47.5, 19.2), (47.55, 19.25), (47.6, 19.3)], every: days * 86_400, in: folder, named: "\(days).gpx")
  }

  @Test(
    "looks in vain of twenty years are passed over, and charged", .timeLimit(.minutes(1)),
    arguments: ["significant", "visits"])
  func years(service: String) throws {
    let folder = try TemporaryFolder()
    let path = try gaps(ofDays: 3_653, in: folder)
    let run = try CommandRun("simulate", path, "--service", service, "--json")
    let summary = try #require(try run.events().last)
    #expect(summary.fixesIn == 3 && summary.virtualSeconds == 2 * 3_653 * 86_400)
    // A look of 45 s and a rest of 300 s (docs/policy.md: lookGiveUpSeconds, significantChangeIntervalSeconds), over
    // and over: 2 s of searching and 43 s of following each, but for the first and the last few.
    let cycles = Double(2 * 3_653 * 86_400) / 345
    let joules = cycles * (2 * 0.190 + 43 * 0.060)
    #expect(abs((try #require(summary.energyJoules)).gnss - joules) < 30)
    let report = folder.path + "/report.html"
    #expect(try CommandRun("simulate", path, "--service", service, "--report", report).status == 0)
    let page = ReportPage(try String(contentsOfFile: report, encoding: .utf8))
    // 45 of 345 s are a tenth, from the first to the last; the first column and that of the middle point may be more.
    let pale = page.all("rect", "receiver").filter { $0["fill-opacity"] == "0.37" }
    let width = pale.compactMap { $0["width"].flatMap { Double($0.dropLast()) } }.reduce(0, +)
    #expect(width > 98, "\(pale)")
  }

  @Test(
    "what is passed over makes no difference: each look is made where each is told",
    arguments: [1, 20], ["significant", "visits"])
  func passedOver(days: Int, service: String) throws {
    let folder = try TemporaryFolder()
    let path = try gaps(ofDays: days, in: folder)
    let passed = try CommandRun("simulate", path, "--service", service)
    let each = try CommandRun("simulate", path, "--service", service, "--explain")
    #expect(passed.lines == each.lines.filter { !$0.contains("GNSS on, for") && !$0.contains("GNSS off, next") })
    #expect(each.lines.count > days * 2 * 86_400 / 345)
  }

  @Test("where the app hears something now and then nothing is passed over (policy significantChangeWakeSeconds)")
  func wakes() throws {
    let folder = try TemporaryFolder()
    let path = try gaps(ofDays: 12, in: folder)
    let policy = try folder.write("{\"significantChangeWakeSeconds\": 21600}", to: "policy.json")
    let run = try CommandRun("simulate", path, "--service", "significant", "--policy", policy, "--json")
    let each = try CommandRun("simulate", path, "--service", "significant", "--policy", policy, "--json", "--explain")
    #expect(run.lines == each.lines.filter { !$0.contains("receiversChanged") })
    // The last location again each 6 h of 24 days.
    #expect(try run.locations().count >= 24 * 4 - 2)
  }

  @Test(
    "between two fixes the recording was evenly on the shortest way, over a pole and over an ocean, too",
    arguments: [
      [47.5, 19.2, 47.6, 19.3], [84.9, 0.0, 84.9, 180.0], [60.0, 0.0, 89.0, 120.0], [47.5, 19.0, 40.7, -74.0],
    ] as [[Double]])
  func shortestWay(numbers: [Double]) throws {
    let folder = try TemporaryFolder()
    let path = try track(
      through: [(numbers[0], numbers[1]), (numbers[2], numbers[3])], every: 40_000, in: folder)
    let best = try #require(
      try CompareTests.lines(CommandRun("compare", path, "--json")).first { $0.accuracy == "best" })
    let way = Geodesic.distanceMeters(
      from: Coordinate(latitude: numbers[0], longitude: numbers[1]),
      to: Coordinate(latitude: numbers[2], longitude: numbers[3]))
    #expect(abs((try #require(best.medianMeters)) / way - 0.5) < 1e-3)
    #expect(abs((try #require(best.percentile95Meters)) / way - 0.95) < 1e-3)
  }
}

import Foundation
import LocationModel
import Testing

@Suite("corelocation simulate tells of regions", .serialized)
struct SimulateRegionTests {
  /// The journey begins in this circle and goes away for good.
  private static let start = (latitude: 48.0000023, longitude: 67.9999994, radius: 100.0)

  /// When the exit is due: the first point after so many seconds in which every point was beyond the edge and the
  /// cushion, 20 m for a radius of 100 m (docs/monitoring.md).
  private func exitDate(_ journey: Journey) throws -> Date {
    let center = Coordinate(latitude: Self.start.latitude, longitude: Self.start.longitude)
    var since: Date?
    for point in journey.points {
      let isBeyond =
        Geodesic.distanceMeters(from: center, to: point.coordinate) >= Self.start.radius + 20
      since = isBeyond ? since ?? point.date : nil
      if let since, point.date.timeIntervalSince(since) >= 20 { return point.date }
    }
    return try #require(nil, "the journey never leaves its start")
  }

  @Test("a region at the start: monitoring, inside, and one exit 20 seconds beyond its cushion (behaviour 5.11, 5.15)")
  func events() throws {
    let text = "start:\(Self.start.latitude),\(Self.start.longitude),\(Self.start.radius)"
    let run = try CommandRun("simulate", Journey.path, "--service", "none", "--region", text, "--json")
    #expect(run.status == 0 && run.errors.isEmpty)
    let events = try run.events()
    #expect(
      events.map(\.event) == [
        "didChangeAuthorization", "didStartMonitoring", "didDetermineState", "didExitRegion", "didDetermineState",
        "summary",
      ])
    #expect(events[1...4].allSatisfy { $0.region == "start" })
    #expect(events[2].state == "inside" && events[4].state == "outside")
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions.insert(.withFractionalSeconds)
    #expect(try formatter.date(from: #require(events[3].time)) == exitDate(Journey()))
    #expect(run.keys(ofLine: 3) == ["time", "event", "region"])
    #expect(run.keys(ofLine: 4) == ["time", "event", "region", "state"])
  }

  @Test("the same for people, beside the locations")
  func text() throws {
    let run = try CommandRun("simulate", Journey.path, "--region", "a:b:48.0000023,67.9999994,100")
    #expect(run.status == 0)
    let told = run.lines.filter { $0.hasSuffix("a:b") }.map { $0.dropFirst("2026-05-04T08:00:00.000Z  ".count) }
    #expect(told == ["monitoring started: a:b", "inside: a:b", "left: a:b", "outside: a:b"])
    #expect(run.lines.count > 100)
  }

  @Test("regions from a GeoJSON file; the 21st fails with its code and name (behaviour 5.1)")
  func file() throws {
    let features = (1...21).map {
      "{\"type\":\"Feature\",\"id\":\($0),\"properties\":{\"radius\":100},"
        + "\"geometry\":{\"type\":\"Point\",\"coordinates\":[67.9999994,48.0000023]}}"
    }
    let path = try writeFile("{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let run = try CommandRun("simulate", Journey.path, "--service", "none", "--regions", path, "--json")
    #expect(run.status == 0)
    let events = try run.events()
    #expect(events.count { $0.event == "didStartMonitoring" } == 20)
    let failures = events.filter { $0.event == "monitoringDidFail" }
    #expect(failures.map(\.region) == ["21"])
    #expect(failures.map(\.code) == [5] && failures.map(\.name) == ["regionMonitoringFailure"])
    #expect(run.errors.contains("20 regions, which is as many as one app may have (policy regionsPerAppMax)"))
  }

  @Test("a file that cannot be used: status 1, with the file, the feature and what was expected")
  func badFile() throws {
    let path = try writeFile(
      "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"id\":1,\"properties\":{},"
        + "\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[]}}]}")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let run = try CommandRun("simulate", Journey.path, "--regions", path)
    #expect(run.status == 1 && run.output.isEmpty)
    #expect(run.errors.contains("\(path): feature 1: a Polygon cannot be monitored"))
    let missing = try CommandRun("simulate", Journey.path, "--regions", "/nonexistent.geojson")
    #expect(missing.status == 1 && missing.errors.contains("/nonexistent.geojson: No such file or directory"))
  }

  @Test(
    "a region that is none is wrong usage, with an example",
    arguments: ["home", ":1,2,3", "a:1,2", "a:1,2,3,4", "a:91,2,3", "a:1,2,0", "a:1,2,-5", "a:1,x,5", "a:1,2,nan"])
  func badOption(text: String) throws {
    let run = try CommandRun("simulate", Journey.path, "--region", text)
    #expect(run.status == 2 && run.output.isEmpty)
    #expect(run.errors.contains("expected ID:LAT,LON,RADIUS in degrees and metres, such as home:47.5,19.2,150"))
  }

  @Test("one ID twice is wrong usage")
  func twice() throws {
    let run = try CommandRun("simulate", Journey.path, "--region", "a:1,2,3", "--region", "a:1,2,4")
    #expect(run.status == 2 && run.errors.contains("\"a\" is named twice"))
  }

  @Test("a denied app hears monitoringDidFail with code 4, and that is no failure of the command (behaviour 5.21)")
  func denied() throws {
    let run = try CommandRun(
      "simulate", Journey.path, "--service", "none", "--region", "a:48,68,100", "--json", authorization: "denied")
    #expect(run.status == 0)
    let events = try run.events()
    #expect(events.map(\.event) == ["didChangeAuthorization", "monitoringDidFail", "summary"])
    #expect(events[1].code == 4 && events[1].name == "regionMonitoringDenied")
  }

  private func writeFile(_ text: String) throws -> String {
    let path = FileManager.default.temporaryDirectory.appending(path: "regions-\(UUID().uuidString).geojson").path
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }
}

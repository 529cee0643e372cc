import Foundation
import Testing

@Suite("corelocation simulate: significant changes, visits and pauses", .serialized)
struct SimulateServicesTests {
  /// Half an hour at home, a drive of 12 km, two hours at work, and back; a point every ten seconds.
  private func commute(in folder: TemporaryFolder) throws -> String {
    var points: [String] = []
    var latitude = 10.0
    func add(_ count: Int, degreesEach step: Double) {
      for _ in 0..<count {
        let seconds = points.count * 10
        let time = String(format: "%02d:%02d:%02d", 8 + seconds / 3_600, seconds / 60 % 60, seconds % 60)
        points.append("<trkpt lat=\"\(latitude)\" lon=\"20\"><time>2026-05-04T\(time)Z</time></trkpt>")
        latitude += step
      }
    }
    add(180, degreesEach: 0)
    add(60, degreesEach: 0.0018)
    add(720, degreesEach: 0)
    add(60, degreesEach: -0.0018)
    add(180, degreesEach: 0)
    return try folder.write("<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>", to: "commute.gpx")
  }

  @Test("--service visits tells arrivals and departures, with null for what is unknown (behaviour 8.2, 8.3)")
  func visits() throws {
    let folder = try TemporaryFolder()
    let track = try commute(in: folder)
    let run = try CommandRun("simulate", track, "--service", "visits", "--json")
    let visits = try run.events().filter { $0.event == "didVisit" }
    #expect(visits.map { $0.arrivalDate != nil } == [false, false, true, true, true])
    #expect(visits.map { $0.departureDate != nil } == [false, true, false, true, false])
    // At work from 8:40 until 10:40, as far as a receiver knows that sleeps five minutes at most between two looks.
    let arrival = try #require(visits[2].arrivalDate), departure = try #require(visits[3].departureDate)
    #expect(("2026-05-04T08:40:00"..."2026-05-04T08:45:10").contains(arrival))
    #expect(("2026-05-04T10:35:00"..."2026-05-04T10:40:10").contains(departure))
    #expect(visits.allSatisfy { ($0.horizontalAccuracy ?? 0) >= 10 && $0.latitude != nil && $0.longitude == 20 })
    #expect(
      run.keys(ofLine: 1) == [
        "time", "event", "latitude", "longitude", "horizontalAccuracy", "arrivalDate", "departureDate",
      ])
    let text = try CommandRun("simulate", track, "--service", "visits")
    #expect(text.lines.count { $0.contains("arrived at ") } == 3 && text.lines.count { $0.contains("departed") } == 2)
    #expect(text.output.contains("unknown time"))
  }

  @Test("--service significant tells places 500 m and five minutes apart (behaviour 4.1)")
  func significant() throws {
    let folder = try TemporaryFolder()
    let run = try CommandRun("simulate", try commute(in: folder), "--service", "significant", "--json")
    let locations = try run.locations()
    let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    let times = try locations.map { try format.parse($0.timestamp).timeIntervalSince1970 }
    // Once at the start, three times on each way: the drive takes ten minutes, and a notification is not made before
    // five minutes have passed since the last.
    #expect(times.count == 7)
    for (earlier, later) in zip(times, times.dropFirst()) { #expect(later - earlier >= 300) }
    // A degree of latitude is 110,574 m at the least.
    for (earlier, later) in zip(locations, locations.dropFirst()) {
      #expect(abs(later.latitude - earlier.latitude) * 110_574 >= 500)
    }
    // The first 500 m are driven at 08:30:30; the receiver sleeps five minutes at most between two looks, and needs 2 s
    // and the recording's next point to find itself again.
    let first = try format.parse("2026-05-04T08:30:30.000Z").timeIntervalSince1970
    #expect((first...(first + 312)).contains(times[1]))
  }

  @Test(
    "Standard updates pause where the journey rests, later in a car, never in the air or with --no-pause (2.41)",
    arguments: [
      ([], "2026-05-04T08:10:00.000Z"), (["--activity", "automotive"], "2026-05-04T08:15:00.000Z"),
      (["--activity", "airborne"], nil), (["--no-pause"], nil),
    ] as [([String], String?)])
  func pausing(options: [String], expected: String?) throws {
    let folder = try TemporaryFolder()
    let track = try commute(in: folder)
    let run = try CommandRun(arguments: ["simulate", track, "--json"] + options)
    let events = try run.events()
    #expect(events.filter { $0.event == "didPauseLocationUpdates" }.map(\.time) == (expected.map { [$0] } ?? []))
    if expected != nil { #expect(events.dropLast().last?.event == "didPauseLocationUpdates") }
  }

  /// The committed commute, as draw.swift has it: home until 8:10, on foot and by car to work until 8:31:30, there
  /// until 11:01:30, home at 11:23 and there for ten minutes.
  @Test("Several services and regions are one story in the order of time, with its energy (behaviour 2.41, 4.1, 5, 8)")
  func wholeStory() throws {
    let journeys = URL(filePath: Journey.path).deletingLastPathComponent()
    let run = try CommandRun(
      "simulate", journeys.appending(path: "commute.gpx").path, "--service", "visits,standard", "--service",
      "significant", "--activity", "automotive", "--accuracy", "100m", "--distance-filter", "2000", "--regions",
      journeys.appending(path: "commute.geojson").path, "--json")
    #expect(run.status == 0 && run.errors.isEmpty)
    let events = try run.events()
    let times = events.compactMap(\.time)
    #expect(times == times.sorted() && times.count == events.count - 1)

    func told(_ name: String) -> [OutputEvent] { events.filter { $0.event == name } }
    func isBetween(_ first: String, _ event: OutputEvent?, _ last: String) -> Bool {
      event?.time.map { $0 >= "2026-05-04T\(first)" && $0 <= "2026-05-04T\(last)" } ?? false
    }
    #expect(told("didChangeAuthorization").count == 1, "what concerns the app is told once")
    #expect(told("didStartMonitoring").map(\.region) == ["home", "work"])
    // 170 m from home on foot take 122 s; a crossing is told at most 82 s after it (docs/monitoring.md), and the
    // recording has a point every ten seconds.
    let crossings = events.filter { $0.event == "didEnterRegion" || $0.event == "didExitRegion" }
    #expect(
      crossings.map { "\($0.event) \($0.region ?? "")" } == [
        "didExitRegion home", "didEnterRegion work", "didExitRegion work", "didEnterRegion home",
      ])
    #expect(isBetween("08:12:00", crossings.first, "08:13:45"))
    #expect(isBetween("11:01:30", crossings.dropFirst(2).first, "11:03:30"))
    // A car's rest is one after fifteen minutes.
    #expect(told("didPauseLocationUpdates").count == 1)
    #expect(isBetween("08:46:00", told("didPauseLocationUpdates").first, "08:48:00"))
    let visits = told("didVisit")
    #expect(visits.map { $0.departureDate != nil } == [false, true, false, true, false])
    let locations = told("didUpdateLocations")
    #expect(Set(locations.map(\.service)) == ["standard", "significant"])
    // 7 km as the crow flies, a significant change at most every five minutes: two on each way at least.
    #expect(locations.count { $0.service == "significant" } >= 5)
    let summary = try #require(events.last)
    #expect(summary.event == "summary" && (summary.energyJoules?.total ?? 0) > 0)

    let text = try CommandRun(
      "simulate", journeys.appending(path: "commute.gpx").path, "--service", "standard,significant")
    #expect(text.lines.contains { $0.contains("  significant change: 4") })
  }

  @Test("By the header's rule a journey goes on after its pause (behaviour 2.43)")
  func resuming() throws {
    let folder = try TemporaryFolder()
    let track = try commute(in: folder)
    let policy = try folder.write("{\"pausedUpdatesResume\": \"onMovement\"}", to: "policy.json")
    let run = try CommandRun("simulate", track, "--policy", policy, "--json")
    let words = try run.events().map(\.event).filter { $0.hasPrefix("didPause") || $0.hasPrefix("didResume") }
    #expect(
      words == [
        "didPauseLocationUpdates", "didResumeLocationUpdates", "didPauseLocationUpdates",
        "didResumeLocationUpdates", "didPauseLocationUpdates",
      ])
  }
}

import Foundation
import Testing

@Suite("corelocation simulate plays a journey on a virtual clock", .serialized)
struct SimulateTests {
  @Test(
    "the distance filter lets through what arithmetic says (behaviour 2.9)",
    arguments: [("best", nil), ("10m", 50.0), ("1km", 500.0)] as [(String, Double?)])
  func settings(accuracy: String, filterMeters: Double?) throws {
    let journey = try Journey()
    let filter = filterMeters.map { ["--distance-filter", "\($0)"] } ?? []
    let run = try CommandRun(arguments: ["simulate", Journey.path, "--accuracy", accuracy, "--json"] + filter)
    #expect(run.status == 0 && run.errors.isEmpty)
    let summary = try #require(try run.events().last)
    let expected = try filterMeters.map { try journey.countPassing(filterMeters: $0) } ?? journey.points.count
    #expect(try run.locations().count == expected)
    #expect(summary.event == "summary")
    #expect(summary.fixesIn == journey.points.count)
    #expect(summary.locationsDelivered == expected)
    #expect(summary.virtualSeconds == journey.seconds)
  }

  @Test("the energy is that of a GNSS that is always on (algorithms 1.3)")
  func energy() throws {
    let journey = try Journey()
    let run = try CommandRun("simulate", Journey.path, "--json")
    let energy = try #require(try run.events().last?.energyJoules)
    // 28 s of searching at 190 mW, the rest of following at 60 mW, 20 mJ for each fix that wakes the host.
    let joules = 28 * 0.190 + (journey.seconds - 28) * 0.060 + Double(journey.points.count) * 0.020
    #expect(abs(energy.gnss - joules) < 1e-9 && abs(energy.total - joules) < 1e-9)
    #expect([energy.wifi, energy.cell, energy.bluetooth, energy.motion] == [0, 0, 0, 0])
    // Sums of hundredths that binary numbers do not hold exactly are printed without the digits of the adding.
    let text = try #require(run.lines.last?.firstMatch(of: /"gnss":[0-9]+\.([0-9]+),/))
    #expect(text.1.count <= 6, "\(text.0)")
  }

  @Test(
    "a service that lets the receiver sleep costs less than one that keeps it on, and one that wants nothing, nothing")
  func energyOfServices() throws {
    func joules(_ service: String) throws -> Double {
      let run = try CommandRun("simulate", Journey.path, "--service", service, "--json")
      return try #require(try run.events().last?.energyJoules).total
    }
    let standard = try joules("standard"), significant = try joules("significant")
    #expect(significant < standard / 3 && significant > 0)
    #expect(try joules("none") == 0)
  }

  @Test("each line has the contract's names, in its order, and the recording's own times")
  func shapes() throws {
    let run = try CommandRun("simulate", Journey.path, "--json")
    #expect(run.keys(ofLine: 0) == ["time", "event", "status", "accuracy"])
    #expect(
      run.keys(ofLine: 1) == [
        "time", "event", "locations", "latitude", "longitude", "altitude", "ellipsoidalAltitude", "horizontalAccuracy",
        "verticalAccuracy", "speed", "speedAccuracy", "course", "courseAccuracy", "timestamp", "isSimulatedBySoftware",
      ])
    #expect(
      run.keys(ofLine: run.lines.count - 1) == [
        "event", "fixesIn", "locationsDelivered", "virtualSeconds", "energyJoules", "gnss", "wifi", "cell", "bluetooth",
        "motion", "total",
      ])
    let events = try run.events()
    #expect(events[0].event == "didChangeAuthorization" && events[0].status == "authorizedWhenInUse")
    #expect(events[0].accuracy == "fullAccuracy" && events[0].time == "2026-05-04T08:00:00.000Z")
    #expect(events[1].event == "didUpdateLocations" && events[1].time == "2026-05-04T08:00:00.000Z")
    // The journey's first point, as it is written in the file; what it does not say has Core Location's sentinel.
    #expect(
      events[1].locations == [
        OutputEvent.Location(
          latitude: 48.0000023, longitude: 67.9999994, altitude: 409.6, ellipsoidalAltitude: 0,
          horizontalAccuracy: 2.8, verticalAccuracy: 3, speed: 1.36, speedAccuracy: -1, course: 34,
          courseAccuracy: -1, timestamp: "2026-05-04T08:00:00.000Z", isSimulatedBySoftware: true)
      ])
  }

  @Test("the same input gives the same bytes", arguments: [["--json"], []])
  func determinism(form: [String]) throws {
    let first = try CommandRun(arguments: ["simulate", Journey.path, "--distance-filter", "20"] + form)
    let second = try CommandRun(arguments: ["simulate", Journey.path, "--distance-filter", "20"] + form)
    #expect(!first.output.isEmpty && first.output == second.output)
  }

  @Test("--service none counts and delivers nothing")
  func none() throws {
    let run = try CommandRun("simulate", Journey.path, "--service", "none", "--json")
    #expect(try run.events().map(\.event) == ["didChangeAuthorization", "summary"])
    let summary = try #require(try run.events().last)
    #expect(summary.fixesIn == (try Journey().points.count) && summary.locationsDelivered == 0)
  }

  @Test("a denied app hears so and gets nothing (behaviour 1.22)")
  func denied() throws {
    let run = try CommandRun("simulate", Journey.path, "--json", authorization: "denied")
    let events = try run.events()
    #expect(events.map(\.event) == ["didChangeAuthorization", "didFailWithError", "summary"])
    #expect(events[0].status == "denied" && events[1].code == 1 && events[1].name == "denied")
  }

  @Test(
    "that a permission withholds everything is said, and is no failure: simulate tells what an app is told",
    arguments: ["denied", "restricted", "notDetermined"])
  func withheld(authorization: String) throws {
    let run = try CommandRun("simulate", Journey.path, "--json", authorization: authorization)
    #expect(run.status == 0)
    #expect(run.errors.split(separator: "\n").count == 1 && run.errors.contains(authorization), "\(run.errors)")
    #expect(try CommandRun("simulate", "--help").output.contains("status 0"))
  }

  @Test("without full accuracy only coarse places leave the engine (behaviour 1.42, 1.43)")
  func reduced() throws {
    let run = try CommandRun("simulate", Journey.path, "--json", authorization: "whenInUse,reduced")
    #expect(try run.events().first?.accuracy == "reducedAccuracy")
    let locations = try run.locations()
    // 26 minutes and 29 seconds hold a beginning and one further quarter of an hour.
    #expect(locations.count == 2)
    let digits = Set(try Journey().points.map { "\($0.coordinate.latitude)" })
    for location in locations {
      #expect(location.horizontalAccuracy >= 5_000)
      #expect(
        location.altitude == 0 && location.verticalAccuracy == -1 && location.speed == -1 && location.course == -1)
      #expect(!digits.contains("\(location.latitude)"))
    }
    #expect(!digits.contains { run.output.contains($0) })
  }

  @Test("--policy changes the rules: coarse places every five minutes")
  func policy() throws {
    let folder = try TemporaryFolder()
    let policy = try folder.write("{\"coarseIntervalSeconds\": 300}", to: "policy.json")
    let run = try CommandRun(
      "simulate", Journey.path, "--policy", policy, "--json", authorization: "whenInUse,reduced")
    // At 0, 5, 10, 15, 20 and 25 minutes of 26 and a half.
    #expect(try run.locations().count == 6)
  }

  @Test("a gap is kept, and event times stay exact over years")
  func gap() throws {
    let folder = try TemporaryFolder()
    let track = try folder.write(
      """
      <gpx><trk><trkseg>
      <trkpt lat="-1" lon="2"><time>1999-12-31T23:59:59.999Z</time></trkpt>
      <trkpt lat="-1" lon="2.5"><time>2026-05-04T08:00:00.001Z</time></trkpt>
      </trkseg></trk></gpx>
      """, to: "gap.gpx")
    let run = try CommandRun("simulate", track, "--json")
    let updates = try run.events().filter { $0.event == "didUpdateLocations" }
    #expect(updates.map(\.time) == ["1999-12-31T23:59:59.999Z", "2026-05-04T08:00:00.001Z"])
    #expect(updates.map { $0.locations?.first?.timestamp } == updates.map(\.time))
    #expect(updates.first?.locations?.first?.horizontalAccuracy == 5)
  }

  @Test("text is for people: a line a location, and a short summary")
  func text() throws {
    let run = try CommandRun("simulate", Journey.path, "--distance-filter", "500")
    let count = try Journey().countPassing(filterMeters: 500)
    #expect(run.lines.count { $0.contains(" +/- 2.8 m") } == count)
    #expect(run.lines.contains("locations delivered   \(count)"))
  }

  @Test("a track comes from standard input, too")
  func standardInput() throws {
    let run = try CommandRun("simulate", "-", "--json", input: .file(Journey.path))
    #expect(run.status == 0)
    #expect(run.output == (try CommandRun("simulate", Journey.path, "--json").output))
  }
}

import Foundation
import LocationModel
import Testing

@Suite("corelocation simulate and compare carry whole devices along a journey (algorithms 1.3)", .serialized)
struct ProfileTests {
  private func energy(_ run: CommandRun) throws -> OutputEvent.Energy {
    try #require(run.status == 0, "\(run.errors)")
    return try #require(try run.events().last?.energyJoules)
  }

  @Test("without a profile the device is the plain receiver", arguments: [["--json"], []])
  func plain(form: [String]) throws {
    let options = ["simulate", Journey.path, "--service", "standard,significant"] + form
    let run = try CommandRun(arguments: options)
    #expect(run.output == (try CommandRun(arguments: options + ["--profile", "receiver", "--seed", "7"]).output))
    #expect(!run.output.contains("by receiver"))
  }

  @Test("a phone that rests looks once by Wi-Fi for a coarse wish, and its sensor holds the place")
  func restCoarse() throws {
    let folder = try TemporaryFolder()
    let track = try DrawnTrack(in: folder, seconds: 600, speed: { _ in 0 }, meters: { _ in 0 })
    let run = try CommandRun(
      "simulate", track.path, "--profile", "phone", "--accuracy", "1km", "--no-pause", "--json")
    let joules = try energy(run)
    // One scan, one question to the network, one wake-up; and the sensor at half a milliwatt.
    #expect(abs(joules.wifi - (0.6 + 0.3 + 0.020)) < 1e-9 && abs(joules.motion - 600 * 0.0005) < 1e-9)
    #expect(joules.gnss == 0 && joules.cell == 0 && abs(joules.total - (joules.wifi + joules.motion)) < 1e-9)
    let locations = try run.locations()
    #expect(locations.count == 1 && locations.first?.horizontalAccuracy == 38)
    #expect(locations.first?.timestamp == "2026-05-04T08:00:01.500Z")
  }

  @Test("for the best it follows satellites until the sensor has felt half a minute of rest")
  func restBest() throws {
    let folder = try TemporaryFolder()
    let track = try DrawnTrack(in: folder, seconds: 600, speed: { _ in 0 }, meters: { _ in 0 })
    let run = try CommandRun("simulate", track.path, "--profile", "phone", "--no-pause", "--json")
    let joules = try energy(run)
    // 28 s of searching and 2 s of following, with a fix at each second from 0 to 29.
    #expect(abs(joules.gnss - (28 * 0.190 + 2 * 0.060 + 30 * 0.020)) < 1e-9)
    #expect(try run.locations().count == 30)
    let text = try CommandRun("simulate", track.path, "--profile", "phone", "--no-pause")
    // 6.04 J and 600 s of 0.5 mW.
    #expect(text.lines.contains("energy                6.3 J, GNSS on for 30 s"))
    #expect(text.lines.contains("by receiver           GNSS 6.0 J, Wi-Fi 0.0 J, cell 0.0 J, motion sensor 0.3 J"))
  }

  @Test(
    "it goes on when the recording moves: at once where that tells a speed, else beyond the noise of its points",
    arguments: [(true, 301), (false, 302)])
  func movement(tellsSpeed: Bool, feltAfterSeconds: Int) throws {
    let folder = try TemporaryFolder()
    // 8 m/s after 300 s. Points without an accuracy are taken to be 5 m off: two of them differ by more than 10 m only
    // after two seconds.
    let track = try DrawnTrack(
      in: folder, seconds: 600, speed: tellsSpeed ? { $0 > 300 ? 8 : 0 } : nil,
      meters: { Double(max(0, $0 - 300)) * 8 })
    let run = try CommandRun("simulate", track.path, "--profile", "phone", "--no-pause", "--json")
    let locations = try run.locations()
    // Those of the first half minute, and, 2 s of searching after the movement was felt, those to the end.
    #expect(locations.count == 30 + (600 - (feltAfterSeconds + 2) + 1))
    let last = try #require(locations.last)
    #expect(last.latitude == DrawnTrack.latitude(300 * 8) && last.longitude == 19.2)
  }

  @Test("between points a minute apart a device that goes on is not felt to rest")
  func sparse() throws {
    let folder = try TemporaryFolder()
    let track = try DrawnTrack(in: folder, seconds: 600, every: 60, meters: { Double($0) * 10 })
    let run = try CommandRun("simulate", track.path, "--profile", "phone", "--no-pause")
    #expect(run.output.contains("GNSS on for 600 s") && run.lines.contains("locations delivered   11"))
  }

  @Test(
    "a recording that is silent for years costs no looks: the device counts as resting", arguments: ["best", "1km"])
  func silence(accuracy: String) throws {
    let folder = try TemporaryFolder()
    let track = try folder.write(
      """
      <gpx><trk><trkseg>
      <trkpt lat="47.5" lon="19.2"><time>1999-12-31T23:59:59Z</time></trkpt>
      <trkpt lat="47.6" lon="19.2"><time>2026-05-04T08:00:00Z</time></trkpt>
      </trkseg></trk></gpx>
      """, to: "years.gpx")
    let run = try CommandRun(
      "simulate", track, "--profile", "phone", "--accuracy", accuracy, "--no-pause", "--json")
    let joules = try energy(run)
    // For 330 s satellites that find nothing, or a look each 10 s at the most.
    #expect(joules.gnss <= 330 * 0.190 && joules.wifi <= 33 * (0.6 + 0.3 + 0.020))
  }

  @Test("a device of a file: it scans every 10 s, and asks the network only where it has not asked nearby")
  func file() throws {
    let folder = try TemporaryFolder()
    let track = try DrawnTrack(in: folder, seconds: 60, meters: { Double($0) * 8 })
    let profile = try folder.write(
      "{\"tag\": {\"receivers\": [\"wireless\"], \"wirelessScanJoules\": 2, \"wirelessLookupJoules\": 0.5}}",
      to: "tag.json")
    let run = try CommandRun("simulate", track.path, "--profile", profile, "--json")
    // Places at 1.5, 11.5, 21.5, 31.5, 41.5 and 51.5 s; the fifth is 320 m from the first, more than the 300 m that
    // one question covers.
    #expect(try run.locations().count == 6)
    #expect(abs((try energy(run)).wifi - (6 * (2 + 0.020) + 2 * 0.5)) < 1e-9)
    #expect(try energy(run).total == (try energy(run)).wifi)
    // Where the recording was then, off by no more than four times a 68 % radius.
    for (location, seconds) in zip(try run.locations(), stride(from: 1.0, through: 51, by: 10)) {
      let place = Coordinate(latitude: DrawnTrack.latitude(seconds * 8), longitude: 19.2)
      let found = Coordinate(latitude: location.latitude, longitude: location.longitude)
      let meters = Geodesic.distanceMeters(from: place, to: found)
      #expect(meters > 0 && meters < 4 * 38, "\(meters)")
    }
  }

  @Test("the seed decides on the errors: the same gives the same bytes, from a stream, too")
  func seeds() throws {
    let options = ["--profile", "phone", "--accuracy", "3km", "--json"]
    func output(_ seed: String) throws -> String {
      try CommandRun(arguments: ["simulate", Journey.path, "--seed", seed] + options).output
    }
    let first = try output("1")
    #expect(first.contains("\"horizontalAccuracy\":400.0"))
    #expect(first == (try output("1")))
    #expect(first != (try output("2")))
    #expect(first == (try CommandRun(arguments: ["simulate", Journey.path] + options)).output)
    #expect(first == (try CommandRun(arguments: ["simulate", "-"] + options, input: .file(Journey.path))).output)
  }

  @Test("any 64-bit number is a seed, as in a test of an app; what is beyond them is refused with the range")
  func everySeed() throws {
    let options = ["--profile", "phone", "--accuracy", "3km", "--json"]
    var outputs: Set<String> = []
    for seed in ["0", "1", "1000000001", "18446744073709551615"] {
      let run = try CommandRun(arguments: ["simulate", Journey.path, "--seed", seed] + options)
      #expect(run.status == 0, "\(seed): \(run.errors)")
      outputs.insert(run.output)
    }
    #expect(outputs.count == 4)
    for option in ["--seed", "--beacon-seed"] {
      #expect(try CommandRun("simulate", Journey.path, "--service", "none", option, "0").status == 0)
      for wrong in ["-1", "18446744073709551616", "1.5", "one", ""] {
        let run = try CommandRun("simulate", Journey.path, option, wrong)
        #expect(run.status == 2 && run.output.isEmpty && run.errors.contains("18446744073709551615"), "\(run.errors)")
      }
    }
  }

  @Test("a file that is no profile is refused with its path and what was expected")
  func wrongFiles() throws {
    let folder = try TemporaryFolder()
    let missing = try CommandRun("simulate", Journey.path, "--profile", folder.path + "/none.json")
    #expect(missing.status == 1 && missing.errors.contains("none.json"))
    let path = try folder.write("{\"boat\": {\"receivers\": [\"sonar\"]}}", to: "boat.json")
    let wrong = try CommandRun("compare", Journey.path, "--profile", path)
    #expect(wrong.status == 1 && wrong.errors.contains(path) && wrong.errors.contains("\"sonar\""))
    #expect(wrong.output.isEmpty)
  }

  @Test("coarser wishes cost less, and all of them less than satellites that are always on")
  func comparison() throws {
    let commute = URL(fileURLWithPath: Journey.path).deletingLastPathComponent().path + "/commute.gpx"
    let run = try CommandRun("compare", commute, "--profile", "phone", "--no-pause", "--json")
    let lines = try CompareTests.lines(run)
    let joules = lines.prefix(6).map(\.joules)
    #expect(lines.prefix(6).map(\.accuracy) == ["navigation", "best", "10m", "100m", "1km", "3km"])
    #expect(zip(joules, joules.dropFirst()).allSatisfy { $0 >= $1 })
    let coarsest = try #require(joules.last)
    #expect(coarsest < joules[0] / 10)
    // 12,770 s of satellites and 1278 fixes.
    let always: Double = 28 * 0.190 + (12_770 - 28) * 0.060 + 1_278 * 0.020
    #expect(lines.allSatisfy { abs($0.alwaysOnJoules - always) < 1e-5 && $0.joules < always })
    let table = try CommandRun("compare", commute, "--profile", "phone", "--no-pause")
    #expect(table.lines.first?.contains("GNSS s") == true && table.lines.last?.hasPrefix("GNSS always on") == true)
  }

  @Test("--explain tells who has receivers on, and when they go off, who looks next")
  func explanation() throws {
    let folder = try TemporaryFolder()
    let track = try DrawnTrack(in: folder, seconds: 600, speed: { _ in 0 }, meters: { _ in 0 })
    let options = ["simulate", track.path, "--profile", "phone", "--accuracy", "1km", "--no-pause"]
    let run = try CommandRun(arguments: options + ["--explain"])
    #expect(
      run.lines.filter { $0.contains("Wi-Fi o") || $0.contains("sensor o") }.map { $0.prefix(74) } == [
        "2026-05-04T08:00:00.000Z  motion sensor on, for locations (1 km) by Wi-Fi",
        "2026-05-04T08:00:00.000Z  Wi-Fi on, for locations (1 km) by Wi-Fi",
        "2026-05-04T08:00:01.500Z  Wi-Fi off, next locations (1 km) by Wi-Fi at 08:",
      ])
    let events = try CommandRun(arguments: options + ["--explain", "--json"]).events()
    #expect(events.map { $0.time ?? "" } == events.map { $0.time ?? "" }.dropLast().sorted() + [""])
    let changes = events.filter { $0.event == "receiversChanged" }
    #expect(changes.map(\.on) == [["motion"], ["wifi"], []] && changes.map(\.off) == [[], [], ["wifi"]])
    let decision = try #require(changes[1].decisions)
    #expect(
      decision == [
        OutputEvent.Decision(
          app: "corelocation", service: "standard", accuracy: "1km", look: "now", lookDate: nil, receivers: ["wifi"])
      ])
    #expect(changes[2].decisions?.first?.look == "later" && changes[2].decisions?.first?.lookDate != nil)
    // It adds lines and changes none.
    let plain = try CommandRun(arguments: options + ["--json"])
    let others = try CommandRun(arguments: options + ["--explain", "--json"]).lines.filter {
      !$0.contains("receiversChanged")
    }
    #expect(others == plain.lines)
  }
}

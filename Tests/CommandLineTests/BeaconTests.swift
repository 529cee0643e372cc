import Foundation
import Testing

@Suite("corelocation tells of beacons", .serialized)
struct BeaconTests {
  private static let uuid = "74278BDA-B644-4520-8F0C-720EAF059935"

  /// A walk north at 1 m/s for two minutes, past a beacon after 60 s, 2 m aside.
  private func walk() throws -> (folder: TemporaryFolder, track: String, beacons: String) {
    let folder = try TemporaryFolder()
    let formatter = ISO8601DateFormatter()
    let points = (0...120).map { second in
      let time = formatter.string(from: Date(timeIntervalSince1970: 1_780_300_800 + Double(second)))
      return "<trkpt lat=\"\(Double(second) / 111_132)\" lon=\"0\"><time>\(time)</time></trkpt>"
    }
    let track = try folder.write(
      "<gpx xmlns=\"http://www.topografix.com/GPX/1/1\" version=\"1.1\" creator=\"test\"><trk><trkseg>"
        + points.joined() + "</trkseg></trk></gpx>", to: "walk.gpx")
    let beacons = try folder.write(
      "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"id\":\"door\",\"properties\":"
        + "{\"uuid\":\"\(Self.uuid)\",\"major\":7,\"minor\":1,\"power\":-75},\"geometry\":{\"type\":\"Point\","
        + "\"coordinates\":[0.00001797,\(60.0 / 111_132)]}}]}", to: "shop.geojson")
    return (folder, track, beacons)
  }

  @Test("a simulated walk past a beacon: ranged once a second, nearest where it stands, entered and left")
  func simulate() throws {
    let (folder, track, beacons) = try walk()
    let run = try CommandRun("simulate", track, "--service", "none", "--beacons", beacons, "--json")
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    let events = try run.events()
    let reports = events.filter { $0.event == "didRange" }
    #expect(reports.count >= 118)
    let heard = reports.compactMap { report in report.beacons?.first.map { (report.time ?? "", $0) } }
    let nearest = try #require(heard.filter { $0.1.accuracy > 0 }.min { $0.1.accuracy < $1.1.accuracy })
    // It is passed in second 60; a signal that fades is strongest near it.
    #expect(nearest.0 >= "2026-06-01T08:00:55" && nearest.0 <= "2026-06-01T08:01:06", "\(nearest)")
    #expect(nearest.1.major == 7 && nearest.1.minor == 1 && nearest.1.uuid == Self.uuid)
    #expect(events.contains { $0.event == "didEnterRegion" && $0.region == "door" })
    #expect(
      run.keys(ofLine: run.lines.firstIndex { $0.contains("\"minor\":1") } ?? 0).prefix(9)
        == ["time", "event", "uuid", "major", "minor", "beacons", "uuid", "major", "minor"])
    let again = try CommandRun("simulate", track, "--service", "none", "--beacons", beacons, "--json")
    #expect(again.output == run.output, "the same seed gives the same bytes")
    let other = try CommandRun(
      "simulate", track, "--service", "none", "--beacons", beacons, "--beacon-seed", "2", "--json")
    #expect(other.output != run.output)
    withExtendedLifetime(folder) {}
  }

  @Test("a report of a walk past beacons says nothing of beacons that its machine does not have")
  func report() throws {
    let (folder, track, beacons) = try walk()
    let report = folder.path + "/walk.html"
    let run = try CommandRun("simulate", track, "--beacons", beacons, "--report", report)
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    #expect(try String(contentsOfFile: report, encoding: .utf8).contains("door"))
  }

  @Test("a phone that ranges listens all the way, at 30 mW (algorithms 1.3), and the plain receiver too")
  func energy() throws {
    let (folder, track, beacons) = try walk()
    for profile in ["phone", "receiver"] {
      let run = try CommandRun(
        "simulate", track, "--service", "none", "--beacons", beacons, "--profile", profile, "--json")
      let joules = try #require(try run.events().last?.energyJoules)
      // 120 s of 30 mW.
      #expect(abs(joules.bluetooth - 3.6) < 1e-9, "\(run.errors)")
      #expect(abs(joules.total - (joules.gnss + joules.wifi + joules.cell + joules.motion + 3.6)) < 1e-6)
    }
    let text = try CommandRun("simulate", track, "--service", "none", "--beacons", beacons, "--profile", "phone")
    #expect(text.lines.contains { $0.hasPrefix("by receiver") && $0.contains(", Bluetooth 3.6 J, ") }, "\(text.output)")
    // Nothing is listened for where no beacon stands.
    let without = try CommandRun("simulate", track, "--profile", "phone", "--json")
    #expect(try without.events().last?.energyJoules?.bluetooth == 0)
    #expect(!(try CommandRun("simulate", track, "--profile", "phone").output.contains("Bluetooth")))
    withExtendedLifetime(folder) {}
  }

  @Test("without permission nobody listens, and a device without Bluetooth hears nothing and pays nothing")
  func nobody() throws {
    let (folder, track, beacons) = try walk()
    let options = ["simulate", track, "--service", "none", "--beacons", beacons, "--json"]
    let denied = try CommandRun(arguments: options, authorization: "denied")
    #expect(try denied.events().last?.energyJoules?.bluetooth == 0)
    let tracker = try CommandRun(arguments: options + ["--profile", "tracker"])
    let events = try tracker.events()
    #expect(tracker.status == 0 && events.last?.energyJoules?.bluetooth == 0)
    #expect(
      !events.contains { $0.event == "didRange" } && events.contains { $0.event == "didFailRanging" && $0.code == 16 })
    withExtendedLifetime(folder) {}
  }

  @Test("why Bluetooth goes on is told, for people and for programs")
  func explain() throws {
    let (folder, track, beacons) = try walk()
    let options = ["simulate", track, "--service", "none", "--beacons", beacons, "--profile", "phone", "--explain"]
    let text = try CommandRun(arguments: options)
    // The region is asked for first; that the same beacons are ranged, too, changes nothing.
    #expect(text.lines.contains("2026-06-01T08:00:00.000Z  Bluetooth on, for regions of beacons"))
    #expect(text.lines.count { $0.contains("Bluetooth on") || $0.contains("Bluetooth off") } == 1)
    let events = try CommandRun(arguments: options + ["--json"]).events()
    let on = try #require(events.first { $0.event == "receiversChanged" && $0.on == ["bluetooth"] })
    let decision = OutputEvent.Decision(
      app: "corelocation", service: "beaconRegions", accuracy: nil, look: "now", lookDate: nil, receivers: ["bluetooth"]
    )
    #expect(on.decisions == [decision])
    withExtendedLifetime(folder) {}
  }

  @Test("a report has Bluetooth in its timeline and its energy, and compare a row for beacons")
  func compared() throws {
    let (folder, track, beacons) = try walk()
    let report = folder.path + "/walk.html"
    #expect(
      try CommandRun("simulate", track, "--profile", "phone", "--beacons", beacons, "--report", report).status == 0)
    let page = ReportPage(try String(contentsOfFile: report, encoding: .utf8))
    #expect(
      page.problem == nil && page.words.contains("Listening for beacons") && page.words.contains("Bluetooth 3.6 J"))
    // The lane from one end to the other, and a bar a step that is not empty.
    let lanes = page.all("rect", "bluetooth").filter { $0["height"] == "100%" }
    #expect(lanes.count == 1 && lanes.first?["width"] == "100.000%", "\(lanes)")
    #expect(page.count("rect", "bluetooth") > 1)
    let run = try CommandRun("compare", track, "--beacons", beacons, "--profile", "phone", "--json")
    let rows = try CompareTests.lines(run)
    let last = try #require(rows.last)
    // It is entered, and after 60 m at 1 m/s still within 30 s of its last packet or left.
    #expect(last.service == "beacons" && last.crossings >= 1 && last.locationsDelivered == 0)
    #expect(abs(last.joules - 3.6) < 1e-6 && rows.dropLast().allSatisfy { $0.crossings == 0 })
    let words = try CommandRun("compare", track, "--beacons", beacons, "--profile", "phone")
    #expect(words.lines.contains { $0.hasPrefix("beacons ") && $0.contains(" 3.6 ") }, "\(words.output)")
  }

  @Test("denied permission ends it, as it ends the other commands", .timeLimit(.minutes(1)))
  func denied() throws {
    let run = try CommandRun("beacons", Self.uuid, "--json", authorization: "denied")
    #expect(run.status == 3 && run.errors.contains("permission denied"), "\(run.errors)")
    #expect(try run.events().map(\.event) == ["didFailRanging"])
  }

  @Test("for people a beacon is a line")
  func text() throws {
    let (folder, track, beacons) = try walk()
    let run = try CommandRun("simulate", track, "--service", "none", "--beacons", beacons)
    #expect(run.lines.contains { $0.contains(" near ") && $0.hasSuffix(" dBm  \(Self.uuid) 7 1") })
    #expect(run.lines.contains { $0.hasSuffix("no beacon of \(Self.uuid) any any") })
    withExtendedLifetime(folder) {}
  }

  @Test("a file that holds no beacons says what is wrong and where")
  func badFile() throws {
    let (folder, track, _) = try walk()
    for (properties, expected) in [
      ("{}", "feature 1: expected a property \"uuid\""),
      ("{\"uuid\":7}", "found no text"),
      ("{\"uuid\":\"\(Self.uuid)\",\"major\":\"1\",\"minor\":1}", "65535, found text in quotes"),
      ("{\"uuid\":\"\(Self.uuid)\",\"major\":true,\"minor\":1}", "65535, found no number"),
      ("{\"uuid\":\"\\u001b[31mdoor\"}", "found \"\\u{1B}[31mdoor\""),
      ("{\"uuid\":\"\(Self.uuid)\",\"major\":65536,\"minor\":1}", "feature 1: expected a property \"major\""),
      ("{\"uuid\":\"\(Self.uuid)\",\"major\":1,\"minor\":1,\"power\":200}", "feature 1: expected a property \"power\""),
    ] {
      let path = try folder.write(
        "{\"type\":\"Feature\",\"properties\":\(properties),\"geometry\":{\"type\":\"Point\",\"coordinates\":[0,0]}}",
        to: "bad.geojson")
      let run = try CommandRun("simulate", track, "--beacons", path)
      #expect(run.status == 1 && run.errors.contains(expected), "\(run.errors)")
    }
  }

  @Test("without a Bluetooth adapter ranging fails, and no report comes, which is status 4")
  func none() throws {
    let run = try CommandRun("beacons", Self.uuid, "--duration", "1", "--json", authorization: "whenInUse")
    #expect(run.status == 4 && run.errors.contains("no report of beacons came in time"), "\(run.errors)")
    let events = try run.events()
    #expect(events.allSatisfy { $0.event == "didFailRanging" && $0.code == 16 })
    #expect(!events.isEmpty)
  }

  @Test("what is no UUID and no number is wrong usage")
  func usage() throws {
    for arguments in [["beacons", "door"], ["beacons", Self.uuid, "--major", "65536"], ["beacons"]] {
      let run = try CommandRun(arguments: arguments)
      #expect(run.status == 2 && run.output.isEmpty)
    }
  }
}

import Foundation
import Testing

@Suite("corelocation locate prints one location", .serialized)
struct LocateTests {
  @Test("a fixed place is the place, simulated by software (behaviour 10.11)")
  func fixed() throws {
    let run = try CommandRun("locate", "--source", "fixed:-48.5,68.25,-12.5", "--json")
    #expect(run.status == 0 && run.errors.isEmpty)
    #expect(try run.events().map(\.event) == ["didUpdateLocations"])
    let location = try #require(try run.locations().first)
    #expect(location.latitude == -48.5 && location.longitude == 68.25 && location.altitude == -12.5)
    #expect(location.isSimulatedBySoftware && location.speed == -1 && location.course == -1)
  }

  @Test("a place without a height has none (behaviour 10.4)")
  func noHeight() throws {
    let run = try CommandRun("locate", "--json", source: "fixed:1,2")
    let location = try #require(try run.locations().first)
    #expect(location.altitude == 0 && location.verticalAccuracy == -1)
  }

  @Test("a recording's first fix that is good enough is the answer (behaviour 2.31)")
  func recording() throws {
    let run = try CommandRun("locate", "--source", "gpx:\(Journey.path)", "--json")
    #expect(run.status == 0)
    #expect(try run.locations().map(\.timestamp) == ["2026-05-04T08:00:00.000Z"])
  }

  @Test("where no fix is as good as wished, the best at the time-out counts (behaviour 2.31, 2.32)")
  func bestAtTimeout() throws {
    let folder = try TemporaryFolder()
    let points = [40, 30, 20, 35, 12].enumerated().map { index, accuracy in
      "<trkpt lat=\"\(index).5\" lon=\"2\"><time>2026-05-04T08:00:0\(index)Z</time>"
        + "<extensions><hAcc>\(accuracy)</hAcc></extensions></trkpt>"
    }
    let track = try folder.write("<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>", to: "track.gpx")
    for (timeout, latitude) in [("3.5", 2.5), ("10", 4.5)] {
      let run = try CommandRun("locate", "--source", "gpx:\(track)?speed=max", "--timeout", timeout, "--json")
      #expect(run.status == 0)
      #expect(try run.locations().map(\.latitude) == [latitude])
    }
    let coarse = try CommandRun("locate", "--source", "gpx:\(track)?speed=max", "--accuracy", "100m", "--json")
    #expect(try coarse.locations().map(\.latitude) == [0.5])
  }

  @Test("no location in time is status 4, with a message (behaviour 2.30)")
  func none() throws {
    let run = try CommandRun("locate", "--timeout", "0.01", authorization: "whenInUse")
    #expect(run.status == 4 && run.output.isEmpty)
    #expect(run.errors.contains("no location"))
    let json = try CommandRun("locate", "--timeout", "0.01", "--json", authorization: "whenInUse")
    #expect(json.status == 4)
    let event = try #require(try json.events().first)
    #expect(event.event == "didFailWithError" && event.code == 0 && event.name == "locationUnknown")
  }

  @Test("denied and restricted are status 3", arguments: ["denied", "restricted", "notDetermined"])
  func denied(authorization: String) throws {
    for source in ["gpx:\(Journey.path)", "fixed:1,2"] {
      let run = try CommandRun("locate", "--source", source, authorization: authorization)
      #expect(run.status == 3 && run.output.isEmpty)
      #expect(run.errors.contains("permission"))
    }
  }

  @Test("reduced accuracy gives the coarse place, never the precise one (behaviour 1.42)")
  func reduced() throws {
    let run = try CommandRun(
      "locate", "--source", "fixed:48.01234567,68.07654321", "--json", authorization: "always,reduced")
    #expect(run.status == 0)
    let location = try #require(try run.locations().first)
    #expect(location.horizontalAccuracy >= 5_000)
    #expect(!run.output.contains("48.0123") && !run.output.contains("68.0765"))
  }
}

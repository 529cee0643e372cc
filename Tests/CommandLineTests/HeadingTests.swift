import Foundation
import Testing

@Suite("corelocation heading tells where the device points", .serialized)
struct HeadingTests {
  /// A magnetometer of Apple Park's field on 2026-06-01, lying flat and pointing to magnetic east: H 23 040 nT, Z
  /// 41 200 nT (algorithms 4).
  private func sensors() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let device = folder.path + "/iio:device0"
    try FileManager.default.createDirectory(atPath: device, withIntermediateDirectories: true)
    for (name, text) in [
      ("in_magn_x_raw", "-2304"), ("in_magn_y_raw", "0"), ("in_magn_z_raw", "-4120"), ("in_magn_scale", "0.0001"),
      ("in_accel_x_raw", "0"), ("in_accel_y_raw", "0"), ("in_accel_z_raw", "981"), ("in_accel_scale", "0.01"),
    ] {
      _ = try folder.write(text + "\n", to: "iio:device0/" + name)
    }
    return folder
  }

  @Test("the machine's magnetometer, with true north at a place that is given")
  func magnetometer() throws {
    let sensors = try sensors()
    let run = try CommandRun(
      "heading", "--source", "fixed:37.3349,-122.0090", "--filter", "-1", "--count", "3", "--json",
      sensors: sensors.path)
    #expect(run.status == 0 && run.lines.count == 3, "\(run.errors)")
    #expect(
      run.keys(ofLine: 2)
        == ["time", "event", "magneticHeading", "trueHeading", "headingAccuracy", "x", "y", "z"])
    let last = try #require(try run.events().last)
    #expect(last.event == "didUpdateHeading" && last.magneticHeading == 90)
    // The declination at Apple Park is 12.7 degrees in these years.
    #expect(abs((last.trueHeading ?? -1) - 102.7) < 0.4)
    #expect((last.headingAccuracy ?? -1) > 0 && abs((last.x ?? 0) + 23.04) < 1e-9)
  }

  @Test("for people a heading is a line, and without permission there is no true north (behaviour 7.1)")
  func text() throws {
    let sensors = try sensors()
    let run = try CommandRun(
      "heading", "--source", "fixed:37.3349,-122.0090", "--count", "1", authorization: "denied",
      sensors: sensors.path)
    #expect(run.status == 0)
    #expect(run.output.contains("heading 90.0 magnetic +/- ") && !run.output.contains("true"))
  }

  @Test(
    "without permission it ends where no compass is there, and a recording's is heard with positions (design 6)",
    .timeLimit(.minutes(1)), arguments: ["denied", "restricted", "notDetermined"])
  func refused(authorization: String) throws {
    let folder = try TemporaryFolder()
    let track = try folder.write(
      "<gpx><trk><trkseg><trkpt lat=\"50\" lon=\"10\"><time>2026-06-01T08:00:00Z</time></trkpt>"
        + "<trkpt lat=\"50.1\" lon=\"10\"><time>2026-06-01T09:00:00Z</time></trkpt></trkseg></trk></gpx>",
      to: "hour.gpx")
    for source in ["fixed:37.3349,-122.0090", "gpx:\(track)", "gpx:\(track)?speed=max"] {
      let run = try CommandRun("heading", "--source", source, "--json", authorization: authorization)
      #expect(run.status == 3 && run.output.isEmpty, "\(source)")
      #expect(run.errors.contains(authorization == "notDetermined" ? "is not decided" : "permission denied"))
    }
  }

  @Test("with a compass and without permission it says that there is no true north, and goes on (behaviour 7.1)")
  func magneticOnly() throws {
    let sensors = try sensors()
    let run = try CommandRun(
      "heading", "--source", "fixed:37.3349,-122.0090", "--filter", "-1", "--duration", "1.5", "--json",
      authorization: "denied", sensors: sensors.path)
    #expect(run.status == 0 && run.errors.contains("true north needs a location"), "\(run.errors)")
    #expect(try run.events().allSatisfy { $0.trueHeading == -1 })
  }

  @Test("without a compass none comes, which is status 4")
  func none() throws {
    let run = try CommandRun("heading", "--source", "fixed:37.3349,-122.0090", "--duration", "0.2")
    #expect(run.status == 4 && run.output.isEmpty)
    #expect(run.errors.contains("no heading came in time"))
  }

  @Test("along a recording the device points where the journey goes")
  func recording() throws {
    let folder = try TemporaryFolder()
    let points = (0..<5).map { number in
      "<trkpt lat=\"50.00\(number)\" lon=\"10\"><time>2026-06-01T08:00:0\(number)Z</time></trkpt>"
    }
    let track = try folder.write(
      "<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>\(points.joined())"
        + "</trkseg></trk></gpx>", to: "north.gpx")
    let run = try CommandRun("heading", "--source", "gpx:\(track)?speed=max", "--filter", "-1", "--json")
    #expect(run.status == 0, "\(run.errors)")
    let headings = try run.events()
    #expect(headings.count == 4)
    for heading in headings {
      let degrees = heading.trueHeading ?? -1
      #expect(degrees >= 0 && min(degrees, 360 - degrees) < 1e-3)
    }
    let simulated = try CommandRun("simulate", track, "--compass", "--json")
    #expect(try simulated.events().filter { $0.event == "didUpdateHeading" }.count == 1)
    #expect(try simulated.events().filter { $0.event == "didUpdateLocations" }.count == 5)
  }

  @Test("a compass that ends without ever telling a position has told its headings, which is status 0")
  func compassAlone() throws {
    let folder = try TemporaryFolder()
    let lines = try folder.write("$HCHDM,238.5,M*25\r\n", to: "compass.nmea")
    let run = try CommandRun("heading", "--source", "nmea:-", input: .file(lines))
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("heading 238.5 magnetic +/- 15.0"))
    #expect(!run.errors.contains("nothing to play"))
  }

  @Test("a filter that is none is wrong usage", arguments: ["", "-2", "361", "north"])
  func wrongFilter(text: String) throws {
    let run = try CommandRun("heading", "--filter", text)
    #expect(run.status == 2 && run.errors.contains("--filter"))
  }
}

import Foundation
import LocationProviders
import Testing

@Suite("Track reader")
struct TrackReaderTests {
  static let header = "<?xml version=\"1.0\"?>\n<gpx>\n"
  static let waypoints = "<wpt lat=\"1\" lon=\"1\"/>\n"
  static let route = "<rte><rtept lat=\"2\" lon=\"2\"/></rte>\n"
  static let track = "<trk><trkseg><trkpt lat=\"3\" lon=\"3\"/></trkseg></trk>\n"

  @Test(
    "tracks are played; without them routes, without these waypoints",
    arguments: [
      ([waypoints, route, track], "3.0/3.0"), ([track, route, waypoints], "3.0/3.0"), ([waypoints, route], "2.0/2.0"),
      ([route, waypoints], "2.0/2.0"), ([waypoints], "1.0/1.0"), (["<trk><trkseg/></trk>", waypoints], "1.0/1.0"),
    ] as [([String], String)])
  func kinds(inside: [String], place: String) throws {
    let file = try TemporaryFile(Self.header + inside.joined() + "</gpx>")
    let played = TemporaryFile.play(file.path)
    #expect(played.places == [place])
    #expect(played.error == nil)
  }

  @Test(
    "a file with nothing to play fails with a message (GX-03)",
    arguments: [
      "<trk><trkseg/><trkseg></trkseg></trk>", "", "<rte/><trk/>",
    ])
  func nothingToPlay(inside: String) throws {
    let file = try TemporaryFile(Self.header + inside + "</gpx>")
    let played = TemporaryFile.play(file.path)
    #expect(played.places.isEmpty)
    #expect(played.error?.reason == .nothingToPlay)
    #expect(played.error?.description.hasPrefix("\(file.path): nothing to play") == true)
  }

  @Test("a file whose points are all malformed names the first, its line and what is expected")
  func onlyMalformed() throws {
    let file = try TemporaryFile(
      Self.header + "<trk><trkseg>\n<trkpt lat=\"undefined\" lon=\"2\"/></trkseg></trk></gpx>")
    let error = TemporaryFile.play(file.path).error
    #expect(error?.reason == .nothingToPlay)
    #expect(error?.description.contains("found lat=\"undefined\" on line 4") == true)
  }

  @Test("a truncated file plays what came before the cut, then fails with file and line")
  func truncated() throws {
    let file = try TemporaryFile(Self.header + "<trk><trkseg><trkpt lat=\"3\" lon=\"3\"/>\n<trkpt lat=\"4\"")
    let played = TemporaryFile.play(file.path)
    #expect(played.places == ["3.0/3.0"])
    #expect(played.error?.reason == .cutShort)
    #expect(played.error?.description == "\(file.path):4: expected </gpx>, found the end of the file")
  }

  @Test("a truncated file without track plays its waypoints, then fails")
  func truncatedWaypoints() throws {
    let file = try TemporaryFile(Self.header + Self.waypoints + "<wpt lat=\"")
    let played = TemporaryFile.play(file.path)
    #expect(played.places == ["1.0/1.0"])
    #expect(played.error?.reason == .cutShort)
  }

  @Test("files that are none, or no GPX, are named with what is wrong")
  func unusable() throws {
    let file = try TemporaryFile("$GPRMC,101500,A\n")
    let folder = URL(fileURLWithPath: file.path).deletingLastPathComponent().path
    #expect(TemporaryFile.play(folder).error?.description == "\(folder): is a directory; expected a GPX file")
    let missing = folder + "/none.gpx"
    #expect(
      TemporaryFile.play(missing).error?.description == "\(missing): cannot be opened: No such file or directory")
    #expect(
      TemporaryFile.play(file.path).error?.description
        == "\(file.path):1: expected a GPX file, which begins with \"<\", found \"$GPRMC,101500,A\"")
    let empty = try TemporaryFile("")
    #expect(TemporaryFile.play(empty.path).error?.description == "\(empty.path): is empty; expected a GPX file")
    let kml = try TemporaryFile("<kml/>")
    #expect(TemporaryFile.play(kml.path).error?.description.hasSuffix("<gpx>, found <kml>") == true)
  }

  @Test("a named pipe plays like a file")
  func namedPipe() throws {
    let file = try TemporaryFile("")
    let path = file.path + ".fifo"
    #expect(mkfifo(path, 0o600) == 0)
    let text = Self.header + Self.track + "</gpx>"
    // Opening for writing waits for the reader, and the text fits into the pipe.
    Thread {
      guard let pipe = fopen(path, "w") else { return }
      fputs(text, pipe)
      fclose(pipe)
    }.start()
    let played = TemporaryFile.play(path)
    #expect(played.places == ["3.0/3.0"])
    #expect(played.error == nil)
  }

  @Test("a file that may not be read says so", .disabled(if: geteuid() == 0, "root may read every file"))
  func unreadable() throws {
    let file = try TemporaryFile(Self.header + "</gpx>")
    chmod(file.path, 0)
    #expect(TemporaryFile.play(file.path).error?.description == "\(file.path): cannot be opened: Permission denied")
  }

  @Test("once the reader has failed it fails the same way again")
  func failsAgain() throws {
    let file = try TemporaryFile(Self.header + "</gpx>")
    let reader = try TrackReader(path: file.path)
    func error() -> ReplayError? {
      do throws(ReplayError) {
        _ = try reader.next()
        return nil
      } catch {
        return error
      }
    }
    let first = error()
    #expect(first != nil)
    #expect(error() == first)
  }
}

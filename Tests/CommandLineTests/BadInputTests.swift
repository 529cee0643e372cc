import Foundation
import Glibc
import Testing

@Suite("What cannot be read or written is said, with file and line, and nothing hangs", .serialized)
struct BadInputTests {
  @Test("a truncated file plays what came before the cut, then fails")
  func truncated() throws {
    let folder = try TemporaryFolder()
    let whole = try String(contentsOfFile: Journey.path, encoding: .utf8)
    let points = whole.components(separatedBy: "<trkpt")
    let cut = points[0...100].joined(separator: "<trkpt") + "<trkpt lat=\"48.0"
    let track = try folder.write(cut, to: "cut.gpx")
    let run = try CommandRun("simulate", track, "--json")
    #expect(run.status == 1)
    #expect(try run.locations().count == 100)
    let summary = try #require(try run.events().last)
    #expect(summary.event == "summary" && summary.fixesIn == 100)
    let line = cut.components(separatedBy: "\n").count
    #expect(run.errors.contains("\(track):\(line): expected"), "\(run.errors)")
    let follow = try CommandRun("follow", "--source", "gpx:\(track)", "--speed", "max", "--json")
    #expect(follow.status == 1)
    #expect(try follow.locations().count == 100)
    #expect(follow.errors.contains("\(track):\(line): expected"))
  }

  @Test(
    "a file with nothing to play names itself and what was expected",
    arguments: [
      ("", "empty"), ("$GPGGA,123519,4807.038,N,01131.000,E*47\n", "expected"), ("<kml></kml>", "expected"),
      ("<gpx></gpx>", "nothing to play"),
      ("<gpx><trk><trkseg><trkpt lat=\"north\" lon=\"2\"/></trkseg></trk></gpx>", "north"),
    ])
  func nothingToPlay(text: String, reason: String) throws {
    let folder = try TemporaryFolder()
    let track = try folder.write(text, to: "track.gpx")
    for arguments in [
      ["simulate", track], ["follow", "--source", "gpx:\(track)"], ["locate", "--source", "gpx:\(track)"],
    ] {
      let run = try CommandRun(arguments: arguments)
      #expect(run.status == 1 && run.output.isEmpty)
      #expect(run.errors.contains(track) && run.errors.contains(reason), "\(run.errors)")
    }
  }

  @Test("malformed points are left out, counted and named once; the rest is played")
  func malformedPoints() throws {
    let folder = try TemporaryFolder()
    let track = try folder.write(
      """
      <gpx><trk><trkseg>
      <trkpt lat="1" lon="2"/>
      <trkpt lat="x" lon="2"/>
      <trkpt lat="1" lon="999"/>
      <trkpt lat="1.5" lon="2"/>
      </trkseg></trk></gpx>
      """, to: "track.gpx")
    let run = try CommandRun("simulate", track, "--json")
    #expect(run.status == 0)
    #expect(try run.locations().map(\.latitude) == [1, 1.5])
    #expect(run.errors.components(separatedBy: "\(track):3: 2 points").count == 2)
  }

  @Test("a missing file, a folder, NMEA and a bad policy are failures with a reason")
  func unreadable() throws {
    let folder = try TemporaryFolder()
    let policy = try folder.write("{\"era\": 7}", to: "policy.json")
    for (arguments, reason) in [
      (["simulate", folder.path + "/missing.gpx"], "No such file"), (["simulate", folder.path], "directory"),
      (["simulate", folder.path + "/log.NMEA"], "NMEA"),
      (["simulate", Journey.path, "--policy", policy], "era"),
      (["simulate", Journey.path, "--policy", folder.path + "/missing.json"], "missing.json"),
    ] {
      let run = try CommandRun(arguments: arguments)
      #expect(run.status == 1 && run.output.isEmpty)
      #expect(run.errors.contains(reason), "\(run.errors)")
    }
  }

  @Test("a reader that went away ends every command quietly")
  func brokenPipe() throws {
    for arguments in [
      ["simulate", Journey.path, "--json"], ["distance", "1,2", "3,4"], ["--help"],
      ["follow", "--source", "fixed:1,2"], ["follow", "--source", "gpx:\(Journey.path)", "--speed", "max"],
    ] {
      let run = try CommandRun(arguments: arguments, output: .brokenPipe)
      #expect(run.status == 0 && run.errors.isEmpty, "\(arguments): \(run.status) \(run.errors)")
    }
  }

  @Test("a pipe in which nothing comes does not hold locate beyond its time")
  func silentPipe() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/pipe"
    try #require(mkfifo(path, 0o600) == 0)
    // Open for both, so that neither side waits for the other to open it.
    let end = open(path, O_RDWR)
    defer { close(end) }
    let run = try CommandRun("locate", "--source", "gpx:\(path)", "--timeout", "0.01")
    #expect(run.status == 4 && run.output.isEmpty)
    #expect(run.errors.contains("no location"))
  }

  @Test("results that cannot be written are a failure, not a success without output")
  func unwritable() throws {
    for output in [CommandRun.Output.closed, .file("/dev/full")] {
      for arguments in [["simulate", Journey.path], ["locate", "--source", "fixed:1,2"]] {
        let run = try CommandRun(arguments: arguments, output: output)
        #expect(run.status == 1)
        #expect(run.errors.contains("standard output"))
        #expect(!run.errors.contains("Invalid argument"), "\(run.errors)")
      }
    }
  }

  @Test("a standard input that is closed is named, and no other file takes its place")
  func closedInput() throws {
    for arguments in [["simulate", "-"], ["locate", "--source", "gpx:-"]] {
      let run = try CommandRun(arguments: arguments, input: .closed)
      #expect(run.status == 1 && run.output.isEmpty)
      #expect(run.errors.contains("standard input: cannot be read"), "\(run.errors)")
    }
    #expect(try CommandRun("locate", "--source", "fixed:1,2", input: .closed).status == 0)
  }

  @Test("an unknown option after the name of a file that does not exist is named", arguments: ["gpx", "nmea"])
  func unknownPlaybackOption(scheme: String) throws {
    let folder = try TemporaryFolder()
    let source = "\(scheme):\(folder.path)/walk.log?speed=20&bogus=1"
    let run = try CommandRun("follow", "--source", source)
    #expect(run.status == 1 && run.errors.contains("\"bogus=1\""), "\(run.errors)")
    #expect(run.errors.contains("speed=") && run.errors.contains("gaps="))
    // A file that has such a name is a file.
    let named = try folder.write(
      "<gpx><trk><trkseg><trkpt lat='1' lon='2'/></trkseg></trk></gpx>", to: "walk.gpx?speed=20&bogus=1")
    #expect(try CommandRun("locate", "--source", "gpx:\(named)").status == 0)
  }

  @Test("an empty path is shown as one")
  func emptyPath() throws {
    let run = try CommandRun("simulate", "")
    #expect(run.status == 1 && run.errors.hasPrefix("corelocation: \"\": cannot be opened"), "\(run.errors)")
  }

  @Test("a device of zero bytes is no GPX file, and the message says what was found")
  func zeroBytes() throws {
    let run = try CommandRun("simulate", "/dev/zero")
    #expect(run.status == 1 && run.errors.contains("found a zero byte"), "\(run.errors)")
  }
}

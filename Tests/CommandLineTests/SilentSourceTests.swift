import Foundation
import Glibc
import Testing

/// A named pipe that is held open at its writing end, so that its reader waits once it has read what stands in it.
private final class HeldPipe {
  let path: String
  private let folder: TemporaryFolder
  private let end: Int32

  init(_ text: String = "") throws {
    folder = try TemporaryFolder()
    path = folder.path + "/pipe"
    try #require(mkfifo(path, 0o600) == 0)
    // Open for both, so that neither side waits for the other to open it.
    end = open(path, O_RDWR)
    try #require(end >= 0)
    try write(text)
  }

  /// Less than the 64 KiB that a pipe holds, so that writing never waits.
  func write(_ text: String) throws {
    let bytes = Array(text.utf8)
    try #require(Glibc.write(end, bytes, bytes.count) == bytes.count)
  }

  deinit { close(end) }
}

@Suite("A source that is silent holds no command beyond its time, and keeps no location back", .serialized)
struct SilentSourceTests {
  static let head = "<gpx><trk><trkseg>\n"
  static let timedPoint = "<trkpt lat=\"1.5\" lon=\"2\"><time>2026-05-04T08:00:00Z</time></trkpt>\n"
  static let coarsePoint =
    "<trkpt lat=\"1.5\" lon=\"2\"><time>2026-05-04T08:00:00Z</time><extensions><hAcc>40</hAcc></extensions></trkpt>\n"

  @Test(
    "follow ends after --duration though nothing came, from a pipe and from standard input", arguments: ["1", "max"])
  func silentFollow(speed: String) throws {
    let pipe = try HeldPipe()
    for source in ["gpx:\(pipe.path)", "gpx:-", "nmea:-"] where speed == "1" || source != "nmea:-" {
      let options = source == "nmea:-" ? [] : ["--speed", speed]
      let run = try CommandRun(
        arguments: ["follow", "--source", source, "--duration", "0.2", "--json"] + options, input: .file(pipe.path))
      #expect(run.status == 4, "\(source): \(run.status)")
      #expect(run.errors.contains("no location came in time"))
    }
  }

  @Test("what came before the silence is printed, and --duration ends the rest", arguments: ["1", "max"])
  func followThenSilence(speed: String) throws {
    let pipe = try HeldPipe(Self.head + Self.timedPoint)
    let run = try CommandRun(
      "follow", "--source", "gpx:\(pipe.path)", "--speed", speed, "--duration", "1.5", "--json")
    #expect(run.status == 0 && run.errors.isEmpty)
    #expect(try run.locations().map(\.latitude) == [1.5])
  }

  @Test("locate's own time-out rings while the source is silent, and is an event (behaviour 2.30)")
  func silentLocate() throws {
    let pipe = try HeldPipe()
    let run = try CommandRun("locate", "--source", "gpx:\(pipe.path)", "--timeout", "0.2", "--json")
    #expect(run.status == 4)
    #expect(run.errors.contains("no location came in time"))
    let event = try #require(try run.events().first)
    #expect(event.event == "didFailWithError" && event.code == 0 && event.name == "locationUnknown")
  }

  @Test("locate gives the best location before the silence (behaviour 2.31)")
  func locateThenSilence() throws {
    let pipe = try HeldPipe(Self.head + Self.coarsePoint)
    let run = try CommandRun("locate", "--source", "gpx:\(pipe.path)", "--timeout", "1.5", "--json")
    #expect(run.status == 0)
    #expect(try run.locations().map(\.latitude) == [1.5])
  }

  @Test(
    "simulate and follow hand over each location while the stream waits for its next point",
    arguments: [["simulate", "-", "--json"], ["follow", "--source", "gpx:-", "--speed", "max", "--json"]],
    [true, false])
  func handsOver(arguments: [String], isTimed: Bool) throws {
    let untimed = (0..<30).map { "<trkpt lat=\"1.\($0 + 10)\" lon=\"2\"/>\n" }.joined()
    let input = try HeldPipe(Self.head + (isTimed ? Self.timedPoint : untimed))
    let folder = try TemporaryFolder()
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let process = try Spawned(arguments, stateFolder: folder.path) { actions in
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input.path, O_RDONLY, 0)
      posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
      posix_spawn_file_actions_addclose(&actions, ends[0])
    }
    close(ends[1])
    let reader = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    let killer = DispatchWorkItem { kill(process.identifier, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + 20, execute: killer)
    defer { killer.cancel() }
    var output = ""
    let wanted = isTimed ? 1 : 30
    // The pipe stays open all the while: nothing but the program's own decision brings the locations out.
    while output.components(separatedBy: "didUpdateLocations").count - 1 < wanted {
      let piece = reader.availableData
      try #require(!piece.isEmpty, "it held the locations back: \(output)")
      output += String(decoding: piece, as: UTF8.self)
    }
    kill(process.identifier, SIGKILL)
    _ = process.waitForStatus()
  }
}

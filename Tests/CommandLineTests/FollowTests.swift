import Foundation
import Glibc
import Testing

@Suite("corelocation follow prints each location as it comes", .serialized)
struct FollowTests {
  @Test("a recording ends with its last fix and status 0, with its own times and no word of lost reception")
  func wholeRecording() throws {
    let run = try CommandRun("follow", "--source", "gpx:\(Journey.path)", "--speed", "max", "--json")
    #expect(run.status == 0 && run.errors.isEmpty)
    let events = try run.events()
    #expect(Set(events.map(\.event)) == ["didChangeAuthorization", "didUpdateLocations"])
    #expect(try run.locations().count == (try Journey().points.count))
    #expect(try run.locations().last?.timestamp == "2026-05-04T08:26:29.000Z")
  }

  @Test("on the machine's clock the same fixes come, and time never steps back")
  func live() throws {
    // 1589 s at 10,000 times the pace are a sixth of a second.
    let run = try CommandRun("follow", "--source", "gpx:\(Journey.path)", "--speed", "10000", "--json")
    #expect(run.status == 0 && run.errors.isEmpty)
    let virtual = try CommandRun("follow", "--source", "gpx:\(Journey.path)?speed=max", "--json")
    #expect(try run.locations() == (try virtual.locations()))
    let times = try run.events().compactMap(\.time)
    #expect(times == times.sorted())
  }

  @Test("the time of an event is that of its newest location, at any pace", arguments: ["max", "200", "10000"])
  func eventTimes(speed: String) throws {
    let run = try CommandRun("follow", "--source", "gpx:\(Journey.path)", "--speed", speed, "--json")
    let events = try run.events()
    #expect(events.first?.event == "didChangeAuthorization" && events.first?.time == "2026-05-04T08:00:00.000Z")
    let updates = events.filter { $0.event == "didUpdateLocations" }
    #expect(!updates.isEmpty)
    #expect(updates.map(\.time) == updates.map { $0.locations?.last?.timestamp })
  }

  @Test("--count and --duration end it early")
  func early() throws {
    let source = "gpx:\(Journey.path)?speed=max"
    let counted = try CommandRun("follow", "--count", "7", "--json", source: source)
    #expect(counted.status == 0)
    #expect(try counted.locations().count == 7)
    // A fix a second, the first at 0 s and the last at 60 s.
    let timed = try CommandRun("follow", "--duration", "60", "--json", source: source)
    #expect(timed.status == 0)
    #expect(try timed.locations().count == 61)
    let live = try CommandRun("follow", "--count", "2", "--speed", "1000", "--json", source: source)
    #expect(try live.locations().count == 2)
  }

  @Test("the distance filter holds here, too (behaviour 2.9)")
  func filter() throws {
    let run = try CommandRun(
      "follow", "--source", "gpx:\(Journey.path)", "--speed", "max", "--distance-filter", "500", "--json")
    #expect(try run.locations().count == (try Journey().countPassing(filterMeters: 500)))
  }

  @Test("gaps of more than a minute are shortened to a second and said so once", arguments: ["max", "1000"])
  func gaps(speed: String) throws {
    let folder = try TemporaryFolder()
    let track = try folder.write(
      """
      <gpx><trk><trkseg>
      <trkpt lat="1" lon="2"><time>2026-05-04T08:00:00Z</time></trkpt>
      <trkpt lat="1.1" lon="2"><time>2026-05-04T10:00:00Z</time></trkpt>
      <trkpt lat="1.2" lon="2"><time>2026-05-04T12:00:00Z</time></trkpt>
      <trkpt lat="1.3" lon="2"><time>2026-05-04T12:00:01Z</time></trkpt>
      </trkseg></trk></gpx>
      """, to: "gaps.gpx")
    let run = try CommandRun("follow", "--source", "gpx:\(track)", "--speed", speed, "--json")
    #expect(run.status == 0)
    #expect(try run.locations().count == 4)
    #expect(run.errors.contains("\(track):3: 2 gaps of more than 60 s shortened to 1 s"))
    let early = try CommandRun("follow", "--source", "gpx:\(track)", "--speed", speed, "--count", "3")
    #expect(early.errors.contains("\(track):3: 2 gaps"))
  }

  @Test("denied is status 3, after the events that say so", arguments: ["max", "1"])
  func denied(speed: String) throws {
    let run = try CommandRun(
      "follow", "--source", "gpx:\(Journey.path)", "--speed", speed, "--json", authorization: "denied")
    #expect(run.status == 3)
    #expect(try run.events().map(\.event) == ["didChangeAuthorization", "didFailWithError"])
    #expect(run.errors.contains("denied"))
  }

  @Test("where nobody decided and nobody can be asked it is status 3, and the variable is named")
  func undecided() throws {
    let run = try CommandRun("follow")
    #expect(run.status == 3)
    #expect(run.errors.contains("CORELOCATION_AUTHORIZATION"))
  }

  @Test("SIGINT ends it cleanly, with whole lines of what came before", arguments: [SIGINT, SIGTERM])
  func interrupted(signal number: Int32) throws {
    let folder = try TemporaryFolder()
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let process = try Spawned(["follow", "--source", "fixed:1,2", "--json"], stateFolder: folder.path) { actions in
      posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
      posix_spawn_file_actions_addclose(&actions, ends[0])
    }
    close(ends[1])
    let reader = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    var output = Data()
    while !String(decoding: output, as: UTF8.self).contains("didUpdateLocations") {
      let piece = reader.availableData
      try #require(!piece.isEmpty, "it ended before its first location")
      output += piece
    }
    kill(process.identifier, number)
    output += try reader.readToEnd() ?? Data()
    #expect(process.waitForStatus() == 0)
    #expect(output.last == UInt8(ascii: "\n"))
    for line in output.split(separator: UInt8(ascii: "\n")) {
      #expect(throws: Never.self) { try JSONDecoder().decode(OutputEvent.self, from: line) }
    }
  }
}

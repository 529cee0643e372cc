import Foundation
import Testing

@Suite("What is wrong with a recording is said once, whatever plays it how often", .serialized)
struct SaidOnceTests {
  /// Two of three points are on no Earth; the third and fourth are in time order, the fifth is not.
  private static let recording = """
    <gpx version="1.1"><trk><trkseg>
    <trkpt lat="47.5" lon="19.2"><time>2026-05-04T08:00:00Z</time></trkpt>
    <trkpt lat="95" lon="19.2"><time>2026-05-04T08:00:01Z</time></trkpt>
    <trkpt lat="47.5" lon="219.2"><time>2026-05-04T08:00:02Z</time></trkpt>
    <trkpt lat="47.5001" lon="19.2"><time>2026-05-04T08:00:03Z</time></trkpt>
    <trkpt lat="47.5002" lon="19.2"><time>2026-05-04T08:00:03Z</time></trkpt>
    </trkseg></trk></gpx>
    """

  private static let commands: [[String]] = [
    ["simulate", "TRACK"], ["simulate", "TRACK", "--report", "REPORT"],
    ["simulate", "TRACK", "--report", "REPORT", "--service", "none"],
    ["simulate", "TRACK", "--profile", "phone", "--service", "standard,significant,visits"],
    ["compare", "TRACK"], ["compare", "TRACK", "--json", "--region", "home:47.5,19.2,150"],
    ["follow", "--source", "gpx:TRACK", "--speed", "max"], ["follow", "--source", "gpx:TRACK", "--speed", "1000"],
    ["follow", "--source", "gpx:TRACK", "--speed", "1000", "--count", "3"],
    ["locate", "--source", "gpx:TRACK", "--accuracy", "3km"],
    ["record", "NEW", "--source", "gpx:TRACK", "--speed", "max"],
    ["heading", "--source", "gpx:TRACK"],
  ]

  private func run(_ arguments: [String], authorization: String? = nil) throws -> CommandRun {
    let folder = try TemporaryFolder()
    let track = try folder.write(Self.recording, to: "range.gpx")
    return try CommandRun(
      arguments: arguments.map {
        $0.replacing("TRACK", with: track).replacing("REPORT", with: folder.path + "/r.html")
          .replacing("NEW", with: folder.path + "/new.gpx")
      }, authorization: authorization)
  }

  @Test("a complaint about points comes once", arguments: commands)
  func complaints(arguments: [String]) throws {
    let lines = try run(arguments).errors.split(separator: "\n")
    #expect(lines.count == Set(lines).count, "\(arguments): \(lines)")
    #expect(lines.count { $0.contains("without a readable place") } == 1, "\(arguments): \(lines)")
  }

  @Test("that a permission withholds locations comes once", arguments: commands.dropLast())
  func permissions(arguments: [String]) throws {
    for authorization in ["denied", "notDetermined", "restricted"] {
      let lines = try run(arguments, authorization: authorization).errors.split(separator: "\n")
      #expect(lines.count == Set(lines).count, "\(arguments): \(lines)")
      #expect(lines.count { $0.contains("CORELOCATION_AUTHORIZATION") } <= 1, "\(arguments): \(lines)")
    }
  }
}

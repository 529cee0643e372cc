import Foundation
import FoundationXML
import Glibc
import Testing

@Suite("corelocation record writes a session that plays again", .serialized)
struct RecordTests {
  @Test("what is recorded of a recording plays as the same locations, digit by digit")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    let file = folder.path + "/again.gpx"
    let run = try CommandRun("record", file, "--source", "gpx:\(Journey.path)", "--speed", "max", "--json")
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    let again = try CommandRun("follow", "--source", "gpx:\(file)", "--speed", "max", "--json")
    #expect(try again.locations() == run.locations())
    #expect(try again.locations().count == (try Journey().points.count))
    #expect(XMLParser(data: try Data(contentsOf: URL(fileURLWithPath: file))).parse())
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test("the file holds what was told: a distance filter thins it, a count ends it")
  func thinned() throws {
    let folder = try TemporaryFolder()
    let file = folder.path + "/thin.gpx"
    let run = try CommandRun(
      "record", file, "--source", "gpx:\(Journey.path)", "--speed", "max", "--distance-filter", "500", "--count", "4")
    #expect(run.status == 0)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.components(separatedBy: "<trkpt").count == 5)
  }

  @Test("a session that is killed in the middle leaves a whole file")
  func killed() throws {
    let folder = try TemporaryFolder()
    let file = folder.path + "/killed.gpx"
    let process = try Spawned(
      ["record", file, "--source", "gpx:\(Journey.path)", "--speed", "50"], stateFolder: folder.path
    ) { actions in
      posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    }
    let deadline = Date(timeIntervalSinceNow: 50)
    func points() -> Int {
      ((try? String(contentsOfFile: file, encoding: .utf8)) ?? "").components(separatedBy: "<trkpt").count - 1
    }
    while points() < 20, Date() < deadline { usleep(10_000) }
    kill(process.identifier, SIGKILL)
    #expect(process.waitForStatus() == -SIGKILL)
    #expect((20..<1_590).contains(points()))
    #expect(XMLParser(data: try Data(contentsOf: URL(fileURLWithPath: file))).parse())
  }

  @Test("a file that is there is not touched, and one that cannot be made is named")
  func refused() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("mine", to: "there.gpx")
    let run = try CommandRun("record", file, "--source", "gpx:\(Journey.path)", "--speed", "max")
    #expect(run.status == 1 && run.output.isEmpty && run.errors.contains("not there yet"), "\(run.errors)")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
    let nowhere = try CommandRun("record", "/nowhere/x.gpx", "--source", "gpx:\(Journey.path)")
    #expect(nowhere.status == 1 && nowhere.errors.contains("/nowhere/x.gpx"))
    #expect(try CommandRun("record", "-").status == 2)
  }

  @Test("without a location no file is left")
  func nothing() throws {
    let folder = try TemporaryFolder()
    let file = folder.path + "/none.gpx"
    let run = try CommandRun(
      "record", file, "--source", "gpx:\(Journey.path)", "--speed", "max", authorization: "denied")
    #expect(run.status == 3)
    #expect(!FileManager.default.fileExists(atPath: file))
  }
}

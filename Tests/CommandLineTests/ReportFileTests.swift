import Foundation
import Glibc
import Testing

@Suite(
  "A report takes no file's place but that of an earlier report, and is refused before anything plays", .serialized)
struct ReportFileTests {
  private static let region = """
    {"type": "Feature", "id": "home", "properties": {"radius": 150},
     "geometry": {"type": "Point", "coordinates": [19.2, 47.5]}}
    """
  private static let beacon = """
    {"type": "Feature", "properties": {"uuid": "74278BDA-B644-4520-8F0C-720EAF059935", "major": 1, "minor": 2, \
    "power": -59}, "geometry": {"type": "Point", "coordinates": [19.2, 47.5]}}
    """

  private func simulate(_ track: String, report: String, _ options: [String] = []) throws -> CommandRun {
    try CommandRun(arguments: ["simulate", track, "--report", report] + options)
  }

  @Test("what the same command reads is no place for its report, by whatever name")
  func inputs() throws {
    let folder = try TemporaryFolder()
    let track = folder.path + "/own.gpx"
    try FileManager.default.copyItem(atPath: Journey.path, toPath: track)
    let profile = #"{"boat": {"receivers": ["satellite"]}}"#
    for (option, text) in [
      ("TRACK", ""), ("--regions", Self.region), ("--beacons", Self.beacon), ("--policy", "{}"), ("--profile", profile),
    ] {
      let path = option == "TRACK" ? track : try folder.write(text, to: "input.json")
      let options = option == "TRACK" ? [] : [option, path]
      let before = try String(contentsOfFile: path, encoding: .utf8)
      let linked = folder.path + "/linked"
      try #require(link(path, linked) == 0)
      for report in [path, folder.path + "/./" + (path as NSString).lastPathComponent, linked] {
        let run = try simulate(track, report: report, options)
        #expect(run.status == 2 && run.output.isEmpty, "\(option) \(report)")
        #expect(run.errors.contains(report) && run.errors.contains(option), "\(run.errors)")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == before, "\(option) \(report)")
        #expect(try String(contentsOfFile: report, encoding: .utf8) == before, "\(option) \(report)")
      }
      unlink(linked)
    }
  }

  @Test("a pipe, a socket, a link and a folder stay what they are")
  func notRegular() throws {
    let folder = try TemporaryFolder()
    let target = try folder.write("mine", to: "target")
    let names = ["pipe", "link", "dangling", "folder"].map { folder.path + "/" + $0 }
    try #require(mkfifo(names[0], 0o600) == 0 && symlink(target, names[1]) == 0)
    try #require(symlink(folder.path + "/nothing", names[2]) == 0 && mkdir(names[3], 0o700) == 0)
    func kind(_ path: String) -> mode_t {
      var status = stat()
      return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : 0
    }
    let kinds = names.map(kind)
    #expect(kinds == [S_IFIFO, S_IFLNK, S_IFLNK, S_IFDIR])
    for name in names + [folder.path + "/folder/"] {
      let run = try simulate(Journey.path, report: name)
      #expect(run.status == 1 && run.output.isEmpty && run.errors.contains(name), "\(name): \(run.errors)")
      #expect(run.errors.contains("expected"), "\(name): \(run.errors)")
    }
    #expect(names.map(kind) == kinds)
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "mine")
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/nothing"))
  }

  @Test("somebody's file is kept; an empty one and an earlier report are replaced, for the owner's eyes")
  func earlierFiles() throws {
    let folder = try TemporaryFolder()
    for text in ["mine", "<!DOCTYPE html>\n<html><head><title>mine</title></head></html>"] {
      let mine = try folder.write(text, to: "mine.html")
      let run = try simulate(Journey.path, report: mine)
      #expect(run.status == 1 && run.output.isEmpty && run.errors.contains(mine), "\(run.errors)")
      #expect(try String(contentsOfFile: mine, encoding: .utf8) == text)
    }
    unlink(folder.path + "/mine.html")
    let report = try folder.write("", to: "report.html")
    #expect(try simulate(Journey.path, report: report).status == 0)
    let first = try String(contentsOfFile: report, encoding: .utf8)
    #expect(first.hasPrefix("<!DOCTYPE html>"))
    #expect(try simulate(Journey.path, report: report, ["--service", "none"]).status == 0)
    #expect(try String(contentsOfFile: report, encoding: .utf8) != first)
    let attributes = try FileManager.default.attributesOfItem(atPath: report)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["report.html"])
  }

  @Test("where nothing can be written is said before anything plays, with the person's own path")
  func unwritable() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("mine", to: "file")
    let long = folder.path + "/" + String(repeating: "n", count: 300) + ".html"
    for path in ["/nowhere/x.html", file + "/x.html", folder.path + "/new/", long] {
      let run = try simulate(Journey.path, report: path)
      #expect(run.status == 1 && run.output.isEmpty, "\(path)")
      #expect(run.errors.contains("\(path) cannot be written") && !run.errors.contains(".new"), "\(run.errors)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
  }

  @Test("- is refused with words, since standard output holds the results; so is the file that they go to")
  func standardOutput() throws {
    let folder = try TemporaryFolder()
    let run = try simulate(Journey.path, report: "-")
    #expect(run.status == 2 && run.output.isEmpty && run.errors.contains("standard output"), "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: "-"))
    let results = try folder.write("", to: "results")
    let same = try CommandRun("simulate", Journey.path, "--report", results, output: .file(results))
    #expect(same.status == 2 && same.errors.contains("standard output"), "\(same.errors)")
    #expect(try String(contentsOfFile: results, encoding: .utf8).isEmpty)
  }
}

import Foundation
import Testing

@Suite("corelocation simulate --report writes a page that needs nothing else", .serialized)
struct ReportTests {
  private func report(
    _ track: String, _ options: [String] = [], in folder: TemporaryFolder
  ) throws -> (text: String, page: ReportPage, run: CommandRun) {
    let file = folder.path + "/report.html"
    let run = try CommandRun(arguments: ["simulate", track, "--report", file] + options)
    try #require(run.status == 0, "\(run.errors)")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    return (text, ReportPage(text), run)
  }

  @Test("the page is well-formed and has map, scale, north, times, energy and the table of settings")
  func content() throws {
    let folder = try TemporaryFolder()
    let middle = try Journey().points[500].coordinate
    let (text, page, _) = try report(
      Journey.path, ["--region", "the shop:\(middle.latitude),\(middle.longitude),150"], in: folder)
    #expect(page.problem == nil, "\(String(describing: page.problem))")
    #expect(text.hasPrefix("<!DOCTYPE html>\n"))
    for (name, kind) in [
      ("svg", "map"), ("path", "way"), ("path", "told"), ("circle", "region"), ("div", "north"), ("div", "scale"),
      ("svg", "bars"),
    ] {
      #expect(page.count(name, kind) == 1, "\(name) \(kind)")
    }
    // The whole way is drawn: it ends where the mark of the end stands.
    func data(_ kind: String) throws -> String {
      try #require(page.elements.first { $0.attributes["class"] == kind }?.attributes["d"])
    }
    let end = try #require(try data("end").split(separator: "M").last).dropLast(2)
    #expect(try data("way").hasSuffix("L\(end)") && data("told").count(where: { $0 == "M" }) > 100)
    // The receiver, the locations, one region.
    #expect(page.count("svg", "lane") == 3)
    #expect(page.count("rect", "receiver") >= 2 && page.count("rect", "region") >= 1)
    for words in [
      "walk-drive-stop.gpx", "entered the shop", "left the shop", "standard, 3km", "significant", "regions",
    ] {
      #expect(page.words.contains(words), "\(words)")
    }
    #expect(text.contains("prefers-color-scheme: dark") && text.contains("width=device-width"))
  }

  @Test("the page's figures are those of the summary")
  func figures() throws {
    let folder = try TemporaryFolder()
    let (_, page, run) = try report(Journey.path, ["--json", "--distance-filter", "200"], in: folder)
    let summary = try #require(try run.events().last)
    #expect(page.words.contains("locations told\(try #require(summary.locationsDelivered))of "))
    let total = String(format: "%.1f J", (try #require(summary.energyJoules)).total)
    #expect(page.words.contains(total))
  }

  @Test("of a phone it shows every receiver, in the times, in the energy and in words")
  func receivers() throws {
    let folder = try TemporaryFolder()
    let (_, page, run) = try report(Journey.path, ["--profile", "phone", "--accuracy", "1km", "--json"], in: folder)
    #expect(page.problem == nil, "\(String(describing: page.problem))")
    // Four receivers and the locations.
    #expect(page.count("svg", "lane") == 5)
    let joules = try #require(try run.events().last?.energyJoules)
    #expect(joules.wifi > 0 && joules.motion > 0)
    for (kind, name, joules) in [
      ("receiver", "GNSS", joules.gnss), ("wifi", "Wi-Fi", joules.wifi), ("cell", "cell", joules.cell),
      ("motion", "motion sensor", joules.motion),
    ] {
      #expect((page.count("rect", kind) > 0) == (joules > 0), "\(kind)")
      #expect(page.count("span", "key \(kind)") == 1)
      #expect(page.words.contains(String(format: "\(name) %.1f J", joules)), "\(name)")
    }
    #expect(page.words.contains("Profile of the device: phone.") && page.words.contains("device: phone"))
    #expect(page.words.contains("the receivers of profile phone"))
    // The bars of one step stand upon each other, the highest from bottom to top.
    let heights = page.elements.filter { $0.name == "rect" && $0.attributes["y"] != "0" }.reduce(
      into: [String: Double]()
    ) {
      $0[$1.attributes["x"] ?? "", default: 0] += Double(($1.attributes["height"] ?? "").dropLast()) ?? 0
    }
    #expect(abs((heights.values.max() ?? 0) - 100) < 0.01)
  }

  @Test("nothing on it comes from elsewhere, and nothing runs")
  func selfContained() throws {
    let folder = try TemporaryFolder()
    let (text, page, _) = try report(Journey.path, in: folder)
    let withoutNamespace = text.replacingOccurrences(of: "http://www.w3.org/1999/xhtml", with: "")
    for outside in ["http", "//", "url(", "@import", "src=", "href=", "<script", "<link", "<iframe"] {
      #expect(!withoutNamespace.contains(outside), "\(outside)")
    }
    #expect(!page.elements.contains { $0.attributes.keys.contains { $0.hasPrefix("on") } })
  }

  @Test("hostile names are words on it, and nothing else")
  func hostile() throws {
    let folder = try TemporaryFolder()
    let track = folder.path + "/<img src=x onerror=alert(1)>&\"'.gpx"
    try FileManager.default.copyItem(atPath: Journey.path, toPath: track)
    let middle = try Journey().points[500].coordinate
    let name = "\"><script>alert('x')</script>&amp;\u{202E}]]>"
    let (text, page, _) = try report(
      track, ["--region", "\(name):\(middle.latitude),\(middle.longitude),150"], in: folder)
    #expect(page.problem == nil, "\(String(describing: page.problem))")
    #expect(page.count("script") == 0 && page.count("img") == 0)
    #expect(!text.contains("<script") && !text.contains("<img") && !text.contains("\u{202E}"))
    #expect(page.words.contains("\"><script>alert('x')</script>&amp;]]>"))
    #expect(page.words.contains("<img src=x onerror=alert(1)>&\"'.gpx"))
  }

  @Test("a journey that does not move, one fix, one across the date line and one at a pole are drawn")
  func strangeJourneys() throws {
    let folder = try TemporaryFolder()
    for (name, places) in [
      ("still", [(47.5, 19.2), (47.5, 19.2)]), ("one", [(47.5, 19.2)]),
      ("date line", [(-17.0, 179.9), (-17.0, -179.9)]),
      ("pole", [(90.0, 0.0), (89.999, 120.0)]),
    ] {
      let points = places.enumerated().map { index, place in
        "<trkpt lat=\"\(place.0)\" lon=\"\(place.1)\"><time>2026-05-04T08:0\(index):00Z</time></trkpt>"
      }
      let track = try folder.write(
        "<gpx version=\"1.1\"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>", to: "\(name).gpx")
      let (text, page, _) = try report(track, in: folder)
      #expect(page.problem == nil && !text.contains("nan") && !text.contains("inf"), "\(name)")
      // 22 km at 17 degrees south, not the way around the world.
      if name == "date line" { #expect(page.words.contains("21 km")) }
    }
  }

  @Test("a stream and a file that cannot be written are refused with what is wrong")
  func refused() throws {
    let stream = try CommandRun("simulate", "-", "--report", "x.html", input: .file(Journey.path))
    #expect(stream.status == 2 && stream.errors.contains("plain file"))
    let closed = try CommandRun("simulate", Journey.path, "--report", "/nowhere/x.html")
    #expect(closed.status == 1 && closed.errors.contains("/nowhere/x.html"))
  }
}

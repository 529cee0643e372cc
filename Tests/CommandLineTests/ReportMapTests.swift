import Foundation
import LocationModel
import Testing

@Suite("The map of a report is true to the ground, near the poles, too", .serialized)
struct ReportMapTests {
  private typealias Place = (latitude: Double, longitude: Double)

  struct Journey: Sendable, CustomStringConvertible {
    var description: String
    var places: [[Double]]

    init(_ description: String, _ places: [[Double]]) {
      self.description = description
      self.places = places
    }
  }

  static let journeys: [Journey] = [
    Journey("at 47 degrees", [[47.5, 19.2], [47.6, 19.2], [47.6, 19.3]]),
    Journey("at 79 degrees", [[78.9, 11.9], [79.0, 11.9], [79.0, 12.4]]),
    Journey("at 84 degrees", [[84.0, 30.0], [84.1, 30.0], [84.0, 31.0], [83.9, 30.0]]),
    Journey("near the north pole", [[89.5, 0.0], [89.6, 40.0], [89.4, 10.0]]),
    Journey("across the north pole", [[89.9, 10.0], [89.95, 10.0], [90.0, 0.0], [89.95, -170.0], [89.9, -170.0]]),
    Journey("around the north pole", [[89.9, 0.0], [89.9, 90.0], [89.9, 180.0], [89.9, -90.0]]),
    Journey("from 82 degrees over the south pole", [[-82.0, 0.0], [-88.0, 0.0], [-90.0, 0.0], [-82.0, 180.0]]),
    Journey("across the date line at 88 degrees", [[-88.0, 179.0], [-88.0, -179.0], [-88.1, 180.0]]),
  ]

  private func page(
    _ places: [Place], _ options: [String] = [], in folder: TemporaryFolder
  ) throws -> (text: String, page: ReportPage) {
    let file = folder.path + "/report.html"
    let path = try track(through: places, in: folder)
    let run = try CommandRun(arguments: ["simulate", path, "--report", file, "--service", "none"] + options)
    try #require(run.status == 0, "\(run.errors)")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    return (text, ReportPage(text))
  }

  @Test(
    "any two places of a journey are as far from each other as its scale says",
    arguments: journeys)
  func distances(journey: Journey) throws {
    let folder = try TemporaryFolder()
    let name = journey.description
    let places: [Place] = journey.places.map { ($0[0], $0[1]) }
    let (text, page) = try page(places, in: folder)
    #expect(page.problem == nil && !text.contains("nan") && !text.contains("inf"))
    let points = try page.points("way")
    try #require(points.count == places.count, "\(points)")
    let metersPerUnit = try page.metersPerUnit(text)
    for first in places.indices {
      for second in places.indices.dropFirst(first + 1) {
        let meters = Geodesic.distanceMeters(
          from: Coordinate(latitude: places[first].latitude, longitude: places[first].longitude),
          to: Coordinate(latitude: places[second].latitude, longitude: places[second].longitude))
        let east = points[second].x - points[first].x, south = points[second].y - points[first].y
        let drawn = (east * east + south * south).squareRoot() * metersPerUnit
        #expect(abs(drawn / meters - 1) < 0.02, "\(name): \(first) to \(second) is \(meters) m, drawn \(drawn) m")
      }
    }
    // None is cut off.
    let height = try #require(text.firstMatch(of: /viewBox="0 0 1000 ([0-9]+)"/).flatMap { Double($0.1) })
    #expect(points.allSatisfy { (0...1_000).contains($0.x) && (0...height).contains($0.y) }, "\(name)")
  }

  @Test("where every direction is another one's north, the pole is marked and no arrow points up")
  func north() throws {
    let folder = try TemporaryFolder()
    let across = try page([(89.9, 10), (89.9, -170)], in: folder)
    #expect(across.page.count("div", "north") == 0 && across.page.words.contains("North Pole"))
    #expect(!across.text.contains("north up") && !across.page.words.contains("start and end"))
    let south = try page([(-89.9, 10), (-89.9, -170)], in: folder)
    #expect(south.page.count("div", "north") == 0 && south.page.words.contains("South Pole"))
    let beside = try page([(85.0, 10), (85.01, 10)], in: folder)
    #expect(beside.page.count("div", "north") == 1 && !beside.page.words.contains("Pole"))
    // North is up in the middle.
    let points = try beside.page.points("way")
    #expect(points[1].y < points[0].y && abs(points[1].x - points[0].x) < 1)
  }

  @Test("a pause in a region does not hide its edge on a small map: the edge is drawn upon it")
  func edgeOverPause() throws {
    let folder = try TemporaryFolder()
    // Ten minutes of rest, after which updates pause.
    let track = try DrawnTrack(in: folder, seconds: 900, meters: { Double(min(5, $0)) * 40 })
    let report = folder.path + "/report.html"
    #expect(
      try CommandRun("simulate", track.path, "--region", "home:47.5018,19.2,100", "--report", report).status == 0)
    let shapes = ReportPage(try String(contentsOfFile: report, encoding: .utf8)).elements
      .compactMap { $0.attributes["class"] }
    let pause = try #require(shapes.firstIndex(of: "pause")), edge = try #require(shapes.firstIndex(of: "region"))
    #expect(pause < edge)
  }

  @Test(
    "a region is as large as the ground beside it, wherever on a long journey it lies",
    arguments: [0, 60, 70, 84, 89.9])
  func circles(latitude: Double) throws {
    let folder = try TemporaryFolder()
    let center = Coordinate(latitude: latitude, longitude: 20)
    let beside = Geodesic.destination(from: center, azimuthDegrees: 90, distanceMeters: 50_000)
    let (_, page) = try page(
      [(latitude, 20), (beside.latitude, beside.longitude), (30, 20), (-10, 20)],
      ["--region", "home:\(latitude),20,100000"], in: folder)
    let circle = try #require(page.all("circle", "region").first)
    let radius = try #require(circle["r"].flatMap { Double($0) })
    let points = try page.points("way")
    let east = points[1].x - points[0].x, south = points[1].y - points[0].y
    #expect(abs((east * east + south * south).squareRoot() / radius - 0.5) < 0.04, "\(radius)")
  }
}

import Foundation
import LocationModel
import Testing

/// The committed journey, read without the project's own parser.
struct Journey {
  struct Point {
    var coordinate: Coordinate
    var horizontalAccuracyMeters: Double
    var date: Date
  }

  static let path = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Examples/Journeys/walk-drive-stop.gpx").path

  var points: [Point]

  init() throws {
    let text = try String(contentsOfFile: Self.path, encoding: .utf8)
    let pattern = /lat="([-0-9.]+)" lon="([-0-9.]+)">.*?<time>([^<]+)<\/time>.*?<hAcc>([0-9.]+)<\/hAcc>/
    let formatter = ISO8601DateFormatter()
    points = try text.matches(of: pattern).map { match in
      let latitude = try #require(Double(match.1))
      let longitude = try #require(Double(match.2))
      return Point(
        coordinate: Coordinate(latitude: latitude, longitude: longitude),
        horizontalAccuracyMeters: try #require(Double(match.4)),
        date: try #require(formatter.date(from: String(match.3))))
    }
  }

  /// How many points a distance filter lets through: the first, then each that is so far from the last one let through
  /// (behaviour 2.9). Needs accuracies that never halve, since a clearly better fix would pass, too (2.3).
  func countPassing(filterMeters: Double) throws -> Int {
    let accuracies = points.map(\.horizontalAccuracyMeters)
    try #require(try #require(accuracies.min()) > #require(accuracies.max()) / 2)
    var count = 0
    var last: Coordinate?
    for point in points {
      if let last, Geodesic.distanceMeters(from: last, to: point.coordinate) < filterMeters { continue }
      last = point.coordinate
      count += 1
    }
    return count
  }

  var seconds: Double {
    guard let first = points.first, let last = points.last else { return 0 }
    return last.date.timeIntervalSince(first.date)
  }
}

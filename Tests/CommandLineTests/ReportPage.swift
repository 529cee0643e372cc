import Foundation
import FoundationXML
import Testing

/// What stands in a report's page, read by a parser that forgives nothing.
final class ReportPage: NSObject, XMLParserDelegate {
  private(set) var elements: [(name: String, attributes: [String: String])] = []
  private(set) var words = ""
  private(set) var problem: (any Error)?

  init(_ text: String) {
    super.init()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = self
    if !parser.parse() { problem = parser.parserError ?? CocoaError(.fileReadCorruptFile) }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String] = [:]
  ) {
    elements.append((name, attributes))
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) { words += string }

  func count(_ name: String, _ kind: String? = nil) -> Int { all(name, kind).count }

  func all(_ name: String, _ kind: String? = nil) -> [[String: String]] {
    elements.filter { $0.name == name && (kind == nil || $0.attributes["class"] == kind) }.map(\.attributes)
  }

  /// The points of a drawn line, in units of the map, which is 1000 of them wide.
  func points(_ kind: String) throws -> [(x: Double, y: Double)] {
    let data = try #require(all("path", kind).first?["d"])
    return try data.split(whereSeparator: { "MLh".contains($0) }).filter { $0.contains(" ") }.map { pair in
      let numbers = pair.split(separator: " ").compactMap { Double($0) }
      try #require(numbers.count == 2, "\(pair)")
      return (numbers[0], numbers[1])
    }
  }

  /// By the scale: its bar is so wide and says how long that is.
  func metersPerUnit(_ text: String) throws -> Double {
    let scale = try #require(text.firstMatch(of: /class="scale" style="width: ([0-9.]+)%">([0-9.]+) (k?)m</))
    let percent = try #require(Double(scale.1)), length = try #require(Double(scale.2))
    return length * (scale.3.isEmpty ? 1 : 1_000) / (percent * 10)
  }
}

/// A recording through some places, a point every few seconds.
func track(
  through places: [(latitude: Double, longitude: Double)], every seconds: Int = 600, in folder: TemporaryFolder,
  named name: String = "track.gpx"
) throws -> String {
  let formatter = ISO8601DateFormatter()
  let points = places.enumerated().map { index, place in
    let time = formatter.string(from: Date(timeIntervalSince1970: 1_777_881_600 + Double(index * seconds)))
    return "<trkpt lat=\"\(place.latitude)\" lon=\"\(place.longitude)\"><time>\(time)</time></trkpt>"
  }
  return try folder.write("<gpx version=\"1.1\"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>", to: name)
}

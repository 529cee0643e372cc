import Foundation
import Testing

import LocationModel

@Suite("The example of docs/geofence-index.md")
struct GeofenceExampleTests {
  @Test("compiles and enters and leaves what it says")
  func runs() throws {
    var told: [String] = []
    // The example, word for word:
    var index = try GeofenceIndex([
      Geofence(identifier: "depot", latitude: 47.4979, longitude: 19.0402, radiusMeters: 250),
      Geofence(identifier: "district", latitude: 47.5, longitude: 19.05, radiusMeters: 3_000),
    ])
    try index.insert(Geofence(identifier: "bridge", latitude: 47.4989, longitude: 19.0437, radiusMeters: 150))

    var inside: [String] = []
    for (latitude, longitude) in [(47.4979, 19.0402), (47.4988, 19.0432), (47.6, 19.2)] {
      let changes = try index.move(&inside, to: GeofencePoint(latitude: latitude, longitude: longitude))
      told.append("entered \(changes.entered.sorted()), left \(changes.left.sorted())")
    }
    // The end of the example.
    #expect(
      told == [
        #"entered ["depot", "district"], left []"#,
        #"entered ["bridge"], left []"#,
        #"entered [], left ["bridge", "depot", "district"]"#,
      ])
  }

  @Test("is the code of this test")
  func sameLines() throws {
    let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..").standardized
    let text = try String(contentsOf: root.appendingPathComponent("docs/geofence-index.md"), encoding: .utf8)
    let block = try #require(text.components(separatedBy: "```swift\n").dropFirst().first)
    let lines = try #require(block.components(separatedBy: "```").first).split(separator: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces).replacingOccurrences(of: "print(", with: "told.append(") }
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    #expect(lines.count >= 10)
    for line in lines where line != "import LocationModel" {
      #expect(source.contains(line), "docs/geofence-index.md: \(line)")
    }
  }
}

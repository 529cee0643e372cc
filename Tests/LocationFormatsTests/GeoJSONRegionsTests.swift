import LocationFormats
import LocationModel
import Testing

@Suite("Regions from GeoJSON")
struct GeoJSONRegionsTests {
  private static func feature(
    id: String = "\"id\":\"home\",", properties: String = "\"radius\":150",
    geometry: String = "{\"type\":\"Point\",\"coordinates\":[19.2,47.5]}"
  ) -> String {
    "{\"type\":\"Feature\",\(id)\"properties\":{\(properties)},\"geometry\":\(geometry)}"
  }

  private static func collection(_ features: String...) -> String {
    "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}"
  }

  private func read(_ text: String) throws -> [Region] {
    try GeoJSONRegions.read(Array(text.utf8))
  }

  private static let home = Region(
    identifier: "home", shape: .circle(center: Coordinate(latitude: 47.5, longitude: 19.2), radiusMeters: 150))

  @Test("A Point with an id and a radius is a circle; longitude comes first (RFC 7946, 3.1.1)")
  func circle() throws {
    #expect(try read(Self.collection(Self.feature())) == [Self.home])
    #expect(try read("\u{FEFF} " + Self.feature()) == [Self.home], "a single feature, a byte order mark")
    #expect(try read(Self.collection()) == [])
  }

  @Test("Members in any order, a height, foreign members, ids that are numbers or stand among the properties")
  func liberties() throws {
    let turned = """
      {"features":[{"geometry":{"coordinates":[19.2,47.5,110.5],"bbox":[1,2,3,4],"type":"Point"},
        "properties":{"note":{"deep":[1,[2]]},"id":7,"notifyOnExit":false,"radius":1.5e2},"type":"Feature"}],
       "crs":null,"type":"FeatureCollection"}
      """
    var expected = Self.home
    expected.identifier = "7"
    expected.notifiesOnExit = false
    #expect(try read(turned) == [expected])
    #expect(try read(Self.collection(Self.feature(id: "\"id\":-1.5,")))[0].identifier == "-1.5")
  }

  @Test(
    "What cannot be used names the feature and what was expected",
    arguments: [
      ("", nil, "FeatureCollection"), ("[]", nil, "FeatureCollection"),
      ("{\"type\":\"Topology\"}", nil, "\"Topology\""),
      ("{\"type\":\"FeatureCollection\",\"features\":[\(feature()),", nil, "after its feature 1"),
      (collection(feature()) + "x", nil, "after its feature 1"),
      (collection(feature(), feature()), 2, "that of feature 1"),
      (collection(feature(), feature(id: "")), 2, "an \"id\""),
      (collection(feature(id: "\"id\":\"\",")), 1, "an \"id\""),
      (collection(feature(properties: "")), 1, "\"radius\" in metres, above 0, found none"),
      ("{\"type\":\"FeatureCollection\"}", nil, "\"features\", found no such list"),
      ("{\"type\":\"FeatureCollection\",\"features\":null}", nil, "\"features\", found no such list"),
      ("{\"type\":\"FeatureCollection\",\"features\":{}}", nil, "\"features\", found no such list"),
      (collection(feature(properties: "\"radius\":\"150\"")), 1, "found text in quotes"),
      (collection(feature(properties: "\"radius\":[1]")), 1, "found no number"),
      (collection(feature(properties: "\"radius\":0")), 1, "found 0.0"),
      (collection(feature(properties: "\"radius\":-3")), 1, "found -3.0"),
      (collection(feature(geometry: "null")), 1, "\"Point\", found none"),
      (
        collection(feature(geometry: "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[1,0],[1,1],[0,0]]]}")), 1,
        "a Polygon cannot be monitored: regions are circles"
      ),
      (collection(feature(geometry: "{\"type\":\"Point\",\"coordinates\":[47.5]}")), 1, "found 1 values"),
      (
        collection(feature(geometry: "{\"type\":\"Point\",\"coordinates\":[\"19.2\",\"47.5\"]}")), 1,
        "as numbers, found text in quotes"
      ),
      (collection(feature(geometry: "{\"type\":\"Point\",\"coordinates\":[19.2,null]}")), 1, "found no number"),
      (collection(feature(geometry: "{\"type\":\"Point\",\"coordinates\":\"19.2,47.5\"}")), 1, "found no list"),
      (collection(feature(geometry: "{\"type\":\"Point\"}")), 1, "found no list"),
      (collection(feature(geometry: "{\"type\":\"Point\",\"coordinates\":[19.2,97.5]}")), 1, "found [19.2, 97.5]"),
      (collection("7"), 1, "expected type \"Feature\""),
    ] as [(String, Int?, String)])
  func refused(text: String, feature: Int?, words: String) {
    let error = #expect(throws: GeoJSONError.self) { try GeoJSONRegions.read(Array(text.utf8)) }
    #expect(error?.feature == feature, "\(error?.description ?? "")")
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  @Test("Nesting without end and bytes that are no text are refused, not followed")
  func hostile() {
    let deep = Self.collection(Self.feature(properties: "\"a\":" + String(repeating: "[", count: 100_000)))
    #expect(throws: GeoJSONError.self) { try GeoJSONRegions.read(Array(deep.utf8)) }
    #expect(throws: GeoJSONError.self) { try GeoJSONRegions.read([0, 1, 2, 0xFF]) }
    #expect(throws: GeoJSONError.self) { try GeoJSONRegions.read([]) }
  }
}

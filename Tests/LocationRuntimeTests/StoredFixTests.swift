import LocationEngine
import LocationModel
import LocationRuntime
import Testing

@Suite("A stored fix that cannot be one")
struct StoredFixTests {
  private let app = AppIdentifier("org.example.walk")
  private let grant =
    "{\"level\":\"whenInUse\",\"isProvisional\":false,\"isPrecise\":true,\"hasRequestedAlways\":false}"

  /// The good fix with some fields replaced, in the file's own words.
  private func load(_ changes: [String: String]) throws -> StoredAppState {
    var fields = [
      "latitude": "47.5", "longitude": "8.25", "horizontalAccuracy": "5", "altitude": "400",
      "ellipsoidalAltitude": "447", "verticalAccuracy": "7", "speed": "1.5", "course": "90",
      "timeNanoseconds": "1600000000000000000", "isSimulated": "false",
    ]
    for (name, value) in changes { fields[name] = value }
    let body = fields.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
    let folder = try TemporaryFolder()
    try folder.write(
      "{\"version\":1,\"grant\":\(grant),\"lastFix\":{\(body)}}", to: "corelocation/apps/\(app.name).json")
    return folder.store().load(app)
  }

  @Test("is told from one that can: unknown values are nothing wrong")
  func good() throws {
    #expect(try load([:]).lastFix?.coordinate == Coordinate(latitude: 47.5, longitude: 8.25))
    #expect(try load(["horizontalAccuracy": "null", "speed": "null", "course": "null"]).lastFix != nil)
    // A day less a second after the test's now, and the first second of 2000.
    #expect(try load(["timeNanoseconds": "1600086399000000000"]).lastFix != nil)
    #expect(try load(["timeNanoseconds": "946684800000000000"]).lastFix != nil)
  }

  @Test(
    "is dropped, and the grant beside it stays",
    arguments: [
      ("latitude", "91"), ("longitude", "-181"), ("horizontalAccuracy", "-5"), ("horizontalAccuracy", "0"),
      ("verticalAccuracy", "-1"), ("verticalAccuracy", "0"), ("speed", "-1"), ("course", "360"), ("course", "-1"),
      ("horizontalAccuracy", "1e999"), ("altitude", "1e999"), ("ellipsoidalAltitude", "-1e999"), ("speed", "1e999"),
      ("latitude", "\"north\""), ("timeNanoseconds", "-8260000000000000000"),
      ("timeNanoseconds", "9223372036854775807"), ("timeNanoseconds", "99999999999999999999"),
      // The last second of 1999, and a day and a second after the test's now.
      ("timeNanoseconds", "946684799000000000"), ("timeNanoseconds", "1600086401000000000"),
    ])
  func dropped(field: String, value: String) throws {
    let state = try load([field: value])
    #expect(state.lastFix == nil)
    #expect(state.grant == Grant(level: .whenInUse))
  }
}

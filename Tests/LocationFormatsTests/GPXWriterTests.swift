import Foundation
import LocationFormats
import LocationModel
import Testing

@Suite("GPX: writing", .serialized)
struct GPXWriterTests {
  static func written(_ points: [TrackPoint], creator: String = "test") -> String {
    let bytes = GPXWriter.header(creator: creator) + points.flatMap { GPXWriter.trackPoint($0) } + GPXWriter.footer
    return String(decoding: bytes, as: UTF8.self)
  }

  static var sample: TrackPoint {
    var point = TrackPoint(
      coordinate: Coordinate(latitude: 47.5, longitude: 19.25),
      time: WallTime(nanosecondsSince1970: 1_780_300_803_125_000_000))
    point.elevationMeters = 101.5
    return point
  }

  @Test("numbers have a dot under a locale with a decimal comma, and are read under it (GX-05)")
  func decimalDotInEveryLocale() {
    let names = ["de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "C"]
    let chosen = names.first { setlocale(LC_ALL, $0) != nil } ?? "none"
    defer { setlocale(LC_ALL, "C") }
    if chosen == "C" { print("GX-05: no locale with a decimal comma is installed; run under C") }
    let text = Self.written([Self.sample])
    #expect(text.contains("lat=\"47.5\" lon=\"19.25\""), "locale \(chosen)")
    #expect(text.contains("<ele>101.5</ele>"))
    #expect(ParsedGPX(text).points.map(\.coordinate) == [Self.sample.coordinate])
  }

  @Test("neither reader nor writer calls anything of the C library that knows a locale (GX-05)")
  func noLocaleFunctions() throws {
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Sources/LocationFormats")
    let files =
      FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)?
      .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" } ?? []
    #expect(files.count >= 8)
    for file in files {
      let imports = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        .filter { $0.hasPrefix("import ") }
      for line in imports {
        #expect(!line.contains("Glibc") && !line.contains("Foundation"), "\(file.lastPathComponent): \(line)")
      }
    }
  }

  @Test("what is written is read back as the same values")
  func roundTrip() {
    var point = Self.sample
    point.geoidHeightMeters = 43.2
    point.speedMetersPerSecond = 1.3
    point.speedAccuracyMetersPerSecond = 0.2
    point.courseDegrees = 359.9
    point.courseAccuracyDegrees = 4
    point.horizontalAccuracyMeters = 3.1
    point.verticalAccuracyMeters = 6.2
    point.coordinate = Coordinate(latitude: -0.000_012_3, longitude: 179.999_999_999_999_97)
    var parsed = ParsedGPX(Self.written([point])).points
    #expect(parsed.count == 1)
    parsed[0].line = 0
    #expect(parsed == [point])
  }

  @Test(
    "numbers have no exponent, which XML's decimal does not know",
    arguments: [
      (1e-5, "0.00001"), (-1.25e-7, "-0.000000125"), (1e16, "10000000000000000"), (1.5e17, "150000000000000000"),
      (0, "0"), (-12, "-12"), (0.1, "0.1"),
    ])
  func noExponent(value: Double, text: String) {
    var point = Self.sample
    point.elevationMeters = value
    #expect(Self.written([point]).contains("<ele>\(text)</ele>"))
  }

  @Test("the creator's name is escaped, an invalid place writes nothing")
  func escaping() {
    let text = Self.written(
      [TrackPoint(coordinate: Coordinate(latitude: -180, longitude: -180))], creator: "a<&\"\u{1}>")
    #expect(text.contains("creator=\"a&lt;&amp;&quot;&gt;\""))
    #expect(!text.contains("trkpt"))
    #expect(ParsedGPX(text).error == nil)
  }
}

import Foundation
import LocationModel
import Testing

/// Reference data that the project does not carry: the folder named by `CORELOCATION_REFERENCE_DATA` with
/// `geodesic-test.tsv` (500 cases checked with 60 digits) and Karney's `GeodTest-short.dat.gz` (10,000).
enum ReferenceData {
  static let folder: String? = {
    let folder = ProcessInfo.processInfo.environment["CORELOCATION_REFERENCE_DATA"]
    if folder == nil { print("SKIPPED: geodesic reference data, since CORELOCATION_REFERENCE_DATA is not set") }
    return folder
  }()

  /// What a program writes to its standard output.
  static func output(of program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}

@Suite(
  "Geodesics against reference data",
  .enabled(if: ReferenceData.folder != nil, "CORELOCATION_REFERENCE_DATA is not set"))
struct GeodesicReferenceTests {
  /// What the reference's own digits allow (algorithms 5).
  static let toleranceMeters = 15e-9

  @Test("all cases of geodesic-test.tsv agree to 15 nm, in distance and in the place reached")
  func table() throws {
    let path = try #require(ReferenceData.folder) + "/geodesic-test.tsv"
    let rows = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }.dropFirst()
    var worst = (distance: 0.0, place: 0.0)
    var count = 0
    for row in rows {
      let columns = row.split(separator: "\t", omittingEmptySubsequences: false)
      try #require(columns.count >= 10)
      let numbers = columns[3...9].compactMap { Double($0) }
      try #require(numbers.count == 7)
      let start = Coordinate(latitude: numbers[0], longitude: numbers[1])
      let end = Coordinate(latitude: numbers[3], longitude: numbers[4])
      let meters = numbers[6]
      worst.distance = max(worst.distance, abs(Geodesic.distanceMeters(from: start, to: end) - meters))
      if columns[1] == "direct" {
        let reached = Geodesic.destination(from: start, azimuthDegrees: numbers[2], distanceMeters: meters)
        worst.place = max(worst.place, Geodesic.distanceMeters(from: reached, to: end))
      }
      count += 1
    }
    print("geodesic-test.tsv: \(count) cases, worst \(worst.distance * 1e9) nm, place \(worst.place * 1e9) nm")
    #expect(count == 500)
    #expect(worst.distance <= Self.toleranceMeters)
    #expect(worst.place <= Self.toleranceMeters)
  }

  @Test("all 10,000 cases of GeodTest-short agree to 15 nm in distance")
  func geodTest() throws {
    let path = try #require(ReferenceData.folder) + "/GeodTest-short.dat.gz"
    let rows = try ReferenceData.output(of: "/bin/gzip", ["-dc", path]).split(separator: "\n")
    var worst = 0.0
    for row in rows {
      let numbers = row.split(separator: " ").compactMap { Double($0) }
      try #require(numbers.count == 10)
      let start = Coordinate(latitude: numbers[0], longitude: numbers[1])
      let end = Coordinate(latitude: numbers[3], longitude: numbers[4])
      worst = max(worst, abs(Geodesic.distanceMeters(from: start, to: end) - numbers[6]))
    }
    print("GeodTest-short: \(rows.count) cases, worst \(worst * 1e9) nm")
    #expect(rows.count == 10_000)
    #expect(worst <= Self.toleranceMeters)
  }
}

import Foundation
import Testing

@Suite("corelocation distance measures on the WGS84 ellipsoid", .serialized)
struct DistanceTests {
  /// The pairs of behaviour 10.9 and what the exact geodesic gives.
  static let pairs: [(String, String, Double)] = [
    ("51.1269942,16.851781", "52.232855,20.9211114", 307_123.687238632),
    ("40.733458,-73.845023", "33.879322,-118.080590", 3_951_949.797025693),
    ("0,0", "0,1", 111_319.4908), ("0,0", "1,0", 110_574.3886), ("45,0", "45,1", 78_846.3347),
    ("0,179.5", "0,-179.5", 111_319.4908), ("89,0", "89,180", 223_387.7298), ("0,0", "0.5,179.7", 19_944_127.42),
  ]

  @Test("metres with three decimals, as many as the reference has (behaviour 10.9)", arguments: pairs)
  func text(start: String, end: String, meters: Double) throws {
    let run = try CommandRun("distance", start, end)
    #expect(run.status == 0 && run.errors.isEmpty)
    let match = try #require(run.output.wholeMatch(of: /(\d+\.\d{3}) m\n/))
    let printed = try #require(Double(match.1))
    // A tenth of a millimetre is what the reference was rounded to, 5 mm in the last pair; half one here.
    #expect(abs(printed - meters) <= (meters > 1e7 ? 0.0055 : 0.00056))
  }

  @Test("--json has every digit (behaviour 10.9)")
  func json() throws {
    let run = try CommandRun("distance", "--json", "51.1269942,16.851781", "52.232855,20.9211114")
    let values = try JSONDecoder().decode([String: Double].self, from: Data(run.output.utf8))
    #expect(Set(values.keys) == ["distance"])
    #expect(abs(try #require(values["distance"]) - 307_123.687238632) < 15e-9 + 5e-10)
  }

  @Test("negative coordinates are operands without --, and with it")
  func negative() throws {
    let plain = try CommandRun("distance", "-33.8,151.2", "-.5,-0.1")
    #expect(plain.status == 0 && plain.output.hasSuffix(" m\n"))
    #expect(try CommandRun("distance", "--", "-33.8,151.2", "-.5,-0.1").output == plain.output)
    #expect(try CommandRun("distance", "-33.8,151.2", "-.5,-0.1", "--json").status == 0)
  }

  @Test("a place is no distance from itself")
  func zero() throws {
    #expect(try CommandRun("distance", "-1,-1", "-1,-1").output == "0.000 m\n")
  }
}

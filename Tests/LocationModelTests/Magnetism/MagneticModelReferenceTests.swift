import Foundation
import LocationModel
import Testing

@Suite(
  "The Earth's magnetic field against reference data",
  .enabled(if: ReferenceData.folder != nil, "CORELOCATION_REFERENCE_DATA is not set"))
struct MagneticModelReferenceTests {
  @Test("All 100 official values of WMM2025 agree: angles to 0.006 degrees, components to 0.001 nT (algorithms 0)")
  func officialValues() throws {
    let path = try #require(ReferenceData.folder) + "/wmm2025-test-values.tsv"
    let rows = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }.dropFirst()
    var worst = (angle: 0.0, component: 0.0)
    for row in rows {
      let numbers = row.split(separator: "\t").compactMap { Double($0) }
      try #require(numbers.count == 18)
      let field = try #require(
        WorldMagneticModel.wmm2025.field(
          at: Coordinate(latitude: numbers[2], longitude: numbers[3]), heightMeters: numbers[1] * 1_000,
          decimalYear: numbers[0]))
      for (angle, expected) in [(field.declinationDegrees, numbers[4]), (field.inclinationDegrees, numbers[5])] {
        worst.angle = max(worst.angle, abs(angle - expected))
      }
      let components = [
        field.horizontalNanoteslas, field.northNanoteslas, field.eastNanoteslas, field.downNanoteslas,
        field.totalNanoteslas,
      ]
      for (component, expected) in zip(components, numbers[6...10]) {
        worst.component = max(worst.component, abs(component - expected))
      }
    }
    print("wmm2025-test-values.tsv: \(rows.count) values, worst \(worst.angle) degrees, \(worst.component) nT")
    #expect(rows.count == 100)
    #expect(worst.angle <= 0.006)
    #expect(worst.component <= 0.001)
  }
}

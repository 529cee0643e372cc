import LocationEngine
import LocationModel
import LocationRuntime

/// The lines of `corelocation compare`.
struct ComparisonWriter {
  private static let nameWidth = 22
  private static let width = 10

  static func append(headerFor profile: DeviceProfile, to bytes: inout [UInt8]) {
    let columns = [
      "setting", "locations", "visits", "crossings", "pauses", "\(satelliteName(profile)) s", "joules", "median m",
      "95 % m", "without s",
    ]
    append(columns, to: &bytes)
  }

  /// The receiver of satellites, which is the receiver where there is no other.
  static func satelliteName(_ profile: DeviceProfile) -> String {
    profile.technologies == .satellite ? "receiver" : JourneyReceiver.satellite.name
  }

  static func append(_ row: JourneyComparison.Row, to bytes: inout [UInt8]) {
    append([row.name] + cells(row), to: &bytes)
  }

  static func append(alwaysOn summary: JourneySummary, to bytes: inout [UInt8]) {
    let cells = [
      "\(satelliteName(summary.profile)) always on", "", "", "", "",
      DecimalText.fixed(summary.virtualSeconds, digits: 0),
      EnergyText.cell(summary.alwaysOnJoules),
    ]
    append(cells, to: &bytes)
  }

  /// What stands right of the name, in columns.
  ///
  /// - Parameter energy: gives the cell of so many joules.
  static func cells(
    _ row: JourneyComparison.Row, energy: (Double) -> String = EnergyText.cell
  ) -> [String] {
    [
      "\(row.summary.deliveredCount)", "\(row.visitCount)", "\(row.crossingCount)", "\(row.pauseCount)",
      DecimalText.fixed(row.summary.satelliteSeconds, digits: 0),
      energy(row.summary.joules.total),
      meters(row.errors.medianMeters), meters(row.errors.percentile95Meters),
      DecimalText.fixed(row.errors.secondsWithout, digits: 0),
    ]
  }

  private static func meters(_ meters: Double?) -> String {
    meters.map { DecimalText.fixed($0, digits: 1) } ?? "-"
  }

  private static func append(_ cells: [String], to bytes: inout [UInt8]) {
    var line = ""
    for (index, cell) in cells.enumerated() {
      let padding = String(repeating: " ", count: max(0, (index == 0 ? nameWidth : width) - cell.count))
      line += index == 0 ? cell + padding : " " + padding + cell
    }
    while line.last == " " { line.removeLast() }
    bytes.append(text: line + "\n")
  }

  static func append(json row: JourneyComparison.Row, to bytes: inout [UInt8]) {
    bytes.append(text: "{\"service\":")
    bytes.append(string: row.service)
    bytes.append(text: ",\"accuracy\":")
    if let accuracy = row.accuracy { bytes.append(string: accuracy) } else { bytes.append(text: "null") }
    bytes.append(text: ",\"locationsDelivered\":\(row.summary.deliveredCount),\"visits\":\(row.visitCount)")
    bytes.append(text: ",\"crossings\":\(row.crossingCount),\"pauses\":\(row.pauseCount)")
    append("receiverSeconds", row.summary.satelliteSeconds, to: &bytes)
    append("joules", row.summary.joules.total, to: &bytes)
    append("alwaysOnJoules", row.summary.alwaysOnJoules, to: &bytes)
    append("medianMeters", row.errors.medianMeters, to: &bytes)
    append("percentile95Meters", row.errors.percentile95Meters, to: &bytes)
    append("secondsWithoutLocation", row.errors.secondsWithout, to: &bytes)
    bytes.append(text: "}\n")
  }

  /// To a millionth; more digits are only those of the adding.
  private static func append(_ name: String, _ value: Double?, to bytes: inout [UInt8]) {
    bytes.append(text: ",\"\(name)\":")
    if let value { bytes.append(number: (value * 1e6).rounded() / 1e6) } else { bytes.append(text: "null") }
  }
}

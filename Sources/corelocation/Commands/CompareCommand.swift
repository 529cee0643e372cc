import LocationRuntime

/// `corelocation compare TRACK`: one journey under every accuracy and service.
enum CompareCommand {
  static let command = Command(
    name: "compare", operands: "TRACK", operandCount: 1,
    summary: "Tells what each accuracy and service delivers on a journey, and what it costs",
    options: [
      CommandLineArguments.distanceFilterOption,
      .init("activity", "T", "other, automotive, fitness, navigation or airborne (other)"),
      .init("no-pause", nil, "do not pause updates where the journey rests"),
      .init("policy", "FILE", "rules that differ from the default, as JSON"),
      .init("region", "ID:LAT,LON,RADIUS", "compares monitoring this circle, too; may stand several times"),
      .init("regions", "FILE", "compares monitoring the circles of a GeoJSON file, too"),
      .init("beacons", "FILE", "compares ranging and monitoring the beacons of a GeoJSON file, too"),
      .init("beacon-seed", "N", "which fading their signals have (1)"),
    ] + CommandLineArguments.profileOptions + [CommandLineArguments.jsonOption],
    notes: [
      "TRACK is a GPX file or an NMEA recording. A line a setting: what the app was told, how long the receiver of",
      "satellites was on, what all receivers cost by the model of docs/energy.md, and how far the last location",
      "told was from where the recording was, each second: the median, and what 95 of 100 seconds keep within. The",
      "last column is the seconds before the first location. A pause lasts to the end.",
    ],
    run: { (arguments) throws(CommandFailure) in try run(arguments) })

  private static func run(_ arguments: CommandLineArguments) throws(CommandFailure) -> ExitStatus {
    let path = arguments.operands[0]
    let settings = try SimulateCommand.settings(arguments)
    try JourneyComparison.refuseStream(path, for: "compare")
    let comparison = JourneyComparison(path, track: try JourneyTrack(path: path), settings: settings) {
      (clock) throws(CommandFailure) in try arguments.beaconsOnTheWay(clock: clock)
    }
    StandardOutput.shared.handOverRegularly()
    guard !arguments.has("json") else {
      _ = try comparison.rows { row in StandardOutput.shared.write { ComparisonWriter.append(json: row, to: &$0) } }
      return .done
    }
    StandardOutput.shared.write { ComparisonWriter.append(headerFor: settings.profile, to: &$0) }
    let rows = try comparison.rows { row in StandardOutput.shared.write { ComparisonWriter.append(row, to: &$0) } }
    if let summary = rows.first?.summary {
      StandardOutput.shared.write { ComparisonWriter.append(alwaysOn: summary, to: &$0) }
    }
    return .done
  }
}

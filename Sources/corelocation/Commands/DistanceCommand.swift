import LocationModel
import LocationRuntime

/// `corelocation distance LAT,LON LAT,LON`
enum DistanceCommand {
  static let command = Command(
    name: "distance", operands: "LAT,LON LAT,LON", operandCount: 2,
    summary: "Prints the metres between two places, along the WGS84 ellipsoid",
    options: [CommandLineArguments.Option("json", nil, "print {\"distance\":METRES}")],
    notes: ["Degrees, north and east positive: corelocation distance -33.86,151.21 51.5,-0.12"],
    run: { (arguments) throws(CommandFailure) in try run(arguments) })

  private static func run(_ arguments: CommandLineArguments) throws(CommandFailure) -> ExitStatus {
    let start = try Coordinate(operand: arguments.operands[0])
    let end = try Coordinate(operand: arguments.operands[1])
    let meters = Geodesic.distanceMeters(from: start, to: end)
    StandardOutput.shared.write { bytes in
      if arguments.has("json") {
        bytes.append(text: "{\"distance\":")
        bytes.append(number: meters)
        bytes.append(text: "}\n")
      } else {
        bytes.append(text: "\(DecimalText.fixed(meters, digits: 3)) m\n")
      }
    }
    return .done
  }
}

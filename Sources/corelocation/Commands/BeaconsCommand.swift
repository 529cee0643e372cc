import LocationEngine
import LocationModel
import LocationRuntime

/// `corelocation beacons UUID`: which beacons are near, once a second.
enum BeaconsCommand {
  static let command = Command(
    name: "beacons", operands: "UUID", operandCount: 1, summary: "Ranges beacons: a line for each, once a second",
    options: [
      .init("major", "N", "only those of this major number"),
      .init("minor", "N", "only those of this minor number"),
      .init("count", "N", "end after so many reports"),
      .init("duration", "S", "end after so many seconds of the session"),
      CommandLineArguments.jsonOption,
    ],
    notes: [
      "Listens with the machine's Bluetooth adapter, by BlueZ. Nearest first; a beacon that is not heard for 5 s is",
      "of unknown distance, and after 10 s it is gone. The distance is a guess from the signal's strength.",
    ],
    run: { (arguments) throws(CommandFailure) in try run(arguments) })

  private static func run(_ arguments: CommandLineArguments) throws(CommandFailure) -> ExitStatus {
    guard let halves = BeaconUUID.halves(arguments.operands[0]) else {
      throw .wrongUsage(
        "expected a UUID, such as 74278BDA-B644-4520-8F0C-720EAF059935, found \"\(arguments.operands[0])\"")
    }
    let environment = ProcessEnvironment.current()
    var settings = try SessionSettings(environment: environment)
    settings.rangedBeacons = [
      BeaconConstraint(
        uuidHigh: halves.high, uuidLow: halves.low, major: try arguments.beaconNumber("major"),
        minor: try arguments.beaconNumber("minor"))
    ]
    let outcome = LiveSession(
      source: .automatic, settings: settings, writer: ResultWriter(arguments, flushes: true),
      countMax: try arguments.count("count"), durationSeconds: try arguments.seconds("duration")
    ).run(environment)
    return try outcome.ending.status(deliveredCount: outcome.deliveredCount, of: "report of beacons")
  }
}

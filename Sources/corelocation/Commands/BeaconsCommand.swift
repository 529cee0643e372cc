import LocationEngine
import LocationModel
import LocationRuntime

/// `corelocation beacons UUID`: which beacons are near, once a second.
enum BeaconsCommand {
  static let command = Command(
    name: "beacons", operands: "UUID", operandCount: 1,
    summary: "Tells which beacons are near, once a second: a table on a terminal, else a line for each",
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
      "Where there is a location service it listens, and asks permission for this program as for any app.",
      "corelocation doctor tells how Bluetooth stands.",
    ],
    run: { (arguments) throws(CommandFailure) in try run(arguments) })

  private static func run(_ arguments: CommandLineArguments) throws(CommandFailure) -> ExitStatus {
    guard let halves = BeaconUUID.halves(arguments.operands[0]) else {
      throw .wrongUsage(
        "expected a UUID, such as 74278BDA-B644-4520-8F0C-720EAF059935, found \"\(arguments.operands[0])\"")
    }
    let environment = ProcessEnvironment.current()
    let constraint = BeaconConstraint(
      uuidHigh: halves.high, uuidLow: halves.low, major: try arguments.beaconNumber("major"),
      minor: try arguments.beaconNumber("minor"))
    let countMax = try arguments.count("count")
    let durationSeconds = try arguments.seconds("duration")
    let writer = ResultWriter(arguments, flushes: true).live(clock: LiveClock.shared)
    let outcome: (ending: Ending, deliveredCount: Int)
    if let path = arguments.servicePath(environment) {
      outcome = try ServiceSession(
        path: path, configuration: ManagerConfiguration(), writer: writer, countMax: countMax,
        durationSeconds: durationSeconds, results: .beacons, rangedBeacons: constraint
      ).run()
    } else {
      var settings = try SessionSettings(environment: environment)
      settings.rangedBeacons = [constraint]
      outcome = LiveSession(
        source: .automatic, settings: settings, writer: writer, countMax: countMax, durationSeconds: durationSeconds
      ).run(environment)
    }
    return try outcome.ending.status(deliveredCount: outcome.deliveredCount, of: "report of beacons")
  }
}

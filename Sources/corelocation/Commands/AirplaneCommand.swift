import LocationRuntime

/// `corelocation airplane on|off`
enum AirplaneCommand {
  static let command = Command(
    name: "airplane", operands: "on|off", operandCount: 1,
    summary: "Switches airplane mode for this person's programs on or off",
    notes: [
      "While it is on, receivers that need a radio give no location: apps hear locationUnknown, and permission stays.",
      "gpsd, serial receivers and recordings go on; the policy field wiredReceiversInAirplaneMode changes that.",
      "Running apps hear of it. A machine whose every radio is blocked is in airplane mode in any case.",
    ],
    run: { (arguments) throws(CommandFailure) in try run(arguments) })

  private static func run(_ arguments: CommandLineArguments) throws(CommandFailure) -> ExitStatus {
    let word = arguments.operands[0]
    guard word == "on" || word == "off" else { throw .wrongUsage("expected on or off, found \"\(word)\"") }
    guard let path = AirplaneMode.Places.ofThisMachine(.current()).switchPath else {
      throw .failed("there is no folder to keep it in: neither XDG_STATE_HOME nor HOME is set")
    }
    do throws(AirplaneMode.SwitchFailure) {
      try AirplaneMode.set(word == "on", at: path)
    } catch {
      throw .failed("airplane mode cannot be switched: \(error)")
    }
    return .done
  }
}

import LocationRuntime

/// `corelocation airplane on|off`
enum AirplaneCommand {
  static let command = Command(
    name: "airplane", operands: "on|off", operandCount: 1,
    summary: "Switches airplane mode on or off",
    options: [.init("user", nil, "for this person's programs only that use no location service")],
    notes: [
      "While it is on, receivers that need a radio give no location: apps hear locationUnknown, and permission stays.",
      "gpsd, serial receivers and recordings go on; the policy field wiredReceiversInAirplaneMode changes that.",
      "Running apps hear of it. Where apps use a location service it is told, too: the system's one is switched for",
      "everybody, by root or a member of the group corelocation.",
      "A machine whose every radio is blocked is in airplane mode in any case.",
    ],
    run: { (arguments) throws(CommandFailure) in try run(arguments) })

  private static func run(_ arguments: CommandLineArguments) throws(CommandFailure) -> ExitStatus {
    let word = arguments.operands[0]
    guard word == "on" || word == "off" else { throw .wrongUsage("expected on or off, found \"\(word)\"") }
    try switchOwnPrograms(on: word == "on")
    guard !arguments.has("user"), let path = ServiceSocket.path(.current()) else { return .done }
    try switchService(at: path, on: word == "on")
    return .done
  }

  private static func switchOwnPrograms(on isOn: Bool) throws(CommandFailure) {
    guard let path = AirplaneMode.Places.ofThisMachine(.current()).switchPath else {
      throw .failed("there is no folder to keep it in: neither XDG_STATE_HOME nor HOME is set")
    }
    do throws(AirplaneMode.SwitchFailure) {
      try AirplaneMode.set(isOn, at: path)
    } catch {
      throw .failed("airplane mode cannot be switched: \(error)")
    }
  }

  private static func switchService(at path: String, on isOn: Bool) throws(CommandFailure) {
    let problem: String?
    do throws(ToolConnection.Failure) {
      let answer = try ToolConnection(path: path).ask(.switchAirplaneMode(isOn: isOn))
      if case .failed(let reason) = answer { problem = reason } else { problem = nil }
    } catch {
      problem = error.description
    }
    guard let problem else { return }
    throw .failed("your programs without a service are switched, the location service is not: \(problem)")
  }
}

import LocationRuntime

/// `corelocation apps`
enum AppsCommand {
  static let command = Command(
    name: "apps", summary: "Lists the apps that have asked for locations, and what each may have",
    notes: [
      "A program that its own user can change is marked: another program could wear its name (docs/security.md)."
    ],
    run: { (_) throws(CommandFailure) in try ServiceAccess.run(.apps) })
}

/// `corelocation regions`
enum RegionsCommand {
  static let command = Command(
    name: "regions", summary: "Lists the regions that apps have registered, and where the device is to each",
    run: { (_) throws(CommandFailure) in try ServiceAccess.run(.regions(app: nil)) })
}

/// `corelocation log`
enum LogCommand {
  static let command = Command(
    name: "log", summary: "Tells when each app used location, never where",
    options: [CommandLineArguments.Option("app", "APP", "of this app only")],
    run: { (arguments) throws(CommandFailure) in try ServiceAccess.run(.log(app: arguments.value("app"))) })
}

/// `corelocation status`
enum StatusCommand {
  static let command = Command(
    name: "status", summary: "Tells how the location service is: its switches, receivers, prompts and policy",
    run: { (_) throws(CommandFailure) in try ServiceAccess.run(.status) })
}

/// `corelocation top`
enum TopCommand {
  static let command = Command(
    name: "top", summary: "Lists who has receivers on, since when, and at what cost",
    run: { (_) throws(CommandFailure) in try ServiceAccess.run(.top) })
}

/// `corelocation services on|off`
enum ServicesCommand {
  static let command = Command(
    name: "services", operands: "on|off", operandCount: 1,
    summary: "Switches Location Services on or off for every app of the service",
    notes: ["While they are off every app reads denied; what each was granted comes back with the switch."],
    run: { (arguments) throws(CommandFailure) in
      let word = arguments.operands[0]
      guard word == "on" || word == "off" else { throw .wrongUsage("expected on or off, found \"\(word)\"") }
      return try ServiceAccess.run(.switchServices(isOn: word == "on"))
    })
}

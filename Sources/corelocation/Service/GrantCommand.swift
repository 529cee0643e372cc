import LocationEngine
import LocationRuntime

/// `corelocation grant APP LEVEL`, `corelocation deny APP`, `corelocation reset APP`
enum GrantCommand {
  private static let userOption = CommandLineArguments.Option("user", "NUMBER", "of another user's app")
  private static let naming =
    "APP is a name as \"corelocation apps\" lists it, or its last part where that is enough."

  static let grant = Command(
    name: "grant", operands: "APP LEVEL", operandCount: 2, summary: "Decides what an app may have",
    options: [userOption],
    notes: [
      naming,
      "LEVEL is whenInUse or always, with \",reduced\" behind it for approximate locations; precise or reduced alone",
      "change the accuracy only. The app hears of it before the command returns.",
    ],
    run: { (arguments) throws(CommandFailure) in
      try change(arguments, to: try change(of: arguments.operands[1]))
    })

  static let deny = Command(
    name: "deny", operands: "APP", operandCount: 1, summary: "Forbids an app every location", options: [userOption],
    notes: [naming, "Delivery has stopped when the command returns."],
    run: { (arguments) throws(CommandFailure) in try change(arguments, to: GrantChange(level: .denied)) })

  static let reset = Command(
    name: "reset", operands: "APP", operandCount: 1, summary: "Forgets what was decided, so that an app may ask again",
    options: [userOption], notes: [naming],
    run: { (arguments) throws(CommandFailure) in
      try ServiceAccess.run(.reset(app: arguments.operands[0], user: try user(arguments)))
    })

  private static func change(
    _ arguments: CommandLineArguments, to change: GrantChange
  ) throws(CommandFailure) -> ExitStatus {
    try ServiceAccess.run(.grant(app: arguments.operands[0], change, user: try user(arguments)))
  }

  private static func change(of level: String) throws(CommandFailure) -> GrantChange {
    switch level {
    case "precise": return GrantChange(isPrecise: true)
    case "reduced": return GrantChange(isPrecise: false)
    default:
      guard let setting = AuthorizationSetting(level), [.whenInUse, .always].contains(setting.grant.level) else {
        throw .wrongUsage(
          "expected whenInUse or always, with \",reduced\" behind it if wanted, precise or reduced, found \"\(level)\"")
      }
      return GrantChange(level: setting.grant.level, isPrecise: setting.grant.isPrecise)
    }
  }

  private static func user(_ arguments: CommandLineArguments) throws(CommandFailure) -> UInt32? {
    guard let text = arguments.value("user") else { return nil }
    guard let number = UInt32(text) else { throw .wrongUsage("expected the number of a user, found \"\(text)\"") }
    return number
  }
}

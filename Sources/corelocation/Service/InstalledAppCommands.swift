import LinuxIO
import LocationRuntime

/// `corelocation install BUNDLE`, `corelocation uninstall BUNDLE`
enum InstallCommand {
  static let install = Command(
    name: "install", operands: "BUNDLE", operandCount: 1,
    summary: "Makes an app known to the service, which then names it by its bundle and can start it",
    options: [CommandLineArguments.Option("assume", "gps", "count gps as present, whatever the service finds")],
    notes: [
      "BUNDLE is a folder NAME.app with an Info.plist and a program. What it requires of the device",
      "(UIRequiredDeviceCapabilities) is looked at: location-services is always there, gps where the service has a",
      "GNSS receiver or CORELOCATION_SOURCE is set. Installed again, an app keeps what it may have.",
    ],
    run: { (arguments) throws(CommandFailure) in
      let path = try BundleOperand.path(arguments.operands[0])
      var assumes = arguments.all("assume")
      let environment = ProcessEnvironment.current()
      if environment.source != nil {
        // One that names no source stands for no receiver.
        _ = try arguments.source(environment)
        assumes.append("gps")
      }
      return try ServiceAccess.run(.app(.install(path: path, assumes: assumes)))
    })

  static let uninstall = Command(
    name: "uninstall", operands: "BUNDLE", operandCount: 1,
    summary: "Forgets an app, what it may have and what it has registered", notes: [BundleOperand.naming],
    run: { (arguments) throws(CommandFailure) in
      try ServiceAccess.run(.app(.uninstall(bundle: BundleOperand.name(arguments.operands[0]))))
    })
}

/// `corelocation refresh on|off`
enum RefreshCommand {
  static let command = Command(
    name: "refresh", operands: "on|off", operandCount: 1,
    summary: "Switches whether installed apps are started and woken in the background",
    options: [CommandLineArguments.Option("app", "BUNDLE", "of this app alone")],
    notes: [
      "Off, no event starts or wakes an app; what happens is told when the person opens it. An app finds it as",
      "backgroundRefreshStatus.",
    ],
    run: { (arguments) throws(CommandFailure) in
      let word = arguments.operands[0]
      guard word == "on" || word == "off" else { throw .wrongUsage("expected on or off, found \"\(word)\"") }
      let bundle = arguments.all("app").last.map(BundleOperand.name)
      return try ServiceAccess.run(.app(.switchBackgroundRefresh(isOn: word == "on", bundle: bundle)))
    })
}

/// `corelocation launch BUNDLE`, `foreground`, `background` and `terminate`
enum LifeCommands {
  static let launch = Command(
    name: "launch", operands: "BUNDLE [-- ARGUMENT...]", operandCount: 1, passesArguments: true,
    summary: "Starts an installed app in the foreground, or brings it there",
    notes: [
      BundleOperand.naming,
      "What follows -- are arguments of its program: of this start alone, and not of one that runs already.",
    ],
    run: { (arguments) throws(CommandFailure) in
      let bundle = BundleOperand.name(arguments.operands[0])
      let passed = Array(arguments.operands.dropFirst())
      guard passed.reduce(0, { $0 + $1.utf8.count + 4 }) <= passedBytesMax else {
        throw .wrongUsage("the arguments are longer than \(passedBytesMax) bytes together; put them into a file")
      }
      return try ServiceAccess.run(.app(.launch(bundle: bundle, arguments: passed)))
    })

  /// What the service takes in one message, less what else stands in it: the path of a bundle.
  private static let passedBytesMax = WireFrame.clientBytesMax - 8_192

  static let foreground = Command(
    name: "foreground", operands: "BUNDLE", operandCount: 1, summary: "Brings an app that runs to the foreground",
    notes: [BundleOperand.naming],
    run: { (arguments) throws(CommandFailure) in
      try ServiceAccess.run(.app(.foreground(bundle: BundleOperand.name(arguments.operands[0]))))
    })

  static let background = Command(
    name: "background", operands: "BUNDLE", operandCount: 1, summary: "Sends an app to the background",
    notes: [BundleOperand.naming],
    run: { (arguments) throws(CommandFailure) in
      try ServiceAccess.run(.app(.background(bundle: BundleOperand.name(arguments.operands[0]))))
    })

  static let terminate = Command(
    name: "terminate", operands: "BUNDLE", operandCount: 1, summary: "Ends an app and returns when it has ended",
    options: [
      CommandLineArguments.Option("force", nil, "at once and without a word to the app, as a person force-quits it")
    ],
    notes: [
      BundleOperand.naming,
      "Without --force the app is told and has five seconds for its last words; a suspended one is not told.",
    ],
    run: { (arguments) throws(CommandFailure) in
      let bundle = BundleOperand.name(arguments.operands[0])
      return try ServiceAccess.run(.app(.terminate(bundle: bundle, isForced: arguments.has("force"))))
    })
}

/// How a person names a bundle. The service has another folder: it gets paths from the root.
private enum BundleOperand {
  static let naming = "BUNDLE is the path of an installed bundle, its identifier, or the identifier's last part."

  static func path(_ operand: String) throws(CommandFailure) -> String {
    do throws(SystemError) {
      return try Syscalls.realPath(of: operand)
    } catch {
      throw .failed("\(operand): there is no such bundle (\(error.text))")
    }
  }

  /// A path where it is written as one, or as a bundle's name: a folder that happens to be called as the end of an
  /// identifier hides no app.
  static func name(_ operand: String) -> String {
    guard operand.contains("/") || operand.hasSuffix(".app") || operand == "." || operand == ".." else {
      return operand
    }
    return fullPath(operand)
  }

  /// From the root and without links, as far as there is something: what is installed may have gone.
  private static func fullPath(_ path: String) -> String {
    if let real = try? Syscalls.realPath(of: path) { return real }
    let parts = path.split(separator: "/")
    guard let last = parts.last, last != ".", last != ".." else { return path }
    let parent = (path.hasPrefix("/") ? "/" : "") + parts.dropLast().joined(separator: "/")
    let folder = fullPath(parent.isEmpty ? "." : parent)
    return folder == "/" ? "/\(last)" : "\(folder)/\(last)"
  }
}

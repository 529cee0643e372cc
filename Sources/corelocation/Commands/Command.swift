import LocationRuntime

/// One command of the program: what it is called with, what its help says, and what it does.
struct Command: Sendable {
  var name: String
  /// After the name, in the help: operands.
  var operands = ""
  /// How many operands it takes.
  var operandCount = 0
  /// More operands may follow `--`: they are somebody else's arguments.
  var passesArguments = false
  /// One sentence, without its dot.
  var summary: String
  var options: [CommandLineArguments.Option] = []
  /// Lines below the options.
  var notes: [String] = []
  var run: @Sendable (CommandLineArguments) throws(CommandFailure) -> ExitStatus

  /// Every name of the contract (design 6), the most used first.
  static let all: [Command] =
    [
      FollowCommand.command, RecordCommand.command, LocateCommand.command, SimulateCommand.command,
      CompareCommand.command,
      HeadingCommand.command,
      BeaconsCommand.command,
      DistanceCommand.command,
      AirplaneCommand.command, DoctorCommand.command, AgentCommand.command, AppsCommand.command, GrantCommand.grant,
      GrantCommand.deny, GrantCommand.reset, ServicesCommand.command, LogCommand.command, StatusCommand.command,
      TopCommand.command, RegionsCommand.command, InstallCommand.install, InstallCommand.uninstall,
      LifeCommands.launch, LifeCommands.foreground, LifeCommands.background, LifeCommands.terminate,
      RefreshCommand.command,
    ]
}

/// What `main` does: finds the command, reads its arguments, runs it, and says what went wrong.
enum CommandLineProgram {
  static let version = ProjectVersion.text

  static func run(_ arguments: [String]) -> ExitStatus {
    StandardDescriptors.occupyClosed()
    StandardOutput.ignoreBrokenPipes()
    do throws(CommandFailure) {
      let status = try runCommand(arguments.dropFirst())
      return StandardOutput.shared.finish() ?? status
    } catch {
      // What came before the failure is a result, too.
      let outputStatus = StandardOutput.shared.finish()
      Messages.say(error.message, hint: error.hint)
      return outputStatus ?? error.status
    }
  }

  private static func runCommand(_ arguments: ArraySlice<String>) throws(CommandFailure) -> ExitStatus {
    let general: CommandLineArguments
    do throws(CommandFailure) {
      general = try CommandLineArguments(arguments, options: Help.generalOptions, stopsAtOperand: true)
    } catch {
      throw error.pointing(to: "corelocation --help")
    }
    if general.wantsHelp { return write(Help.general) }
    if general.has("version") { return write("corelocation \(version)\n") }
    guard let name = general.operands.first else {
      throw CommandFailure.wrongUsage("a command is missing").pointing(to: "corelocation --help")
    }
    guard let command = Command.all.first(where: { $0.name == name }) else {
      throw CommandFailure.wrongUsage("unknown command \"\(name)\"").pointing(to: "corelocation --help")
    }
    return try run(command, general.operands.dropFirst())
  }

  private static func run(
    _ command: Command, _ rest: ArraySlice<String>
  ) throws(CommandFailure) -> ExitStatus {
    do throws(CommandFailure) {
      let arguments = try CommandLineArguments(rest, options: command.options)
      if arguments.wantsHelp { return write(Help.text(for: command)) }
      let own = command.passesArguments ? arguments.countBeforeDashes : arguments.operands.count
      if own > command.operandCount {
        throw .wrongUsage("unexpected \"\(arguments.operands[command.operandCount])\"")
      }
      if arguments.operands.count < command.operandCount {
        throw .wrongUsage("expected \(command.operands)")
      }
      return try command.run(arguments)
    } catch {
      throw error.pointing(to: "corelocation \(command.name) --help")
    }
  }

  private static func write(_ text: String) -> ExitStatus {
    StandardOutput.shared.write(text)
    return .done
  }
}

extension CommandFailure {
  /// Wrong usage says where right usage stands.
  fileprivate func pointing(to help: String) -> CommandFailure {
    guard status == .wrongUsage else { return self }
    var failure = self
    failure.hint = "Try \"\(help)\"."
    return failure
  }
}

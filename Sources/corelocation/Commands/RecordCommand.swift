/// `corelocation record FILE`: follows, and writes what comes as GPX.
enum RecordCommand {
  static let command = Command(
    name: "record", operands: "FILE", operandCount: 1,
    summary: "Prints each location as it comes and writes it to a new GPX file",
    options: FollowCommand.command.options,
    notes: [
      "FILE must not be there yet. It is whole after each location, so that Ctrl-C ends it at any time, and only you",
      "may read it. \"corelocation simulate FILE\" and tests play it (docs/testing-your-app.md).",
    ] + FollowCommand.command.notes,
    run: { (arguments) throws(CommandFailure) in try run(arguments) })

  private static func run(_ arguments: CommandLineArguments) throws(CommandFailure) -> ExitStatus {
    let path = arguments.operands[0]
    guard !path.isEmpty, path != "-" else { throw .wrongUsage("expected FILE, a new file, found \"\(path)\"") }
    let recorder = try GPXRecorder(path: path)
    defer { recorder.finish() }
    let status = try FollowCommand.run(arguments, recorder: recorder)
    if let failure = recorder.failure { throw .failed(failure) }
    return status
  }
}

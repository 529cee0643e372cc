import LocationEngine
import LocationRuntime

/// `corelocation locate`: one location.
enum LocateCommand {
  static let command = Command(
    name: "locate", summary: "Prints one location",
    options: [
      CommandLineArguments.sourceOption, CommandLineArguments.accuracyOption,
      .init("timeout", "S", "seconds to wait for a location so accurate; then the best so far counts (10)"),
      CommandLineArguments.jsonOption,
    ],
    notes: [
      "Without --source CORELOCATION_SOURCE counts, else the location service where there is one, which asks",
      "permission for this program as for any app, else auto. The time counts from when it is allowed.",
    ],
    run: { (arguments) throws(CommandFailure) in try run(arguments) })

  private static func run(_ arguments: CommandLineArguments) throws(CommandFailure) -> ExitStatus {
    let environment = ProcessEnvironment.current()
    let accuracy = try arguments.accuracy() ?? .best
    let timeoutSeconds = try arguments.seconds("timeout")
    if let path = arguments.servicePath(environment) {
      var configuration = ManagerConfiguration()
      configuration.desiredAccuracy = accuracy
      let outcome = try ServiceSession(
        path: path, configuration: configuration, writer: ResultWriter(arguments, flushes: false),
        endsWithAnswer: true, answerSeconds: timeoutSeconds
      ).run()
      return try outcome.ending.status(deliveredCount: outcome.deliveredCount)
    }
    let source = try arguments.source(environment)
    var settings = try SessionSettings(environment: environment)
    settings.configuration.desiredAccuracy = accuracy
    settings.services = [.oneLocation]
    if let timeoutSeconds { settings.policy.requestLocationTimeoutSeconds = timeoutSeconds }
    let writer = ResultWriter(arguments, flushes: false)
    let outcome: (ending: Ending, deliveredCount: Int)
    if let recording = source.recording() {
      outcome = try RecordingSession(
        track: recording.path, format: recording.format, options: recording.options, settings: settings,
        writer: writer, endsWithAnswer: true
      ).run()
    } else {
      outcome = LiveSession(source: source, settings: settings, writer: writer, endsWithAnswer: true).run(environment)
    }
    return try outcome.ending.status(deliveredCount: outcome.deliveredCount)
  }
}

import LocationEngine
import LocationProviders
import LocationRuntime

/// `corelocation follow`: every location as it comes.
enum FollowCommand {
  static let command = Command(
    name: "follow", summary: "Prints each location as it comes",
    options: [
      CommandLineArguments.sourceOption, CommandLineArguments.accuracyOption,
      CommandLineArguments.distanceFilterOption,
      .init("count", "N", "end after so many locations"),
      .init("duration", "S", "end after so many seconds of the session"),
      .init("speed", "N|max", "play a recording at N times its pace, or on a virtual clock"),
      CommandLineArguments.jsonOption,
    ],
    notes: [
      "A recording plays at its own pace and with its own times; gaps over 60 s are shortened to 1 s.",
      "Other sources run until they are stopped.",
      "Without --source CORELOCATION_SOURCE counts, else the location service where there is one, which asks",
      "permission for this program as for any app, else auto.",
    ],
    run: { (arguments) throws(CommandFailure) in try run(arguments) })

  /// - Parameter recorder: writes what comes to a file, too.
  static func run(
    _ arguments: CommandLineArguments, recorder: GPXRecorder? = nil
  ) throws(CommandFailure) -> ExitStatus {
    let environment = ProcessEnvironment.current()
    let pace = try arguments.pace()
    let countMax = try arguments.count("count")
    let durationSeconds = try arguments.seconds("duration")
    var configuration = ManagerConfiguration()
    configuration.desiredAccuracy = try arguments.accuracy() ?? .best
    configuration.distanceFilterMeters = try arguments.distanceFilterMeters()
    // Whoever follows wants each location, also of a device that rests.
    configuration.pausesAutomatically = false
    var writer = ResultWriter(arguments, flushes: true)
    writer.recorder = recorder
    if pace == nil, let path = arguments.servicePath(environment) {
      let outcome = try ServiceSession(
        path: path, configuration: configuration, writer: writer, countMax: countMax, durationSeconds: durationSeconds
      ).run()
      return try outcome.ending.status(deliveredCount: outcome.deliveredCount)
    }
    let source = try arguments.source(environment)
    var settings = try SessionSettings(environment: environment)
    settings.configuration = configuration
    settings.services = [.standard]
    let outcome: (ending: Ending, deliveredCount: Int)
    if let recording = source.recording(pace: pace) {
      outcome = try RecordingSession(
        track: recording.path, format: recording.format, options: recording.options, settings: settings, writer: writer,
        countMax: countMax, durationSeconds: durationSeconds
      ).run()
    } else {
      guard pace == nil else {
        throw .wrongUsage(
          "option --speed: expected a recording, gpx:PATH or nmea:PATH, as the source; PATH may be - for standard input"
        )
      }
      outcome = LiveSession(
        source: source, settings: settings, writer: writer, countMax: countMax, durationSeconds: durationSeconds
      ).run(environment)
    }
    return try outcome.ending.status(deliveredCount: outcome.deliveredCount)
  }
}

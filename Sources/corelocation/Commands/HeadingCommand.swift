import LocationEngine
import LocationProviders
import LocationRuntime

/// `corelocation heading`: where the device points.
enum HeadingCommand {
  static let command = Command(
    name: "heading", summary: "Prints each heading as it comes",
    options: [
      CommandLineArguments.sourceOption,
      .init("filter", "D", "degrees to turn before the next heading; -1 is every one (1)"),
      .init("count", "N", "end after so many headings"),
      .init("duration", "S", "end after so many seconds of the session"),
      CommandLineArguments.jsonOption,
    ],
    notes: [
      "The compass is iio-sensor-proxy's, else the machine's magnetometer; a receiver's compass is heard with its",
      "positions, and along a recording the device points where the journey goes.",
      "A true heading needs a location, and permission for it; a magnetic one needs neither.",
    ],
    run: { (arguments) throws(CommandFailure) in try run(arguments) })

  private static func run(_ arguments: CommandLineArguments) throws(CommandFailure) -> ExitStatus {
    let environment = ProcessEnvironment.current()
    let countMax = try arguments.count("count")
    let durationSeconds = try arguments.seconds("duration")
    let source = try arguments.source(environment)
    var settings = try SessionSettings(environment: environment)
    settings.wantsHeadings = true
    settings.services = [.standard]
    // Any place of the region will do for the declination.
    settings.configuration.desiredAccuracy = source.recording(pace: nil) == nil ? .meters(3_000) : .best
    settings.configuration.pausesAutomatically = false
    settings.configuration.headingFilterDegrees = try arguments.headingFilterDegrees()
    let writer = ResultWriter(arguments, flushes: true)
    let outcome: (ending: Ending, deliveredCount: Int)
    if let recording = source.recording(pace: nil) {
      outcome = try RecordingSession(
        track: recording.path, format: recording.format, options: recording.options, settings: settings,
        writer: writer, countMax: countMax, durationSeconds: durationSeconds
      ).run()
    } else {
      outcome = LiveSession(
        source: source, settings: settings, writer: writer, countMax: countMax, durationSeconds: durationSeconds
      ).run(environment)
    }
    return try outcome.ending.status(deliveredCount: outcome.deliveredCount, of: "heading")
  }
}

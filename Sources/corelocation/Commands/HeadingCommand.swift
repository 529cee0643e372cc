import LocationEngine
import LocationModel
import LocationProviders
import LocationRuntime

/// `corelocation heading`: where the device points.
enum HeadingCommand {
  static let command = Command(
    name: "heading", summary: "Tells where the device points: live on a terminal, else a line for each heading",
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
      "A true heading needs a location, and permission for it; a magnetic one needs neither. Where permission is",
      "denied, and no compass is found that could tell one, it ends with status 3.",
      "Without --source CORELOCATION_SOURCE counts, else the location service where there is one, else auto.",
    ],
    run: { (arguments) throws(CommandFailure) in try run(arguments) })

  /// Any place of the region will do for the declination.
  private static let declinationAccuracy = DesiredAccuracy.meters(3_000)

  private static func run(_ arguments: CommandLineArguments) throws(CommandFailure) -> ExitStatus {
    let environment = ProcessEnvironment.current()
    let countMax = try arguments.count("count")
    let durationSeconds = try arguments.seconds("duration")
    let filterDegrees = try arguments.headingFilterDegrees()
    if let path = arguments.servicePath(environment) {
      var configuration = ManagerConfiguration()
      configuration.desiredAccuracy = declinationAccuracy
      configuration.pausesAutomatically = false
      configuration.headingFilterDegrees = filterDegrees
      let writer = ResultWriter(arguments, flushes: true).live(clock: LiveClock.shared)
      let outcome = try ServiceSession(
        path: path, configuration: configuration, writer: writer, countMax: countMax,
        durationSeconds: durationSeconds, results: .headings
      ).run()
      return try outcome.ending.status(deliveredCount: outcome.deliveredCount, of: "heading")
    }
    let source = try arguments.source(environment)
    var settings = try SessionSettings(environment: environment)
    settings.wantsHeadings = true
    settings.services = [.standard]
    settings.configuration.desiredAccuracy = source.recording(pace: nil) == nil ? declinationAccuracy : .best
    settings.configuration.pausesAutomatically = false
    settings.configuration.headingFilterDegrees = filterDegrees
    let writer = ResultWriter(arguments, flushes: true)
    let outcome: (ending: Ending, deliveredCount: Int)
    if let recording = source.recording(pace: nil) {
      outcome = try RecordingSession(
        track: recording.path, format: recording.format, options: recording.options, settings: settings,
        writer: writer, countMax: countMax, durationSeconds: durationSeconds
      ).run()
    } else {
      outcome = LiveSession(
        source: source, settings: settings, writer: writer.live(clock: LiveClock.shared), countMax: countMax,
        durationSeconds: durationSeconds
      ).run(environment)
    }
    return try outcome.ending.status(deliveredCount: outcome.deliveredCount, of: "heading")
  }
}

import Glibc
import LocationEngine
import LocationModel
import LocationProviders
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
    run: { (arguments) throws(CommandFailure) in try run(arguments) })

  private static func run(_ arguments: CommandLineArguments) throws(CommandFailure) -> ExitStatus {
    let environment = ProcessEnvironment.current()
    let accuracy = try arguments.accuracy() ?? .best
    let timeoutSeconds = try arguments.seconds("timeout")
    let source = try arguments.source(environment)
    var settings = try SessionSettings(environment: environment)
    settings.configuration.desiredAccuracy = accuracy
    settings.request = .requestLocation
    if let timeoutSeconds { settings.policy.requestLocationTimeoutSeconds = timeoutSeconds }
    let writer = ResultWriter(arguments, flushes: false)
    let outcome: (ending: Ending, deliveredCount: Int)
    switch source {
    case .gpx(let path, let options):
      let guardAlarm = endIfNothingComes(settings.policy)
      outcome = try RecordingSession(
        track: path, options: options, settings: settings, writer: writer, endsWithAnswer: true
      ).run()
      guardAlarm.set(nil)
    case .fixed, .geoClue, .portal, .automatic:
      outcome = LiveSession(place: .init(source), settings: settings, writer: writer, endsWithAnswer: true)
        .run(environment)
    }
    return try outcome.ending.status(deliveredCount: outcome.deliveredCount)
  }

  /// Opening and reading wait where the recording is a pipe in which nothing comes; the engine's own time-out, a second
  /// earlier, then never rings.
  private static func endIfNothingComes(_ policy: Policy) -> any Alarm {
    let clock = LiveClock()
    let alarm = clock.makeAlarm {
      StandardOutput.shared.close()
      Messages.say("no location came in time")
      _exit(ExitStatus.noLocationInTime.rawValue)
    }
    alarm.set(clock.now.advanced(bySeconds: policy.requestLocationTimeoutSeconds + 1))
    return alarm
  }
}

extension LiveSession.Place {
  init(_ source: SourceSpecification) {
    switch source {
    case .fixed(let coordinate, let altitudeMeters):
      self = .fixed(coordinate, altitudeMeters: altitudeMeters)
    case .geoClue:
      self = .locationService(.ofThisMachine(for: SessionSettings.app.identifier.name))
    case .portal:
      self = .locationService(.portal)
    case .gpx, .automatic:
      self = .machine
    }
  }
}

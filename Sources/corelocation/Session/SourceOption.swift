import LocationProviders
import LocationRuntime

extension CommandLineArguments {
  static let sourceOption = Option(
    "source", "SPEC",
    "gpx:PATH, nmea:PATH, gpsd:HOST[:PORT], tcp:HOST:PORT, udp:PORT, geoclue:, fixed:LAT,LON[,ALT] or auto")
  static let accuracyOption = Option(
    "accuracy", "A", "navigation, best, 10m, 100m, 1km, 3km or reduced (best)")
  static let distanceFilterOption = Option(
    "distance-filter", "M", "metres to move before the next location; -1 is every fix (-1)")
  static let jsonOption = Option("json", nil, "print one JSON object a line")

  /// The socket of the service that answers where neither `--source` nor CORELOCATION_SOURCE names a source; nil where
  /// there is none. As for an app: who waits for the service never falls back to the machine's receivers.
  func servicePath(_ environment: ProcessEnvironment) -> String? {
    guard value("source") == nil, environment.source == nil, let path = ServiceSocket.path(environment) else {
      return nil
    }
    if environment.authorization != nil {
      Messages.say("CORELOCATION_AUTHORIZATION counts for nothing here: the location service keeps the permissions")
    }
    return path
  }

  /// `--source`, else CORELOCATION_SOURCE, else what the machine has.
  func source(_ environment: ProcessEnvironment) throws(CommandFailure) -> SourceSpecification {
    let written = value("source")
    do throws(SourceSpecification.Failure) {
      return try SourceSpecification(written ?? environment.source ?? "auto")
    } catch {
      throw .wrongUsage("\(written == nil ? "CORELOCATION_SOURCE" : "option --source"): \(error.description)")
    }
  }
}

extension SourceSpecification {
  /// What is played rather than listened to; nil where the source is a receiver or a place. Sentences from standard
  /// input are listened to, unless it is said how they are to be played.
  ///
  /// - Parameter pace: that of the command's own option, which is a wish to play, too.
  func recording(
    pace: PlaybackOptions.Pace? = nil
  ) -> (path: String, format: RecordingFormat, options: PlaybackOptions)? {
    switch self {
    case .gpx(let path, var options):
      options.pace = pace ?? options.pace
      return (path, .gpx, options)
    case .nmea(let path, var options):
      options.pace = pace ?? options.pace
      guard LiveSource.isRecording(path) || (path == "-" && options != PlaybackOptions()) else { return nil }
      return (path, .nmea, options)
    case .gpsd, .tcp, .udp, .geoClue, .portal, .fixed, .automatic: return nil
    }
  }
}

extension Ending {
  /// What the end of `follow` and `locate` means for a script; an ending that is no success is also said.
  func status(deliveredCount: Int, of what: String = "location") throws(CommandFailure) -> ExitStatus {
    switch self {
    case .satisfied, .outputClosed: return .done
    case .recordingEnded(let failure?): throw .failed(failure.description)
    case .recordingEnded(nil), .durationPassed:
      guard deliveredCount == 0 else { return .done }
      throw CommandFailure(status: .noLocationInTime, message: "no \(what) came in time")
    case .unanswered(let error):
      throw CommandFailure(status: .noLocationInTime, message: "no location came in time (\(error.name))")
    case .refused(.notDetermined):
      throw CommandFailure(
        status: .permissionDenied,
        message: "permission is not decided, and nobody can be asked here; CORELOCATION_AUTHORIZATION=whenInUse "
          + "gives it, whenInUse,reduced for coarse locations only")
    case .refused:
      throw CommandFailure(status: .permissionDenied, message: "permission denied")
    }
  }
}

import LocationModel
import LocationProviders

extension ReplaySchedule {
  /// The recording that a command was given.
  static func open(_ path: String, shortensGaps: Bool) throws(CommandFailure) -> sending ReplaySchedule {
    guard !path.lowercased().hasSuffix(".nmea") else {
      throw .failed("\(path): NMEA recordings are not available in this version; expected a GPX file")
    }
    do throws(ReplayError) {
      return ReplaySchedule(try TrackReader(path: path), shortensGaps: shortensGaps)
    } catch {
      throw .failed(error.description)
    }
  }

  /// The time of its first fix, where the session's clock begins. Reads as far as that fix; a recording without one is
  /// a failure.
  func startTime() throws(CommandFailure) -> WallTime {
    do throws(ReplayError) {
      // The reader fails where there is nothing to play, so that nil does not come here.
      return try peek()?.fix.time ?? WallTime(nanosecondsSince1970: 0)
    } catch {
      throw .failed(error.description)
    }
  }
}

import LocationModel
import LocationProviders

extension ReplaySchedule {
  /// The recording that a command was given; what it is written in is looked up where nobody said it.
  static func open(
    _ path: String, as format: RecordingFormat? = nil, shortensGaps: Bool
  ) throws(CommandFailure) -> sending ReplaySchedule {
    do throws(ReplayError) {
      return try ReplaySchedule.open(path, format: format ?? .of(path: path), shortensGaps: shortensGaps)
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

/// A recording whose first fix has come. Belongs to one thread at a time, from the one that opened it to the one that
/// plays it.
struct OpenedRecording: Sendable {
  nonisolated(unsafe) let schedule: ReplaySchedule
  let start: WallTime

  init(_ path: String, as format: RecordingFormat, shortensGaps: Bool) throws(CommandFailure) {
    schedule = try ReplaySchedule.open(path, as: format, shortensGaps: shortensGaps)
    start = try schedule.startTime()
  }
}

import LocationFormats
import LocationModel

/// One fix of a recording and when it is due.
package struct ScheduledFix: Hashable, Sendable {
  /// Since the recording's first point, shortened gaps taken off. Never less than that of the fix before.
  package var offsetNanoseconds: Int64
  package var fix: Fix

  package init(offsetNanoseconds: Int64, fix: Fix) {
    self.offsetNanoseconds = offsetNanoseconds
    self.fix = fix
  }
}

/// A recording as a list of fixes with the moments at which they are due, one at a time. It has no clock: who plays
/// it, and how fast, is the host's affair.
///
/// The session's clock begins at the first point's own time and `Fix.time` is the time on that clock. Untimed points
/// get times by `TimedPoints`. A point not later than its predecessor plays 1 ms after it (design 5). Where the
/// recording itself steps back in time, the points from there on keep their own distances: a second activity with an
/// earlier date follows the first at once, at its own pace.
package final class ReplaySchedule {
  /// Untimed points in a row that are held until the next timed one is known.
  package static let windowPoints = 1024
  /// Longer gaps are shortened where that is wished (design 6).
  package static let gapSecondsMax: Int64 = 60
  /// A phone in the open; what a file without accuracy is taken for.
  package static let horizontalAccuracyMeters = 5.0
  /// GNSS heights err about twice as much as places do.
  package static let verticalAccuracyMeters = 10.0

  /// All state in one value, so that a fix costs one check for exclusive access.
  private var machine: ReplayMachine
  /// Read by `peek()` and not given out yet.
  private var peeked: ScheduledFix?

  /// With `shortensGaps` a pause of more than 60 s is waited for 1 s; the fixes keep their times.
  package init(_ reader: TrackReader, shortensGaps: Bool = false) {
    machine = ReplayMachine(source: .reader(reader), name: reader.name, shortensGaps: shortensGaps)
  }

  /// Plays an NMEA recording: one fix for each of its positions.
  package init(_ reader: SentenceReader, shortensGaps: Bool = false) {
    machine = ReplayMachine(source: .sentences(reader), name: reader.name, shortensGaps: shortensGaps)
  }

  /// Plays points that are in memory; `name` stands for a file in notices.
  package init(points: [TrackPoint], name: String, shortensGaps: Bool = false) {
    machine = ReplayMachine(source: .points(points[...]), name: name, shortensGaps: shortensGaps)
  }

  /// What `next()` will give, left in its place: a session learns from it when its clock is to begin.
  package func peek() throws(ReplayError) -> ScheduledFix? {
    if peeked == nil { peeked = try next() }
    return peeked
  }

  /// The next fix; nil at the end. Reads the file only as far as it must, and waits where the file is a pipe.
  package func next() throws(ReplayError) -> ScheduledFix? {
    if let peeked {
      self.peeked = nil
      return peeked
    }
    return try machine.next()
  }

  /// What a person should hear about the points read so far: one entry a kind, counted.
  package var notices: [ReplayNotice] {
    machine.notices
  }

  /// Plays the recording at `path`, `-` being standard input.
  package static func open(
    _ path: String, format: RecordingFormat, shortensGaps: Bool
  ) throws(ReplayError) -> sending ReplaySchedule {
    switch format {
    case .gpx: ReplaySchedule(try TrackReader(path: path), shortensGaps: shortensGaps)
    case .nmea: ReplaySchedule(try SentenceReader(path: path), shortensGaps: shortensGaps)
    }
  }
}

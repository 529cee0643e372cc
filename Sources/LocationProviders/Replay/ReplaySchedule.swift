import LocationFormats
import LocationModel

/// One fix of a recording and when it is due.
package struct ScheduledFix: Hashable, Sendable {
  /// Since the recording's first point, in session time. Never less than that of the fix before.
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

  private struct Tally {
    var count = 0
    var firstLine = 0

    mutating func add(line: Int) {
      if count == 0 { firstLine = line }
      count += 1
    }
  }

  private static let millisecond: Int64 = 1_000_000

  private let name: String
  private let read: () throws(ReplayError) -> TrackPoint?
  private let complaints: () -> GPXComplaints
  private let leftOutCount: () -> Int
  private let shortensGaps: Bool
  private var times = TimedPoints()
  private var start: WallTime?
  private var previousRaw: WallTime?
  private var previous: WallTime?
  private var shiftNanoseconds: Int64 = 0
  private var notLater = Tally()
  private var shortenedGaps = Tally()

  /// With `shortensGaps` a pause of more than 60 s becomes one of 1 s, on the session's clock too.
  package init(_ reader: TrackReader, shortensGaps: Bool = false) {
    name = reader.name
    read = { () throws(ReplayError) in try reader.next() }
    complaints = { reader.complaints }
    leftOutCount = { reader.leftOutCount }
    self.shortensGaps = shortensGaps
  }

  /// Plays points that are in memory; `name` stands for a file in notices.
  package init(points: [TrackPoint], name: String, shortensGaps: Bool = false) {
    var rest = points[...]
    self.name = name
    read = { () throws(ReplayError) in rest.popFirst() }
    complaints = { GPXComplaints() }
    leftOutCount = { 0 }
    self.shortensGaps = shortensGaps
  }

  /// The next fix; nil at the end. Reads the file only as far as it must, and waits where the file is a pipe.
  package func next() throws(ReplayError) -> ScheduledFix? {
    guard let timed = try times.next(read) else { return nil }
    let time = sessionTime(of: timed)
    let start = self.start ?? time
    self.start = start
    return ScheduledFix(
      offsetNanoseconds: time.nanosecondsSince1970.subtractingClamped(start.nanosecondsSince1970),
      fix: fix(from: timed.point, time: time))
  }

  /// What a person should hear about the points read so far: one entry a kind, counted.
  package var notices: [ReplayNotice] {
    var notices: [ReplayNotice] = []
    let faults = complaints()
    if let kind = faults.skippedPoints { notices.append(ReplayNotice(.skippedPoints, kind, file: name)) }
    if let kind = faults.malformedTimes { notices.append(ReplayNotice(.malformedTimes, kind, file: name)) }
    if let kind = faults.malformedValues { notices.append(ReplayNotice(.malformedValues, kind, file: name)) }
    append(.notLater, notLater, to: &notices)
    append(.shortenedGaps, shortenedGaps, to: &notices)
    if let line = times.windowExceededLine {
      notices.append(ReplayNotice(.windowExceeded, count: 1, firstLine: line, file: name))
    }
    append(.leftOut, Tally(count: leftOutCount(), firstLine: 0), to: &notices)
    return notices
  }

  private func append(_ kind: ReplayNotice.Kind, _ tally: Tally, to notices: inout [ReplayNotice]) {
    guard tally.count > 0 else { return }
    notices.append(ReplayNotice(kind, count: tally.count, firstLine: tally.firstLine, file: name))
  }

  private func sessionTime(of timed: TimedPoints.TimedPoint) -> WallTime {
    guard let previous, let previousRaw else {
      self.previous = timed.time
      previousRaw = timed.time
      return timed.time
    }
    let wished = timed.time.advanced(byNanoseconds: shiftNanoseconds)
    var time = max(wished, previous.advanced(byNanoseconds: Self.millisecond))
    if timed.beginsOwnClock {
      time = previous.advanced(byNanoseconds: TimedPoints.second)
      follow(timed.time, at: time)
    } else if wished <= previous {
      notLater.add(line: timed.point.line)
      if timed.time < previousRaw { follow(timed.time, at: time) }
    } else if shortensGaps && time > previous.advanced(byNanoseconds: Self.gapSecondsMax * TimedPoints.second) {
      time = previous.advanced(byNanoseconds: TimedPoints.second)
      shortenedGaps.add(line: timed.point.line)
      follow(timed.time, at: time)
    }
    self.previous = time
    self.previousRaw = timed.time
    return time
  }

  /// From here on the recording's `raw` stands for `time` of the session.
  private func follow(_ raw: WallTime, at time: WallTime) {
    shiftNanoseconds = time.nanosecondsSince1970.subtractingClamped(raw.nanosecondsSince1970)
  }

  private func fix(from point: TrackPoint, time: WallTime) -> Fix {
    let altitude = point.elevationMeters
    let verticalAccuracy = altitude.map { _ in point.verticalAccuracyMeters ?? Self.verticalAccuracyMeters }
    var ellipsoidal: Double?
    if let altitude, let geoid = point.geoidHeightMeters { ellipsoidal = altitude + geoid }
    return Fix(
      coordinate: point.coordinate,
      horizontalAccuracyMeters: point.horizontalAccuracyMeters ?? Self.horizontalAccuracyMeters,
      time: time, altitudeMeters: altitude, ellipsoidalAltitudeMeters: ellipsoidal,
      verticalAccuracyMeters: verticalAccuracy, speedMetersPerSecond: point.speedMetersPerSecond,
      speedAccuracyMetersPerSecond: point.speedAccuracyMetersPerSecond,
      courseDegrees: point.courseDegrees, courseAccuracyDegrees: point.courseAccuracyDegrees,
      isSimulated: true)
  }
}

import LocationFormats
import LocationModel

/// The rules of `ReplaySchedule`, as a value.
struct ReplayMachine {
  private typealias Tally = ReplayNotice.Tally

  private static let millisecond: Int64 = 1_000_000
  private static let gapNanosecondsMax = ReplaySchedule.gapSecondsMax * TimedPoints.second

  private let name: String
  private let shortensGaps: Bool
  private var source: TimedPoints.Source
  /// A GPX file without accuracy is taken for a phone's; a receiver that says none has said that it knows none.
  private let assumedHorizontalAccuracyMeters: Double?
  private let assumedVerticalAccuracyMeters: Double?
  private var times = TimedPoints()
  private var timed = TimedPoints.TimedPoint()
  private var previousRaw: WallTime?
  private var previous: WallTime?
  private var shiftNanoseconds: Int64 = 0
  /// When the last point plays, after the first.
  private var offsetNanoseconds: Int64 = 0
  private var notLater = Tally()
  private var shortenedGaps = Tally()

  init(source: TimedPoints.Source, name: String, shortensGaps: Bool) {
    self.source = source
    if case .sentences = source {
      assumedHorizontalAccuracyMeters = nil
      assumedVerticalAccuracyMeters = nil
    } else {
      assumedHorizontalAccuracyMeters = ReplaySchedule.horizontalAccuracyMeters
      assumedVerticalAccuracyMeters = ReplaySchedule.verticalAccuracyMeters
    }
    self.name = name
    self.shortensGaps = shortensGaps
  }

  /// The next fix; nil at the end. Reads the file only as far as it must, and waits where the file is a pipe.
  mutating func next() throws(ReplayError) -> ScheduledFix? {
    guard try times.read(&source, into: &timed) else { return nil }
    let time = sessionTime()
    return ScheduledFix(offsetNanoseconds: offsetNanoseconds, fix: fix(at: time))
  }

  /// What a person should hear about the points read so far: one entry a kind, counted.
  var notices: [ReplayNotice] {
    var notices: [ReplayNotice] = []
    var reader: TrackReader?
    if case .reader(let own) = source { reader = own }
    let faults = reader?.complaints ?? GPXComplaints()
    if let kind = faults.skippedPoints { notices.append(ReplayNotice(.skippedPoints, kind, file: name)) }
    if let kind = faults.malformedTimes { notices.append(ReplayNotice(.malformedTimes, kind, file: name)) }
    if let kind = faults.timesOutOfRange { notices.append(ReplayNotice(.timesOutOfRange, kind, file: name)) }
    if let kind = faults.malformedValues { notices.append(ReplayNotice(.malformedValues, kind, file: name)) }
    append(.contradictedTimes, times.wrongTimes, to: &notices)
    append(.notLater, notLater, to: &notices)
    append(.shortenedGaps, shortenedGaps, to: &notices)
    if let line = times.windowExceededLine {
      notices.append(ReplayNotice(.windowExceeded, count: 1, firstLine: line, file: name))
    }
    if case .sentences(let reader) = source { appendDamage(reader.counts, to: &notices) }
    append(.leftOut, Tally(count: reader?.leftOutCount ?? 0, firstLine: 0), to: &notices)
    return notices
  }

  private func appendDamage(_ counts: NMEACounts, to notices: inout [ReplayNotice]) {
    append(.damagedSentences, Tally(count: counts.badChecksums + counts.fragments + counts.overlong), to: &notices)
    append(.malformedSentences, Tally(count: counts.refusedSentences), to: &notices)
    append(.assumedDates, Tally(count: counts.assumedDates), to: &notices)
    append(.positionsWithoutTime, Tally(count: counts.positionsWithoutTime), to: &notices)
  }

  private func append(_ kind: ReplayNotice.Kind, _ tally: Tally, to notices: inout [ReplayNotice]) {
    guard tally.count > 0 else { return }
    notices.append(ReplayNotice(kind, count: tally.count, firstLine: tally.firstLine, file: name))
  }

  /// When the point that has just been read plays, on the session's clock.
  private mutating func sessionTime() -> WallTime {
    guard let previous, let previousRaw else {
      self.previous = timed.time
      previousRaw = timed.time
      return timed.time
    }
    let wished = timed.time.advanced(byNanoseconds: shiftNanoseconds)
    var waitNanoseconds: Int64?
    var time = max(wished, previous.advanced(byNanoseconds: Self.millisecond))
    if timed.beginsOwnClock {
      time = previous.advanced(byNanoseconds: TimedPoints.second)
      follow(timed.time, at: time)
    } else if wished <= previous {
      notLater.add(line: timed.point.line)
      if timed.time < previousRaw { follow(timed.time, at: time) }
    } else if shortensGaps && time > previous.advanced(byNanoseconds: Self.gapNanosecondsMax) {
      // The wait is cut; the recording's own time is kept (design 5).
      waitNanoseconds = TimedPoints.second
      shortenedGaps.add(line: timed.point.line)
    }
    offsetNanoseconds = offsetNanoseconds.addingClamped(
      waitNanoseconds ?? time.nanosecondsSince1970.subtractingClamped(previous.nanosecondsSince1970))
    self.previous = time
    self.previousRaw = timed.time
    return time
  }

  /// From here on the recording's `raw` stands for `time` of the session.
  private mutating func follow(_ raw: WallTime, at time: WallTime) {
    shiftNanoseconds = time.nanosecondsSince1970.subtractingClamped(raw.nanosecondsSince1970)
  }

  private func fix(at time: WallTime) -> Fix {
    var fix = Fix(
      coordinate: timed.point.coordinate,
      horizontalAccuracyMeters: timed.point.horizontalAccuracyMeters ?? assumedHorizontalAccuracyMeters,
      time: time, isSimulated: true)
    if let altitude = timed.point.elevationMeters {
      fix.altitudeMeters = altitude
      fix.verticalAccuracyMeters = timed.point.verticalAccuracyMeters ?? assumedVerticalAccuracyMeters
      if let geoid = timed.point.geoidHeightMeters { fix.ellipsoidalAltitudeMeters = altitude + geoid }
    }
    fix.speedMetersPerSecond = timed.point.speedMetersPerSecond
    fix.speedAccuracyMetersPerSecond = timed.point.speedAccuracyMetersPerSecond
    fix.courseDegrees = timed.point.courseDegrees
    fix.courseAccuracyDegrees = timed.point.courseAccuracyDegrees
    return fix
  }
}

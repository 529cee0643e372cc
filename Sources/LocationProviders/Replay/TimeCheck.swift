import LocationFormats
import LocationModel

/// Takes the time away from a point whose neighbours contradict it: one wrong date is not to move all that come after
/// it. Such a point is then timed like one that has none.
///
/// A time is doubted where it is more than `leapSecondsMax` from the one before. It is wrong where the next one is back
/// in the order of the one before; where it is not, a pause or another activity has begun. The first time of all is
/// wrong where the next one is so much earlier. A stream is waited for half a second where a time is doubted, and not
/// at all for its first one.
struct TimeCheck {
  /// As a gap: a recording that rests for less does not show it.
  static let leapSecondsMax = ReplaySchedule.gapSecondsMax
  /// So many points without a time are read to find the next that has one.
  static let untimedPointsMax = 16

  /// Points whose time was taken away.
  private(set) var wrongTimes = ReplayNotice.Tally()
  /// Read to judge one before, and still to be given.
  private var ahead: [TrackPoint] = []
  private var last: WallTime?
  private static let leapNanosecondsMax = leapSecondsMax * TimedPoints.second

  mutating func read(
    _ source: inout TimedPoints.Source, into point: inout TrackPoint, patienceMilliseconds: Int32?
  ) throws(ReplayError) -> TrackReader.Outcome {
    if ahead.isEmpty {
      let outcome = try source.read(into: &point, patienceMilliseconds: patienceMilliseconds)
      guard outcome == .point else { return outcome }
    } else {
      point = ahead.removeFirst()
    }
    guard let time = point.time else { return .point }
    if isDoubtful(time), let next = nextTime(&source), isWrong(time, before: next) {
      wrongTimes.add(line: point.line)
      point.time = nil
    } else {
      last = time
    }
    return .point
  }

  private func isDoubtful(_ time: WallTime) -> Bool {
    guard let last else { return true }
    let difference = time.nanosecondsSince1970.subtractingClamped(last.nanosecondsSince1970)
    return difference > Self.leapNanosecondsMax || difference < -Self.leapNanosecondsMax
  }

  private func isWrong(_ time: WallTime, before next: WallTime) -> Bool {
    let isFarAhead = time > next.advanced(byNanoseconds: Self.leapNanosecondsMax)
    guard let last else { return isFarAhead }
    return next >= last && (isFarAhead || time < last)
  }

  /// The time of the point that follows, or of the first after it that has one; nil where none is to be had.
  private mutating func nextTime(_ source: inout TimedPoints.Source) -> WallTime? {
    if let time = ahead.lazy.compactMap(\.time).first { return time }
    let patience = last == nil ? 0 : TimedPoints.silenceMilliseconds
    while ahead.count <= Self.untimedPointsMax {
      var point = TrackPoint(coordinate: Coordinate(latitude: 0, longitude: 0))
      // The source says an end or an error again when it is asked the next time.
      guard (try? source.read(into: &point, patienceMilliseconds: patience)) == .point else { return nil }
      ahead.append(point)
      if let time = point.time { return time }
    }
    return nil
  }
}

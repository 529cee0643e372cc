import LocationFormats
import LocationModel

/// Gives every point of a track a time. Timed points keep theirs; untimed ones get (case GX-02):
///
/// - between two timed neighbours: evenly spread between them; where the second is earlier, 1 s after each other;
/// - before the first timed point: counted back from it, 1 s each;
/// - after the last: 1 s each;
/// - in a file without times: 1 s each from 2001-01-01T00:00:00Z (design 5).
///
/// A time that cannot be, since both its neighbours contradict it, counts as none (`TimeCheck`).
///
/// Looks ahead `ReplaySchedule.windowPoints` points at most. Where more in a row are untimed, they play 1 s apart,
/// from the last timed point or, at the head, from 2001-01-01. The same holds where a stream is silent for
/// `silenceMilliseconds` behind untimed points: what waits for a time that may never come is no live stream. A file,
/// and a program that writes without such pauses, gives the same times on every run.
struct TimedPoints {
  struct TimedPoint {
    var point = TrackPoint(coordinate: Coordinate(latitude: 0, longitude: 0))
    var time = WallTime(nanosecondsSince1970: 0)
    /// The first timed point after a head that outran the window: its date says nothing about the one before.
    var beginsOwnClock = false
  }

  /// Where the points come from.
  enum Source {
    case reader(TrackReader)
    case sentences(SentenceReader)
    case points(ArraySlice<TrackPoint>)

    /// With a patience, what a silent stream may yet bring is not waited for longer.
    mutating func read(
      into point: inout TrackPoint, patienceMilliseconds: Int32?
    ) throws(ReplayError) -> TrackReader.Outcome {
      switch self {
      case .reader(let reader): return try reader.read(into: &point, patienceMilliseconds: patienceMilliseconds)
      case .sentences(let reader): return try reader.read(into: &point, patienceMilliseconds: patienceMilliseconds)
      case .points(var rest):
        guard let first = rest.popFirst() else { return .end }
        self = .points(rest)
        point = first
        return .point
      }
    }
  }

  /// Longer than a busy machine lets a converter rest between two writes, shorter than a person waits in doubt.
  static let silenceMilliseconds: Int32 = 500

  static let second: Int64 = 1_000_000_000
  /// 2001-01-01T00:00:00Z: 31 years of 365 days and 8 leap days after 1970.
  static let epoch = WallTime(nanosecondsSince1970: (31 * 365 + 8) * 86_400 * second)

  /// Points whose time their neighbours contradict; they are timed like those without.
  var wrongTimes: ReplayNotice.Tally { check.wrongTimes }
  private var check = TimeCheck()
  /// Where the first run began that outran the window and had a time after it all the same.
  private(set) var windowExceededLine: Int?
  private var window: [TrackPoint] = []
  private var ready: [TimedPoint] = []
  private var readyPosition = 0
  private var last: WallTime?
  /// The points given last count from 2001-01-01 though the file has times further on.
  private var isOnEpoch = false
  /// Inside a run that outran the window, the line where it began: every further untimed point plays at once.
  private var overrunLine: Int?

  /// Puts the next point into `next`; false at the end. What the source throws comes after the points before it.
  mutating func read(_ source: inout Source, into next: inout TimedPoint) throws(ReplayError) -> Bool {
    while readyPosition == ready.count {
      var outcome = TrackReader.Outcome.end
      do throws(ReplayError) {
        outcome = try check.read(
          &source, into: &next.point, patienceMilliseconds: window.isEmpty ? nil : Self.silenceMilliseconds)
      } catch {
        // The held points come before the fault, which the source throws again.
        if window.isEmpty { throw error }
      }
      if outcome == .silence {
        giveUpWaiting()
      } else if outcome == .end {
        if window.isEmpty { return false }
        release(until: nil)
      } else if let time = next.point.time {
        if window.isEmpty {
          setTime(time, of: &next)
          return true
        }
        release(until: time)
        setTime(time, of: &next)
        ready.append(next)
      } else {
        hold(next.point)
      }
    }
    next = ready[readyPosition]
    readyPosition += 1
    return true
  }

  @inline(__always)
  private mutating func setTime(_ time: WallTime, of next: inout TimedPoint) {
    if let overrunLine, windowExceededLine == nil { windowExceededLine = overrunLine }
    overrunLine = nil
    next.time = time
    next.beginsOwnClock = isOnEpoch
    last = time
    isOnEpoch = false
  }

  private mutating func hold(_ point: TrackPoint) {
    if overrunLine != nil {
      clearReady()
      appendAfterLast(point)
      return
    }
    window.append(point)
    if window.count > ReplaySchedule.windowPoints { giveUpWaiting() }
  }

  /// The held points play without the time that is to come.
  private mutating func giveUpWaiting() {
    overrunLine = window.first?.line
    isOnEpoch = last == nil
    release(until: nil)
  }

  /// Times the held points, `next` being the time of the point after them, or nil where none is known.
  private mutating func release(until next: WallTime?) {
    clearReady()
    let count = Int64(window.count)
    if let next, let last, next >= last {
      let span = next.nanosecondsSince1970.subtractingClamped(last.nanosecondsSince1970)
      for (index, point) in zip(Int64(1)..., window) {
        // Whole parts and remainders apart: exact, and no product can overflow.
        let share = span / (count + 1) * index + span % (count + 1) * index / (count + 1)
        ready.append(TimedPoint(point: point, time: last.advanced(byNanoseconds: share)))
      }
    } else if let next, last == nil {
      for (index, point) in zip(Int64(0)..., window) {
        let back = (count - index) * Self.second
        ready.append(TimedPoint(point: point, time: next.advanced(byNanoseconds: -back)))
      }
    } else {
      for point in window { appendAfterLast(point) }
    }
    window.removeAll(keepingCapacity: true)
  }

  private mutating func appendAfterLast(_ point: TrackPoint) {
    let time = last?.advanced(byNanoseconds: Self.second) ?? Self.epoch
    last = time
    ready.append(TimedPoint(point: point, time: time))
  }

  private mutating func clearReady() {
    ready.removeAll(keepingCapacity: true)
    readyPosition = 0
  }
}

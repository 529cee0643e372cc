import LocationFormats

/// Something about a recording that a person should hear once: what, where first, how often so far.
package struct ReplayNotice: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case skippedPoints
    case malformedTimes
    case timesOutOfRange
    case malformedValues
    /// More than a minute off, and contradicted by the points on both sides.
    case contradictedTimes
    /// Not later than their predecessor, played 1 ms after it.
    case notLater
    case shortenedGaps
    /// More untimed points in a row than are looked ahead, or a stream that fell silent behind some; they play a second
    /// apart.
    case windowExceeded
    /// Route points or waypoints beyond those that are held.
    case leftOut
    /// Of an NMEA recording: a wrong checksum, a missing end, too long.
    case damagedSentences
    /// Whole, but with a time or a place that cannot be.
    case malformedSentences
    case positionsWithoutTime
    /// Of an NMEA recording that tells no date, or none that can be.
    case assumedDates
  }

  /// How often something was met, and on which line first; 0 where lines have no number.
  struct Tally {
    var count = 0
    var firstLine = 0

    mutating func add(line: Int) {
      if count == 0 { firstLine = line }
      count += 1
    }
  }

  package var kind: Kind
  package var count: Int
  /// The line of the first; nil where it has none.
  package var firstLine: Int?
  /// One sentence, beginning with the file and the line.
  package var sentence: String
}

extension ReplayNotice {
  init(_ kind: Kind, _ complaint: GPXComplaints.Kind, file: String) {
    let count = complaint.count
    let what =
      switch kind {
      case .skippedPoints: "\(pointCount(count)) without a readable place, left out"
      case .malformedTimes: "\(pointCount(count)) with an unreadable date, played as if it had none"
      case .timesOutOfRange:
        "\(pointCount(count)) with a date outside the years 1678 to 2261, played as if it had none"
      default:
        "\(count) value\(count == 1 ? "" : "s") that cannot be read or cannot be, left out of "
          + (count == 1 ? "its point" : "their points")
      }
    self.init(
      kind: kind, count: complaint.count, firstLine: complaint.firstLine,
      sentence: "\(file):\(complaint.firstLine): \(what); first found: "
        + (complaint.firstFound.isEmpty ? "nothing" : complaint.firstFound))
  }

  init(_ kind: Kind, count: Int, firstLine: Int, file: String) {
    let what =
      switch kind {
      case .contradictedTimes:
        "\(pointCount(count)) with a time that the points around contradict, played as if it had none"
      case .notLater: "\(pointCount(count)) not later than the one before, played 1 ms after it"
      case .shortenedGaps:
        "\(count) gap\(count == 1 ? "" : "s") of more than \(ReplaySchedule.gapSecondsMax) s shortened to 1 s"
      case .windowExceeded:
        "points without time, and none within \(ReplaySchedule.windowPoints) points or half a second of silence, "
          + "played 1 s apart"
      case .damagedSentences:
        "\(count) sentence\(count == 1 ? "" : "s") with a wrong checksum or without an end, left out"
      case .malformedSentences:
        "\(count) sentence\(count == 1 ? "" : "s") with a time or a place that cannot be, left out"
      case .assumedDates: "\(pointCount(count)) without a date that can be, dated from 2001-01-01 on"
      case .positionsWithoutTime: "\(pointCount(count)) without any time, left out"
      default: "\(pointCount(count)) beyond the first \(TrackReader.heldPointsMax), left out"
      }
    let place = firstLine > 0 ? "\(file):\(firstLine)" : file
    self.init(kind: kind, count: count, firstLine: firstLine > 0 ? firstLine : nil, sentence: "\(place): \(what)")
  }
}

private func pointCount(_ count: Int) -> String {
  count == 1 ? "1 point" : "\(count) points"
}

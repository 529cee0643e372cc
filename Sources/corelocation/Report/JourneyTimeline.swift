import LocationFormats
import LocationModel
import LocationRuntime

/// When each receiver was on and when the app heard what, one lane below the other.
struct JourneyTimeline {
  var track: JourneyTrack
  var notes: JourneyNotes.Content
  var regions: [Region]
  /// What the device has.
  var receivers: [JourneyReceiver]

  private static let regionLanesMax = 12
  private static let columnCount = 240
  /// Marks nearer to each other than this share of the width are one.
  private static let markStepShare = 1.0 / 400

  private var seconds: Double { max(1, track.seconds) }

  var markup: String {
    var lanes = receivers.map(lane)
    lanes.append(lane("Locations told", "told", marks(notes.locations.map { ($0.seconds, $0.seconds) })))
    for region in regions.prefix(Self.regionLanesMax) {
      lanes.append(lane("Inside \(region.identifier)", "region", insideSpans(region.identifier)))
    }
    if !notes.visits.isEmpty { lanes.append(lane("Visits", "visit", visitSpans)) }
    if !notes.pauses.isEmpty { lanes.append(lane("Updates paused", "pause", pauseSpans)) }
    let more = regions.count - Self.regionLanesMax
    let note = more > 0 ? HTML.element("p", [:], "And \(more) more regions.") : ""
    return HTML.element("div", ["class": "lanes"], lanes.joined(separator: "\n") + TimeAxis(track).markup) + note
  }

  private func lane(_ receiver: JourneyReceiver) -> String {
    let onSpans = spans(notes.switches.filter { $0.receiver == receiver }.map { ($0.seconds, $0.isOn) })
    return switch receiver {
    case .satellite:
      lane(
        "\(receivers.count > 1 ? "GNSS" : "Receiver") on; paler where for a part of the time", columns(onSpans))
    case .bluetooth: lane("Listening for beacons", receiver.kind, onSpans)
    case .wireless: lane("Wi-Fi scans", receiver.kind, marks(onSpans))
    case .cell: lane("Looks at the cell tower", receiver.kind, marks(onSpans))
    case .motion:
      lane(
        "Moving, as the motion sensor feels it", receiver.kind,
        spans(notes.motions.map { ($0.seconds, $0.motion == .moving) }))
    }
  }

  private typealias Span = (start: Double, end: Double)

  private func lane(_ name: String, _ kind: String, _ spans: [Span]) -> String {
    let bars = spans.map { span in
      let start = min(1, max(0, span.start / seconds))
      let width = min(1, max(0, span.end / seconds)) - start
      return HTML.element(
        "rect",
        [
          "class": kind, "x": ReportNumber.percent(start), "y": "0", "height": "100%",
          // A moment is seen, too.
          "width": ReportNumber.percent(max(width, Self.markStepShare)),
        ])
    }
    return lane(name, bars)
  }

  private func lane(_ name: String, _ bars: [String]) -> String {
    HTML.element("div", ["class": "name"], HTML.text(name))
      + HTML.element("svg", ["class": "lane", "role": "img", "aria-label": name], bars.joined())
  }

  /// The receiver goes on and off within a column's time: the darker, the longer it was on.
  private func columns(_ spans: [Span]) -> [String] {
    var shares = [Double](repeating: 0, count: Self.columnCount)
    let width = seconds / Double(Self.columnCount)
    for span in spans.map({ (start: $0.start, end: $0.end, share: 1.0) }) + notes.vainLooks {
      var column = min(Self.columnCount - 1, Int(span.start / width))
      while column < Self.columnCount, Double(column) * width < span.end {
        let start = max(span.start, Double(column) * width)
        shares[column] += span.share * max(0, min(span.end, Double(column + 1) * width) - start) / width
        column += 1
      }
    }
    var bars: [String] = []
    var first = 0
    while first < shares.count {
      let share = Self.tenths(shares[first])
      let end = shares[first...].firstIndex { Self.tenths($0) != share } ?? shares.count
      if share > 0 { bars.append(column(first, end, share)) }
      first = end
    }
    return bars
  }

  /// What was on for a moment only is seen, too.
  private static func tenths(_ share: Double) -> Int { share > 0 ? max(1, min(10, Int((share * 10).rounded()))) : 0 }

  private func column(_ first: Int, _ end: Int, _ tenths: Int) -> String {
    let count = Double(Self.columnCount)
    return HTML.element(
      "rect",
      [
        "class": JourneyReceiver.satellite.kind, "x": ReportNumber.percent(Double(first) / count), "y": "0",
        "height": "100%",
        "width": ReportNumber.percent(Double(end - first) / count),
        // The palest is seen on a dark page, too.
        "fill-opacity": DecimalText.fixed(0.3 + 0.07 * Double(tenths), digits: 2),
      ])
  }

  // MARK: Spans

  private var pauseSpans: [Span] { spans(notes.pauses.map { ($0.seconds, $0.isPaused) }) }

  private func insideSpans(_ identifier: String) -> [Span] {
    spans(notes.regions.filter { $0.region.identifier == identifier }.map { ($0.seconds, $0.isInside) })
  }

  private func spans(_ changes: [(seconds: Double, isOn: Bool)]) -> [Span] {
    var spans: [Span] = []
    var since: Double?
    for change in changes {
      if change.isOn {
        since = since ?? change.seconds
      } else if let start = since {
        spans.append((start, change.seconds))
        since = nil
      }
    }
    if let since { spans.append((since, seconds)) }
    return spans
  }

  /// A stay is known by its end at the latest; one that nobody saw begin lasts since the journey's start.
  private var visitSpans: [Span] {
    notes.visits.compactMap { entry in
      let isOver = notes.visits.contains { $0.visit.arrival == entry.visit.arrival && $0.visit.departure != nil }
      guard entry.visit.departure != nil || !isOver else { return nil }
      return (
        entry.visit.arrival?.seconds(since: track.start) ?? 0,
        entry.visit.departure?.seconds(since: track.start) ?? seconds
      )
    }
  }

  /// Those that nobody could tell apart are one.
  private func marks(_ moments: [Span]) -> [Span] {
    var spans: [Span] = []
    for moment in moments {
      if let last = spans.last, moment.start - last.end <= seconds * Self.markStepShare {
        spans[spans.count - 1].end = moment.end
      } else {
        spans.append(moment)
      }
    }
    return spans
  }
}

/// The times below a drawing, in UTC.
struct TimeAxis {
  private static let steps: [Double] = [
    1, 5, 15, 60, 300, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800, 2_592_000,
    quarterSeconds, 2 * quarterSeconds, yearSeconds, 2 * yearSeconds, 5 * yearSeconds, 10 * yearSeconds,
    20 * yearSeconds, 50 * yearSeconds, 100 * yearSeconds,
  ]
  private static let ticksMax = 6.0
  private static let yearSeconds = 365.25 * 86_400
  private static let quarterSeconds = yearSeconds / 4

  private let track: JourneyTrack

  init(_ track: JourneyTrack) {
    self.track = track
  }

  var markup: String {
    let seconds = max(1, track.seconds)
    let step = Self.steps.first { seconds / $0 <= Self.ticksMax } ?? (seconds / Self.ticksMax).rounded(.up)
    // Round times of day, not round distances from the start.
    let origin = track.start.secondsSince1970
    var ticks: [String] = []
    var second = (origin / step).rounded(.up) * step - origin
    while second <= seconds {
      ticks.append(tick(second, share: second / seconds, step: step))
      second += step
    }
    return HTML.element("div", ["class": "axis"], ticks.joined())
  }

  private func tick(_ second: Double, share: Double, step: Double) -> String {
    // Leap years move the first of a month or year by less than two days, which nobody sees on an axis of years.
    let isCalendar = step >= Self.quarterSeconds
    let time = track.start.advanced(bySeconds: second + (isCalendar ? 172_800 : 0))
    let text = InternetTime.text(time, alwaysWithMilliseconds: true)
    let parts = text.split(separator: "T")
    let day = parts.first.map(String.init) ?? ""
    let hour = parts.last.map { String($0.prefix(step < 60 ? 8 : 5)) } ?? ""
    let date = String(isCalendar ? day.prefix(step < Self.yearSeconds ? 7 : 4) : day.suffix(5))
    let place = share > 0.9 ? "tick last" : share < 0.05 ? "tick first" : "tick"
    return HTML.element(
      "span", ["class": place, "style": "left: \(ReportNumber.percent(share))"],
      HTML.text(step >= 86_400 ? date : hour))
  }
}

import LocationEngine
import LocationModel

/// What each receiver cost, hour by hour, as bars and in numbers.
struct EnergyChart {
  var track: JourneyTrack
  var stepSeconds: Double
  var stepJoules: [Double]

  private static let steps: [Double] = [60, 300, 900, 3_600, 21_600, 86_400, 604_800, 2_592_000]
  private static let barsMax = 72.0

  /// Hours; shorter steps for a journey of less than three, longer ones where hours would be too many bars.
  static func stepSeconds(of seconds: Double) -> Double {
    if (10_800...barsMax * 3_600).contains(seconds) { return 3_600 }
    if seconds < 10_800 { return steps.first { seconds / $0 <= 12 } ?? 900 }
    return steps.first { seconds / $0 <= barsMax } ?? (seconds / barsMax).rounded(.up)
  }

  var markup: String {
    let most = max(stepJoules.max() ?? 0, 1e-9)
    let seconds = max(1, track.seconds)
    let bars = stepJoules.enumerated().map { index, joules in
      let start = min(1, Double(index) * stepSeconds / seconds)
      let end = min(1, Double(index + 1) * stepSeconds / seconds)
      return HTML.element(
        "rect",
        [
          "class": "receiver", "x": ReportNumber.percent(start), "y": ReportNumber.percent(1 - joules / most),
          "width": ReportNumber.percent(max(0, (end - start) * 0.94)), "height": ReportNumber.percent(joules / most),
        ])
    }
    let chart = HTML.element(
      "svg", ["class": "bars", "role": "img", "aria-label": "Joules of the receiver over time"],
      bars.joined(separator: "\n"))
    return HTML.element("p", ["class": "most"], "highest bar: \(DecimalText.fixed(most, digits: 2)) J GNSS")
      + HTML.element("div", ["class": "lanes"], chart + TimeAxis(track).markup) + numbers
  }

  private var numbers: String {
    let rows = stepJoules.enumerated().map { index, joules in
      let start = track.start.advanced(bySeconds: Double(index) * stepSeconds)
      return [ReportNumber.time(start), DecimalText.fixed(joules, digits: 2)]
    }
    return HTML.element(
      "details", [:],
      HTML.element("summary", [:], "In numbers, each \(ReportNumber.duration(stepSeconds))")
        + HTML.table(head: ["from", "GNSS, J"], rows: rows))
  }
}

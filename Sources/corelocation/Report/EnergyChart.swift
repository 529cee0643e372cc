import LocationEngine
import LocationModel
import LocationRuntime

/// What each receiver cost, hour by hour, as bars and in numbers.
struct EnergyChart {
  var track: JourneyTrack
  var stepSeconds: Double
  var stepJoules: [ReceiverJoules]
  /// What the device has, from the bottom of a bar to its top.
  var receivers: [JourneyReceiver]

  private static let steps: [Double] = [60, 300, 900, 3_600, 21_600, 86_400, 604_800, 2_592_000, 7_889_400, 31_557_600]
  private static let barsMax = 72.0

  /// Hours; shorter steps for a journey of less than three, longer ones where hours would be too many bars.
  static func stepSeconds(of seconds: Double) -> Double {
    if (10_800...barsMax * 3_600).contains(seconds) { return 3_600 }
    if seconds < 10_800 { return steps.first { seconds / $0 <= 12 } ?? 900 }
    return steps.first { seconds / $0 <= barsMax } ?? (seconds / barsMax).rounded(.up)
  }

  private var mostJoules: Double { max(stepJoules.map(\.total).max() ?? 0, 1e-9) }

  var markup: String {
    let chart = HTML.element(
      "svg", ["class": "bars", "role": "img", "aria-label": "Joules of each receiver over time"],
      stepJoules.indices.flatMap(bars).joined(separator: "\n"))
    let what = receivers.count > 1 ? "" : receivers.first.map { " \($0.name)" } ?? ""
    return HTML.element("p", ["class": "most"], "highest bar: \(EnergyText.of(mostJoules, digits: 2))\(what)")
      + HTML.element("div", ["class": "lanes"], chart + TimeAxis(track).markup) + legend + numbers
  }

  /// One step's parts, one upon the other.
  private func bars(_ index: Int) -> [String] {
    let seconds = max(1, track.seconds)
    let start = min(1, Double(index) * stepSeconds / seconds)
    let end = min(1, Double(index + 1) * stepSeconds / seconds)
    var below = 0.0
    return receivers.compactMap { receiver in
      let joules = receiver.joules(of: stepJoules[index])
      guard joules > 0 || receivers.count == 1 else { return nil }
      below += joules
      return HTML.element(
        "rect",
        [
          "class": receiver.kind, "x": ReportNumber.percent(start),
          "y": ReportNumber.percent(1 - below / mostJoules),
          "width": ReportNumber.percent(max(0, (end - start) * 0.94)),
          "height": ReportNumber.percent(joules / mostJoules),
        ])
    }
  }

  /// What each came to on the whole way; one needs no telling apart.
  private var legend: String {
    guard receivers.count > 1 else { return "" }
    let items = receivers.map { receiver in
      let joules = stepJoules.reduce(0) { $0 + receiver.joules(of: $1) }
      return HTML.element(
        "li", [:],
        HTML.element("span", ["class": "key \(receiver.kind)"], "")
          + HTML.text("\(receiver.name) \(EnergyText.of(joules))"))
    }
    return HTML.element("ul", ["class": "legend"], items.joined())
  }

  private var numbers: String {
    let rows = stepJoules.enumerated().map { index, joules in
      let start = track.start.advanced(bySeconds: Double(index) * stepSeconds)
      let parts = receivers.map { EnergyText.of($0.joules(of: joules), digits: 2) }
      let total = receivers.count > 1 ? [EnergyText.of(joules.total, digits: 2)] : []
      return [ReportNumber.time(start)] + parts + total
    }
    let head = ["from"] + receivers.map(\.name) + (receivers.count > 1 ? ["together"] : [])
    return HTML.element(
      "details", [:],
      HTML.element("summary", [:], "In numbers, each \(ReportNumber.duration(stepSeconds))")
        + HTML.table(head: head, rows: rows))
  }
}

extension JourneyReceiver {
  /// Its class in drawings.
  var kind: String { self == .satellite ? "receiver" : rawValue }
}

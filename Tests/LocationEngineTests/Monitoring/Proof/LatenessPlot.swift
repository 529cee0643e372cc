import Foundation

/// Draws how late events came: for each way of running the receivers the share of events told by then. Written where
/// `CORELOCATION_PLOT` says, once both curves are known (`scripts/plot-region-lateness`).
enum LatenessPlot {
  /// The tests that add to it run one after the other.
  private nonisolated(unsafe) static var curves: [String: [Int]] = [:]

  static func add(_ name: String, latenesses: [Int]) {
    guard let path = ProcessInfo.processInfo.environment["CORELOCATION_PLOT"] else { return }
    curves[name] = latenesses
    guard let on = curves["always on"], let asleep = curves["on demand"] else { return }
    try? svg([("a fix a second", "#1f77b4", on), ("receivers that sleep", "#d62728", asleep)])
      .write(toFile: path, atomically: true, encoding: .utf8)
  }

  private static let width = 640.0
  private static let height = 320.0
  private static let left = 60.0
  private static let bottom = 270.0
  private static let secondsMax = 60

  private static func x(_ second: Int) -> Double { left + Double(second) * (width - left - 20) / Double(secondsMax) }
  private static func y(_ share: Double) -> Double { bottom - share * (bottom - 30) }

  private static func svg(_ curves: [(name: String, color: String, latenesses: [Int])]) -> String {
    var lines = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(Int(width))\" height=\"\(Int(height))\" "
        + "font-family=\"sans-serif\" font-size=\"12\">",
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>",
    ]
    for second in stride(from: 0, through: secondsMax, by: 10) {
      lines.append(line(x(second), y(0), x(second), y(1), "#dddddd"))
      lines.append(text("\(second)", x(second), bottom + 18, anchor: "middle"))
    }
    for percent in stride(from: 0, through: 100, by: 25) {
      let share = Double(percent) / 100
      lines.append(line(x(0), y(share), x(secondsMax), y(share), "#dddddd"))
      lines.append(text("\(percent) %", left - 8, y(share) + 4, anchor: "end"))
    }
    lines.append(text("seconds from the beginning of the stay to the event", width / 2, height - 12, anchor: "middle"))
    for (number, curve) in curves.enumerated() {
      let points = (0...secondsMax).map { second in
        let told = curve.latenesses.count { $0 <= second }
        return String(format: "%.1f,%.1f", x(second), y(Double(told) / Double(max(1, curve.latenesses.count))))
      }
      let style = "fill=\"none\" stroke=\"\(curve.color)\" stroke-width=\"2\""
      lines.append("<polyline \(style) points=\"\(points.joined(separator: " "))\"/>")
      let label = "\(curve.name) (\(curve.latenesses.count) events)"
      lines.append(text(label, left + 12, 48 + Double(number) * 18, anchor: "start", color: curve.color))
    }
    return (lines + ["</svg>", ""]).joined(separator: "\n")
  }

  private static func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ color: String) -> String {
    String(
      format: "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%@\"/>", x1, y1, x2, y2, color)
  }

  private static func text(
    _ words: String, _ x: Double, _ y: Double, anchor: String, color: String = "#333333"
  ) -> String {
    String(format: "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%@\" fill=\"%@\">", x, y, anchor, color) + words
      + "</text>"
  }
}

import CoreLocationTesting
import Foundation

/// The days of all trackers side by side, in Markdown.
@MainActor
public enum DayTable {
  public static let trackers: [SimulatedDay.Tracker] = [
    .tasksWith180Seconds, .tasksWith30Seconds, .session, .continuous, .significantChanges,
  ]

  public static func lines() async throws -> [String] {
    var lines = [
      "| | fixes | longest gap | radio | energy | at midnight |", "|---|---:|---:|---:|---:|---|",
    ]
    for tracker in trackers { lines.append(row(tracker, try await SimulatedDay(tracker).run())) }
    return lines
  }

  static func row(_ tracker: SimulatedDay.Tracker, _ day: SimulatedDay.Result) -> String {
    let cells = [
      tracker.rawValue, "\(day.fixCount)", words(seconds: day.longestGapSeconds),
      String(format: "%.0f s", day.radioSeconds), String(format: "%.0f J", day.joules), words(day.stateAtMidnight),
    ]
    return "| \(cells.joined(separator: " | ")) |"
  }

  private static func words(seconds: TimeInterval) -> String {
    let whole = Int(seconds.rounded())
    let (hours, minutes, rest) = (whole / 3_600, whole / 60 % 60, whole % 60)
    if hours > 0 { return "\(hours) h \(minutes) min" }
    return minutes > 0 ? "\(minutes) min \(rest) s" : "\(rest) s"
  }

  private static func words(_ state: SimulatedAppState) -> String {
    switch state {
    case .notRunning: "not running"
    case .suspended: "suspended"
    case .background: "runs"
    case .foreground: "in the foreground"
    }
  }
}

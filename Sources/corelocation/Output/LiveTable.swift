import Glibc
import LinuxIO
import LocationEngine
import LocationModel
import LocationProviders
import LocationRuntime

/// What a terminal shows of beacons or of a heading: the newest, in the place of what it showed before, at most once a
/// second. What is said to the person meanwhile stands between two tables.
final class LiveTable: Sendable {
  private struct State {
    /// Of the newest event.
    var lines: [String] = []
    var isBehind = false
    var drawnAt: Instant?
    /// How many rows of the terminal the next drawing takes back.
    var drawnRows = 0
    var alarm: (any Alarm)?
    /// A question stands on the terminal, which nothing may take back.
    var isHeld = false
  }

  private static let intervalSeconds = 1.0
  /// The one that stands on the terminal.
  private static let current = Locked<LiveTable?>(nil)

  private let clock: any SessionClock
  private let state = Locked(State())

  /// Nil where standard output is no terminal, or one that cannot move its cursor.
  static func onTerminal(clock: any SessionClock) -> LiveTable? {
    let kind = getenv("TERM").map { String(cString: $0) }
    guard isatty(STDOUT_FILENO) == 1, kind != "dumb" else { return nil }
    let table = LiveTable(clock: clock)
    current.withLock { $0 = table }
    return table
  }

  private init(clock: any SessionClock) {
    self.clock = clock
    let alarm = clock.makeAlarm { [weak self] in self?.drawRest() }
    state.withLock { $0.alarm = alarm }
  }

  /// False for what belongs into no table.
  func show(_ event: ManagerEvent, at time: WallTime) -> Bool {
    switch event {
    case .beaconsRanged(let beacons, let constraint): show(LiveTableText.lines(of: beacons, constraint, at: time))
    case .headingUpdated(let heading): show([LiveTableText.line(of: heading)])
    default: return false
    }
    return true
  }

  private func show(_ lines: [String]) {
    state.withLock { state in
      state.lines = lines
      state.isBehind = true
      if state.isHeld { return }
      if let drawnAt = state.drawnAt, clock.now.seconds(since: drawnAt) < Self.intervalSeconds {
        state.alarm?.set(drawnAt.advanced(bySeconds: Self.intervalSeconds))
      } else {
        draw(&state)
      }
    }
  }

  /// Draws what has come since the last time.
  func drawRest() {
    state.withLock { if $0.isBehind, !$0.isHeld { draw(&$0) } }
  }

  /// Nothing is drawn while a question stands on the terminal.
  func setHeld(_ isHeld: Bool) {
    state.withLock { state in
      state.isHeld = isHeld
      state.drawnRows = 0
      if !isHeld, state.isBehind { draw(&state) }
    }
  }

  /// What stands on the terminal stays there, and the next drawing comes below it.
  func leave() {
    state.withLock { $0.drawnRows = 0 }
  }

  static func leaveCurrent() {
    current.withLock { $0 }?.leave()
  }

  private func draw(_ state: inout State) {
    guard let size = Syscalls.terminalSize(STDOUT_FILENO) else { return }
    // A row more than there are, and the terminal would roll away what the next drawing takes back.
    let rows = LiveTableText.fitted(state.lines, rows: size.rows - 1, columns: size.columns)
    let takesBack = state.drawnRows > 0 ? "\r\u{1B}[\(state.drawnRows)A\u{1B}[J" : ""
    state.drawnRows = rows.count
    state.drawnAt = clock.now
    state.isBehind = false
    let text = takesBack + rows.map { $0 + "\n" }.joined()
    StandardOutput.shared.write(flushes: true) { $0.append(text: text) }
  }
}

/// The words of live tables.
enum LiveTableText {
  /// A head, and a row for each beacon, nearest first.
  static func lines(of beacons: [BeaconSighting], _ constraint: BeaconConstraint, at time: WallTime) -> [String] {
    let head = TextWriter.text(of: constraint) + "  " + TextWriter.stamp(time)
    guard !beacons.isEmpty else { return [head, "no beacon is heard"] }
    return [head, row("proximity", "accuracy", "rssi", "major", "minor")]
      + beacons.map { sighting in
        row(
          "\(sighting.proximity.name)",
          sighting.accuracyMeters.map { DecimalText.fixed($0, digits: 2) + " m" } ?? "-",
          sighting.signalDecibels.map { "\($0) dBm" } ?? "-", "\(sighting.beacon.major)", "\(sighting.beacon.minor)")
      }
  }

  static func line(of heading: Heading) -> String {
    var text = TextWriter.text(of: heading)
    if let field = heading.fieldMicroteslas {
      let parts = [("x", field.x), ("y", field.y), ("z", field.z)]
      text += parts.map { "  \($0) " + DecimalText.fixed($1, digits: 1) }.joined() + " uT"
    }
    return text
  }

  /// No more rows and columns than a terminal has; what is left out is counted in the last row.
  static func fitted(_ lines: [String], rows: Int, columns: Int) -> [String] {
    let rows = max(rows, 1)
    var kept = Array(lines.prefix(rows))
    if lines.count > rows { kept[rows - 1] = "and \(lines.count - rows + 1) more" }
    return kept.map { String($0.prefix(max(columns, 1))) }
  }

  private static func row(_ proximity: String, _ rest: String...) -> String {
    let widths = [11, 9, 8, 8]
    let cells = zip(rest, widths).map { text, width in String(repeating: " ", count: max(0, width - text.count)) + text
    }
    return proximity + String(repeating: " ", count: max(0, 9 - proximity.count)) + cells.joined()
  }
}

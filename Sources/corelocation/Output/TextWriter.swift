import LocationEngine
import LocationFormats
import LocationModel

/// Events as lines for people. What Core Location calls invalid is left out.
enum TextWriter {
  static func append(
    _ event: ManagerEvent, of service: SessionSettings.Service? = nil, at time: WallTime, to bytes: inout [UInt8]
  ) {
    switch event {
    case .locationsUpdated(let fixes, _):
      let what = service == .significant ? "significant change: " : ""
      for fix in fixes { bytes.append(text: "\(stamp(fix.time))  \(what)\(text(of: fix))\n") }
    case .failed(let error, _):
      bytes.append(text: "\(stamp(time))  error \(error.rawValue): \(error.name)\n")
    case .authorizationChanged(let authorization, _, _):
      bytes.append(
        text: "\(stamp(time))  authorization: \(authorization.status.name), \(authorization.accuracy.name)\n")
    case .updatesPaused: bytes.append(text: "\(stamp(time))  updates paused\n")
    case .updatesResumed: bytes.append(text: "\(stamp(time))  updates resumed\n")
    case .visited(let visit): bytes.append(text: "\(stamp(time))  \(text(of: visit))\n")
    case .monitoringStarted(let region): append("monitoring started", region, at: time, to: &bytes)
    case .regionEntered(let region): append("entered", region, at: time, to: &bytes)
    case .regionExited(let region): append("left", region, at: time, to: &bytes)
    case .stateDetermined(let state, let region): append("\(state.name)", region, at: time, to: &bytes)
    case .monitoringFailed(let region, let error):
      append("monitoring failed (\(error.name))", region, at: time, to: &bytes)
    case .temporaryFullAccuracyAnswered, .deferredUpdatesFinished, .rangingFailed, .liveUpdated, .monitorOpened,
      .conditionChanged, .sessionDiagnosed:
      return
    }
  }

  static func append(_ summary: JourneySummary, to bytes: inout [UInt8]) {
    bytes.append(text: "\nfixes in              \(summary.fixCount)\n")
    bytes.append(text: "locations delivered   \(summary.deliveredCount)\n")
    bytes.append(text: "virtual seconds       \(DecimalText.fixed(summary.virtualSeconds, digits: 3))\n")
    let on = DecimalText.fixed(summary.receiverSeconds, digits: 0)
    bytes.append(
      text: "energy                \(DecimalText.fixed(summary.gnssJoules, digits: 1)) J, GNSS on for \(on) s\n")
    bytes.append(text: "GNSS always on        \(DecimalText.fixed(summary.alwaysOnJoules, digits: 1)) J\n")
  }

  private static func append(
    _ what: String, _ region: Region?, at time: WallTime, to bytes: inout [UInt8]
  ) {
    // Control characters in an app's own text could rewrite the terminal.
    let scalars = (region?.identifier ?? "?").unicodeScalars.filter { $0.properties.generalCategory != .control }
    let name = String(String.UnicodeScalarView(scalars))
    bytes.append(text: "\(stamp(time))  \(what): \(name)\n")
  }

  private static func stamp(_ time: WallTime) -> String {
    InternetTime.text(time, alwaysWithMilliseconds: true)
  }

  private static func text(of visit: Visit) -> String {
    var text = visit.departure == nil ? "arrived at " : "departed from "
    text += DecimalText.fixed(visit.coordinate.latitude, digits: 7) + ","
    text += DecimalText.fixed(visit.coordinate.longitude, digits: 7)
    text += " +/- \(DecimalText.fixed(visit.radiusMeters, digits: 1)) m, from "
    text += visit.arrival.map { stamp($0) } ?? "an unknown time"
    if let departure = visit.departure { text += " to \(stamp(departure))" }
    return text
  }

  private static func text(of fix: Fix) -> String {
    let values = LocationValues(fix)
    var text = DecimalText.fixed(fix.coordinate.latitude, digits: 7) + ","
    text += DecimalText.fixed(fix.coordinate.longitude, digits: 7)
    if values.horizontalAccuracy >= 0 { text += " +/- \(DecimalText.fixed(values.horizontalAccuracy, digits: 1)) m" }
    if values.verticalAccuracy > 0 {
      text += "  altitude \(DecimalText.fixed(values.altitude, digits: 1))"
      text += " +/- \(DecimalText.fixed(values.verticalAccuracy, digits: 1)) m"
    }
    if values.speed >= 0 { text += "  \(DecimalText.fixed(values.speed, digits: 2)) m/s" }
    if values.course >= 0 { text += "  course \(DecimalText.fixed(values.course, digits: 1))" }
    return text
  }
}

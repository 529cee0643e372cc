import LocationEngine
import LocationFormats
import LocationModel
import LocationRuntime

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
    case .kept(_, let event): append(event, at: time, to: &bytes)
    case .updatesPaused: bytes.append(text: "\(stamp(time))  updates paused\n")
    case .updatesResumed: bytes.append(text: "\(stamp(time))  updates resumed\n")
    case .visited(let visit): bytes.append(text: "\(stamp(time))  \(text(of: visit))\n")
    case .headingUpdated(let heading): bytes.append(text: "\(stamp(heading.time))  \(text(of: heading))\n")
    case .monitoringStarted(let region): append("monitoring started", region, at: time, to: &bytes)
    case .regionEntered(let region): append("entered", region, at: time, to: &bytes)
    case .regionExited(let region): append("left", region, at: time, to: &bytes)
    case .stateDetermined(let state, let region): append("\(state.name)", region, at: time, to: &bytes)
    case .monitoringFailed(let region, let error):
      append("monitoring failed (\(error.name))", region, at: time, to: &bytes)
    case .beaconsRanged(let beacons, let constraint):
      if beacons.isEmpty { bytes.append(text: "\(stamp(time))  no beacon of \(text(of: constraint))\n") }
      for sighting in beacons { bytes.append(text: "\(stamp(time))  \(text(of: sighting))\n") }
    case .rangingFailed(let constraint, let error):
      bytes.append(text: "\(stamp(time))  ranging failed (\(error.name)): \(text(of: constraint))\n")
    case .temporaryFullAccuracyAnswered, .deferredUpdatesFinished, .liveUpdated, .monitorOpened,
      .conditionChanged, .sessionDiagnosed, .headingCalibrationAsked:
      return
    }
  }

  static func append(_ summary: JourneySummary, to bytes: inout [UInt8]) {
    bytes.append(text: "\nfixes in              \(summary.fixCount)\n")
    bytes.append(text: "locations delivered   \(summary.deliveredCount)\n")
    bytes.append(text: "virtual seconds       \(DecimalText.fixed(summary.virtualSeconds, digits: 3))\n")
    let on = DecimalText.fixed(summary.satelliteSeconds, digits: 0)
    let total = EnergyText.of(summary.joules.total)
    bytes.append(text: "energy                \(total), GNSS on for \(on) s\n")
    let receivers = summary.receivers
    if receivers.count > 1 {
      let parts = receivers.map { "\($0.name) \(EnergyText.of($0.joules(of: summary.joules)))" }
      bytes.append(text: "by receiver           \(parts.joined(separator: ", "))\n")
    }
    bytes.append(text: "GNSS always on        \(EnergyText.of(summary.alwaysOnJoules))\n")
  }

  private static func append(
    _ what: String, _ region: Region?, at time: WallTime, to bytes: inout [UInt8]
  ) {
    // Control characters in an app's own text could rewrite the terminal.
    let scalars = (region?.identifier ?? "?").unicodeScalars.filter { $0.properties.generalCategory != .control }
    let name = String(String.UnicodeScalarView(scalars))
    bytes.append(text: "\(stamp(time))  \(what): \(name)\n")
  }

  static func stamp(_ time: WallTime) -> String {
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

  static func text(of heading: Heading) -> String {
    var text = "heading \(DecimalText.fixed(heading.magneticDegrees, digits: 1)) magnetic"
    if let degrees = heading.trueDegrees { text += ", \(DecimalText.fixed(degrees, digits: 1)) true" }
    guard let accuracy = heading.accuracyDegrees else { return text + ", disturbed" }
    return text + " +/- \(DecimalText.fixed(accuracy, digits: 1))"
  }

  static func text(of constraint: BeaconConstraint) -> String {
    let numbers = [constraint.major, constraint.minor].map { $0.map { "\($0)" } ?? "any" }
    return "\(constraint.uuidText) \(numbers.joined(separator: " "))"
  }

  /// In columns, one beacon below the other.
  private static func text(of sighting: BeaconSighting) -> String {
    func right(_ text: String, _ width: Int) -> String {
      String(repeating: " ", count: max(0, width - text.count)) + text
    }
    let meters = sighting.accuracyMeters.map { DecimalText.fixed($0, digits: 2) + " m" } ?? "-"
    let signal = sighting.signalDecibels.map { "\($0) dBm" } ?? "-"
    return right("\(sighting.proximity.name)", 9) + right(meters, 11) + right(signal, 9) + "  "
      + text(of: BeaconConstraint(sighting.beacon))
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

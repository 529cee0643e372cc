import CoreLocation
import LinuxIO
import LocationEngine
import LocationModel

/// What happened on the device, in order, each line with the device's time. Lines are written only when somebody reads.
package final class DeviceLog: Sendable {
  private enum Entry: Sendable {
    case heard(ManagerEvent)
    case line(String)
  }

  private struct State {
    var entries: [(time: WallTime, entry: Entry)] = []
  }

  private let state = Locked(State())

  init() {}

  func heard(_ event: ManagerEvent, at time: WallTime) {
    state.withLock { $0.entries.append((time, .heard(event))) }
  }

  func add(_ line: String, at time: WallTime) {
    state.withLock { $0.entries.append((time, .line(line))) }
  }

  var lines: [String] {
    state.withLock { $0.entries }.map { entry in
      let time = Self.style.format(Date(timeIntervalSince1970: entry.time.secondsSince1970))
      switch entry.entry {
      case .heard(let event): return "\(time)  the app hears \(event.words)"
      case .line(let line): return "\(time)  \(line)"
      }
    }
  }

  private static var style: Date.ISO8601FormatStyle { Date.ISO8601FormatStyle(includingFractionalSeconds: true) }
}

extension ManagerEvent {
  /// What the delegate, or the task that iterates, hears, by Apple's names.
  var words: String {
    switch self {
    case .authorizationChanged(let authorization, _, _):
      "didChangeAuthorization \(authorization.status), \(authorization.accuracy)"
    case .locationsUpdated(let fixes, let isAnswer):
      "didUpdateLocations \(fixes.map(\.words).joined(separator: "; "))\(isAnswer ? ", as asked for" : "")"
    case .failed(let error, _): "didFailWithError \(error)"
    case .temporaryFullAccuracyAnswered(_, let error):
      "the answer to its question for full accuracy\(error.map { ": \($0)" } ?? "")"
    case .deferredUpdatesFinished(let error): "didFinishDeferredUpdates\(error.map { ": \($0)" } ?? "")"
    case .updatesPaused: "didPauseLocationUpdates"
    case .updatesResumed: "didResumeLocationUpdates"
    case .visited(let visit): "didVisit \(visit.coordinate.words)"
    case .liveUpdated(let update): "a live update: \(update.fix?.words ?? "no location")"
    case .monitorOpened: "that its monitor is open"
    case .conditionChanged(let event): "an event of its monitor: \(event.identifier) is \(event.state)"
    case .sessionDiagnosed: "how its session stands"
    case .monitoringStarted(let region): "didStartMonitoring \(region.identifier)"
    case .monitoringFailed(let region, let error):
      "monitoringDidFail \(region?.identifier ?? "no region"): \(error)"
    case .stateDetermined(let state, let region): "didDetermineState \(state) \(region.identifier)"
    case .regionEntered(let region): "didEnterRegion \(region.identifier)"
    case .regionExited(let region): "didExitRegion \(region.identifier)"
    case .rangingFailed(_, let error): "didFailRanging: \(error)"
    case .beaconsRanged(let beacons, _):
      beacons.isEmpty ? "didRange no beacon" : "didRange \(beacons.map(\.words).joined(separator: ", "))"
    case .headingUpdated(let heading): "didUpdateHeading \(Int(heading.magneticDegrees.rounded()))"
    case .headingCalibrationAsked: "locationManagerShouldDisplayHeadingCalibration"
    case .kept(_, let event): event.words
    }
  }
}

extension Fix {
  fileprivate var words: String {
    coordinate.words + (horizontalAccuracyMeters.map { " within \(Int($0.rounded())) m" } ?? "")
  }
}

extension BeaconSighting {
  fileprivate var words: String {
    "\(beacon.major)/\(beacon.minor) \(proximity.name)"
      + (accuracyMeters.map { String(format: " at %.1f m", $0) } ?? "")
  }
}

extension Coordinate {
  var words: String {
    String(format: "%.5f, %.5f", latitude, longitude)
  }
}

extension Double {
  /// As whole numbers are written, however large it is.
  var inWholes: String { String(format: "%.0f", self) }
}

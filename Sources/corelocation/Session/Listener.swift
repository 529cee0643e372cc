import Dispatch
import LinuxIO
import LocationEngine
import LocationModel
import LocationProviders

/// Why a session is over.
enum Ending: Sendable {
  /// With the error that cut the recording short, if one did.
  case recordingEnded(ReplayError?)
  /// As many locations as were asked for have come, or the one.
  case satisfied
  case durationPassed
  case refused(AuthorizationStatus)
  /// The one location did not come.
  case unanswered(LocationError)
  /// Nobody reads the results any more.
  case outputClosed
}

/// The delegate of a command: writes what it hears, counts it, and knows when the session is over.
final class Listener: Sendable {
  /// What is written and counted.
  enum Results {
    /// Everything, of which locations are counted.
    case locations
    /// Headings, and that there is none.
    case headings
    /// Reports of beacons, and why there is none.
    case beacons
  }

  private struct State {
    var deliveredCount = 0
    var ending: Ending?
    /// Of the last event that was written.
    var latestTime: WallTime?
  }

  private let writer: ResultWriter
  private let clock: any SessionClock
  private let recordedStart: WallTime?
  private let countMax: Int?
  private let endsWhenRefused: Bool
  private let endsWithAnswer: Bool
  private let results: Results
  private let state = Locked(State())
  private let isOver = DispatchSemaphore(value: 0)

  /// - Parameter recordedStart: the first fix's time, where a recording plays with its own times: events then have
  ///   those, too, however late the machine hands them over.
  init(
    _ writer: ResultWriter, clock: any SessionClock, recordedStart: WallTime? = nil, countMax: Int? = nil,
    endsWhenRefused: Bool = false, endsWithAnswer: Bool = false, results: Results = .locations
  ) {
    self.results = results
    self.recordedStart = recordedStart
    self.writer = writer
    self.clock = clock
    self.countMax = countMax
    self.endsWhenRefused = endsWhenRefused
    self.endsWithAnswer = endsWithAnswer
  }

  var deliveredCount: Int { state.withLock { $0.deliveredCount } }
  var ending: Ending? { state.withLock { $0.ending } }

  /// - Parameter service: whose event it is, where that is not plain from the event.
  func hear(_ event: ManagerEvent, of service: SessionSettings.Service? = nil) {
    guard isListening else { return }
    if isResult(event) { writer.write(event, of: service, at: time(of: event)) }
    switch event {
    case .locationsUpdated(let fixes, _) where results == .locations:
      state.withLock { $0.deliveredCount += fixes.count }
    case .headingUpdated where results == .headings, .beaconsRanged where results == .beacons:
      state.withLock { $0.deliveredCount += 1 }
    default: break
    }
    if let ending = ending(after: event) { end(ending) }
  }

  /// In a recording's own times that of the newest location, and of the permission the recording's start. What has no
  /// time of its own, such as a pause, has the session clock's. Never before the event that came before.
  private func time(of event: ManagerEvent) -> WallTime {
    guard let recordedStart else { return clock.wallTime }
    let clockTime = clock.wallTime
    return state.withLock { state in
      let own: WallTime
      switch event {
      case .headingUpdated(let heading): own = heading.time
      case .locationsUpdated(let fixes, _): own = fixes.map(\.time).max() ?? clockTime
      case .authorizationChanged where state.deliveredCount == 0: own = recordedStart
      default: own = clockTime
      }
      let time = max(own, state.latestTime ?? own)
      state.latestTime = time
      return time
    }
  }

  /// The last fix is on its way when the recording ends.
  private var isListening: Bool {
    switch ending {
    case nil, .recordingEnded: true
    default: false
    }
  }

  /// Where one location is the whole result, how it came to be allowed is none; and that it did not come is said to a
  /// person as the end of the command, to a program as an event, too.
  private func isResult(_ event: ManagerEvent) -> Bool {
    if results == .headings {
      return switch event {
      case .headingUpdated, .failed(.headingFailure, _): true
      default: false
      }
    }
    if results == .beacons {
      return switch event {
      case .beaconsRanged, .rangingFailed: true
      default: false
      }
    }
    guard endsWithAnswer else { return true }
    return switch event {
    case .authorizationChanged: false
    case .failed: writer.form == .json
    default: true
    }
  }

  private func ending(after event: ManagerEvent) -> Ending? {
    guard writer.isOpen else { return .outputClosed }
    switch event {
    case .failed(.denied, _) where endsWhenRefused: return .refused(.denied)
    case .rangingFailed(_, .denied) where endsWhenRefused: return .refused(.denied)
    case .authorizationChanged(let authorization, isInitial: false, _)
    where endsWhenRefused && !authorization.status.isAuthorized:
      return .refused(authorization.status)
    case .failed(let error, isAnswer: true) where endsWithAnswer: return .unanswered(error)
    case .locationsUpdated where endsWithAnswer: return .satisfied
    case .locationsUpdated, .headingUpdated, .beaconsRanged:
      guard let countMax, deliveredCount >= countMax else { return nil }
      return .satisfied
    default: return nil
    }
  }

  /// The first ending counts.
  func end(_ ending: Ending) {
    let isFirst = state.withLock { state -> Bool in
      defer { state.ending = state.ending ?? ending }
      return state.ending == nil
    }
    if isFirst { isOver.signal() }
  }

  /// Waits for the end; for sessions on the machine's clock.
  func waitForEnd() {
    isOver.wait()
  }
}

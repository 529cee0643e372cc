import LinuxIO
import LocationEngine
import LocationModel
import LocationProviders

/// Finds the one location of `locate --timeout` among standard updates of the service, whose own time for one location
/// may be another: the first that is accurate enough, at the end the best so far (behaviour 2.30, 2.31).
final class AnswerChooser: Sendable {
  private struct State {
    var begun: WallTime?
    var isReduced = false
    var best: Fix?
    var isOver = false
    var alarm: (any Alarm)?
  }

  /// A receiver's newest fix may be a second old when it is asked; older ones are the service's memory.
  private static let ageSecondsMax = 2.0

  private let accuracyMeters: Double
  private let seconds: Double
  private let clock: any SessionClock
  private let state = Locked(State())

  init(wish: DesiredAccuracy, seconds: Double, clock: any SessionClock) {
    accuracyMeters =
      switch wish {
      case .bestForNavigation, .best: Policy().bestAccuracyMeters
      case .meters(let meters): max(meters, Policy().bestAccuracyMeters)
      case .reduced: .infinity
      }
    self.seconds = seconds
    self.clock = clock
  }

  /// - Parameter answer: is given the outcome when the time is up.
  func begin(isReduced: Bool, _ answer: @escaping @Sendable (ManagerEvent) -> Void) {
    let alarm = clock.makeAlarm { [weak self] in
      if let outcome = self?.giveUp() { answer(outcome) }
    }
    state.withLock { state in
      state.begun = clock.wallTime
      state.isReduced = isReduced
      state.alarm = alarm
    }
    alarm.set(clock.now.advanced(bySeconds: seconds))
  }

  /// What the session hears of an event: locations only once one is the answer, and no passing failure.
  func hear(_ event: ManagerEvent) -> ManagerEvent? {
    switch event {
    case .locationsUpdated(let fixes, _):
      for fix in fixes where isAnswer(fix) { return .locationsUpdated([fix], isAnswer: true) }
      return nil
    case .failed(.locationUnknown, _): return nil
    default: return event
    }
  }

  /// Looks at a fix once, in the order of their coming.
  private func isAnswer(_ fix: Fix) -> Bool {
    state.withLock { state in
      guard !state.isOver, let begun = state.begun else { return false }
      // Coarse locations come seldom, so that an older one is as good as any.
      guard state.isReduced || fix.time.seconds(since: begun) > -Self.ageSecondsMax else { return false }
      let accuracy = fix.horizontalAccuracyMeters ?? .infinity
      if state.best.map({ accuracy < $0.horizontalAccuracyMeters ?? .infinity }) ?? true { state.best = fix }
      state.isOver = state.isReduced || accuracy <= accuracyMeters
      return state.isOver
    }
  }

  private func giveUp() -> ManagerEvent? {
    state.withLock { state in
      guard !state.isOver else { return nil }
      state.isOver = true
      return state.best.map { .locationsUpdated([$0], isAnswer: true) } ?? .failed(.locationUnknown, isAnswer: true)
    }
  }
}

import LinuxIO
import LocationModel

/// Plays a recording. Its time begins to run when it is first wanted and goes on while it is not: what would have been
/// received with the receivers off is lost, as it is outdoors.
package final class ReplayProvider: LocationProvider {
  package enum Pace: Sendable {
    /// So many seconds of the recording in a second of the clock.
    case speed(Double)
    /// The next fix follows as soon as the last has reached every delegate.
    case asDelivered(DeliveryLedger)
  }

  /// What a fix's timestamp is (design 5).
  package enum Stamping: Sendable {
    /// The recording's own time.
    case recording
    /// The clock's time at delivery.
    case delivery
  }

  private struct State {
    /// When the recording's first fix played.
    var startedAt: Instant?
    var isWanted = false
    /// Fixes that came while nobody listened are to be left out.
    var skipsMissed = false
    var hasReportedEnd = false
    var isPlaying = false
    var events: (@Sendable (ProviderEvent) -> Void)?
    var alarm: (any Alarm)?
  }

  private let clock: any SessionClock
  private let pace: Pace
  private let stamping: Stamping
  private let ended: (@Sendable (ReplayError?) -> Void)?
  private let state = Locked(State())
  /// Touched only by the thread that has set `isPlaying`, and never under the lock: a read may wait for a pipe.
  private nonisolated(unsafe) let reel: RecordingReel

  /// - Parameter ended: called once when the recording is over, with the error that cut it short if there was one.
  package convenience init(
    schedule: sending ReplaySchedule, clock: any SessionClock, pace: Pace, stamping: Stamping,
    ended: (@Sendable (ReplayError?) -> Void)? = nil
  ) {
    self.init(reel: RecordingReel(schedule), clock: clock, pace: pace, stamping: stamping, ended: ended)
  }

  /// Opens the recording when it is first wanted, on the clock's queue: opening a named pipe waits for its writer.
  package convenience init(
    opening open: @escaping @Sendable () throws(ReplayError) -> ReplaySchedule, clock: any SessionClock,
    pace: Pace, stamping: Stamping, ended: (@Sendable (ReplayError?) -> Void)? = nil
  ) {
    self.init(reel: RecordingReel(opening: open), clock: clock, pace: pace, stamping: stamping, ended: ended)
  }

  private init(
    reel: sending RecordingReel, clock: any SessionClock, pace: Pace, stamping: Stamping,
    ended: (@Sendable (ReplayError?) -> Void)?
  ) {
    self.reel = reel
    self.clock = clock
    self.pace = pace
    self.stamping = stamping
    self.ended = ended
  }

  package func connect(_ events: @escaping @Sendable (ProviderEvent) -> Void) {
    let alarm = clock.makeAlarm { [weak self] in self?.play() }
    state.withLock {
      $0.events = events
      $0.alarm = alarm
    }
    if case .asDelivered(let ledger) = pace {
      ledger.onIdle { [weak self] in self?.play() }
    }
  }

  package func setDemand(_ demand: ReceiverDemand?) {
    let alarm = state.withLock { state -> (any Alarm)? in
      let wasWanted = state.isWanted
      state.isWanted = demand != nil
      guard state.isWanted != wasWanted else { return nil }
      if state.isWanted, state.startedAt != nil { state.skipsMissed = true }
      return state.alarm
    }
    // Played from the clock, never from inside the call that asked for it.
    alarm?.set(demand == nil ? nil : clock.now)
  }

  /// What a person should hear of a recording that is left before its end; empty once it has been played and told, and
  /// while it is being read.
  package var untoldNotices: [ReplayNotice] {
    let mayLook = state.withLock { state -> Bool in
      guard !state.isPlaying, !state.hasReportedEnd else { return false }
      state.isPlaying = true
      return true
    }
    guard mayLook else { return [] }
    defer { state.withLock { $0.isPlaying = false } }
    return reel.notices
  }

  private func due(_ scheduled: ScheduledFix, startedAt: Instant) -> Instant? {
    guard case .speed(let speed) = pace else { return nil }
    // At its own pace a recording keeps its times to the nanosecond, however long it is.
    if speed == 1 {
      return Instant(nanoseconds: startedAt.nanoseconds.addingClamped(scheduled.offsetNanoseconds))
    }
    return startedAt.advanced(bySeconds: Double(scheduled.offsetNanoseconds) * 1e-9 / speed)
  }

  // MARK: Playing

  private enum Step {
    case give(Fix)
    /// Nothing to give yet: look again.
    case skip
    case wait(until: Instant)
    case stop
    case end(isFirst: Bool)
  }

  /// Gives everything that is due. One thread plays at a time; a second call is taken up by the first.
  private func play() {
    let (mayPlay, events, alarm) = state.withLock { state in
      defer { state.isPlaying = true }
      return (!state.isPlaying, state.events, state.alarm)
    }
    guard mayPlay else { return }
    while true {
      // A fix is given before the next is read, so that a pipe's newest one never waits for its successor.
      if state.withLock({ $0.isWanted }) { reel.load() }
      switch state.withLock({ takeStep(&$0) }) {
      case .give(var fix):
        if case .delivery = stamping { fix.time = clock.wallTime }
        events?(.fix(fix))
      case .skip:
        continue
      case .wait(let instant):
        alarm?.set(instant)
        return
      case .stop:
        return
      case .end(let isFirst):
        if isFirst { for notice in reel.notices { events?(.notice(notice.sentence)) } }
        events?(.state(.unavailable))
        if isFirst { ended?(reel.failure) }
        return
      }
    }
  }

  private func takeStep(_ state: inout State) -> Step {
    guard state.isWanted else {
      state.isPlaying = false
      return .stop
    }
    let startedAt = state.startedAt ?? clock.now
    state.startedAt = startedAt
    if state.skipsMissed, let upcoming = reel.upcoming {
      if let due = due(upcoming, startedAt: startedAt), due < clock.now {
        reel.drop()
        return .skip
      }
      state.skipsMissed = false
    }
    guard let upcoming = reel.upcoming else {
      // Wanted only since the last look: there is something to load yet.
      return reel.isOver ? finish(&state) : .skip
    }
    if let due = due(upcoming, startedAt: startedAt), due > clock.now {
      state.isPlaying = false
      return .wait(until: due)
    }
    if case .asDelivered(let ledger) = pace, !ledger.isIdle {
      state.isPlaying = false
      return .stop
    }
    reel.drop()
    return .give(upcoming.fix)
  }

  private func finish(_ state: inout State) -> Step {
    state.isPlaying = false
    defer { state.hasReportedEnd = true }
    return .end(isFirst: !state.hasReportedEnd)
  }
}

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
    let schedule: ReplaySchedule
    var upcoming: ScheduledFix?
    var startedAt: Instant?
    var isWanted = false
    /// Nothing is left to read; `failure` says what cut the recording short, if anything did.
    var isExhausted = false
    var failure: ReplayError?
    var hasReportedEnd = false
    var isPlaying = false
    var events: (@Sendable (ProviderEvent) -> Void)?
    var alarm: (any Alarm)?
  }

  private let clock: any SessionClock
  private let pace: Pace
  private let stamping: Stamping
  private let ended: (@Sendable (ReplayError?) -> Void)?
  private let state: Locked<State>

  /// - Parameter ended: called once when the recording is over, with the error that cut it short if there was one.
  package init(
    schedule: sending ReplaySchedule, clock: any SessionClock, pace: Pace, stamping: Stamping,
    ended: (@Sendable (ReplayError?) -> Void)? = nil
  ) {
    self.clock = clock
    self.pace = pace
    self.stamping = stamping
    self.ended = ended
    state = Locked(State(schedule: schedule))
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
      if state.isWanted, state.startedAt != nil { skipMissed(&state) }
      return state.alarm
    }
    guard let alarm else { return }
    guard demand != nil else {
      alarm.set(nil)
      return
    }
    // Played from the clock, never from inside the call that asked for it.
    alarm.set(clock.now)
  }

  /// What a person should hear of a recording that is left before its end; empty once it has been played and told.
  package var untoldNotices: [ReplayNotice] {
    state.withLock { $0.hasReportedEnd ? [] : $0.schedule.notices }
  }

  /// Fixes that came while nobody listened are gone.
  private func skipMissed(_ state: inout State) {
    guard case .speed = pace else { return }
    let now = clock.now
    while let upcoming = state.upcoming, let due = due(upcoming, state), due < now {
      readNext(&state)
    }
  }

  private func readNext(_ state: inout State) {
    do {
      state.upcoming = try state.schedule.next()
    } catch {
      state.upcoming = nil
      state.failure = error
    }
    state.isExhausted = state.upcoming == nil
  }

  private func due(_ scheduled: ScheduledFix, _ state: State) -> Instant? {
    guard case .speed(let speed) = pace, let startedAt = state.startedAt else { return nil }
    // At its own pace a recording keeps its times to the nanosecond, however long it is.
    if speed == 1 {
      return Instant(nanoseconds: startedAt.nanoseconds.addingClamped(scheduled.offsetNanoseconds))
    }
    return startedAt.advanced(bySeconds: Double(scheduled.offsetNanoseconds) * 1e-9 / speed)
  }

  // MARK: Playing

  private enum Step {
    case give(Fix)
    case wait(until: Instant?)
    case stop
    case end(isFirst: Bool, failure: ReplayError?, notices: [ReplayNotice])
  }

  /// Gives everything that is due. One thread plays at a time; a second call is taken up by the first.
  private func play() {
    let (mayPlay, events, alarm) = state.withLock { state in
      defer { state.isPlaying = true }
      return (!state.isPlaying, state.events, state.alarm)
    }
    guard mayPlay else { return }
    while true {
      switch state.withLock({ takeStep(&$0) }) {
      case .give(var fix):
        if case .delivery = stamping { fix.time = clock.wallTime }
        events?(.fix(fix))
      case .wait(let instant):
        alarm?.set(instant)
        return
      case .stop:
        return
      case .end(let isFirst, let failure, let notices):
        for notice in notices { events?(.notice(notice.sentence)) }
        events?(.state(.unavailable))
        if isFirst { ended?(failure) }
        return
      }
    }
  }

  private func takeStep(_ state: inout State) -> Step {
    guard state.isWanted else {
      state.isPlaying = false
      return .stop
    }
    if state.startedAt == nil {
      state.startedAt = clock.now
      readNext(&state)
    }
    guard let upcoming = state.upcoming else {
      state.isPlaying = false
      defer { state.hasReportedEnd = true }
      let isFirst = !state.hasReportedEnd
      return .end(
        isFirst: isFirst, failure: state.failure, notices: isFirst ? state.schedule.notices : [])
    }
    switch pace {
    case .speed:
      if let due = due(upcoming, state), due > clock.now {
        state.isPlaying = false
        return .wait(until: due)
      }
    case .asDelivered(let ledger):
      if !ledger.isIdle {
        state.isPlaying = false
        return .stop
      }
    }
    // Read ahead, so that the next one's time is known; an error in it is met after this fix has been given.
    readNext(&state)
    return .give(upcoming.fix)
  }
}

import LinuxIO
import LocationModel
import LocationProviders

/// Time that moves only when it is told to. Alarms ring one by one, the earliest first, those of the same instant in
/// the order in which they were made.
package final class VirtualClock: SessionClock {
  fileprivate struct State {
    var now = Instant.zero
    var wallStart: WallTime
    var deadlines: [Instant?] = []
    var rings: [@Sendable () -> Void] = []
  }

  fileprivate let state: Locked<State>

  package init(wallStart: WallTime) {
    state = Locked(State(wallStart: wallStart))
  }

  package var now: Instant {
    state.withLock { $0.now }
  }

  package var wallTime: WallTime {
    state.withLock { $0.wallStart.advanced(byNanoseconds: $0.now.nanoseconds) }
  }

  package func makeAlarm(_ ring: @escaping @Sendable () -> Void) -> any Alarm {
    state.withLock { state in
      state.deadlines.append(nil)
      state.rings.append(ring)
      return VirtualAlarm(clock: self, index: state.rings.count - 1)
    }
  }

  /// When the next alarm is due; nil when none is set.
  package var nextDeadline: Instant? {
    state.withLock { state in state.deadlines.lazy.compactMap { $0 }.min() }
  }

  /// When the one after the next is due, which may be the same instant; nil when there is none.
  package var deadlineAfterNext: Instant? {
    state.withLock { state in
      let deadlines = state.deadlines.compactMap { $0 }.sorted()
      return deadlines.count > 1 ? deadlines[1] : nil
    }
  }

  /// Moves on without ringing anything: what was due meanwhile rings late.
  package func passOver(to end: Instant) {
    state.withLock { $0.now = max($0.now, end) }
  }

  /// Moves to the next alarm at or before `end` and rings it; false, and time at `end`, when there is none.
  package func ringNext(until end: Instant) -> Bool {
    let ring = state.withLock { state -> (@Sendable () -> Void)? in
      var next: (index: Int, deadline: Instant)?
      for (index, deadline) in state.deadlines.enumerated() {
        if let deadline, deadline <= end, next.map({ deadline < $0.deadline }) ?? true {
          next = (index, deadline)
        }
      }
      guard let next else {
        state.now = max(state.now, end)
        return nil
      }
      state.now = max(state.now, next.deadline)
      state.deadlines[next.index] = nil
      return state.rings[next.index]
    }
    ring?()
    return ring != nil
  }
}

private final class VirtualAlarm: Alarm {
  private let clock: VirtualClock
  private let index: Int

  init(clock: VirtualClock, index: Int) {
    self.clock = clock
    self.index = index
  }

  func set(_ deadline: Instant?) {
    clock.state.withLock { $0.deadlines[index] = deadline }
  }
}

import Dispatch
import Glibc
import LinuxIO
import LocationModel
import LocationProviders

/// The machine's own time. Alarms ring on one serial queue.
package final class LiveClock: SessionClock {
  package static let shared = LiveClock()

  fileprivate let queue: DispatchQueue

  /// - Parameter queue: serial; the alarms ring on it.
  package init(queue: DispatchQueue = DispatchQueue(label: "corelocation.clock")) {
    self.queue = queue
  }

  /// CLOCK_BOOTTIME: a sleep of the machine counts.
  package var now: Instant {
    Instant(nanoseconds: Self.read(CLOCK_BOOTTIME))
  }

  package var wallTime: WallTime {
    WallTime(nanosecondsSince1970: Self.read(CLOCK_REALTIME))
  }

  package func makeAlarm(_ ring: @escaping @Sendable () -> Void) -> any Alarm {
    LiveAlarm(clock: self, ring: ring)
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

private final class LiveAlarm: Alarm {
  private struct State {
    var deadline: Instant?
  }

  private let clock: LiveClock
  private let ring: @Sendable () -> Void
  // Dispatch sources may be used from any thread; the module just does not say so.
  private nonisolated(unsafe) let timer: any DispatchSourceTimer
  private let state = Locked(State())

  init(clock: LiveClock, ring: @escaping @Sendable () -> Void) {
    self.clock = clock
    self.ring = ring
    timer = DispatchSource.makeTimerSource(queue: clock.queue)
    timer.setEventHandler { [weak self] in self?.timerFired() }
    timer.activate()
  }

  deinit {
    timer.cancel()
  }

  func set(_ deadline: Instant?) {
    state.withLock { state in
      guard deadline != state.deadline else { return }
      state.deadline = deadline
      schedule(deadline)
    }
  }

  private func schedule(_ deadline: Instant?) {
    guard let deadline else {
      timer.schedule(deadline: .distantFuture)
      return
    }
    // A far deadline is looked at again after a day, so that no conversion can overflow.
    let seconds = min(max(0, deadline.seconds(since: clock.now)), 86_400)
    timer.schedule(
      deadline: .now() + .nanoseconds(Int(seconds * 1e9)), leeway: .milliseconds(1))
  }

  private func timerFired() {
    let isDue = state.withLock { state -> Bool in
      guard let deadline = state.deadline else { return false }
      guard deadline <= clock.now else {
        schedule(deadline)
        return false
      }
      state.deadline = nil
      return true
    }
    if isDue { ring() }
  }
}

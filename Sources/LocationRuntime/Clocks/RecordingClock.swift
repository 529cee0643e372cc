import LinuxIO
import LocationModel
import LocationProviders

/// The clock of a recording that plays with its own times: deadlines follow the machine, stamps follow the recording.
package final class RecordingClock: SessionClock {
  private let live: LiveClock
  private let speed: Double
  private let state = Locked(State())

  private struct State {
    var anchor: (wall: WallTime, at: Instant)?
    /// A point that comes late finds the clock ahead of it; it is not set back.
    var latest: WallTime?
  }

  package init(speed: Double, live: LiveClock = .shared) {
    self.live = live
    self.speed = speed
  }

  package var now: Instant { live.now }

  /// The recording's time: that of its last point, and what has passed since, at the recording's pace. The machine's
  /// time before the first point. Never steps back once a point was reached.
  package var wallTime: WallTime {
    state.withLock { state in
      guard let anchor = state.anchor else { return live.wallTime }
      let reckoned = anchor.wall.advanced(bySeconds: live.now.seconds(since: anchor.at) * speed)
      let time = max(reckoned, state.latest ?? reckoned)
      state.latest = time
      return time
    }
  }

  package func recordingReached(_ wall: WallTime) {
    let now = live.now
    state.withLock { $0.anchor = (wall, now) }
  }

  package func makeAlarm(_ ring: @escaping @Sendable () -> Void) -> any Alarm {
    live.makeAlarm(ring)
  }
}

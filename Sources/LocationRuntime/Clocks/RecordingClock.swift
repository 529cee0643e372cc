import LinuxIO
import LocationModel
import LocationProviders

/// The clock of a recording that plays with its own times: deadlines follow the machine, stamps follow the recording.
package final class RecordingClock: SessionClock {
  private let live: LiveClock
  private let speed: Double
  private let anchor: Locked<(wall: WallTime, at: Instant)?>

  package init(speed: Double, live: LiveClock = .shared) {
    self.live = live
    self.speed = speed
    anchor = Locked(nil)
  }

  package var now: Instant { live.now }

  /// The recording's time: that of its last point, and what has passed since, at the recording's pace. The machine's
  /// time before the first point.
  package var wallTime: WallTime {
    guard let anchor = anchor.withLock({ $0 }) else { return live.wallTime }
    return anchor.wall.advanced(bySeconds: live.now.seconds(since: anchor.at) * speed)
  }

  package func recordingReached(_ wall: WallTime) {
    let now = live.now
    anchor.withLock { $0 = (wall, now) }
  }

  package func makeAlarm(_ ring: @escaping @Sendable () -> Void) -> any Alarm {
    live.makeAlarm(ring)
  }
}

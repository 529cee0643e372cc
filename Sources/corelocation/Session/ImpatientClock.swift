import LinuxIO
import LocationModel
import LocationProviders

/// A clock whose deadlines can be brought forward: what still waits for something better need not wait when it is known
/// that nothing more can come. Stamps are those of the clock behind it.
final class ImpatientClock: SessionClock {
  private let base: any SessionClock
  private let skippedSeconds = Locked(0.0)

  init(_ base: any SessionClock) {
    self.base = base
  }

  var now: Instant { base.now.advanced(bySeconds: skippedSeconds.withLock { $0 }) }
  var wallTime: WallTime { base.wallTime }

  func makeAlarm(_ ring: @escaping @Sendable () -> Void) -> any Alarm {
    let alarm = base.makeAlarm(ring)
    return ShiftedAlarm(alarm) { [self] in $0.advanced(bySeconds: -skippedSeconds.withLock { $0 }) }
  }

  /// From now on it is later by so much. Alarms that are set already ring no earlier: whoever owns one looks again.
  func skip(seconds: Double) {
    skippedSeconds.withLock { $0 += seconds }
  }
}

private final class ShiftedAlarm: Alarm {
  private let alarm: any Alarm
  private let shift: @Sendable (Instant) -> Instant

  init(_ alarm: any Alarm, _ shift: @escaping @Sendable (Instant) -> Instant) {
    self.alarm = alarm
    self.shift = shift
  }

  func set(_ deadline: Instant?) {
    alarm.set(deadline.map(shift))
  }
}

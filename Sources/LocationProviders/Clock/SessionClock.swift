import LocationModel

/// The time of one session: a monotonic clock for deadlines, a civil clock for stamps, and alarms.
///
/// Live sessions follow the machine; simulated ones move only when they are told to.
package protocol SessionClock: AnyObject, Sendable {
  var now: Instant { get }
  /// What a timestamp of this session reads now.
  var wallTime: WallTime { get }

  /// An alarm that calls `ring` when it is due; not set yet.
  func makeAlarm(_ ring: @escaping @Sendable () -> Void) -> any Alarm
}

/// One deadline. Setting it again replaces it; nil turns it off. It rings once, at or after its time.
package protocol Alarm: AnyObject, Sendable {
  func set(_ deadline: Instant?)
}

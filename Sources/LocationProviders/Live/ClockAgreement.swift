import LocationModel

/// Decides whose time a live fix bears: the receiver's, or that of its arrival where the receiver's clock is wrong
/// (design 5).
///
/// A fix that is older than its arrival has either a wrong clock or a long way behind it: a program that was stopped
/// finds a queue when it goes on. Where the two clocks agreed a moment ago it is the way, and the fix keeps its own
/// time, so that an app's check of age holds.
struct ClockAgreement {
  /// A larger difference is no delay any more (design 5).
  static let differenceSecondsMax = 2.0
  /// So long after the last agreement an old fix is taken for one that has waited. Chosen: a minute; a machine whose
  /// clock was set forward sees the receiver's times for that long.
  static let waitingSecondsMax = 60.0

  private var agreedAt: Instant?
  /// Receiver's time less the machine's, when a fix last came without having waited.
  private(set) var differenceSeconds: Double?

  /// - Parameter differenceSeconds: the fix's own time less that of its arrival.
  mutating func keepsReceiverTime(differenceSeconds: Double, at arrival: Instant) -> Bool {
    if abs(differenceSeconds) <= Self.differenceSecondsMax {
      agreedAt = arrival
      self.differenceSeconds = differenceSeconds
      return true
    }
    if differenceSeconds < 0, let agreedAt, arrival.seconds(since: agreedAt) <= Self.waitingSecondsMax {
      return true
    }
    self.differenceSeconds = differenceSeconds
    return false
  }
}

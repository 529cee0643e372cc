/// A moment on the machine's monotonic clock, counted in nanoseconds since that clock's start.
///
/// Live hosts read CLOCK_BOOTTIME, so that a sleep of the machine counts; simulated hosts count their own. An
/// `Instant` says nothing about the date: that is `WallTime`, and the two never mix.
package struct Instant: Comparable, Hashable, Sendable {
  package var nanoseconds: Int64

  package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  package static let zero = Instant(nanoseconds: 0)

  package static func < (left: Instant, right: Instant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// The instant `seconds` later; earlier if negative. Saturates at the ends of the range.
  package func advanced(bySeconds seconds: Double) -> Instant {
    Instant(nanoseconds: nanoseconds.addingClamped(nanosecondsClamped(fromSeconds: seconds)))
  }

  /// The earlier of two moments at which something is due; one that is nil is never.
  package static func earlier(_ one: Instant?, _ other: Instant?) -> Instant? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }

  /// Seconds from `earlier` to this instant.
  package func seconds(since earlier: Instant) -> Double {
    Double(nanoseconds.subtractingClamped(earlier.nanoseconds)) / 1e9
  }
}

/// Seconds as whole nanoseconds, rounded to nearest and held to the range of `Int64`; NaN is 0.
package func nanosecondsClamped(fromSeconds seconds: Double) -> Int64 {
  let nanoseconds = (seconds * 1e9).rounded()
  if nanoseconds.isNaN { return 0 }
  if nanoseconds >= 9.2e18 { return .max }
  if nanoseconds <= -9.2e18 { return .min }
  return Int64(nanoseconds)
}

extension Int64 {
  package func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other > 0 ? .max : .min) : sum
  }

  package func subtractingClamped(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }
}

import LinuxIO
import LocationModel

/// Finds the speed of a serial receiver by listening. A value: it says when to try which.
///
/// At a wrong speed bytes come, but no sentence with a right checksum; at the right one the first whole sentence shows
/// it. A receiver may be silent for a second between two positions, so that a speed is listened at for longer, unless
/// enough garbage has come before.
package struct SpeedSearch: Hashable, Sendable {
  /// The most frequent first.
  package static let order: [SerialSpeed] = [.baud9600, .baud4800, .baud38400, .baud115200, .baud57600, .baud19200]
  package static let listenSeconds = 2.2
  /// So many bytes without a sentence: more than two of the longest, of which one would have been whole.
  package static let garbageBytesMax = 512
  /// So much garbage after sentences were understood: the receiver has changed its speed.
  package static let lossBytesMax = 4096

  package private(set) var speed: SerialSpeed
  package private(set) var isFound = false
  /// When the next speed is tried; nil where the speed is known.
  package private(set) var deadline: Instant?
  private var garbageBytes = 0

  /// Begins with the speed at which the receiver was understood last, if it is known.
  package init(known: SerialSpeed?) {
    speed = known ?? Self.order[0]
  }

  package mutating func begin(at now: Instant) {
    deadline = now.advanced(bySeconds: Self.listenSeconds)
  }

  /// Bytes have come, and with them so many sentences with a right checksum. Gives the speed to change to.
  package mutating func hear(byteCount: Int, sentenceCount: Int, at now: Instant) -> SerialSpeed? {
    if sentenceCount > 0 {
      isFound = true
      deadline = nil
      garbageBytes = 0
      return nil
    }
    garbageBytes += byteCount
    return garbageBytes > (isFound ? Self.lossBytesMax : Self.garbageBytesMax) ? next(at: now) : nil
  }

  package mutating func expire(at now: Instant) -> SerialSpeed? {
    guard let deadline, deadline <= now else { return nil }
    return next(at: now)
  }

  private mutating func next(at now: Instant) -> SerialSpeed {
    isFound = false
    garbageBytes = 0
    let position = Self.order.firstIndex(of: speed) ?? -1
    speed = Self.order[(position + 1) % Self.order.count]
    begin(at: now)
    return speed
  }
}

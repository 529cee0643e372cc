import LinuxIO
import LocationFormats
import LocationModel

/// When something came: on the clock for deadlines, and on the civil one.
package struct Arrival: Hashable, Sendable {
  package var instant: Instant
  package var wallTime: WallTime

  package init(instant: Instant, wallTime: WallTime) {
    self.instant = instant
    self.wallTime = wallTime
  }
}

/// What bytes mean: one conversation with one receiver. A value: it reads, and says what it has understood and what is
/// to be done; it opens and sends nothing itself.
protocol ReceiverProtocol {
  /// The stream is open.
  mutating func begin(at arrival: Arrival, _ reports: inout [ReceiverReport])
  mutating func receive(_ bytes: UnsafeRawBufferPointer, at arrival: Arrival, _ reports: inout [ReceiverReport])
  /// When `expire` is to be called; nil where nothing is waited for.
  var deadline: Instant? { get }
  mutating func expire(at arrival: Arrival, _ reports: inout [ReceiverReport])
  /// The stream has ended: what is still held is given.
  mutating func finish(at arrival: Arrival, _ reports: inout [ReceiverReport])
  var malformedCount: Int { get }
  /// Sentences, or lines, that were read.
  var understoodCount: Int { get }
  /// Bytes since the last that were understood.
  var foreignByteCount: Int { get }
  var topic: SentenceTopic { get }
}

extension ReceiverProtocol {
  var topic: SentenceTopic { .own }
}

enum ReceiverReport {
  /// The other side is what was looked for; `sender` is how it calls itself.
  case greeted(sender: String?)
  case send([UInt8])
  /// Listen at another speed.
  case setSpeed(SerialSpeed)
  /// At this speed the receiver is understood.
  case speedFound(SerialSpeed)
  /// The receiver speaks.
  case alive
  case fix(Fix)
  /// The receiver speaks and has no position.
  case noFix
  /// Where the receiver's equipment points.
  case heading(HeadingSample)
  case devices([String])
  case satellites([SatelliteView])
  /// There is no receiver, or none any more; the connection stands.
  case receiverLost(Obstacle, String)
  /// The other side is not what was looked for, a sentence without its end says why: it is left and tried again.
  case unusable(Obstacle, String)
}

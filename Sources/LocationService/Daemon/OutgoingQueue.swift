import LocationEngine
import LocationModel
import LocationRuntime

/// What waits to be sent to one client that does not read as fast as it is told things.
///
/// Of the locations, headings and ranged beacons of a manager only the newest waits: the others are stale by then, and
/// the client is told how many locations it missed. Of snapshots in a row the newest waits. Everything else waits in
/// order and is bounded, unless the client was suspended: it is not slow, it could not read.
struct OutgoingQueue {
  /// Undroppable messages beyond this end the connection (a client that reads nothing for so long is dead or hostile).
  static let messagesMax = 256

  enum Kind: Hashable {
    /// A location that a newer one of the same manager may take the place of.
    case location(manager: UInt64)
    /// The same of a heading; nobody counts what they missed of those.
    case heading(manager: UInt64)
    case beacons(manager: UInt64, of: BeaconConstraint)
    /// All that the app may know at once: the next one says all that this one does.
    case snapshot
    case undroppable

    /// Only locations that are no answer may be dropped, for newer ones.
    init(_ event: ManagerEvent, manager: UInt64) {
      switch event {
      case .locationsUpdated(_, isAnswer: false): self = .location(manager: manager)
      case .headingUpdated: self = .heading(manager: manager)
      case .beaconsRanged(_, let constraint): self = .beacons(manager: manager, of: constraint)
      case .liveUpdated(let update) where update.fix != nil && update.diagnostics.isEmpty:
        self = .location(manager: manager)
      default: self = .undroppable
      }
    }

    var isReplaced: Bool {
      switch self {
      case .location, .heading, .beacons: true
      case .snapshot, .undroppable: false
      }
    }
  }

  private struct Message {
    var bytes: [UInt8]
    var kind: Kind
  }

  private var messages: [Message] = []
  /// How much of the first message has been sent. A message that was begun is finished, whatever it is.
  private var sentCount = 0
  private var droppedCount: UInt32 = 0
  private var undroppableCount = 0

  var isEmpty: Bool { messages.isEmpty }

  /// - Parameter isBounded: false where as many may wait as there are.
  /// - Returns: false where the client has to go.
  mutating func push(_ bytes: [UInt8], kind: Kind, alreadySent: Int = 0, isBounded: Bool = true) -> Bool {
    let firstWhole = sentCount > 0 ? 1 : 0
    if kind == .snapshot, messages.count > firstWhole, messages[messages.count - 1].kind == .snapshot {
      messages[messages.count - 1].bytes = bytes
      return true
    }
    if kind.isReplaced {
      if let stale = messages.indices.dropFirst(firstWhole).first(where: { messages[$0].kind == kind }) {
        messages.remove(at: stale)
        if case .location = kind { droppedCount &+= 1 }
      }
    } else {
      guard !isBounded || undroppableCount < Self.messagesMax else { return false }
      undroppableCount += 1
    }
    if messages.isEmpty { sentCount = alreadySent }
    messages.append(Message(bytes: bytes, kind: kind))
    return true
  }

  /// The bytes to send next; nil where nothing waits. A client that missed locations hears so before the next message.
  mutating func next() -> ArraySlice<UInt8>? {
    if droppedCount > 0, sentCount == 0, !messages.isEmpty {
      messages.insert(
        Message(bytes: WireFrame.encode(ServerMessage.locationsDropped(droppedCount)), kind: .undroppable), at: 0)
      undroppableCount += 1
      droppedCount = 0
    }
    return messages.first.map { $0.bytes[sentCount...] }
  }

  mutating func didSend(_ count: Int) {
    guard let first = messages.first else { return }
    sentCount += count
    guard sentCount >= first.bytes.count else { return }
    if first.kind == .undroppable || first.kind == .snapshot { undroppableCount -= 1 }
    messages.removeFirst()
    sentCount = 0
  }
}

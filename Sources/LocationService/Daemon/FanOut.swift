import LinuxIO
import LocationEngine
import LocationModel
import LocationRuntime

/// One event as it is sent to a client.
struct EventFrame {
  let bytes: [UInt8]
  let kind: OutgoingQueue.Kind
  let tellsLocation: Bool

  init(_ event: ManagerEvent, manager: UInt64) {
    bytes = WireFrame.encode(ServerMessage.event(event, manager: manager))
    kind = OutgoingQueue.Kind(event, manager: manager)
    tellsLocation = event.tellsLocation
  }
}

/// What clients are told in a row. The frame of an event is made once for all clients that are told the same location,
/// and all are sent one after the other once they are known: the first clients read while the last ones are served, and
/// need not be woken for each.
final class FanOut: Sendable {
  private struct Told {
    let client: ServedClient
    let frame: EventFrame
  }

  private struct State {
    var told: [Told] = []
    /// What `send` works on; kept, so that a stream of fixes allocates nothing.
    var spare: [Told] = []
    /// The last frame of a single location, and what it was made of.
    var frame: EventFrame?
    var fixes: [Fix] = []
    var isAnswer = false
    var manager: UInt64 = 0

    mutating func frame(of event: ManagerEvent, manager: UInt64) -> EventFrame {
      guard case .locationsUpdated(let fixes, let isAnswer) = event, fixes.count == 1 else {
        return EventFrame(event, manager: manager)
      }
      if let frame, manager == self.manager, isAnswer == self.isAnswer, fixes == self.fixes { return frame }
      let made = EventFrame(event, manager: manager)
      frame = made
      self.fixes = fixes
      self.isAnswer = isAnswer
      self.manager = manager
      return made
    }
  }

  private let state = Locked(State())

  init() {}

  func tell(_ event: ManagerEvent, manager: UInt64, to client: ServedClient) {
    state.withLock { state in
      state.told.append(Told(client: client, frame: state.frame(of: event, manager: manager)))
    }
  }

  /// Sends what was told since the last call; by one thread at a time.
  ///
  /// - Parameter useBegan: is given each client that has its first location since `ServedClient.endUse`.
  func send(useBegan: (ServedClient) -> Void) {
    var told = state.withLock { state in
      let told = state.told
      state.told = state.spare
      state.spare = []
      return told
    }
    for each in told where each.client.deliver(each.frame) { useBegan(each.client) }
    told.removeAll(keepingCapacity: true)
    state.withLock { $0.spare = told }
  }

  /// Keeps no room for as many clients as there were.
  func giveBackMemory() {
    state.withLock { state in
      if state.told.isEmpty { state.told = [] }
      state.spare = []
    }
  }
}

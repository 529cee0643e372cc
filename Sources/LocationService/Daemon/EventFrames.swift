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

/// The frames of events, which are made once for all clients that are told the same location. Used by one thread at a
/// time.
final class EventFrames: @unchecked Sendable {
  private struct Made {
    let fixes: [Fix]
    let isAnswer: Bool
    let manager: UInt64
    let frame: EventFrame
  }

  private var last: Made?

  init() {}

  func frame(of event: ManagerEvent, manager: UInt64) -> EventFrame {
    guard case .locationsUpdated(let fixes, let isAnswer) = event, fixes.count == 1 else {
      return EventFrame(event, manager: manager)
    }
    if let last, last.manager == manager, last.isAnswer == isAnswer, last.fixes == fixes { return last.frame }
    let frame = EventFrame(event, manager: manager)
    last = Made(fixes: fixes, isAnswer: isAnswer, manager: manager, frame: frame)
    return frame
  }
}

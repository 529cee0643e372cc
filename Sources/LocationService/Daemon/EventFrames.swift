import LocationEngine
import LocationModel
import LocationRuntime

/// The bytes of events, which are made once for all clients that are told the same location. Used by one thread at a
/// time.
final class EventFrames: @unchecked Sendable {
  private var fixes: [Fix] = []
  private var isAnswer = false
  private var manager: UInt64 = 0
  private var bytes: [UInt8] = []

  init() {}

  func frame(of event: ManagerEvent, manager: UInt64) -> [UInt8] {
    guard case .locationsUpdated(let fixes, let isAnswer) = event, fixes.count == 1 else {
      return WireFrame.encode(ServerMessage.event(event, manager: manager))
    }
    if !bytes.isEmpty, manager == self.manager, isAnswer == self.isAnswer, fixes == self.fixes { return bytes }
    self.fixes = fixes
    self.isAnswer = isAnswer
    self.manager = manager
    bytes = WireFrame.encode(ServerMessage.event(event, manager: manager))
    return bytes
  }
}

import LinuxIO
import LocationEngine

/// How one manager is told its events, until it is released.
final class Delivery: Sendable {
  /// In a structure of its own: a function alone would be called through a thunk for each event.
  private struct Call {
    let deliver: EngineHost.Deliver
  }

  let manager: ManagerIdentifier
  private let call: Locked<Call?>

  init(to manager: ManagerIdentifier, _ deliver: @escaping EngineHost.Deliver) {
    self.manager = manager
    call = Locked(Call(deliver: deliver))
  }

  /// - Returns: false where it has ended.
  func callAsFunction(_ event: ManagerEvent) -> Bool {
    // Called outside of the lock, since it may come back here.
    guard let call = call.withLock({ $0 }) else { return false }
    call.deliver(event)
    return true
  }

  /// Holds on to nothing any more.
  func end() {
    call.withLock { $0 = nil }
  }
}

/// The managers that the last deliveries in a row went to. A stream of fixes goes to the same ones in the same order,
/// so that most need not be looked for.
struct DeliveryRoute {
  private var deliveries: [Delivery] = []

  /// - Parameters:
  ///   - position: how many deliveries went before in this row.
  ///   - find: looks for a manager that was not at this place; nil where there is none.
  mutating func deliver(
    _ event: ManagerEvent, to manager: ManagerIdentifier, at position: Int, find: () -> Delivery?
  ) {
    if position < deliveries.count, deliveries[position].manager == manager, deliveries[position](event) { return }
    guard let delivery = find() else { return }
    if position < deliveries.count { deliveries[position] = delivery } else { deliveries.append(delivery) }
    _ = delivery(event)
  }
}

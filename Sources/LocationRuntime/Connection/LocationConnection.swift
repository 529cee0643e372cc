import LocationEngine

/// A client's way to the service, whichever host answers: in this process, over a socket, or a simulated device.
///
/// All members may be called from any thread, and none waits for the service.
package protocol LocationConnection: AnyObject, Sendable {
  /// What the app may know now, from memory.
  var snapshot: ClientSnapshot { get }

  /// What the app declares in its Info.plist.
  var app: AppDescription { get }

  /// How the managers of this connection get their events to their threads.
  var delivery: DeliveryKind { get }

  /// Makes a manager known to the service. `deliver` is called once for each event, in order, on any thread,
  /// never from inside a call of the same manager's.
  func addManager(deliver: @escaping @Sendable (ManagerEvent) -> Void) -> ManagerIdentifier

  /// The same for one whose events are taken by a task and not on a thread: `deliver` is called as soon as there is an
  /// event, also from inside a call of the same manager's, and must not call back. `didDeliver` is called when the task
  /// has taken it.
  func addStream(deliver: @escaping @Sendable (ManagerEvent) -> Void) -> ManagerIdentifier

  func removeManager(_ manager: ManagerIdentifier)

  func send(_ request: Request, from manager: ManagerIdentifier)

  /// Calls `body` once when the process that this connection stands for has ended, unless the manager was removed
  /// before. Only simulated processes end before their program does.
  func whenProcessEnds(_ manager: ManagerIdentifier, _ body: @escaping @Sendable () -> Void)

  /// Runs a delivery of the client's own among those of the service; for `DeliveryKind.host`.
  func deliverLater(_ delivery: @escaping @Sendable () -> Void)

  /// So many events have reached their delegates, or were dropped with their manager.
  func didDeliver(_ count: Int)

  /// Who is told of the tasks that iterate over this connection's events; nil but on a simulated device.
  var listeners: ListenerRegister? { get }
}

extension LocationConnection {
  package var listeners: ListenerRegister? { nil }

  package func whenProcessEnds(_ manager: ManagerIdentifier, _ body: @escaping @Sendable () -> Void) {}
}

/// Who empties a manager's mailbox.
package enum DeliveryKind: Sendable {
  /// The thread that made the manager, through its run loop or the main queue.
  case creatingThread
  /// The host, on the thread that moves its virtual time.
  case host
}

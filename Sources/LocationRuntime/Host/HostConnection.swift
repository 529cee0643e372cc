import LinuxIO
import LocationEngine
import LocationModel
import LocationProviders

/// A client whose host lives in the same process.
package final class HostConnection: LocationConnection {
  /// Hands an event's delivery on: at once, or when the host says so.
  package typealias Relay = @Sendable (@escaping @Sendable () -> Void) -> Void

  package let app: AppDescription
  package let client: ClientIdentifier
  package let delivery: DeliveryKind
  private let host: EngineHost
  private let ledger: DeliveryLedger?
  private let relay: Relay?
  private let nextManagerNumber = Locked<UInt64>(1)

  /// - Parameters:
  ///   - ledger: is kept where a recording is played as fast as it is heard.
  ///   - relay: takes the deliveries of a host that empties the mailboxes itself.
  package init(
    host: EngineHost, app: AppDescription, ledger: DeliveryLedger? = nil, relay: Relay? = nil
  ) {
    self.host = host
    self.app = app
    self.ledger = ledger
    self.relay = relay
    delivery = relay == nil ? .creatingThread : .host
    client = host.connect(app)
  }

  package var snapshot: ClientSnapshot {
    // The client is connected as long as this object lives; one that is not has nothing to show.
    host.read { $0.snapshot(for: client) }
      ?? ClientSnapshot(
        authorization: .notDetermined, locationServicesEnabled: false,
        capabilities: Capabilities(), lastFix: nil)
  }

  package func addManager(
    deliver: @escaping @Sendable (ManagerEvent) -> Void
  ) -> ManagerIdentifier {
    add(relayed(deliver), kind: 0)
  }

  package func addStream(
    deliver: @escaping @Sendable (ManagerEvent) -> Void
  ) -> ManagerIdentifier {
    add(counted(deliver), kind: ManagerIdentifier.streamBit)
  }

  private func add(_ deliver: @escaping EngineHost.Deliver, kind: UInt64) -> ManagerIdentifier {
    let number = nextManagerNumber.withLock { number -> UInt64 in
      defer { number += 1 }
      return number
    }
    let manager = ManagerIdentifier(client: client, number: number | kind)
    host.addManager(manager, deliver: deliver)
    return manager
  }

  private func relayed(_ deliver: @escaping EngineHost.Deliver) -> EngineHost.Deliver {
    if let relay { return { event in relay { deliver(event) } } }
    return counted(deliver)
  }

  private func counted(_ deliver: @escaping EngineHost.Deliver) -> EngineHost.Deliver {
    guard let ledger else { return deliver }
    return { event in
      ledger.add()
      deliver(event)
    }
  }

  package func removeManager(_ manager: ManagerIdentifier) {
    host.removeManager(manager)
  }

  package func send(_ request: Request, from manager: ManagerIdentifier) {
    host.handle(.requested(request, by: manager))
  }

  package func deliverLater(_ delivery: @escaping @Sendable () -> Void) {
    if let relay { relay(delivery) } else { delivery() }
  }

  package func didDeliver(_ count: Int) {
    ledger?.remove(count)
  }

  /// The process of this client ended.
  package func disconnect() {
    host.disconnect(client)
  }
}

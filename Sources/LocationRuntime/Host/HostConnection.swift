import LinuxIO
import LocationEngine
import LocationModel
import LocationProviders

/// A client whose host lives in the same process.
package final class HostConnection: LocationConnection {
  package let app: AppDescription
  package let client: ClientIdentifier
  package let delivery: DeliveryKind
  private let host: EngineHost
  private let ledger: DeliveryLedger?
  private let simulation: SimulatedConnection?
  private let nextManagerNumber = Locked<UInt64>(1)

  /// - Parameters:
  ///   - ledger: is kept where a recording is played as fast as it is heard.
  ///   - simulation: of a host that empties the mailboxes itself.
  package init(
    host: EngineHost, app: AppDescription, ledger: DeliveryLedger? = nil, simulation: SimulatedConnection? = nil
  ) {
    self.host = host
    self.app = app
    self.ledger = ledger
    self.simulation = simulation
    delivery = simulation == nil ? .creatingThread : .host
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
    add(simulation?.relayed(deliver) ?? counted(deliver), kind: 0)
  }

  package func addStream(
    deliver: @escaping @Sendable (ManagerEvent) -> Void
  ) -> ManagerIdentifier {
    add(simulation?.streamed(deliver) ?? counted(deliver), kind: ManagerIdentifier.streamBit)
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
    if let simulation { simulation.relay(delivery) } else { delivery() }
  }

  package func didDeliver(_ count: Int) {
    ledger?.remove(count)
  }

  package var listeners: ListenerRegister? { simulation?.listeners }

  /// The process of this client ended.
  package func disconnect() {
    host.disconnect(client)
  }
}

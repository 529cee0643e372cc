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
  private let process = Locked(Process())

  private struct Process {
    var hasEnded = false
    var hasToldOfEnd = false
    var ends: [(manager: ManagerIdentifier, body: @Sendable () -> Void)] = []
  }

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
    process.withLock { $0.ends.removeAll { $0.manager == manager } }
    host.removeManager(manager)
  }

  package func whenProcessEnds(_ manager: ManagerIdentifier, _ body: @escaping @Sendable () -> Void) {
    let hasEnded = process.withLock { process in
      if !process.hasEnded { process.ends.append((manager, body)) }
      return process.hasEnded
    }
    if hasEnded { body() }
  }

  package func send(_ request: Request, from manager: ManagerIdentifier) {
    if let simulation, request.asksForSomething { check(simulation) }
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
    let ends = process.withLock { process in
      process.hasEnded = true
      defer { process.ends = [] }
      return process.ends
    }
    host.disconnect(client)
    for end in ends { end.body() }
  }

  /// A test that asks a device that is not there any more, or the wrong one, would hear nothing, and might pass.
  private func check(_ simulation: SimulatedConnection) {
    if let mistake = simulation.mistake {
      InProcessService.log(mistake)
      preconditionFailure(mistake)
    }
    let isFirst = process.withLock { process in
      defer { process.hasToldOfEnd = process.hasToldOfEnd || process.hasEnded }
      return process.hasEnded && !process.hasToldOfEnd
    }
    if isFirst {
      simulation.log(
        "something that was made in a process that has ended asks for more, and hears nothing: statics outlive the "
          + "app's process here; keep the app's state in the object that launch(_:) makes")
    }
  }
}

import LocationEngine

/// How the events of one client of a simulated host find their way: through the host, which hands them over one by one.
package struct SimulatedConnection: Sendable {
  /// Takes a delivery that is handed over when its turn comes.
  package var relay: @Sendable (@escaping @Sendable () -> Void) -> Void
  /// Whether events for tasks wait for their turn too. Where nobody moves time they are handed over as they come: a
  /// task that opens a monitor has nobody to move time for it.
  package var relaysStreams: @Sendable () -> Bool
  package var listeners: ListenerRegister
  /// Is told of each event as it is handed over.
  package var heard: (@Sendable (ManagerEvent) -> Void)?

  func relayed(_ deliver: @escaping EngineHost.Deliver) -> EngineHost.Deliver {
    let told = told(deliver)
    return { [relay] event in relay { told(event) } }
  }

  func streamed(_ deliver: @escaping EngineHost.Deliver) -> EngineHost.Deliver {
    let told = told(deliver)
    return { [relay, relaysStreams] event in
      if relaysStreams() { relay { told(event) } } else { told(event) }
    }
  }

  private func told(_ deliver: @escaping EngineHost.Deliver) -> EngineHost.Deliver {
    guard let heard else { return deliver }
    return { event in
      heard(event)
      deliver(event)
    }
  }
}

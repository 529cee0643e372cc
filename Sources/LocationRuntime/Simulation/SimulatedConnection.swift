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
  /// What the developer reads.
  package var log: @Sendable (String) -> Void
  /// The device as code is bound to it, nil once it is gone; nil for a host that nobody is bound to.
  package var device: (@Sendable () -> (any BoundDevice)?)?

  /// What is wrong with asking this connection now, here; nil where nothing is.
  var mistake: String? {
    guard let device else { return nil }
    guard let device = device() else {
      return "something that was made on a simulated device is used after that device has ended: statics and "
        + "singletons stay with the device that touched them first; keep the app's state in the object that "
        + "launch(_:) makes, or run one process a test"
    }
    guard let current = DeviceBinding.current, current !== device else { return nil }
    return "something that was made on one simulated device is used on another: statics and singletons stay with the "
      + "device that touched them first; keep the app's state in the object that launch(_:) makes, or run one "
      + "process a test"
  }

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

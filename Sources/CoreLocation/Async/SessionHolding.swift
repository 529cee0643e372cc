import LinuxIO
import LocationEngine
import LocationModel
import LocationRuntime

/// A session that a process holds with the service, from its making to `end()`, and how it stands.
final class SessionHolding: @unchecked Sendable {
  private struct State {
    var latest: ServiceDiagnostics?
    var queues: [ObjectIdentifier: ElementQueue<ServiceDiagnostics>] = [:]
    var hasEnded = false
  }

  private let connection: any LocationConnection
  private let manager: ManagerIdentifier
  private let state: Locked<State>

  init(_ request: Request) {
    let connection = ServiceLookup.connection()
    let state = Locked(State())
    manager = connection.addStream { event in
      if case .sessionDiagnosed(let diagnostics) = event { Self.tell(diagnostics, state) }
      connection.didDeliver(1)
    }
    self.connection = connection
    self.state = state
    connection.whenProcessEnds(manager) { [weak self] in self?.end() }
    connection.send(request, from: manager)
  }

  deinit {
    end()
  }

  private static func tell(_ diagnostics: ServiceDiagnostics, _ state: Locked<State>) {
    let queues = state.withLock { state in
      state.latest = diagnostics
      return Array(state.queues.values)
    }
    for queue in queues { queue.add(diagnostics) }
  }

  /// The session is withdrawn, and every iteration of its diagnostics ends (behaviour 9.11, 9.21).
  func end() {
    let ended = state.withLock { state -> [ElementQueue<ServiceDiagnostics>]? in
      guard !state.hasEnded else { return nil }
      state.hasEnded = true
      defer { state.queues = [:] }
      return Array(state.queues.values)
    }
    guard let ended else { return }
    for queue in ended { queue.finish() }
    connection.removeManager(manager)
  }

  /// How the session stands, as soon as that is known, and then every change, until the queue is closed.
  func openQueue() -> ElementQueue<ServiceDiagnostics> {
    let queue = ElementQueue<ServiceDiagnostics>("the diagnostics of a session")
    queue.tell(connection.listeners)
    let hasEnded = state.withLock { state in
      if let latest = state.latest { queue.add(latest) }
      if !state.hasEnded { state.queues[ObjectIdentifier(queue)] = queue }
      return state.hasEnded
    }
    if hasEnded { queue.finish() }
    return queue
  }

  func close(_ queue: ElementQueue<ServiceDiagnostics>) {
    state.withLock { _ = $0.queues.removeValue(forKey: ObjectIdentifier(queue)) }
    queue.finish()
  }
}

/// One iteration of a session's diagnostics. It holds the session.
final class SessionDiagnosing: Sendable {
  private let holding: SessionHolding
  private let queue: ElementQueue<ServiceDiagnostics>

  init(_ holding: SessionHolding) {
    self.holding = holding
    queue = holding.openQueue()
  }

  deinit {
    holding.close(queue)
  }

  /// Nil once the session is invalidated or the task cancelled.
  func next(isolation: isolated (any Actor)? = #isolation) async -> ServiceDiagnostics? {
    await queue.next()
  }
}

import LinuxIO
import LocationEngine
import LocationModel
import LocationProviders

/// Deliveries on their way, in order.
private struct Pending {
  var waiting: [@Sendable () -> Void] = []
  private var first = 0
  var isInOrder = false

  mutating func takeFirst() -> (@Sendable () -> Void)? {
    guard first < waiting.count else {
      waiting.removeAll(keepingCapacity: true)
      first = 0
      return nil
    }
    defer { first += 1 }
    return waiting[first]
  }
}

/// A whole device on a virtual clock: the same engine and host as everywhere, with time that moves only when told to.
///
/// Whoever moves time carries everything out, on that thread: alarms ring one at a time, and after each one every event
/// that came of it reaches its delegate before the next.
package final class SimulatedHost: Sendable {
  package let clock: VirtualClock
  package let host: EngineHost
  package let person: ScriptedPerson
  package let listeners = ListenerRegister()
  private let pending = Locked(Pending())
  private let around: @Sendable (() -> Void) -> Void

  /// - Parameters:
  ///   - around: surrounds every delivery; binds app code to its device.
  ///   - launch: starts an app that an event waits for.
  ///   - life: is a supervisor's part, as in `HostPorts`.
  package init(
    clock: VirtualClock, provider: any LocationProvider, policy: Policy = Policy(),
    store: any AppStateStore = ForgetfulStore(), log: @escaping @Sendable (String) -> Void,
    around: @escaping @Sendable (() -> Void) -> Void = { $0() },
    launch: @escaping @Sendable (AppIdentifier) -> Void = { _ in },
    life: @escaping @Sendable (LifeEffect) -> Void = { _ in }
  ) {
    self.clock = clock
    self.around = around
    person = ScriptedPerson(clock: clock)
    host = EngineHost(
      engine: LocationEngine(policy: policy), clock: clock, provider: provider,
      ports: HostPorts(prompter: person, store: store, log: log, launch: launch, life: life))
  }

  /// Connects one process of an app to this device.
  ///
  /// - Parameter heard: is told of each event as it is handed over.
  package func connect(
    _ app: AppDescription, heard: (@Sendable (ManagerEvent) -> Void)? = nil
  ) -> HostConnection {
    let simulation = SimulatedConnection(
      relay: { [pending] delivery in pending.withLock { $0.waiting.append(delivery) } },
      relaysStreams: { [pending] in pending.withLock { $0.isInOrder } }, listeners: listeners, heard: heard)
    return HostConnection(host: host, app: app, simulation: simulation)
  }

  /// Runs something when its turn comes, among what is handed over.
  package func post(_ delivery: @escaping @Sendable () -> Void) {
    pending.withLock { $0.waiting.append(delivery) }
  }

  /// Hands over everything that waits, including what comes of it now; time stands still.
  package func settle() {
    while handOverNext() {}
  }

  /// Hands over what has waited longest; false where nothing waits.
  @discardableResult
  package func handOverNext() -> Bool {
    guard let delivery = pending.withLock({ $0.takeFirst() }) else { return false }
    around(delivery)
    return true
  }

  /// Events for tasks wait their turn among all others while `body` runs, and are not handed over as they come.
  package func inOrder<Result>(_ body: () -> Result) -> Result {
    pending.withLock { $0.isInOrder = true }
    defer { pending.withLock { $0.isInOrder = false } }
    return body()
  }

  /// Moves from alarm to alarm, up to `end`, until `isOver` or no alarm is left there; time stays at the last one rung.
  package func run(until end: Instant, isOver: () -> Bool) {
    settle()
    while !isOver(), let next = clock.nextDeadline, next <= end, clock.ringNext(until: next) { settle() }
  }

  package func advance(bySeconds seconds: Double) {
    advance(to: clock.now.advanced(bySeconds: seconds))
  }

  package func advance(to end: Instant) {
    settle()
    while clock.ringNext(until: end) { settle() }
  }
}

import LinuxIO
import LocationEngine
import LocationModel
import LocationProviders

/// A whole device on a virtual clock: the same engine and host as everywhere, with time that moves only when told to.
///
/// Whoever moves time carries everything out, on that thread: alarms ring one at a time, and after each one every event
/// that came of it reaches its delegate before the next.
package final class SimulatedHost: Sendable {
  package let clock: VirtualClock
  package let host: EngineHost
  package let person: ScriptedPerson
  private let pending: Locked<[@Sendable () -> Void]>
  private let apps: SimulatedApps
  private let around: @Sendable (() -> Void) -> Void

  /// - Parameters:
  ///   - around: surrounds every delivery; binds app code to its device.
  package init(
    clock: VirtualClock, provider: any LocationProvider, headingSensor: (any HeadingSensor)? = nil,
    beaconReceiver: (any BeaconReceiver)? = nil, policy: Policy = Policy(),
    store: any AppStateStore = ForgetfulStore(), log: @escaping @Sendable (String) -> Void,
    around: @escaping @Sendable (() -> Void) -> Void = { $0() }
  ) {
    self.clock = clock
    self.around = around
    person = ScriptedPerson(clock: clock)
    pending = Locked([])
    let apps = SimulatedApps()
    self.apps = apps
    host = EngineHost(
      engine: LocationEngine(policy: policy), clock: clock, provider: provider,
      headingSensor: headingSensor, beaconReceiver: beaconReceiver,
      ports: HostPorts(
        prompter: person, store: store, log: log, launch: { apps.launch($0) }, life: { apps.carryOut($0) }))
  }

  /// Makes an app an installed one: the engine decides about its life, and it is started for what happens.
  ///
  /// - Parameters:
  ///   - main: what the app's process does first; once for each start, among the device's deliveries.
  ///   - suspensionChanged: the app may not run (true), or may again, among the deliveries, too.
  package func install(
    _ app: AppDescription, main: @escaping @Sendable (SimulatedProcess) -> Void,
    suspensionChanged: @escaping @Sendable (Bool) -> Void = { _ in }
  ) -> SimulatedApp {
    var app = app
    app.isInstalled = true
    let installed = SimulatedApp(app, on: self, main: main, suspensionChanged: suspensionChanged)
    apps.add(installed)
    host.restore(app)
    return installed
  }

  /// Among the deliveries, in their order.
  func deliver(_ delivery: @escaping @Sendable () -> Void) { pending.withLock { $0.append(delivery) } }

  /// Connects one process of an app to this device.
  package func connect(_ app: AppDescription) -> HostConnection {
    let pending = pending
    return HostConnection(host: host, app: app) { delivery in
      pending.withLock { $0.append(delivery) }
    }
  }

  /// Hands over everything that waits, including what comes of it now; time stands still.
  package func settle() {
    while true {
      let batch = pending.withLock { waiting -> [@Sendable () -> Void] in
        defer { waiting.removeAll(keepingCapacity: true) }
        return waiting
      }
      guard !batch.isEmpty else { return }
      for delivery in batch { around(delivery) }
    }
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

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
  private let apps: SimulatedApps
  private let heard: (@Sendable (ManagerEvent) -> Void)?
  private let around: @Sendable (() -> Void) -> Void
  private let log: @Sendable (String) -> Void
  private let device: (@Sendable () -> (any BoundDevice)?)?

  /// - Parameters:
  ///   - around: surrounds every delivery; binds app code to its device.
  ///   - heard: is told of each event as it is handed over.
  ///   - lives: is told of what becomes of installed apps.
  ///   - device: which device code is bound to while it is this one's; nil once that is gone.
  package init(
    clock: VirtualClock, provider: any LocationProvider, headingSensor: (any HeadingSensor)? = nil,
    beaconReceiver: (any BeaconReceiver)? = nil, motionSensor: (any MotionSensor)? = nil, policy: Policy = Policy(),
    profile: DeviceProfile = .receiver, store: any AppStateStore = ForgetfulStore(),
    log: @escaping @Sendable (String) -> Void,
    around: @escaping @Sendable (() -> Void) -> Void = { $0() },
    heard: (@Sendable (ManagerEvent) -> Void)? = nil, lives: @escaping @Sendable (LifeEffect) -> Void = { _ in },
    device: (@Sendable () -> (any BoundDevice)?)? = nil
  ) {
    self.clock = clock
    self.log = log
    self.device = device
    self.around = around
    person = ScriptedPerson(clock: clock)
    self.heard = heard
    let apps = SimulatedApps()
    self.apps = apps
    host = EngineHost(
      engine: LocationEngine(policy: policy, profile: profile), clock: clock, provider: provider,
      headingSensor: headingSensor, beaconReceiver: beaconReceiver, motionSensor: motionSensor,
      ports: HostPorts(
        prompter: person, store: store, log: log, launch: { apps.launch($0) },
        life: { effect in
          lives(effect)
          apps.carryOut(effect)
        }))
  }

  /// Makes an app an installed one: the engine decides about its life, and it is started for what happens.
  ///
  /// - Parameters:
  ///   - main: what the app's process does first; once for each start, among the device's deliveries.
  ///   - suspensionChanged: the app may not run (true), or may again, among the deliveries, too.
  ///   - ended: its process has ended.
  package func install(
    _ app: AppDescription, main: @escaping @Sendable (SimulatedProcess) -> Void,
    suspensionChanged: @escaping @Sendable (Bool) -> Void = { _ in }, ended: @escaping @Sendable () -> Void = {}
  ) -> SimulatedApp {
    var app = app
    app.isInstalled = true
    let installed = SimulatedApp(app, on: self, main: main, suspensionChanged: suspensionChanged, ended: ended)
    apps.add(installed)
    host.restore(app)
    return installed
  }

  /// Runs something when its turn comes, among the deliveries.
  package func deliver(_ delivery: @escaping @Sendable () -> Void) { pending.withLock { $0.waiting.append(delivery) } }

  /// Connects one process of an app to this device.
  package func connect(_ app: AppDescription) -> HostConnection {
    let simulation = SimulatedConnection(
      relay: { [pending] delivery in pending.withLock { $0.waiting.append(delivery) } },
      relaysStreams: { [pending] in pending.withLock { $0.isInOrder } }, listeners: listeners, heard: heard,
      log: log, device: device)
    return HostConnection(host: host, app: app, simulation: simulation)
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

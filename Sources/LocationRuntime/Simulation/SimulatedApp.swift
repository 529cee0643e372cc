import LinuxIO
import LocationEngine
import LocationModel

/// One start of an installed app on a simulated device: what stands for its process.
package final class SimulatedProcess: Sendable {
  package let connection: HostConnection
  package let life: ToldAppLife

  init(connection: HostConnection, life: ToldAppLife) {
    self.connection = connection
    self.life = life
  }
}

/// An installed app of a simulated device, and its supervisor: the same engine as everywhere decides about its life, on
/// the virtual clock, and this carries it out in the device's own process.
///
/// Nothing can be frozen here. What the service tells a suspended app waits in the engine, as for a real one; the app's
/// own waits have to be held by whoever owns them (`suspensionChanged`). All that happens to the app happens among the
/// device's deliveries, on the thread that moves time.
package final class SimulatedApp: Sendable {
  private struct State {
    var process: SimulatedProcess?
    var isStarting = false
    var isSuspended = false
    var isRefreshRestricted = false
  }

  package let description: AppDescription
  /// Nil once the device is gone; a manager of its app may outlive it.
  private weak let device: SimulatedHost?
  private let main: @Sendable (SimulatedProcess) -> Void
  private let suspensionChanged: @Sendable (Bool) -> Void
  private let ended: @Sendable () -> Void
  private let state = Locked(State())

  init(
    _ description: AppDescription, on device: SimulatedHost, main: @escaping @Sendable (SimulatedProcess) -> Void,
    suspensionChanged: @escaping @Sendable (Bool) -> Void, ended: @escaping @Sendable () -> Void
  ) {
    self.description = description
    self.device = device
    self.main = main
    self.suspensionChanged = suspensionChanged
    self.ended = ended
  }

  /// Nil while the app does not run.
  package var process: SimulatedProcess? { state.withLock { $0.process } }

  package var isSuspended: Bool { state.withLock { $0.isSuspended } }

  // MARK: What a person does

  /// Starts the app in the foreground, or brings it there.
  package func launch() {
    if process == nil { start(because: .person) } else { command(.enterForeground) }
  }

  package func command(_ command: AppCommand) {
    device?.host.handle(.life(.commanded(description.identifier, command)))
  }

  /// The process is gone, without a word to anybody.
  package func crash() { end() }

  /// Whether Background App Refresh, while it is off, is not for this person to decide.
  package func setRefreshRestricted(_ isRestricted: Bool) {
    state.withLock { $0.isRefreshRestricted = isRestricted }
    device?.deliver { [weak self] in
      guard let self else { return }
      process?.life.setRefreshRestricted(isRestricted, tells: !isSuspended)
    }
  }

  // MARK: What the engine decides

  func carryOut(_ effect: LifeEffect) {
    switch effect {
    case .tell(let event, let client):
      device?.deliver { [weak self] in
        guard let process = self?.process, process.connection.client == client else { return }
        process.life.heard(event)
      }
    case .suspend: device?.deliver { [weak self] in self?.setSuspended(true) }
    case .resume: device?.deliver { [weak self] in self?.setSuspended(false) }
    case .terminate:
      // After its last words.
      device?.deliver { [weak self] in self?.end() }
    case .store, .indicatorChanged: break
    }
  }

  /// An event waits for it.
  func launchForEvent() {
    device?.deliver { [weak self] in
      if let self, process == nil { start(because: .location) }
    }
  }

  private func setSuspended(_ isSuspended: Bool) {
    let hasChanged = state.withLock { state in
      defer { state.isSuspended = isSuspended }
      return state.isSuspended != isSuspended
    }
    if hasChanged { suspensionChanged(isSuspended) }
  }

  private func start(because reason: LaunchReason) {
    guard let device,
      state.withLock({ state in
        defer { state.isStarting = true }
        return !state.isStarting && state.process == nil
      })
    else { return }
    device.host.launched(description, because: reason == .person ? .person : .event)
    let connection = device.connect(description)
    let life = ToldAppLife(launchReason: reason, delivery: .host, now: { [clock = device.clock] in clock.now })
    life.setRefreshRestricted(state.withLock { $0.isRefreshRestricted })
    let host = device.host
    life.attach { [weak life] word in
      switch word {
      case .taskBegun(let number, let name):
        host.handle(.life(.backgroundTaskBegun(number, name: name, by: connection.client)))
      case .taskEnded(let number): host.handle(.life(.backgroundTaskEnded(number, by: connection.client)))
      // A simulated device has no agent; its person decides without one.
      case .settingsWished(let number): life?.settingsOpened(number, false)
      }
    }
    if let standing = host.read({ $0.lifeStanding(of: connection.client) }) { life.heard(.began(standing)) }
    let process = SimulatedProcess(connection: connection, life: life)
    state.withLock { state in
      state.process = process
      state.isStarting = false
    }
    device.deliver { [main] in main(process) }
  }

  private func end() {
    let process = state.withLock { state in
      defer { state.process = nil }
      return state.process
    }
    guard let process else { return }
    setSuspended(false)
    ended()
    process.life.end()
    process.connection.disconnect()
    device?.host.handle(.life(.processEnded(description.identifier)))
  }
}

/// The way from the device's host, which is made first, to its installed apps.
final class SimulatedApps: Sendable {
  private let apps = Locked<[AppIdentifier: SimulatedApp]>([:])

  func add(_ app: SimulatedApp) { apps.withLock { $0[app.description.identifier] = app } }
  func launch(_ app: AppIdentifier) { apps.withLock { $0[app] }?.launchForEvent() }

  func carryOut(_ effect: LifeEffect) {
    for app in apps.withLock({ Array($0.values) }) where effect.concerns(app) { app.carryOut(effect) }
  }
}

extension LifeEffect {
  fileprivate func concerns(_ app: SimulatedApp) -> Bool {
    switch self {
    case .suspend(let identifier), .resume(let identifier), .terminate(let identifier, _),
      .store(_, let identifier), .indicatorChanged(let identifier, _):
      identifier == app.description.identifier
    case .tell(_, let client): client == app.process?.connection.client
    }
  }
}

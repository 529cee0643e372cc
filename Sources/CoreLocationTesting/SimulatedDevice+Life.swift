import LocationEngine
import LocationModel
import LocationRuntime

/// Why an app was started.
public struct SimulatedLaunch: Sendable, Hashable {
  /// Something happened where the device went, so that the app was started in the background: its launch options have
  /// `location` (behaviour 4.5, 5.23).
  public let isForLocation: Bool
}

/// Where an app stands.
public enum SimulatedAppState: Sendable, Hashable {
  case notRunning
  case suspended
  case background
  case foreground
}

/// The app's life.
///
/// An installed app is suspended a while after it has left the foreground, unless it has a reason to run, and is woken or
/// started again for what it has registered for, as the rules of the device's era say. The object that `launch` makes is
/// the app's memory: it goes with the process, and is made anew by the next launch. Statics outlive launches: code built
/// on singletons is tested in a process of its own for each test.
extension SimulatedDevice {
  /// The person opens the app: `make` makes its objects, now and whenever the device starts it again.
  @discardableResult
  public func launch<App: AnyObject>(_ make: @escaping (SimulatedLaunch) -> App) -> App {
    life.make = make
    launch()
    guard let app = life.root as? App else { preconditionFailure("an app that is launched has its object") }
    return app
  }

  /// The person opens the app again, with the objects of the last `launch(_:)`.
  public func launchAgain() {
    precondition(life.make != nil, "nothing to launch again: call launch(_:) first")
    launch()
  }

  /// The object that the newest launch has made; nil while the app does not run.
  public func app<App>(as type: App.Type = App.self) -> App? { life.root as? App }

  public var appState: SimulatedAppState {
    switch host.host.read({ $0.state(of: app.identifier) }) {
    case .foreground: .foreground
    case .background: .background
    case .suspended: .suspended
    case .notRunning, nil: .notRunning
    }
  }

  /// The sign that the app uses location in the background (behaviour 3.5).
  public var showsLocationIndicator: Bool { host.host.read { $0.showsIndicator(of: app.identifier) } }

  /// How often the device has started the app for an event.
  public var eventLaunchCount: Int { life.eventLaunchCount }

  public func moveToBackground() {
    events.add("the app leaves the foreground", at: host.clock.wallTime)
    command(.enterBackground, plain: .background)
    settle()
  }

  public func moveToForeground() {
    events.add("the app comes to the foreground", at: host.clock.wallTime)
    command(.enterForeground, plain: .foreground)
    settle()
  }

  /// Ends the app; its objects go.
  public func terminate() {
    endProcess()
    settle()
  }

  /// The person swipes the app away (behaviour 3.14).
  public func forceQuit() {
    if app.isInstalled { host.host.handle(.life(.commanded(app.identifier, .forceQuit))) }
    endProcess()
    settle()
  }

  /// A plain program is stopped by its user; the device suspends installed apps by itself.
  package func suspend() {
    host.host.handle(.appStateChanged(app.identifier, .suspended))
  }

  // MARK: Processes

  /// Starts the app's process, in the foreground.
  package func launch() {
    if life.connection != nil { endProcess() }
    start(.person)
  }

  private func start(_ cause: LaunchCause) {
    events.add(
      cause == .person ? "the person opens the app" : "the device starts the app for an event", at: host.clock.wallTime)
    if app.isInstalled {
      let stored = store.load(app.identifier)
      if !stored.registrations.isEmpty {
        host.host.handle(.appRestored(app, grant: stored.grant, registrations: stored.registrations))
      }
      host.host.handle(.life(.restored(app, grant: stored.grant, life.stored)))
      host.host.handle(.life(.launched(app, grant: stored.grant, cause)))
    }
    _ = connected()
    if !app.isInstalled { host.host.handle(.appStateChanged(app.identifier, .foreground)) }
    if let make = life.make {
      life.root = run { make(SimulatedLaunch(isForLocation: cause == .event)) }
    }
  }

  func connected() -> HostConnection {
    let connection = host.connect(app) { [events, host] event in events.heard(event, at: host.clock.wallTime) }
    life.connection = connection
    return connection
  }

  private func endProcess() {
    guard let connection = life.connection else { return }
    events.add("the app ends", at: host.clock.wallTime)
    life.root = nil
    life.connection = nil
    connection.disconnect()
    if app.isInstalled { host.host.handle(.life(.processEnded(app.identifier))) }
  }

  private func command(_ command: AppCommand, plain: AppState) {
    if app.isInstalled {
      host.host.handle(.life(.commanded(app.identifier, command)))
    } else {
      host.host.handle(.appStateChanged(app.identifier, plain))
    }
  }

  // MARK: What the engine wants of a supervisor

  func launchForEvent() {
    host.post { [weak self] in
      guard let self, self.life.connection == nil else { return }
      self.life.eventLaunchCount += 1
      self.start(.event)
    }
  }

  func carryOut(_ effect: LifeEffect) {
    let time = host.clock.wallTime
    switch effect {
    case .suspend: events.add("the app is suspended", at: time)
    case .resume: events.add("the app goes on", at: time)
    case .terminate(_, let reason):
      guard case .backgroundTasksNotEnded(let names) = reason else { return }
      events.add("the app is killed: it did not end its background tasks \(names.joined(separator: ", "))", at: time)
      host.post { [weak self] in self?.endProcess() }
    case .store(let stored, _): life.stored = stored
    case .indicatorChanged(_, let isShown):
      events.add("the sign for location in the background \(isShown ? "appears" : "goes")", at: time)
    case .tell: break
    }
  }
}

/// What changes with the app's process. Moved only by the thread that drives the device.
final class SimulatedLife: @unchecked Sendable {
  weak var device: SimulatedDevice?
  var connection: HostConnection?
  var make: ((SimulatedLaunch) -> AnyObject)?
  var root: AnyObject?
  var stored = StoredAppLife()
  var eventLaunchCount = 0
}

extension SimulatedDevice {
  /// Another app of the device that may listen always and does, so that the receiver stays on. Ends with the returned
  /// object's life no earlier than the device's.
  package func connectListener(named name: String) -> any Sendable {
    let other = AppDescription(identifier: AppIdentifier(name))
    let connection = host.connect(other)
    host.host.handle(.grantChanged(other.identifier, .always))
    host.host.handle(.appStateChanged(other.identifier, .foreground))
    let manager = connection.addManager { _ in }
    connection.send(.startUpdatingLocation, from: manager)
    return connection
  }
}

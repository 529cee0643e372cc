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
/// An installed app is suspended a while after it has left the foreground, unless it has a reason to run, and is woken
/// or started again for what it has registered for, as the rules of the device's era say. The object that `launch`
/// makes is the app's memory: it goes with the process, and is made anew by the next launch. Statics outlive launches:
/// code built on singletons is tested in a process of its own for each test.
extension SimulatedDevice {
  /// The person opens the app: `make` makes its objects, now and whenever the device starts it again.
  ///
  /// An app that runs comes to the foreground and keeps the object that it has; where it has none, since code in `run`
  /// was the first to need the app, `make` makes it in that process. Another kind of object than it has, or an end of
  /// the app in `make`, is a mistake of the test's: it ends the process with a sentence and the test's line.
  @discardableResult
  public func launch<App: AnyObject>(
    fileID: StaticString = #fileID, line: UInt = #line, _ make: @escaping (SimulatedLaunch) -> App
  ) -> App {
    simulatedLife.make = make
    if simulatedLife.installed == nil, simulatedLife.plainConnection != nil, simulatedLife.root == nil {
      host.host.handle(.appStateChanged(app.identifier, .foreground))
    } else {
      launch()
    }
    settle()
    if simulatedLife.root == nil, simulatedLife.connection != nil {
      simulatedLife.makeRoot(SimulatedLaunch(isForLocation: false))
      settle()
    }
    guard let root = simulatedLife.root else {
      TestMistake.end(SimulatedLife.endedWhileMade, fileID, line)
    }
    guard let app = root as? App else {
      TestMistake.end(
        "the app runs already, with a \(type(of: root)): call device.terminate() before launch(_:) makes a \(App.self)",
        fileID, line)
    }
    return app
  }

  /// The person opens the app again, with the objects of the last `launch(_:)`; one that runs comes to the foreground.
  /// Before any `launch(_:)` it opens an app without objects, whose code is what the test does in `run`.
  public func launchAgain() {
    launch()
    settle()
  }

  /// The object that the newest launch has made; nil while the app does not run.
  public func app<App>(as type: App.Type = App.self) -> App? {
    simulatedLife.root.flatMap { $0 as? App }
  }

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
  public var eventLaunchCount: Int { simulatedLife.eventLaunchCount }

  /// Nothing happens to an app that does not run.
  public func moveToBackground() {
    guard isRunning else { return }
    note("the app leaves the foreground")
    command(.enterBackground, plain: .background)
  }

  /// Nothing happens to an app that does not run: `launchAgain()` opens it.
  public func moveToForeground() {
    guard isRunning else { return }
    note("the app comes to the foreground")
    command(.enterForeground, plain: .foreground)
  }

  private var isRunning: Bool { simulatedLife.connection != nil }

  /// Ends the app, with notice; its objects go. Nothing happens to one that does not run.
  public func terminate() {
    guard isRunning else { return }
    note("the app is told to end")
    command(.terminate, plain: nil)
  }

  /// The person swipes the app away, also one that does not run: its picture is still there (behaviour 3.14).
  public func forceQuit() {
    note("the person swipes the app away")
    command(.forceQuit, plain: nil)
  }

  /// The app's process dies, without a word to anybody. Nothing happens to one that does not run.
  public func crash() {
    guard isRunning else { return }
    note("the app crashes")
    if let installed = simulatedLife.installed { installed.crash() } else { endProcess() }
    settle()
  }

  private func command(_ command: AppCommand, plain: AppState?) {
    if let installed = simulatedLife.installed {
      installed.command(command)
    } else if let plain {
      host.host.handle(.appStateChanged(app.identifier, plain))
    } else {
      endProcess()
    }
    settle()
  }

  /// A plain program is stopped by its user; the device suspends installed apps by itself.
  package func suspend() {
    host.host.handle(.appStateChanged(app.identifier, .suspended))
  }

  // MARK: Processes

  /// Starts the app's process, in the foreground.
  package func launch() {
    if let installed = simulatedLife.installed {
      installed.launch()
    } else {
      endProcess()
      note("the person opens the app")
      _ = connected()
      host.host.handle(.appStateChanged(app.identifier, .foreground))
      simulatedLife.makeRoot(SimulatedLaunch(isForLocation: false))
    }
  }

  func connected() -> HostConnection {
    let connection = host.connect(app)
    simulatedLife.plainConnection = connection
    return connection
  }

  /// Of a plain program.
  private func endProcess() {
    guard let connection = simulatedLife.plainConnection else { return }
    note("the app ends")
    clock.endSleeps()
    simulatedLife.root = nil
    simulatedLife.plainConnection = nil
    connection.disconnect()
  }

  // MARK: Background App Refresh

  func restrictBackgroundRefresh(_ isRestricted: Bool) {
    note("Background App Refresh is \(isRestricted ? "" : "no longer ")restricted")
    simulatedLife.isRefreshRestricted = isRestricted
    let switching = LifeInput.backgroundRefreshSwitched(
      nil, isOn: !isRestricted && simulatedLife.isRefreshOnForAll)
    // One change, and one notification of it: a restriction counts only while refresh is off.
    if isRestricted { simulatedLife.installed?.setRefreshRestricted(true) }
    host.host.handle(.life(switching))
    if !isRestricted { simulatedLife.installed?.setRefreshRestricted(false) }
    settle()
  }

  func note(_ line: String) { events.add(line, at: host.clock.wallTime) }
}

/// What changes with the app's process. Moved only by the thread that drives the device.
final class SimulatedLife: @unchecked Sendable {
  weak var device: SimulatedDevice?
  var installed: SimulatedApp?
  var plainConnection: HostConnection?
  var make: ((SimulatedLaunch) -> AnyObject)?
  var root: AnyObject?
  var eventLaunchCount = 0
  var isRefreshRestricted = false
  /// What the person has chosen for all apps, whatever is restricted.
  var isRefreshOnForAll = true
  private var isOpeningNoted = false

  var connection: HostConnection? { installed?.process?.connection ?? plainConnection }

  /// The first that an installed app's process does.
  func begin(_ process: SimulatedProcess) {
    let isForLocation = process.life.launchReason == .location
    if isForLocation { eventLaunchCount += 1 }
    if isForLocation { device?.note("the device starts the app for an event") } else { noteOpened() }
    isOpeningNoted = false
    makeRoot(SimulatedLaunch(isForLocation: isForLocation))
  }

  /// Once for each start.
  func noteOpened() {
    if !isOpeningNoted { device?.note("the person opens the app") }
    isOpeningNoted = true
  }

  func ended() {
    device?.note("the app ends")
    root = nil
  }

  static let endedWhileMade = "the app has ended while launch(_:) made its object: make it first, then end the app"

  func makeRoot(_ launch: SimulatedLaunch) {
    guard let make else { return }
    let process = connection
    let made = device?.run { make(launch) }
    // What goes on after its own end, and asks for the service, would be begun anew without an end.
    TestMistake.refuse(unless: connection == nil || connection === process, Self.endedWhileMade)
    root = connection == nil ? nil : made
  }
}

extension LifeEffect {
  /// What a reader of the log is told of it; nil for what shows in other lines.
  var words: String? {
    switch self {
    case .suspend: "the app is suspended"
    case .resume: "the app goes on"
    case .terminate(_, .backgroundTasksNotEnded(let names)):
      "the app is killed: it did not end its background tasks \(names.joined(separator: ", "))"
    case .terminate(_, .eventNotHandled): "the app is killed: its callback for an event did not return in time"
    case .indicatorChanged(_, let isShown):
      "the sign for location in the background \(isShown ? "appears" : "goes")"
    case .terminate, .tell, .store: nil
    }
  }
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

import LocationEngine
import LocationRuntime

/// The processes of the installed apps that a service has started, who waits for a start, and who for an end. On the
/// service's queue.
///
/// It decides nothing: the engine is told what becomes of each process, and says what is to be done
/// (`LocationDaemon+Life`).
package final class InstalledApps: @unchecked Sendable {
  package let supervisor: any AppSupervisor
  private let host: Host
  private var starting: [AppIdentifier: Start] = [:]
  private var waiting: [AppIdentifier: [() -> Void]] = [:]

  /// Who is told.
  struct Host {
    /// What the app's last process has noted as done counts from now on, and is on the disk.
    var settle: ([UInt64], AppIdentifier) -> Void
    /// The app's process is about to be, or is there.
    var launched: (InstalledBundle, LaunchReason) -> Void
    /// A process that was launched is gone, or has never been; before those hear of it who wait.
    var ended: (AppIdentifier) -> Void
  }

  /// What came of a start.
  enum Outcome {
    case started
    /// Nothing is there, and the engine was not told of anything.
    case prevented(LaunchFailure)
    /// The engine was told of the start and of the end.
    case failed(LaunchFailure)
  }

  private struct Start {
    var reason: LaunchReason
    var arguments: [String]
    /// The supervisor has its order.
    var isLaunched = false
    /// It was carried out.
    var isThere = false
    var done: [(Outcome) -> Void]
  }

  init(_ supervisor: any AppSupervisor, host: Host) {
    self.supervisor = supervisor
    self.host = host
    supervisor.connect { [weak self] in self?.received($0) }
  }

  /// Whether the app has a process, or is about to.
  func isRunning(_ app: AppIdentifier) -> Bool {
    starting[app] != nil || supervisor.isRunning(app)
  }

  /// Starts an app that has no process. One that is being started for an event already comes to the foreground where
  /// a person wants it now; arguments it has no more then.
  func start(
    _ installed: InstalledBundle, because reason: LaunchReason, arguments: [String] = [],
    done: @escaping (Outcome) -> Void
  ) {
    let app = installed.app
    if starting[app] != nil {
      if !arguments.isEmpty { return done(.prevented(.takesNoArguments(app))) }
      if reason == .person { starting[app]?.reason = .person }
      starting[app]?.done.append(done)
      return
    }
    starting[app] = Start(reason: reason, arguments: arguments, done: [done])
    supervisor.prepare(app) { [weak self] result in
      switch result {
      case .success(let acknowledged): self?.launch(installed, acknowledged)
      case .failure(let failure): self?.finish(app, .prevented(failure))
      }
    }
  }

  /// The engine knows what is done before it knows of the process, and of that before anything that it says is heard.
  private func launch(_ installed: InstalledBundle, _ acknowledged: [UInt64]) {
    let app = installed.app
    guard let start = starting[app] else { return }
    let reason = start.reason
    if !acknowledged.isEmpty { host.settle(acknowledged, app) }
    do throws(LaunchFailure) {
      try supervisor.launch(
        app, bundlePath: installed.bundle.path, executablePath: installed.bundle.executablePath,
        arguments: start.arguments, because: reason)
    } catch {
      return finish(app, .prevented(error))
    }
    host.launched(installed, reason)
    starting[app]?.isLaunched = true
    if starting[app]?.isThere == true { finish(app, .started) }
  }

  private func finish(_ app: AppIdentifier, _ outcome: Outcome) {
    for done in starting.removeValue(forKey: app)?.done ?? [] { done(outcome) }
  }

  /// - Parameter done: is called once the app has ended, which it is about to.
  func waitForEnd(of app: AppIdentifier, done: @escaping () -> Void) {
    waiting[app, default: []].append(done)
  }

  private func received(_ event: SupervisorEvent) {
    switch event {
    case .started(let app, _):
      starting[app]?.isThere = true
      if starting[app]?.isLaunched == true { finish(app, .started) }
    case .startFailed(let app, let failure): ended(app, failure)
    case .ended(let app, _): ended(app, LaunchFailure("\(app.name) ended before it was known to run."))
    }
  }

  /// Who waits for the end may start the app again: that start is another one, which has not failed.
  private func ended(_ app: AppIdentifier, _ failure: LaunchFailure) {
    let start = starting.removeValue(forKey: app)
    host.ended(app)
    for done in start?.done ?? [] { done(.failed(failure)) }
    for done in waiting.removeValue(forKey: app) ?? [] { done() }
  }
}

extension LaunchFailure {
  static func takesNoArguments(_ app: AppIdentifier) -> LaunchFailure {
    LaunchFailure(
      "\(app.name) runs already, and only a start has arguments; end it first (corelocation terminate \(app.name))")
  }
}

import LocationEngine
import LocationRuntime

/// The installed apps that a service has started: where each stands, and who waits for its end. On the service's queue.
///
/// Whoever decides about the life of apps is told of each move that a person makes and of each start and end of a
/// process (`moved`, `heard`), and gives the supervisor its orders. Until there is one, a move is told to the engine
/// and an app that is brought to the foreground is resumed.
package final class InstalledApps: @unchecked Sendable {
  package let supervisor: any AppSupervisor
  /// A person has brought an app that runs to the foreground, or sent it to the background.
  package var moved: (AppIdentifier, AppState) -> Void = { _, _ in }
  package var heard: (SupervisorEvent) -> Void = { _ in }

  private var states: [AppIdentifier: AppState] = [:]
  private var waiting: [AppIdentifier: [(AppEnd) -> Void]] = [:]

  init(_ supervisor: any AppSupervisor) {
    self.supervisor = supervisor
    supervisor.connect { [weak self] in self?.received($0) }
  }

  /// Nil for an app that was not started here, or has ended.
  func state(of app: AppIdentifier) -> AppState? { states[app] }

  func launch(_ app: InstalledBundle, because reason: LaunchReason) throws(LaunchFailure) {
    states[app.app] = reason == .person ? .foreground : .background
    do throws(LaunchFailure) {
      try supervisor.launch(app.app, executablePath: app.bundle.executablePath, because: reason)
    } catch {
      if !supervisor.isRunning(app.app) { states[app.app] = nil }
      throw error
    }
  }

  func move(_ app: AppIdentifier, to state: AppState) {
    guard supervisor.isRunning(app) else { return }
    states[app] = state
    moved(app, state)
  }

  /// - Parameter done: hears how the app ended, once it has.
  func terminate(_ app: AppIdentifier, _ termination: Termination, done: @escaping (AppEnd) -> Void) {
    waiting[app, default: []].append(done)
    supervisor.terminate(app, termination)
  }

  func stop() { supervisor.stop() }

  private func received(_ event: SupervisorEvent) {
    heard(event)
    guard case .ended(let app, let end) = event else { return }
    states[app] = nil
    for done in waiting.removeValue(forKey: app) ?? [] { done(end) }
  }
}

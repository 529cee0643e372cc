import LocationEngine
import LocationRuntime

/// The processes of the installed apps that a service has started, and who waits for the end of one. On the service's
/// queue.
///
/// It decides nothing: the engine is told what becomes of each process, and says what is to be done
/// (`LocationDaemon+Life`).
package final class InstalledApps: @unchecked Sendable {
  package let supervisor: any AppSupervisor
  private let ended: (AppIdentifier) -> Void
  private var waiting: [AppIdentifier: [() -> Void]] = [:]

  /// - Parameter ended: hears of each process's end, before those who wait for it.
  init(_ supervisor: any AppSupervisor, ended: @escaping (AppIdentifier) -> Void) {
    self.supervisor = supervisor
    self.ended = ended
    supervisor.connect { [weak self] in self?.received($0) }
  }

  /// - Parameter done: is called once the app has ended, which it is about to.
  func waitForEnd(of app: AppIdentifier, done: @escaping () -> Void) {
    waiting[app, default: []].append(done)
  }

  private func received(_ event: SupervisorEvent) {
    guard case .ended(let app, _) = event else { return }
    ended(app)
    for done in waiting.removeValue(forKey: app) ?? [] { done() }
  }
}

import Dispatch
import LinuxIO
import LocationEngine
import LocationModel
import LocationProviders
import LocationRuntime

/// One permitted app that listens to a receiver through the real engine, in time that a test moves.
///
/// Only time is made up; sockets and devices are real, and what comes of them comes when it comes.
final class ListeningApp {
  struct Heard: Sendable {
    var fixes: [Fix] = []
    var failures: [LocationError] = []
  }

  let clock: VirtualClock
  /// Rung for everything that is heard; ring it for what else is waited for.
  let bell = DispatchSemaphore(value: 0)
  private let heard = Locked(Heard())
  private let connection: HostConnection
  private let manager: ManagerIdentifier

  init(_ provider: any LocationProvider, clock: VirtualClock) {
    self.clock = clock
    let host = EngineHost(
      engine: LocationEngine(policy: Policy()), clock: clock, provider: provider,
      ports: HostPorts(
        prompter: ScriptedPerson(clock: clock),
        store: ForgetfulStore(StoredAppState(grant: Grant(level: .whenInUse))), log: { _ in }))
    let app = AppDescription(identifier: AppIdentifier("org.example.app"))
    connection = HostConnection(host: host, app: app)
    host.handle(.appStateChanged(app.identifier, .foreground))
    manager = connection.addManager { [heard, bell] event in
      heard.withLock { heard in
        switch event {
        case .locationsUpdated(let fixes, _): heard.fixes += fixes
        case .failed(let error, _): heard.failures.append(error)
        default: break
        }
      }
      bell.signal()
    }
  }

  var current: Heard { heard.withLock { $0 } }
  var fixCount: Int { heard.withLock { $0.fixes.count } }

  func start() { connection.send(.startUpdatingLocation, from: manager) }
  func stop() { connection.send(.stopUpdatingLocation, from: manager) }

  /// Moves time, ringing every alarm on the way.
  func pass(seconds: Double) {
    let end = clock.now.advanced(bySeconds: seconds)
    while clock.ringNext(until: end) {}
  }
}

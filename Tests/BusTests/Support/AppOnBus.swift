import LinuxIO
import LocationEngine
import LocationModel
import LocationProviders
import LocationRuntime
import XCTest

/// One permitted app with one manager, on the real engine and host and the provider under test, in virtual time.
///
/// Only the engine's and the provider's alarms are virtual; the bus is real, and its events come when they come.
final class AppOnBus {
  let clock = VirtualClock(wallStart: WallTime(secondsSince1970: 1_780_300_800))
  /// What the delegate hears: `fix 48.5,11.25 ±12`, `failed denied`, with `answer ` before the outcome of a request.
  let events = EventLog<String>()
  let notices = EventLog<String>()
  /// Every state that the provider tells, also those that the engine has nothing to say about.
  let states = EventLog<ReceiverState>()
  let connection: HostConnection
  private let host: EngineHost
  private let manager: ManagerIdentifier

  init(
    _ service: LocationServiceProvider.Service, settings: LocationServiceProvider.Settings, policy: Policy = Policy()
  ) {
    let events = events
    let notices = notices
    let provider = LocationServiceProvider(service, clock: clock, settings: settings)
    host = EngineHost(
      engine: LocationEngine(policy: policy), clock: clock, provider: HeardProvider(provider, states: states),
      ports: HostPorts(
        prompter: ScriptedPerson(clock: clock),
        store: ForgetfulStore(StoredAppState(grant: Grant(level: .whenInUse))), log: { notices.add($0) }))
    let app = AppDescription(identifier: AppIdentifier("org.example.app"))
    connection = HostConnection(host: host, app: app)
    host.handle(.appStateChanged(app.identifier, .foreground))
    manager = connection.addManager { event in
      if let words = Self.words(event) { events.add(words) }
    }
  }

  deinit {
    connection.send(.stopUpdatingLocation, from: manager)
  }

  func send(_ request: Request) { connection.send(request, from: manager) }

  func wish(_ accuracy: DesiredAccuracy) {
    var configuration = ManagerConfiguration()
    configuration.desiredAccuracy = accuracy
    send(.configure(configuration))
  }

  /// Moves to a second of virtual time, ringing every alarm on the way.
  func pass(to seconds: Double) {
    while clock.ringNext(until: Instant.zero.advanced(bySeconds: seconds)) {}
  }

  /// When the next alarm of anybody rings.
  var nextAlarmSeconds: Double? { clock.nextDeadline.map { $0.seconds(since: .zero) } }

  /// Hands everything through and writes the states down.
  private final class HeardProvider: LocationProvider {
    private let provider: any LocationProvider
    private let states: EventLog<ReceiverState>

    init(_ provider: any LocationProvider, states: EventLog<ReceiverState>) {
      self.provider = provider
      self.states = states
    }

    func connect(_ events: @escaping @Sendable (ProviderEvent) -> Void) {
      provider.connect { [states] event in
        events(event)
        if case .state(let state) = event { states.add(state) }
      }
    }

    func setDemand(_ demand: ReceiverDemand?) { provider.setDemand(demand) }
  }

  private static func words(_ event: ManagerEvent) -> String? {
    switch event {
    case .locationsUpdated(let fixes, let isAnswer):
      let places = fixes.map { fix in
        "\(fix.coordinate.latitude),\(fix.coordinate.longitude) "
          + (fix.horizontalAccuracyMeters.map { "±\($0)" } ?? "unknown")
      }
      return (isAnswer ? "answer " : "") + "fix " + places.joined(separator: "; ")
    case .failed(let error, let isAnswer): return (isAnswer ? "answer " : "") + "failed \(error)"
    default: return nil
    }
  }
}

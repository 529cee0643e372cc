import LocationEngine
import LocationModel
import LocationProviders
import LocationRuntime

/// Listens, on the machine's clock, to a source that has no end: a fixed place, or what the machine has.
struct LiveSession {
  enum Place: Sendable {
    case fixed(Coordinate, altitudeMeters: Double?)
    /// GeoClue, or the location portal.
    case locationService(LocationServiceProvider.Service)
    case machine
  }

  var place: Place
  var settings: SessionSettings
  var writer: ResultWriter
  var countMax: Int?
  var durationSeconds: Double?
  var endsWithAnswer = false

  func run(_ environment: ProcessEnvironment) -> (ending: Ending, deliveredCount: Int) {
    Interruption.endsCleanly()
    let clock = LiveClock.shared
    let listener = Listener(
      writer, clock: clock, countMax: countMax, endsWhenRefused: true, endsWithAnswer: endsWithAnswer)
    let host = EngineHost(
      engine: LocationEngine(policy: settings.policy), clock: clock, provider: provider(clock),
      ports: HostPorts(
        prompter: TerminalPrompter(log: Messages.log), store: store(environment), log: Messages.log))
    let connection = HostConnection(host: host, app: SessionSettings.app)
    let alarm = clock.makeAlarm { listener.end(.durationPassed) }
    alarm.set(durationSeconds.map { clock.now.advanced(bySeconds: $0) })
    let isUndecided = connection.snapshot.authorization.status == .notDetermined
    let asksPerson = isUndecided && isMachine && settings.presetGrant == nil && TerminalPrompter.hasTerminal
    connection.begin(settings, host: host, listener: listener, asksPerson: asksPerson)
    if isUndecided && !asksPerson { listener.end(.refused(.notDetermined)) }
    listener.waitForEnd()
    withExtendedLifetime((host, alarm)) {}
    return (listener.ending ?? .durationPassed, listener.deliveredCount)
  }

  private var isMachine: Bool {
    if case .fixed = place { false } else { true }
  }

  private func store(_ environment: ProcessEnvironment) -> any AppStateStore {
    isMachine ? settings.machineStore(environment) : settings.ownFileStore
  }

  private func provider(_ clock: any SessionClock) -> any LocationProvider {
    switch place {
    case .fixed(let coordinate, let altitudeMeters):
      FixedProvider(coordinate: coordinate, altitudeMeters: altitudeMeters, clock: clock)
    case .locationService(let service):
      LocationServiceProvider(service, clock: clock)
    case .machine:
      AbsentProvider(advice: "this version finds no receivers yet; name a source: --source gpx:PATH or fixed:LAT,LON")
    }
  }
}

import LocationEngine
import LocationModel
import LocationProviders
import LocationRuntime

/// Listens, on the machine's clock, to a source that has no end of its own: a fixed place, a receiver, or what the
/// machine has.
struct LiveSession {
  var source: SourceSpecification
  var settings: SessionSettings
  var writer: ResultWriter
  var countMax: Int?
  var durationSeconds: Double?
  var endsWithAnswer = false

  func run(_ environment: ProcessEnvironment) -> (ending: Ending, deliveredCount: Int) {
    Interruption.endsCleanly()
    let clock = ImpatientClock(LiveClock.shared)
    let end = SourceEnd(clock: clock, waitSeconds: settings.policy.requestLocationTimeoutSeconds)
    let listener = Listener(
      writer, clock: clock, countMax: countMax, endsWhenRefused: !settings.wantsHeadings,
      endsWithAnswer: endsWithAnswer,
      results: settings.wantsHeadings ? .headings : settings.rangedBeacons.isEmpty ? .locations : .beacons)
    let host = EngineHost(
      engine: LocationEngine(policy: settings.policy), clock: clock, provider: provider(clock, listener, end),
      headingSensor: settings.wantsHeadings
        ? MachineCompass(clock: clock, sensorFolder: environment.sensorFolder) : nil,
      beaconReceiver: settings.rangedBeacons.isEmpty ? nil : BlueZReceiver(clock: clock),
      ports: HostPorts(
        prompter: HoldingPrompter(table: writer.table), store: store(environment), log: Messages.log))
    end.hurry { host.handle(.timePassed) }
    let airplaneMode = AirplaneMode(.ofThisMachine(environment)) { host.handle(.airplaneModeChanged(isOn: $0)) }
    let connection = HostConnection(host: host, app: SessionSettings.app)
    let alarm = clock.makeAlarm { listener.end(.durationPassed) }
    alarm.set(durationSeconds.map { clock.now.advanced(bySeconds: $0) })
    let look = clock.makeAlarm { HeadingPermission.consider(connection.snapshot, listener) }
    let isUndecided = connection.snapshot.authorization.status == .notDetermined
    let asksPerson = isUndecided && isMachine && settings.presetGrant == nil && TerminalPrompter.hasTerminal
    connection.begin(settings, host: host, listener: listener, asksPerson: asksPerson)
    if isUndecided && !asksPerson && !settings.wantsHeadings { listener.end(.refused(.notDetermined)) }
    // Somebody who is being asked may take their time.
    if settings.wantsHeadings, !asksPerson {
      look.set(clock.now.advanced(bySeconds: HeadingPermission.compassSeconds))
    }
    listener.waitForEnd()
    // The last heading may be on its way when its stream ends.
    if settings.wantsHeadings { host.waitUntilCarriedOut(secondsMax: 1) }
    writer.table?.drawRest()
    withExtendedLifetime((host, alarm, look, airplaneMode)) {}
    return (ending(of: listener), listener.deliveredCount)
  }

  /// A compass that has told no position has told its headings.
  private func ending(of listener: Listener) -> Ending {
    if settings.wantsHeadings, listener.deliveredCount > 0,
      case .recordingEnded(let failure?) = listener.ending, failure.reason == .nothingToPlay
    {
      return .recordingEnded(nil)
    }
    return listener.ending ?? .durationPassed
  }

  /// A place or a stream that the person has given needs nobody's permission; a receiver does.
  private var isMachine: Bool { !LiveSource.isOwnStream(source) }

  private func store(_ environment: ProcessEnvironment) -> any AppStateStore {
    isMachine ? settings.machineStore(environment) : settings.ownFileStore
  }

  private func provider(
    _ clock: any SessionClock, _ listener: Listener, _ end: SourceEnd
  ) -> any LocationProvider {
    if case .fixed(let coordinate, let altitudeMeters) = source {
      return FixedProvider(coordinate: coordinate, altitudeMeters: altitudeMeters, clock: clock)
    }
    let ended: @Sendable (ReplayError?) -> Void = { [endsWithAnswer] failure in
      // Where one location is waited for and some have come, the best of them is the answer.
      if endsWithAnswer && failure == nil { end.came() } else { listener.end(.recordingEnded(failure)) }
    }
    return LiveSource.provider(
      for: source, app: SessionSettings.app.identifier.name, clock: clock, ended: ended)
      ?? AbsentProvider(advice: "\(source) is a recording, which is played and not listened to")
  }
}

import LocationEngine
import LocationModel
import LocationProviders
import LocationRuntime

/// A journey through the engine, on a virtual clock, for one app in the foreground.
struct JourneyPlay {
  struct Outcome {
    var summary: JourneySummary
    /// What the receiver cost in each step of `stepSeconds`, from the journey's start.
    var stepJoules: [Double]
    /// What cut the recording short.
    var failure: ReplayError?
  }

  var settings: SessionSettings
  var writer: ResultWriter
  var notes: JourneyNotes?
  /// Nil measures the whole only.
  var stepSeconds: Double?
  /// Is told what the app may have before it asks for anything.
  var hasPermission: (AuthorizationStatus) -> Void = { _ in }
  var beacons: (VirtualClock) throws(CommandFailure) -> TrackBeacons? = { _ throws(CommandFailure) in nil }

  func run(_ schedule: sending ReplaySchedule) throws(CommandFailure) -> Outcome {
    let clock = VirtualClock(wallStart: try schedule.startTime())
    let notes = notes
    var writer = writer
    if let notes { writer.witness = { notes.heard($0, at: $1) } }
    let listener = Listener(writer, clock: clock)
    let replay = ReplayProvider(
      schedule: schedule, clock: clock, pace: .speed(1), stamping: .recording
    ) { listener.end(.recordingEnded($0)) }
    let progress = JourneyProgress()
    let compass = settings.compassOfRecording
    let beacons = try beacons(clock)
    let provider = WatchedProvider(replay, modelledBy: clock, compass: compass, beacons: beacons) {
      progress.reached($0.time)
    }
    if let notes { provider.onSwitch { notes.receiverSwitched(on: $0, at: $1) } }
    let simulated = SimulatedHost(
      clock: clock, provider: provider, headingSensor: compass, beaconReceiver: beacons, policy: settings.policy,
      store: settings.ownFileStore, log: Messages.log)
    provider.onFixTaken { [weak simulated] in simulated?.settle() }
    let connection = simulated.connect(SessionSettings.app)
    hasPermission(connection.snapshot.authorization.status)
    connection.begin(settings, host: simulated.host, listener: listener)
    simulated.settle()
    provider.start()
    let stepJoules = run(simulated, provider, listener)
    progress.end()
    let summary = JourneySummary(
      fixCount: provider.fixCount, deliveredCount: listener.deliveredCount,
      virtualSeconds: clock.now.seconds(since: .zero), receiverSeconds: provider.measured.onSeconds(at: clock.now),
      gnssJoules: provider.measured.joules(at: clock.now))
    var outcome = Outcome(summary: summary, stepJoules: stepJoules)
    if case .recordingEnded(let failure) = listener.ending { outcome.failure = failure }
    return outcome
  }

  /// To the end of the recording, with a look at the meter at the end of each step.
  private func run(_ simulated: SimulatedHost, _ provider: WatchedProvider, _ listener: Listener) -> [Double] {
    var steps: [Double] = []
    var spentJoules = 0.0
    var end = Instant(nanoseconds: .max)
    if let stepSeconds { end = Instant.zero.advanced(bySeconds: stepSeconds) }
    while true {
      simulated.run(until: end) { listener.ending != nil }
      let isOver = listener.ending != nil || simulated.clock.nextDeadline == nil
      guard let stepSeconds else { return [] }
      let joules = provider.measured.joules(at: isOver ? simulated.clock.now : end)
      steps.append(joules - spentJoules)
      spentJoules = joules
      if isOver { return steps }
      end = end.advanced(bySeconds: stepSeconds)
    }
  }
}

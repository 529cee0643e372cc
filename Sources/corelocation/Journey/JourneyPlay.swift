import LinuxIO
import LocationEngine
import LocationModel
import LocationProviders
import LocationRuntime

/// A journey through the engine, on a virtual clock, for one app in the foreground.
struct JourneyPlay {
  struct Outcome {
    var summary: JourneySummary
    /// What each receiver cost in each step of `stepSeconds`, from the journey's start.
    var stepJoules: [ReceiverJoules]
    /// What cut the recording short.
    var failure: ReplayError?
  }

  var settings: SessionSettings
  var writer: ResultWriter
  var notes: JourneyNotes?
  /// Tells why receivers go on and off.
  var explains = false
  /// Nil measures the whole only.
  var stepSeconds: Double?
  /// Is told what the app may have before it asks for anything.
  var hasPermission: (AuthorizationStatus) -> Void = { _ in }
  /// Those that stand along the journey; nil where there are none.
  var beacons: Beacons = { _ throws(CommandFailure) in nil }

  typealias Beacons = (VirtualClock) throws(CommandFailure) -> TrackBeacons?

  func run(_ schedule: sending ReplaySchedule) throws(CommandFailure) -> Outcome {
    let clock = VirtualClock(wallStart: try schedule.startTime())
    let notes = notes
    let vainLooks = Locked(VainLooks(settings.profile))
    let writer = self.writer.witnessed { event, time in
      vainLooks.withLock { $0.begin(at: clock.now) }
      notes?.heard(event, at: time)
    }
    let listener = Listener(writer, clock: clock)
    let replay = ReplayProvider(
      schedule: schedule, clock: clock, pace: .speed(1), stamping: .recording
    ) { listener.end(.recordingEnded($0)) }
    let progress = JourneyProgress()
    let compass = settings.compassOfRecording
    // All the same read: what is wrong with their file is said for every device.
    let placed = try beacons(clock)
    let beacons = settings.profile.hasBeaconReceiver ? placed : nil
    let watched = WatchedProvider(replay, compass: compass, beacons: beacons) { progress.reached($0.time) }
    let receivers = JourneyReceivers(
      watched, beacons: beacons, profile: settings.profile, seed: settings.seed, clock: clock,
      vainLooks: vainLooks)
    let simulated = SimulatedHost(
      clock: clock, provider: receivers, headingSensor: compass,
      beaconReceiver: beacons.map { _ in receivers }, motionSensor: receivers,
      policy: settings.policy, profile: settings.profile, store: settings.ownFileStore, log: Messages.logOnce)
    watched.onFixTaken { [weak simulated] in simulated?.settle() }
    receivers.onChange { [weak simulated, explains] change, now in
      notes?.receiversDid(change, at: now)
      guard explains, let simulated, let explanation = ReceiverExplanation(change, on: simulated) else { return }
      // In its turn among what the app hears.
      simulated.deliver { writer.write(explanation) }
    }
    let connection = simulated.connect(SessionSettings.app)
    hasPermission(connection.snapshot.authorization.status)
    connection.begin(settings, host: simulated.host, listener: listener)
    simulated.settle()
    receivers.start()
    let stepJoules = run(simulated, receivers, listener)
    progress.end()
    let summary = JourneySummary(
      fixCount: receivers.fixCount, deliveredCount: listener.deliveredCount,
      virtualSeconds: clock.now.seconds(since: .zero), profile: settings.profile, hearsBeacons: beacons != nil,
      satelliteSeconds: receivers.satelliteSeconds(at: clock.now), joules: receivers.joules(at: clock.now))
    var outcome = Outcome(summary: summary, stepJoules: stepJoules)
    if case .recordingEnded(let failure) = listener.ending { outcome.failure = failure }
    return outcome
  }

  /// To the end of the recording, with a look at the meter at the end of each step.
  private func run(
    _ simulated: SimulatedHost, _ receivers: JourneyReceivers, _ listener: Listener
  ) -> [ReceiverJoules] {
    var steps: [ReceiverJoules] = []
    var spent = ReceiverJoules()
    var end = Instant(nanoseconds: .max)
    if let stepSeconds { end = Instant.zero.advanced(bySeconds: stepSeconds) }
    while true {
      simulated.settle()
      while listener.ending == nil, let next = simulated.clock.nextDeadline, next <= end,
        simulated.clock.ringNext(until: end)
      {
        simulated.settle()
        // Whoever wants to be told of each look is.
        if !explains, listener.ending == nil { receivers.passVainLooks(before: end) }
      }
      let isOver = listener.ending != nil || simulated.clock.nextDeadline == nil
      guard let stepSeconds else { return [] }
      let joules = receivers.joules(at: isOver ? simulated.clock.now : end)
      steps.append(joules.since(spent))
      spent = joules
      if isOver { return steps }
      end = end.advanced(bySeconds: stepSeconds)
    }
  }
}

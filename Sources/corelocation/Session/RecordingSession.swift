import LinuxIO
import LocationEngine
import LocationModel
import LocationProviders
import LocationRuntime

/// Plays a recording to one command, at the recording's times (design 5).
struct RecordingSession {
  var track: String
  var format: RecordingFormat
  var options: PlaybackOptions
  var settings: SessionSettings
  var writer: ResultWriter
  var countMax: Int?
  /// Seconds of the session; nil plays to the end.
  var durationSeconds: Double?
  var endsWithAnswer = false

  /// Returns when the session is over: how it ended and how many locations were heard.
  func run() throws(CommandFailure) -> (ending: Ending, deliveredCount: Int) {
    let schedule = try ReplaySchedule.open(track, as: format, shortensGaps: options.shortensGaps ?? true)
    let start = try schedule.startTime()
    Interruption.endsCleanly()
    switch options.pace ?? .times(1) {
    case .maximum: return runVirtually(schedule, start: start)
    case .times(let speed): return runLive(schedule, start: start, speed: speed)
    }
  }

  private func listener(_ clock: any SessionClock) -> Listener {
    Listener(writer, clock: clock, countMax: countMax, endsWhenRefused: true, endsWithAnswer: endsWithAnswer)
  }

  // MARK: On the virtual clock

  private func runVirtually(
    _ schedule: sending ReplaySchedule, start: WallTime
  ) -> (ending: Ending, deliveredCount: Int) {
    let clock = VirtualClock(wallStart: options.stamps == .delivery ? LiveClock.shared.wallTime : start)
    let listener = listener(clock)
    let replay = provider(schedule, clock: clock, speed: 1, listener: listener)
    let simulated = SimulatedHost(
      clock: clock, provider: WatchedProvider(replay), policy: settings.policy,
      store: settings.ownFileStore, log: Messages.log)
    let connection = simulated.connect(SessionSettings.app)
    connection.begin(settings, host: simulated.host, listener: listener)
    simulated.settle()
    refuseIfUndecided(connection, listener)
    let end = durationSeconds.map { Instant.zero.advanced(bySeconds: $0) } ?? Instant(nanoseconds: .max)
    simulated.run(until: end) { listener.ending != nil }
    tellUntoldNotices(of: replay)
    return (listener.ending ?? .durationPassed, listener.deliveredCount)
  }

  // MARK: On the machine's clock

  private func runLive(
    _ schedule: sending ReplaySchedule, start: WallTime, speed: Double
  ) -> (ending: Ending, deliveredCount: Int) {
    let recording = RecordingClock(speed: speed)
    let isRecorded = options.stamps != .delivery
    let clock: any SessionClock = isRecorded ? recording : LiveClock.shared
    recording.recordingReached(start)
    let listener = listener(clock)
    let replay = provider(schedule, clock: clock, speed: speed, listener: listener)
    let watched = WatchedProvider(replay) { fix in
      if isRecorded { recording.recordingReached(fix.time) }
    }
    let host = EngineHost(
      engine: LocationEngine(policy: settings.policy), clock: clock, provider: watched,
      ports: HostPorts(
        prompter: TerminalPrompter(log: Messages.log), store: settings.ownFileStore, log: Messages.log))
    let connection = HostConnection(host: host, app: SessionSettings.app)
    let alarm = durationAlarm(listener, speed: speed)
    connection.begin(settings, host: host, listener: listener)
    refuseIfUndecided(connection, listener)
    listener.waitForEnd()
    withExtendedLifetime((host, alarm)) {}
    tellUntoldNotices(of: replay)
    return (listener.ending ?? .durationPassed, listener.deliveredCount)
  }

  /// Beside the recording's own queue, which waits with the recording where that is a pipe in which nothing comes.
  private func durationAlarm(_ listener: Listener, speed: Double) -> (any Alarm)? {
    guard let durationSeconds else { return nil }
    let clock = LiveClock()
    let alarm = clock.makeAlarm { listener.end(.durationPassed) }
    alarm.set(clock.now.advanced(bySeconds: durationSeconds / speed))
    return alarm
  }

  // MARK: Parts of both

  private func provider(
    _ schedule: sending ReplaySchedule, clock: any SessionClock, speed: Double, listener: Listener
  ) -> ReplayProvider {
    ReplayProvider(
      schedule: schedule, clock: clock, pace: .speed(speed),
      stamping: options.stamps == .delivery ? .delivery : .recording
    ) { [endsWithAnswer] failure in
      // One location may still be waited for; it is the best so far at the latest.
      if !endsWithAnswer { listener.end(.recordingEnded(failure)) }
    }
  }

  /// The person has set that nothing is decided, and nobody is asked about their own file.
  private func refuseIfUndecided(_ connection: HostConnection, _ listener: Listener) {
    if connection.snapshot.authorization.status == .notDetermined { listener.end(.refused(.notDetermined)) }
  }

  /// Of a session that ended before its recording. A pipe may hold the provider in a read for ever, so that there is
  /// nothing to ask it.
  private func tellUntoldNotices(of replay: ReplayProvider) {
    guard InputFile.isRegular(path: track) else { return }
    for notice in replay.untoldNotices { Messages.say(notice.sentence) }
  }
}

import Dispatch
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

  typealias Outcome = (ending: Ending, deliveredCount: Int)

  /// Returns when the session is over: how it ended and how many locations were heard.
  func run() throws(CommandFailure) -> Outcome {
    Interruption.endsCleanly()
    let limit = WaitLimit(seconds: waitSecondsMax)
    let shortensGaps = options.shortensGaps ?? true
    let opening = limit.result { [track, format] in
      Result { () throws(CommandFailure) in
        try OpenedRecording(track, as: format, shortensGaps: shortensGaps)
      }
    }
    guard let recording = try opening?.get() else { return silent() }
    switch options.pace ?? .times(1) {
    case .maximum: return runVirtually(recording, limit)
    case .times(let speed): return runLive(recording, speed: speed, limit)
    }
  }

  /// A plain file is always there; a pipe may wait for its writer as long as the session may last.
  private var waitSecondsMax: Double? {
    guard !InputFile.isRegular(path: track) else { return nil }
    if endsWithAnswer { return settings.policy.requestLocationTimeoutSeconds }
    guard case .times(let speed) = options.pace ?? .times(1) else { return durationSeconds }
    return durationSeconds.map { $0 / speed }
  }

  /// Nothing has come while there was time, so that there is no recording to have a time of its own.
  private func silent() -> Outcome {
    guard endsWithAnswer else { return (.durationPassed, 0) }
    let listener = Listener(writer, clock: LiveClock.shared, endsWithAnswer: true)
    listener.hear(.failed(.locationUnknown, isAnswer: true))
    return (listener.ending ?? .unanswered(.locationUnknown), 0)
  }

  private func listener(_ clock: any SessionClock, _ recording: OpenedRecording) -> Listener {
    Listener(
      writer, clock: clock, recordedStart: options.stamps == .delivery ? nil : recording.start, countMax: countMax,
      endsWhenRefused: !settings.wantsHeadings, endsWithAnswer: endsWithAnswer,
      results: settings.wantsHeadings ? .headings : .locations)
  }

  // MARK: On the virtual clock

  private func runVirtually(_ recording: OpenedRecording, _ limit: WaitLimit) -> Outcome {
    let clock = VirtualClock(wallStart: options.stamps == .delivery ? LiveClock.shared.wallTime : recording.start)
    let listener = listener(clock, recording)
    let replay = provider(recording, clock: clock, speed: 1) { [endsWithAnswer] failure in
      // One location may still be waited for; virtual time takes none.
      if !endsWithAnswer { listener.end(.recordingEnded(failure)) }
    }
    let end = durationSeconds.map { Instant.zero.advanced(bySeconds: $0) } ?? Instant(nanoseconds: .max)
    let isDone: Void? = limit.result {
      let compass = settings.compassOfRecording
      let provider = WatchedProvider(replay, compass: compass)
      let simulated = SimulatedHost(
        clock: clock, provider: provider, headingSensor: compass, policy: settings.policy, store: settings.ownFileStore,
        log: Messages.log)
      provider.onFixTaken { [weak simulated] in simulated?.settle() }
      let connection = simulated.connect(SessionSettings.app)
      connection.begin(settings, host: simulated.host, listener: listener)
      simulated.settle()
      refuseIfUndecided(connection, listener)
      simulated.run(until: end) { listener.ending != nil }
    }
    if isDone == nil && endsWithAnswer { listener.hear(.failed(.locationUnknown, isAnswer: true)) }
    tellUntoldNotices(of: replay)
    return (listener.ending ?? .durationPassed, listener.deliveredCount)
  }

  // MARK: On the machine's clock

  private func runLive(_ recording: OpenedRecording, speed: Double, _ limit: WaitLimit) -> Outcome {
    let recordingClock = RecordingClock(speed: speed)
    let isRecorded = options.stamps != .delivery
    let clock = ImpatientClock(isRecorded ? recordingClock : LiveClock.shared)
    let end = SourceEnd(clock: clock, waitSeconds: settings.policy.requestLocationTimeoutSeconds)
    recordingClock.recordingReached(recording.start)
    let listener = listener(clock, recording)
    let failure = Locked<ReplayError?>(nil)
    // Rings behind whatever the session's clock is handing over.
    let over = clock.makeAlarm { listener.end(.recordingEnded(failure.withLock { $0 })) }
    // Its queue waits with the recording where that is a silent pipe; the session's goes on.
    let readingClock = LiveClock()
    let replay = provider(recording, clock: readingClock, speed: speed) { [endsWithAnswer] error in
      failure.withLock { $0 = error }
      if endsWithAnswer { end.came() } else { over.set(clock.now) }
    }
    let compass = settings.compassOfRecording
    let watched = WatchedProvider(replay, compass: compass) { fix in
      if isRecorded { recordingClock.recordingReached(fix.time) }
    }
    var settings = settings
    if endsWithAnswer, let seconds = limit.remainingSeconds { settings.policy.requestLocationTimeoutSeconds = seconds }
    let host = EngineHost(
      engine: LocationEngine(policy: settings.policy), clock: clock, provider: watched,
      headingSensor: compass,
      ports: HostPorts(
        prompter: TerminalPrompter(log: Messages.log), store: settings.ownFileStore, log: Messages.log))
    end.hurry { host.handle(.timePassed) }
    let connection = HostConnection(host: host, app: SessionSettings.app)
    let alarm = clock.makeAlarm { listener.end(.durationPassed) }
    if !endsWithAnswer, let seconds = limit.remainingSeconds ?? durationSeconds.map({ $0 / speed }) {
      alarm.set(clock.now.advanced(bySeconds: seconds))
    }
    connection.begin(settings, host: host, listener: listener)
    refuseIfUndecided(connection, listener)
    listener.waitForEnd()
    withExtendedLifetime((host, alarm)) {}
    if InputFile.isRegular(path: track) { leave(replay, readBy: readingClock) }
    tellUntoldNotices(of: replay)
    return (listener.ending ?? .durationPassed, listener.deliveredCount)
  }

  /// Waits until the recording is not being read any more, so that what it has to tell can be looked at. A plain file
  /// is read in no time.
  private func leave(_ replay: ReplayProvider, readBy clock: LiveClock) {
    replay.setDemand(nil)
    let hasLeft = DispatchSemaphore(value: 0)
    let alarm = clock.makeAlarm { hasLeft.signal() }
    alarm.set(clock.now)
    withExtendedLifetime(alarm) { hasLeft.wait() }
  }

  // MARK: Parts of both

  private func provider(
    _ recording: OpenedRecording, clock: any SessionClock, speed: Double,
    ended: @escaping @Sendable (ReplayError?) -> Void
  ) -> ReplayProvider {
    ReplayProvider(
      opening: { recording.schedule }, clock: clock, pace: .speed(speed),
      stamping: options.stamps == .delivery ? .delivery : .recording, ended: ended)
  }

  /// The person has set that nothing is decided, and nobody is asked about their own file. A recording's compass is
  /// heard with its positions, which are for those who are allowed only.
  private func refuseIfUndecided(_ connection: HostConnection, _ listener: Listener) {
    let status = connection.snapshot.authorization.status
    if status == .notDetermined || settings.wantsHeadings && !status.isAuthorized { listener.end(.refused(status)) }
  }

  /// Of a session that ended before its recording. A pipe may hold the provider in a read for ever, so that there is
  /// nothing to ask it.
  private func tellUntoldNotices(of replay: ReplayProvider) {
    guard InputFile.isRegular(path: track) else { return }
    for notice in replay.untoldNotices { Messages.say(notice.sentence) }
  }
}

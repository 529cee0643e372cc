import Dispatch
import LinuxIO
import LocationModel

/// A receiver behind a stream: opened while it is wanted, opened again when it was lost, closed at once when it is not.
///
/// To the engine it says `unavailable` once for each loss and `searching` when it is back; an app does nothing for it.
/// All of its state belongs to one queue. With no demand no file is open, no timer set, and no system call made.
package final class StreamProvider: ReceiverProvider, @unchecked Sendable {
  /// Nothing heard for so long is a loss. Receivers speak at least every few seconds.
  package static let silenceSeconds = 10.0
  /// A connection that does not come about in this time is given up.
  package static let openingSeconds = 10.0
  /// A megabyte, a minute and a half of a serial port at its fastest: nobody who has sentences to send sends so much
  /// without one.
  static let foreignBytesMax = 1 << 20
  /// A receiver's time is believed where it is no further than this from the machine's (design 5).
  package static let clockDifferenceSecondsMax = ClockAgreement.differenceSecondsMax

  struct Setup {
    /// As sentences name it.
    var name: String
    var language = SourceLanguage.sentences
    var endpoint: StreamEndpoint
    var place = ReconnectSchedule.Place.local
    var seed: UInt64 = 0
    /// So long it may take until a receiver that is open is understood for the first time.
    var startingSeconds = StreamProvider.silenceSeconds
    /// Anybody may send to it: it stays open whatever comes.
    var isOpenToAll = false
    /// Closed for good when it ends: standard input.
    var endsForGood = false
    var makeProtocol: (SerialSpeed?) -> any ReceiverProtocol
  }

  let setup: Setup
  let clock: any SessionClock
  let queue = DispatchQueue(label: "corelocation.receiver")
  let shared: Locked<ProviderStatus>
  /// Called at the end of a stream that ends for good, instead of telling the engine of a loss.
  private let ended: (@Sendable (ReplayError?) -> Void)?

  // MARK: State, on the queue

  var events: (@Sendable (ProviderEvent) -> Void)?
  var statusChanged: (@Sendable (ProviderStatus) -> Void)?
  var status: ProviderStatus {
    get { ownStatus }
    set {
      guard newValue != ownStatus else { return }
      let isMore = newValue.phase != ownStatus.phase || newValue.devices != ownStatus.devices
      ownStatus = newValue
      shared.withLock { $0 = newValue }
      // Each fix changes its own time; that alone is no change of how the receiver stands.
      if isMore { statusChanged?(newValue) }
    }
  }
  private var ownStatus: ProviderStatus
  var schedule: ReconnectSchedule
  var stream: ByteStream?
  var conversation: (any ReceiverProtocol)?
  /// The speed at which the receiver was understood last.
  var knownSpeed: SerialSpeed?
  var isOpen: Bool {
    get { status.isOpen }
    set { status.isOpen = newValue }
  }
  var clocks = ClockAgreement()
  var heardAt = Instant.zero
  /// That this connection says nothing was said, or why it cannot say anything.
  var isSilenceTold = false
  /// When something last came that was not understood.
  var lastForeignAt: Instant?
  private var hasBytes = false
  var hasToldUnavailable = false
  var toldProblems: Set<String> = []
  private var alarm: (any Alarm)?
  private var alarmAt: Instant?
  private var watches: [FolderWatch] = []
  /// Whatever brings the device is seen.
  private var isWatched = false
  private var isOver = false

  init(_ setup: Setup, clock: any SessionClock, ended: (@Sendable (ReplayError?) -> Void)? = nil) {
    self.setup = setup
    self.clock = clock
    self.ended = ended
    ownStatus = ProviderStatus(name: setup.name, language: setup.language)
    shared = Locked(ProviderStatus(name: setup.name, language: setup.language))
    schedule = ReconnectSchedule(setup.place, seed: setup.seed)
  }

  /// What every fix changes, without a look at the rest.
  func noteFix(at instant: Instant) {
    ownStatus.clockDifferenceSeconds = clocks.differenceSeconds
    ownStatus.lastFixAt = instant
    shared.withLock { shared in
      shared.clockDifferenceSeconds = clocks.differenceSeconds
      shared.lastFixAt = instant
    }
  }

  /// How the receiver stands, from any thread.
  package var currentStatus: ProviderStatus {
    shared.withLock { $0 }
  }

  package func connect(_ events: @escaping @Sendable (ProviderEvent) -> Void) {
    connect(events, statusChanged: nil)
  }

  func connect(
    _ events: @escaping @Sendable (ProviderEvent) -> Void, statusChanged: (@Sendable (ProviderStatus) -> Void)?
  ) {
    queue.async {
      self.events = events
      self.statusChanged = statusChanged
    }
  }

  package func setDemand(_ demand: ReceiverDemand?) {
    queue.async { self.demandChanged(isWanted: demand != nil) }
  }

  private func demandChanged(isWanted: Bool) {
    guard isWanted != schedule.isWanted else { return }
    if isWanted {
      schedule.want(at: clock.now)
      hasToldUnavailable = false
      if isOver { tellUnavailable() } else { work() }
      return
    }
    schedule.unwant()
    closeStream()
    watches = []
    setAlarm(nil)
    // Let go, so that no timer is left behind.
    alarm = nil
    status.phase = .idle
    status.problem = nil
    status.obstacle = nil
    status.satellites = []
  }

  // MARK: Opening

  /// Does what is due, and sets the alarm for what is due next.
  private func work() {
    let now = clock.now
    if let attempt = schedule.nextAttempt, attempt <= now { open() }
    expire(at: now)
    setAlarm(nextDeadline)
  }

  private func open() {
    schedule.attempt()
    watchFolder()
    if status.phase == .idle { status.phase = .starting }
    heardAt = clock.now
    isSilenceTold = false
    lastForeignAt = nil
    let stream = ByteStream(setup.endpoint.at(knownSpeed), queue: queue) { [weak self] in self?.happened($0) }
    self.stream = stream
    stream.open()
  }

  /// Anew for each attempt: a folder may have come or gone, and a link may lead elsewhere. Where there is no such
  /// folder, time is the only way.
  private func watchFolder() {
    guard case .device(let path, _) = setup.endpoint else { return }
    let names = Syscalls.namesLeading(to: path)
    watches = names.compactMap { path in
      let (folder, name) = FolderWatch.split(path)
      return try? FolderWatch(
        folder: folder, queue: queue, matches: { $0 == name }, changed: { [weak self] in self?.deviceChanged() })
    }
    isWatched = watches.count == names.count
  }

  private func deviceChanged() {
    guard stream == nil else { return }
    schedule.deviceCame(at: clock.now)
    work()
  }

  private func closeStream() {
    stream?.close()
    stream = nil
    conversation = nil
    var status = status
    status.isOpen = false
    status.devices = []
    status.topic = .own
    status.foreignByteCount = 0
    self.status = status
  }

  private func happened(_ event: StreamEvent) {
    let arrival = Arrival(instant: clock.now, wallTime: clock.wallTime)
    var reports: [ReceiverReport] = []
    switch event {
    case .opened:
      opened()
      heardAt = arrival.instant
      conversation = setup.makeProtocol(knownSpeed)
      conversation?.begin(at: arrival, &reports)
    case .bytes(let bytes):
      hasBytes = true
      conversation?.receive(bytes, at: arrival, &reports)
    case .ended(let end):
      conversation?.finish(at: arrival, &reports)
      take(reports, at: arrival)
      if stream != nil { streamEnded(end) }
      return
    }
    take(reports, at: arrival)
    setAlarm(nextDeadline)
  }

  private func opened() {
    var status = status
    status.isOpen = true
    status.sender = nil
    if status.phase == .absent {
      status.phase = .starting
      status.problem = nil
      status.obstacle = nil
    }
    self.status = status
  }

  private func streamEnded(_ end: StreamEnd) {
    let wasOpen = isOpen
    if setup.endsForGood && wasOpen { return endForGood(end) }
    closeStream()
    schedule.fail(at: clock.now)
    if end.isMissingDevice && isWatched && !hasDeviceFile { schedule.waitForDevice() }
    lose(
      wasOpen || status.phase == .lost ? .lost : .absent, obstacle(end, wasOpen: wasOpen),
      problem(end, wasOpen: wasOpen))
    setAlarm(nextDeadline)
  }

  private func endForGood(_ end: StreamEnd) {
    isOver = true
    var failure: ReplayError?
    if case .failed(let error) = end {
      failure = ReplayError(reason: .cannotRead, file: setup.name, explanation: "cannot be read: \(error.text)")
    } else if status.lastFixAt == nil {
      failure = .noPosition(in: setup.name, hasBytes: hasBytes, sentenceCount: conversation?.understoodCount ?? 0)
    }
    closeStream()
    guard let ended else {
      return lose(.lost, .closed, failure?.description ?? "\(setup.name) has come to its end")
    }
    status.phase = .lost
    ended(failure)
  }

  /// A file whose device does not answer yet, or not any more, tells no watch when it does: it is tried again.
  private var hasDeviceFile: Bool {
    guard case .device(let path, _) = setup.endpoint else { return false }
    return Syscalls.kind(of: path) != nil
  }

  /// What is in the way, and the cure where there is one that the sentence can name.
  private func problem(_ end: StreamEnd, wasOpen: Bool) -> String {
    let name = setup.name
    if case .busy = end { return "\(name) is \(end.text)" }
    if case .unknownHost = end { return "\(name) cannot be asked, since that name is not known (\(end.text))" }
    guard case .device(let path, _) = setup.endpoint else {
      if wasOpen { return "\(name) was lost (\(end.text))" }
      return isServer ? "\(name) does not answer (\(end.text))" : "\(name) cannot be opened (\(end.text))"
    }
    if end.isMissingDevice { return "\(name) is not there" }
    if isNoPort(path) { return "\(name) is no serial port" }
    if wasOpen { return "\(name) was unplugged or closed (\(end.text))" }
    let explanation = end.isRefused ? DeviceAccess.find(path)?.explanation.map { "; \($0)" } ?? "" : ""
    return "\(name) cannot be opened (\(end.text)\(explanation))"
  }

  private func isNoPort(_ path: String) -> Bool {
    Syscalls.kind(of: path) == .characterDevice && !DevicePort.isPort(path)
  }

  private func obstacle(_ end: StreamEnd, wasOpen: Bool) -> Obstacle {
    if case .busy = end { return .inUse }
    if case .unknownHost = end { return .unknownHost }
    if case .device(let path, _) = setup.endpoint {
      if end.isMissingDevice { return .missing }
      if end.isRefused { return .forbidden }
      if isNoPort(path) { return .noPort }
    }
    return wasOpen ? .closed : .unreachable
  }

  private var isServer: Bool {
    if case .tcp = setup.endpoint { true } else { false }
  }

  func abandon(_ obstacle: Obstacle, _ problem: String) {
    closeStream()
    schedule.fail(at: clock.now)
    lose(.absent, obstacle, problem)
  }

  // MARK: Time

  private func expire(at now: Instant) {
    if let deadline = conversation?.deadline, deadline <= now {
      let arrival = Arrival(instant: now, wallTime: clock.wallTime)
      var reports: [ReceiverReport] = []
      conversation?.expire(at: arrival, &reports)
      take(reports, at: arrival)
    }
    if let silentAt, silentAt <= now { tellSilence(at: now) }
  }

  /// When silence becomes a loss; nil where it has, or nothing is open or opening.
  private var silentAt: Instant? {
    guard stream != nil else { return nil }
    if !isOpen { return heardAt.advanced(bySeconds: Self.openingSeconds) }
    guard !isSilenceTold else { return nil }
    return heardAt.advanced(bySeconds: status.isServing ? Self.silenceSeconds : setup.startingSeconds)
  }

  private var nextDeadline: Instant? {
    Instant.earlier(Instant.earlier(schedule.nextAttempt, conversation?.deadline), silentAt)
  }

  /// A later deadline is met by the earlier ring, which looks again: a stream of bytes sets no timer.
  private func setAlarm(_ deadline: Instant?) {
    if let deadline, let alarmAt, alarmAt <= deadline { return }
    guard deadline != alarmAt else { return }
    if alarm == nil {
      alarm = clock.makeAlarm { [weak self] in
        guard let self else { return }
        queue.async { self.alarmRang() }
      }
    }
    alarmAt = deadline
    alarm?.set(deadline)
  }

  private func alarmRang() {
    alarmAt = nil
    if schedule.isWanted { work() }
  }
}

extension StreamEndpoint {
  fileprivate func at(_ speed: SerialSpeed?) -> StreamEndpoint {
    if case .device(let path, _) = self, let speed { .device(path: path, speed) } else { self }
  }
}

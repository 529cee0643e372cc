import LinuxIO
import LocationModel

/// What the conversation says, and what the engine hears of it.
extension StreamProvider {
  func take(_ reports: [ReceiverReport], at arrival: Arrival) {
    if let count = conversation?.malformedCount, count != status.malformedCount { status.malformedCount = count }
    for report in reports {
      take(report, at: arrival)
      // What was said before the connection was given up counts no more.
      if stream == nil { return }
    }
    if let conversation, conversation.topic != status.topic { status.topic = conversation.topic }
    noteForeignBytes(at: arrival.instant)
  }

  private func take(_ report: ReceiverReport, at arrival: Arrival) {
    switch report {
    case .greeted(let sender):
      schedule.succeed()
      if let sender { status.sender = sender }
    case .send(let bytes): stream?.write(bytes)
    case .setSpeed(let speed): stream?.setSpeed(speed)
    case .speedFound(let speed):
      status.speedBaud = speed.rawValue
      knownSpeed = speed
    case .alive: hear(at: arrival)
    case .fix(let fix): give(fix, at: arrival)
    case .noFix:
      hear(at: arrival)
      guard status.phase != .searching else { return }
      status.phase = .searching
      events?(.state(.searching))
    case .heading(let sample): events?(.heading(sample))
    case .devices(let devices): noteDevices(devices, at: arrival)
    case .satellites(let satellites): status.satellites = satellites
    case .receiverLost(let obstacle, let problem):
      isSilenceTold = true
      lose(status.isServing || status.phase == .lost ? .lost : .absent, obstacle, "\(setup.name) \(problem)")
    case .unusable(let obstacle, let problem): abandon(obstacle, "\(setup.name) \(problem)")
    }
  }

  private func hear(at arrival: Arrival) {
    heardAt = arrival.instant
    schedule.succeed()
    guard !status.isServing else { return }
    var status = status
    status.phase = .searching
    status.problem = nil
    status.obstacle = nil
    status.foreignByteCount = 0
    self.status = status
    isSilenceTold = false
    toldProblems = []
    hasToldUnavailable = false
    events?(.state(.searching))
  }

  private func give(_ fix: Fix, at arrival: Arrival) {
    hear(at: arrival)
    var fix = fix
    let difference = fix.time.seconds(since: arrival.wallTime)
    if !clocks.keepsReceiverTime(differenceSeconds: difference, at: arrival.instant) { fix.time = arrival.wallTime }
    // Standard input may be a whole log at once: stamped with one moment, and taken as it stands.
    fix.source = setup.endsForGood ? .recording : .satelliteReceiver
    if status.phase != .fixing { status.phase = .fixing }
    // Before the fix, so that who hears it finds what stands of it.
    noteFix(at: arrival.instant)
    events?(.fix(fix))
  }

  /// A gpsd that had no receiver and has one now is waited for like one that was just opened.
  private func noteDevices(_ devices: [String], at arrival: Arrival) {
    var status = status
    status.devices = devices
    if !devices.isEmpty, !status.isServing, status.obstacle == .withoutReceiver {
      status.phase = .starting
      status.problem = nil
      status.obstacle = nil
      heardAt = arrival.instant
      isSilenceTold = false
    }
    self.status = status
  }

  /// Said to the engine once for each loss, to a person once for each reason.
  func lose(_ phase: ProviderStatus.Phase, _ obstacle: Obstacle?, _ problem: String) {
    // At once, so that who hears of the loss knows the reason.
    var status = status
    status.phase = phase
    status.problem = problem
    status.obstacle = obstacle
    status.satellites = []
    self.status = status
    if toldProblems.insert(problem).inserted { events?(.notice(problem + ".")) }
    tellUnavailable()
  }

  // MARK: Silence

  /// Counted for people only while nothing is understood, so that a stream of sentences costs nothing. Who sends on
  /// and on what nobody here understands is left: reading it would cost a processor for as long as it likes.
  private func noteForeignBytes(at now: Instant) {
    guard let count = conversation?.foreignByteCount else { return }
    if count > 0 { lastForeignAt = now }
    if !status.isServing, status.foreignByteCount != count { status.foreignByteCount = count }
    // A person's own input is read to its end, and whoever may send to an open port may send what he likes.
    guard count > Self.foreignBytesMax, !setup.endsForGood, !setup.isOpenToAll else { return }
    status.foreignByteCount = count
    abandon(.foreign, status.silence().problem + ", and no end of it")
  }

  /// Nothing was understood for as long as is waited for.
  func tellSilence(at now: Instant) {
    guard isOpen else {
      abandon(.unreachable, "\(setup.name) does not answer")
      return
    }
    isSilenceTold = true
    var status = status
    status.foreignByteCount = conversation?.foreignByteCount ?? 0
    let isStillHeard = lastForeignAt.map { now.seconds(since: $0) < Self.silenceSeconds / 2 } ?? false
    let (obstacle, problem) = status.silence(isStillHeard: isStillHeard)
    self.status.foreignByteCount = status.foreignByteCount
    lose(status.isServing || status.phase == .lost ? .lost : .absent, obstacle, problem)
  }

  func tellUnavailable() {
    guard !hasToldUnavailable else { return }
    hasToldUnavailable = true
    events?(.state(.unavailable))
  }
}

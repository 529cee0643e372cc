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
    case .devices(let devices): status.devices = devices
    case .satellites(let satellites): status.satellites = satellites
    case .receiverLost(let problem): lose(.lost, problem)
    case .unusable(let problem): abandon("\(setup.name) \(problem)")
    }
  }

  private func hear(at arrival: Arrival) {
    heardAt = arrival.instant
    schedule.succeed()
    guard !status.isServing else { return }
    status.phase = .searching
    status.problem = nil
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
    var status = status
    status.clockDifferenceSeconds = clocks.differenceSeconds
    status.lastFixAt = arrival.instant
    status.phase = .fixing
    self.status = status
    events?(.fix(fix))
  }

  /// Said to the engine once for each loss, to a person once for each reason.
  func lose(_ phase: ProviderStatus.Phase, _ problem: String?) {
    // At once, so that who hears of the loss knows the reason.
    var status = status
    status.phase = phase
    status.problem = problem
    status.satellites = []
    self.status = status
    if let problem, toldProblems.insert(problem).inserted { events?(.notice(problem + ".")) }
    tellUnavailable()
  }

  func tellUnavailable() {
    guard !hasToldUnavailable else { return }
    hasToldUnavailable = true
    events?(.state(.unavailable))
  }
}

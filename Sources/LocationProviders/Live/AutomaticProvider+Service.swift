import LocationModel

/// The desktop's location service, the last of the candidates, and what is said where there is nothing.
extension AutomaticProvider {
  /// Asked while a location is wanted and neither gpsd nor a serial receiver gives one: at once where there is none,
  /// else after some patience, so that no bus is bothered by a receiver that needs a moment.
  func chooseService(_ now: Instant) {
    guard let service, let demand, demand.kinds.contains(.radio), !isReceiverFixing else {
      leaveService()
      patienceEnds = nil
      return
    }
    let due = patienceEnds ?? now.advanced(bySeconds: Self.patienceSeconds)
    patienceEnds = due
    guard !isServiceWanted, choice == .nothing ? graceEnds <= now : due <= now else { return }
    isServiceWanted = true
    service.setDemand(demand)
  }

  func leaveService() {
    guard isServiceWanted else { return }
    isServiceWanted = false
    serviceState = nil
    service?.setDemand(nil)
  }

  /// When it is to be asked, where nothing else will bring it up.
  var serviceDue: Instant? {
    isServiceWanted || choice == .nothing ? nil : patienceEnds
  }

  private var isReceiverFixing: Bool {
    switch choice {
    case .nothing: false
    case .gpsd: gpsdStatus.phase == .fixing
    case .serial: serialStatus?.phase == .fixing
    }
  }

  func serviceSaid(_ event: ProviderEvent) {
    guard isServiceWanted else { return }
    switch event {
    // Part of the advice, where there is nothing better.
    case .notice, .heading, .headingAvailable: return
    case .fix:
      serviceState = .fixing
      tell(event)
    case .state(.searching):
      serviceState = .searching
      // A receiver tells of its own search.
      if choice == .nothing { tell(event) } else { noteStatus() }
    case .state(let state):
      serviceState = state
      choose()
    }
  }

  private func tell(_ event: ProviderEvent) {
    told = nil
    toldAdvice = nil
    noteStatus()
    events?(event)
  }

  // MARK: Nothing

  /// There is no receiver. What the service says then counts, also that it refuses; while it is asked, or may have a
  /// location soon, nothing is said.
  func tellNothing() {
    let state: ReceiverState
    switch serviceState {
    case .searching, .fixing: return
    case .refused: state = .refused
    case .unavailable: state = .unavailable
    case nil:
      if isServiceWanted { return }
      state = .unavailable
    }
    let advice = advice
    let (isNewAdvice, isNewState) = (advice != toldAdvice, state != told)
    toldAdvice = advice
    told = state
    noteStatus()
    if isNewAdvice { events?(.notice(advice)) }
    if isNewState { events?(.state(state)) }
  }

  var advice: String {
    let ports = rejected.sorted { $0.key < $1.key }.map { $0.value.status.problem ?? "\($0.key) is no receiver" }
    let names = places.devicePrefixes.map { "\(places.deviceFolder)/\($0)*" }.joined(separator: ", ")
    let found = ports.isEmpty ? "there is no serial receiver (\(names))" : ports.joined(separator: ", ")
    let daemon = gpsdStatus.concluded.problem ?? "\(gpsdStatus.name) does not answer"
    let all = [daemon, found] + (serviceAdvice.map { [$0] } ?? [])
    return all.dropLast().joined(separator: ", ") + ", and \(all[all.count - 1]). "
      + "A location comes as soon as one of them does."
  }

  private var serviceAdvice: String? {
    guard let service else { return nil }
    let status = service.currentStatus
    guard demand?.kinds.contains(.radio) == true else { return "\(status.name) is not asked in airplane mode" }
    return status.problem ?? "\(status.name) gives no location"
  }
}

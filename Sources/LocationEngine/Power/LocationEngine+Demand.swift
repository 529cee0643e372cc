import LocationModel

/// Which receivers run: the union of what every app may be served now.
extension LocationEngine {
  /// The finest of all needs that have come decides; the next one to come is a deadline.
  mutating func arbitrate(effects: inout [Effect]) {
    demandIsStale = false
    var finest: DesiredAccuracy?
    var technologies: ReceiverTechnologies = []
    var isNeeded = false
    var quietMeters = Double.infinity
    var collects = true
    sparesReceivers = false
    nextNeedFrom = nil
    for index in apps.indices {
      var ownFinest: DesiredAccuracy?
      for need in receiverNeeds(app: index) {
        isNeeded = true
        if need.spareMeters > leastSpareMeters { sparesReceivers = true }
        switch need.look {
        case .onMovement: break
        case .at(let from) where from > now: nextNeedFrom = min(from, nextNeedFrom ?? from)
        case .now, .at:
          quietMeters = min(quietMeters, need.quietMeters)
          collects = collects && need.collects
          ownFinest = ownFinest.map { $0.finer(than: need.accuracy) } ?? need.accuracy
          // Each is then served by what it would have alone.
          if search.hasFailed { technologies.formUnion(self.technologies(for: need.accuracy)) }
        }
      }
      hold(ownFinest, app: index)
      if let ownFinest { finest = finest.map { $0.finer(than: ownFinest) } ?? ownFinest }
    }
    // Who is content with less is served by what the finest wish has on, as long as that finds anything.
    if let finest { technologies.formUnion(self.technologies(for: finest)) }
    search.run(technologies.contains(.satellite), at: now)
    if let finest, let due = searchHelpDue(for: finest), due <= now { technologies.insert(.wireless) }
    watchMotion(isNeeded, effects: &effects)
    let wanted = finest.map {
      ReceiverDemand(
        accuracy: $0, kinds: allowedKinds, technologies: technologies, quietMeters: quietMeters,
        collects: collects)
    }
    guard wanted != demand else { return }
    // Others than before: what they can do is not known yet.
    if demand?.kinds != wanted?.kinds { receivers = .searching }
    demand = wanted
    effects.append(.setReceivers(wanted))
  }

  private mutating func watchMotion(_ isWanted: Bool, effects: inout [Effect]) {
    guard profile.hasMotionSensor, isWanted != watchesMotion else { return }
    watchesMotion = isWanted
    if !isWanted { rest = Rest() }
    effects.append(.setMotionSensor(on: isWanted))
  }

  private mutating func hold(_ accuracy: DesiredAccuracy?, app index: Int) {
    guard let accuracy else {
      apps[index].holding = nil
      return
    }
    apps[index].holding = ReceiverHolding(
      app: apps[index].identifier, accuracy: accuracy, since: apps[index].holding?.since ?? now)
  }

  /// Which apps have receivers on, in the order of their first connection.
  package var receiverHoldings: [ReceiverHolding] { apps.compactMap(\.holding) }

  /// Whether a client is told locations as they come.
  package func listens(_ client: ClientIdentifier) -> Bool {
    guard let index = appIndexByClient[client], isPermitted(app: index) else { return false }
    return apps[index].sessions.contains { $0.identifier.client == client && ($0.wantsFixes || $0.live != nil) }
  }

  /// Airplane mode is no permission: what needs a radio is away, as hardware may be (behaviour 3.12).
  private var allowedKinds: ReceiverKinds {
    guard isInAirplaneMode else { return .all }
    return policy.wiredReceiversInAirplaneMode ? .wired : []
  }
}

extension DesiredAccuracy {
  fileprivate func finer(than other: DesiredAccuracy) -> DesiredAccuracy {
    fineness <= other.fineness ? self : other
  }

  private var fineness: Double {
    switch self {
    case .bestForNavigation: -2
    case .best: -1
    case .meters(let meters): meters.isNaN ? 0 : max(0, meters)
    case .reduced: .infinity
    }
  }
}

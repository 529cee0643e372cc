import LocationModel

/// One reason to have receivers on.
struct ReceiverNeed {
  var accuracy: DesiredAccuracy
  /// When the position can next matter: until then this need lets the receivers sleep. Nil is now.
  var from: Instant?

  init(_ accuracy: DesiredAccuracy, from: Instant? = nil) {
    self.accuracy = accuracy
    self.from = from
  }
}

/// One app that has receivers on: how fine, and since when without a break.
package struct ReceiverHolding: Hashable, Sendable {
  package var app: AppIdentifier
  package var accuracy: DesiredAccuracy
  package var since: Instant
}

/// Which receivers run: the union of what every app may be served now.
extension LocationEngine {
  /// The finest of all needs that have come decides; the next one to come is a deadline.
  mutating func arbitrate(effects: inout [Effect]) {
    demandIsStale = false
    var finest: DesiredAccuracy?
    nextNeedFrom = nil
    for index in apps.indices {
      var ownFinest: DesiredAccuracy?
      for need in receiverNeeds(app: index) {
        if let from = need.from, from > now {
          nextNeedFrom = min(from, nextNeedFrom ?? from)
        } else {
          ownFinest = ownFinest.map { $0.finer(than: need.accuracy) } ?? need.accuracy
        }
      }
      hold(ownFinest, app: index)
      if let ownFinest { finest = finest.map { $0.finer(than: ownFinest) } ?? ownFinest }
    }
    let wanted = finest.map { ReceiverDemand(accuracy: $0, kinds: allowedKinds) }
    guard wanted != demand else { return }
    // Others than before: what they can do is not known yet.
    if demand?.kinds != wanted?.kinds { receivers = .searching }
    demand = wanted
    effects.append(.setReceivers(wanted))
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

  /// Every reason of one app, each service its own.
  private func receiverNeeds(app index: Int) -> [ReceiverNeed] {
    standardNeeds(app: index) + liveNeeds(app: index) + monitoringNeeds(app: index)
      + [apps[index].regionNeed, apps[index].conditionNeed].compactMap { $0 }
  }

  /// A reduced app's wish has no effect: it is as coarse as what the app gets (behaviour 1.44).
  private func standardNeeds(app index: Int) -> [ReceiverNeed] {
    guard apps[index].state != .suspended, isPermitted(app: index) else { return [] }
    let isReduced = apps[index].told.accuracy == .reduced
    return apps[index].sessions.compactMap { session in
      let look = session.pause?.schedule?.from
      guard session.wantsFixes || look != nil else { return nil }
      let accuracy = isReduced ? .reduced : session.configuration.desiredAccuracy
      return ReceiverNeed(accuracy, from: session.wantsFixes ? nil : look)
    }
  }

  private func liveNeeds(app index: Int) -> [ReceiverNeed] {
    guard hasLiveUpdates, apps[index].state != .suspended, isPermitted(app: index),
      !lacksServiceSession(app: index), servesAsyncAPI(app: index)
    else { return [] }
    let isReduced = apps[index].told.accuracy == .reduced
    return apps[index].sessions.compactMap(\.live).map { live in
      ReceiverNeed(isReduced ? .reduced : live.configuration.accuracy, from: live.pause?.schedule?.from)
    }
  }

  /// Coarse, and asleep until the place can matter again; also for an app that is suspended or not running
  /// (algorithms 1.4).
  private func monitoringNeeds(app index: Int) -> [ReceiverNeed] {
    guard mayMonitor(app: index) else { return [] }
    let isReduced = apps[index].told.accuracy == .reduced
    func need(_ meters: Double, from: Instant) -> ReceiverNeed {
      ReceiverNeed(isReduced ? .reduced : .meters(meters), from: from)
    }
    let absent = apps[index].state == .notRunning ? apps[index].absentChanges : nil
    let watches = apps[index].sessions.map(\.significantChanges) + [absent]
    var needs = watches.compactMap { $0 }.map { watch in
      need(policy.significantChangeMeters, from: watch.schedule.from)
    }
    if let visits = apps[index].visits { needs.append(need(policy.visitRadiusMeters, from: visits.schedule.from)) }
    return needs
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

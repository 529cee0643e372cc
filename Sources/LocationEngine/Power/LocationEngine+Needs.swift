import LocationModel

/// Who needs receivers, for what, and from when on.
extension LocationEngine {
  /// Every reason of one app, each service its own.
  func receiverNeeds(app index: Int) -> [ReceiverNeed] {
    standardNeeds(app: index) + liveNeeds(app: index) + monitoringNeeds(app: index)
      + [apps[index].regionNeed, apps[index].conditionNeed].compactMap { $0 }.map(sparing)
  }

  /// A search that rests is not taken up for a watch before its time.
  private func sparing(_ need: ReceiverNeed) -> ReceiverNeed {
    guard usableTechnologies == .satellite, restsSearching(for: need.accuracy), let until = search.restsUntil,
      need.from ?? now < until
    else { return need }
    return ReceiverNeed(need.service, need.accuracy, .at(until))
  }

  /// A reduced app's wish has no effect: it is as coarse as what the app gets (behaviour 1.44).
  private func standardNeeds(app index: Int) -> [ReceiverNeed] {
    guard apps[index].state != .suspended, isPermitted(app: index) else { return [] }
    let isReduced = apps[index].told.accuracy == .reduced
    return apps[index].sessions.compactMap { session in
      let accuracy = isReduced ? .reduced : session.configuration.desiredAccuracy
      if session.locationRequest != nil { return ReceiverNeed(.standard, accuracy) }
      if session.isListening {
        let look = nextLook(
          accuracy: accuracy, filterMeters: session.configuration.distanceFilterMeters, told: session.lastDelivered,
          awaitsFix: isAwaiting(session))
        var need = ReceiverNeed(.standard, accuracy, look)
        need.spareMeters = max(accuracy.meters, session.configuration.distanceFilterMeters ?? 0)
        if look != .now || !isAwaiting(session) { need.quietMeters = quietMeters(for: accuracy) }
        need.collects = profile.isKnown && session.deferral != nil && isDeferring(app: index)
        return need
      }
      return session.pause?.schedule.map { ReceiverNeed(.standard, accuracy, look($0)) }
    }
  }

  private func isAwaiting(_ session: ManagerSession) -> Bool {
    session.awaitsInitialFix || session.waitsForFixSince != nil
  }

  /// Only where a sensor tells of a rest: elsewhere every fix is a witness of it (behaviour 2.42).
  private func quietMeters(for accuracy: DesiredAccuracy) -> Double {
    profile.hasMotionSensor ? accuracy.meters * policy.quietRatio : 0
  }

  private func liveNeeds(app index: Int) -> [ReceiverNeed] {
    guard hasLiveUpdates, apps[index].state != .suspended, isPermitted(app: index),
      !lacksServiceSession(app: index), servesAsyncAPI(app: index)
    else { return [] }
    let isReduced = apps[index].told.accuracy == .reduced
    return apps[index].sessions.compactMap(\.live).map { live in
      let accuracy = isReduced ? .reduced : live.configuration.accuracy
      if let schedule = live.pause?.schedule { return ReceiverNeed(.live, accuracy, look(schedule)) }
      return ReceiverNeed(
        .live, accuracy,
        nextLook(accuracy: accuracy, filterMeters: nil, told: nil, awaitsFix: live.waitsSince != nil))
    }
  }

  /// Coarse, and asleep until the place can matter again; also for an app that is suspended or not running
  /// (algorithms 1.4).
  private func monitoringNeeds(app index: Int) -> [ReceiverNeed] {
    guard mayMonitor(app: index) else { return [] }
    let isReduced = apps[index].told.accuracy == .reduced
    func need(_ service: ReceiverService, _ meters: Double, _ schedule: LookSchedule) -> ReceiverNeed {
      ReceiverNeed(service, isReduced ? .reduced : .meters(meters), look(schedule))
    }
    let absent = apps[index].state == .notRunning ? apps[index].absentChanges : nil
    let watches = apps[index].sessions.map(\.significantChanges) + [absent]
    var needs = watches.compactMap { $0 }.map { watch in
      need(.significantChanges, policy.significantChangeMeters, watch.schedule)
    }
    if let visits = apps[index].visits {
      needs.append(need(.visits, policy.visitRadiusMeters, visits.schedule))
    }
    return needs
  }

  /// One look of a service that looks now and then: not while the device rests where it was found last, and not before
  /// a search is tried again.
  func look(_ schedule: LookSchedule) -> NextLook {
    if isHeld || schedule.isAsleepForGood { return .onMovement }
    var from = schedule.from
    if usableTechnologies == .satellite, let until = search.restsUntil { from = max(from, until) }
    return from <= now ? .now : .at(from)
  }

  /// What has been decided for whom, and why receivers run or sleep.
  package var receiverDecisions: [ReceiverDecision] {
    apps.indices.flatMap { index in
      receiverNeeds(app: index).map { need in
        ReceiverDecision(
          app: apps[index].identifier, service: need.service, accuracy: need.accuracy, look: need.look,
          technologies: technologies(for: need.accuracy))
      }
    }
  }
}

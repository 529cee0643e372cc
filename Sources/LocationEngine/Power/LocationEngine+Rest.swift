import LocationModel

/// What the motion sensor says: while the device rests nothing is looked for, and where it was found last is where it
/// is (algorithms 1.2).
extension LocationEngine {
  mutating func changeMotion(to motion: DeviceMotion, effects: inout [Effect]) {
    guard watchesMotion, motion != rest.motion else { return }
    let wasHeld = isHeld
    if wasHeld { observeRest() }
    let restSeconds = rest.motion == .still ? now.seconds(since: rest.changedAt) : 0
    rest.change(to: motion, at: now, held: wasHeld)
    demandIsStale = true
    switch motion {
    case .still: beginRest(effects: &effects)
    // A sensor that is not sure has seen the device go, for all that anybody knows.
    case .moving, .unknown: endRest(afterSeconds: restSeconds, wasHeld: wasHeld, effects: &effects)
    }
    refreshMonitoringNeeds()
  }

  /// Most rests are red lights, after which the device is somewhere else.
  private mutating func beginRest(effects: inout [Effect]) {
    let beginning = now.advanced(bySeconds: -profile.energy.motionStillSeconds)
    changeWatches { [now, policy] watch in
      watch.beginRest(since: beginning, waitSeconds: policy.significantChangeRestSeconds, at: now)
    }
    for index in apps.indices where apps[index].visits != nil {
      beginRestOfVisit(app: index, effects: &effects)
    }
  }

  /// The device may be anywhere soon, and after more than a red light by other means than before.
  private mutating func endRest(afterSeconds seconds: Double, wasHeld: Bool, effects: inout [Effect]) {
    if seconds > policy.visitRestSeconds {
      speeds.forget(restingAt: wasHeld ? lastFix : nil, until: now, policy: policy)
    }
    search.begin(at: now)
    endRestOfChanges(wasHeld: wasHeld)
    guard wasHeld else {
      for index in apps.indices { apps[index].visits?.movedOn(rest.motion, at: now) }
      return
    }
    for index in apps.indices {
      for position in apps[index].sessions.indices {
        apps[index].sessions[position].pause?.schedule?.look(from: now)
        apps[index].sessions[position].live?.pause?.schedule?.look(from: now)
      }
      endRestOfVisit(app: index, effects: &effects)
    }
  }

  private mutating func endRestOfChanges(wasHeld: Bool) {
    guard let lastFix else { return }
    let engine = self
    changeWatches { watch in
      watch.endRest(from: wasHeld ? lastFix : nil, at: engine.now, policy: engine.policy) {
        engine.expectedSeconds(toCover: $0, after: lastFix)
      }
    }
  }

  /// All that waits for significant changes.
  private mutating func changeWatches(_ body: (inout SignificantChanges) -> Void) {
    for index in apps.indices {
      if apps[index].absentChanges != nil { body(&apps[index].absentChanges!) }
      for position in apps[index].sessions.indices where apps[index].sessions[position].significantChanges != nil {
        body(&apps[index].sessions[position].significantChanges!)
      }
    }
  }

  /// What circles need depends on when the device was where it was found.
  private mutating func refreshMonitoringNeeds() {
    guard isWatchingAnyRegion else { return }
    for index in apps.indices {
      if apps[index].isWatchingRegions { updateRegionNeed(app: index) }
      if apps[index].isWatchingConditions { updateConditionNeed(app: index) }
    }
  }

  /// The newest fix as it would be measured now, since the device has not moved from there.
  private func restingFix(beforeNowBySeconds seconds: Double = 0) -> Fix? {
    guard var fix = lastFix, let lastFixReceivedAt else { return nil }
    fix.time = fix.time.advanced(bySeconds: now.seconds(since: lastFixReceivedAt) - seconds)
    return fix
  }

  // MARK: Pausing

  /// Rest that nobody measured counts as such.
  private mutating func observeRest() {
    guard let fix = restingFix() else { return }
    stillness.observeRest(at: fix, now, policy: policy)
  }

  /// When streams pause for a rest that the sensor tells of, with nobody measuring.
  func restPauseDeadline(app index: Int, session position: Int) -> Instant? {
    guard isHeld, apps[index].state != .suspended, let since = stillness.since,
      lastFix?.horizontalAccuracyMeters ?? policy.unknownAccuracyMeters <= policy.stillAccuracyMetersMax
    else { return nil }
    func deadline(_ listening: Instant?, _ activity: ActivityType) -> Instant? {
      guard let listening, let seconds = policy.pauseSeconds(for: activity) else { return nil }
      return max(since, listening).advanced(bySeconds: seconds)
    }
    let session = apps[index].sessions[position]
    var deadlines: [Instant?] = []
    if session.isListening, session.configuration.pausesAutomatically {
      deadlines.append(deadline(session.listensSince, session.configuration.activityType))
    }
    if let live = session.live, live.pause == nil {
      deadlines.append(deadline(live.listensSince, live.configuration.activity))
    }
    return deadlines.compactMap { $0 }.min()
  }

  mutating func passRestPause(app index: Int, session position: Int, until end: Instant, effects: inout [Effect]) {
    guard let deadline = restPauseDeadline(app: index, session: position), deadline <= end, let lastFix else { return }
    observeRest()
    pauseIfStill(app: index, session: position, effects: &effects)
    guard apps[index].sessions[position].live?.listensSince != nil else { return }
    offerLive(
      lastFix, isReduced: apps[index].told.accuracy == .reduced, app: index, session: position, effects: &effects)
  }

  // MARK: Visits

  /// A rest that lasts may be a visit: its place is needed once.
  private mutating func beginRestOfVisit(app index: Int, effects: inout [Effect]) {
    apps[index].visits?.schedule.look(from: now.advanced(bySeconds: policy.visitRestSeconds))
    if isHeld { considerRestOfVisit(app: index, effects: &effects) }
  }

  /// The place of a rest, told when it began and now.
  mutating func considerRestOfVisit(app index: Int, effects: inout [Effect]) {
    guard isHeld, apps[index].visits != nil else { return }
    let restSeconds = now.seconds(since: rest.changedAt) + profile.energy.motionStillSeconds
    for seconds in [restSeconds, 0] {
      guard let fix = restingFix(beforeNowBySeconds: seconds) else { continue }
      considerVisit(fix, app: index, effects: &effects)
    }
  }

  /// When a rest becomes a visit with nobody looking.
  func restVisitDeadline(app index: Int) -> Instant? {
    guard isHeld, let visits = apps[index].visits, visits.detector.stay == nil else { return nil }
    let deadline = rest.changedAt.advanced(
      bySeconds: max(0, policy.visitArrivalSeconds - profile.energy.motionStillSeconds))
    return visits.restConsideredAt.map { $0 < deadline } ?? true ? deadline : nil
  }

  mutating func passRestVisit(app index: Int, until end: Instant, effects: inout [Effect]) {
    guard let deadline = restVisitDeadline(app: index), deadline <= end else { return }
    apps[index].visits?.restConsideredAt = now
    considerRestOfVisit(app: index, effects: &effects)
  }

  /// Until now the device was there; it has left when it is far enough, long enough.
  private mutating func endRestOfVisit(app index: Int, effects: inout [Effect]) {
    guard apps[index].visits != nil, let fix = restingFix() else { return }
    considerVisit(fix, app: index, effects: &effects)
    apps[index].visits?.schedule.look(from: now.advanced(bySeconds: policy.visitLookIntervalSeconds))
  }
}

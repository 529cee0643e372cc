import LocationModel

/// Fixes on their way to managers: who may see them, and who has asked not to be told so often.
extension LocationEngine {
  mutating func receive(_ received: Fix, effects: inout [Effect]) {
    // A fix without a place (behaviour 10.10) is none.
    guard received.coordinate.isValid, let fix = believed(received) else { return }
    receivers = .fixing
    lastFix = fix
    lastFixReceivedAt = now
    noteFound(fix)
    coarse.update(with: fix, at: now, policy: policy)
    stillness.observe(fix, at: now, policy: policy)
    for index in apps.indices {
      if !apps[index].sessions.isEmpty { serve(fix, app: index, effects: &effects) }
      considerAbsentChange(fix, app: index, effects: &effects)
      if apps[index].visits != nil {
        if isHeld { considerRestOfVisit(app: index, effects: &effects) }
        considerVisit(fix, app: index, effects: &effects)
      }
    }
    watchRegions(fix, effects: &effects)
  }

  private mutating func serve(_ fix: Fix, app index: Int, effects: inout [Effect]) {
    let isReduced = apps[index].told.accuracy == .reduced
    if isPermitted(app: index) {
      // Asked before, since this fix may be the answer that ends the wish; stored after, so that nobody waits.
      let mayMonitor = mayMonitor(app: index)
      let isWanted = isWanted(app: index, mayMonitor)
      for position in apps[index].sessions.indices {
        offer(fix, isReduced: isReduced, app: index, session: position, effects: &effects)
        let (isLive, isPaused, hasChanges, mayPause) = apps[index].sessions.withUnsafeBufferPointer { sessions in
          (
            sessions[position].live != nil, sessions[position].pause != nil,
            mayMonitor && sessions[position].significantChanges != nil,
            sessions[position].isUpdating && sessions[position].configuration.pausesAutomatically
          )
        }
        if isLive { offerLive(fix, isReduced: isReduced, app: index, session: position, effects: &effects) }
        if isPaused { considerMovement(app: index, session: position, effects: &effects) }
        if hasChanges {
          considerSignificantChange(fix, isReduced: isReduced, app: index, session: position, effects: &effects)
        }
        if mayPause { pauseIfStill(app: index, session: position, effects: &effects) }
      }
      if isWanted { storeLastFix(app: index, effects: &effects) }
    } else if isAwaitingAlways(app: index) {
      let visible = isReduced ? coarse.fix ?? fix : fix
      for position in apps[index].sessions.indices {
        if apps[index].sessions[position].isListening {
          holdForAlways(visible, app: index, session: position, effects: &effects)
        }
        holdSignificantChange(visible, app: index, session: position, effects: &effects)
      }
    }
  }

  // Sessions are looked at where they stand, here and below: they are long, and what is read of one through the array
  // of its app is read from a copy of it.

  private func isWanted(app index: Int, _ mayMonitor: Bool) -> Bool {
    apps[index].sessions.withUnsafeBufferPointer { sessions in
      sessions.indices.contains { position in
        sessions[position].wantsFixes || sessions[position].live?.listensSince != nil
          || mayMonitor && sessions[position].significantChanges != nil
      }
    }
  }

  /// The fix as it is to be used; nil for one that cannot be right, or of a source that is not listened to now.
  private mutating func believed(_ fix: Fix) -> Fix? {
    guard fix.source != .recording else { return fix }
    guard let believed = beliefs[fix.source, default: SourceBelief()].consider(fix, policy: policy),
      sourceChoice.accepts(believed, at: now, policy: policy)
    else { return nil }
    return believed
  }

  /// Served once Always is confirmed, but not before (behaviour 1.14).
  func isAwaitingAlways(app index: Int) -> Bool {
    let authorization = apps[index].authorization
    return locationServicesEnabled && authorization.grant.level == .always
      && authorization.grant.isProvisional && !authorization.grant.isRestricted
      && !apps[index].isInUse && apps[index].state != .notRunning
  }

  private mutating func offer(
    _ precise: Fix, isReduced: Bool, app index: Int, session position: Int,
    effects: inout [Effect]
  ) {
    let (hasRequest, isListening, wish, isFiltered) = apps[index].sessions.withUnsafeBufferPointer { sessions in
      (
        sessions[position].locationRequest != nil, sessions[position].isListening,
        sessions[position].configuration.desiredAccuracy,
        sessions[position].configuration.distanceFilterMeters != nil
      )
    }
    guard hasRequest || isListening else { return }
    let seesCoarse = isReduced || wish == .reduced
    let fix = seesCoarse ? coarse.fix ?? precise : precise
    if hasRequest {
      apps[index].sessions[position].locationRequest?.consider(fix)
      if seesCoarse || meets(fix, wish: wish), apps[index].state != .suspended {
        finishRequest(app: index, session: position, effects: &effects)
      }
    }
    guard isListening else { return }
    apps[index].sessions[position].waitsForFixSince = nil
    apps[index].sessions[position].hasReportedUnknown = false
    apps[index].sessions[position].hasReportedRefusal = false
    if seesCoarse {
      // One coarse value is delivered once, however many fixes it stands for (behaviour 1.43).
      guard apps[index].sessions[position].lastCoarseMadeAt != coarse.madeAt else { return }
      apps[index].sessions[position].lastCoarseMadeAt = coarse.madeAt
    }
    if !isFiltered || passesFilter(fix, app: index, session: position) {
      apps[index].sessions[position].awaitsInitialFix = false
      deliver(fix, app: index, session: position, effects: &effects)
    }
  }

  /// Distance from the last delivered fix, or a clearly better fix of the same place (behaviour 2.3, 2.9).
  private func passesFilter(_ fix: Fix, app index: Int, session position: Int) -> Bool {
    guard let filterMeters = apps[index].sessions[position].configuration.distanceFilterMeters,
      !apps[index].sessions[position].awaitsInitialFix, let last = apps[index].sessions[position].lastDelivered
    else { return true }
    if let accuracy = fix.horizontalAccuracyMeters {
      guard let lastAccuracy = last.horizontalAccuracyMeters else { return true }
      if accuracy <= lastAccuracy * policy.accuracyImprovementRatio { return true }
    }
    return Geodesic.distanceMeters(from: last.coordinate, to: fix.coordinate) >= filterMeters
  }

  mutating func deliver(
    _ fix: Fix, app index: Int, session position: Int, effects: inout [Effect]
  ) {
    let isDeferring = apps[index].sessions.withUnsafeBufferPointer { $0[position].deferral != nil }
    if isDeferring, apps[index].state != .suspended {
      apps[index].sessions[position].lastDelivered = fix
      deferOrDeliver(fix, app: index, session: position, effects: &effects)
    } else {
      send(fix, app: index, session: position, effects: &effects)
      apps[index].sessions[position].lastDelivered = fix
    }
  }

  /// To the delegate, or to what waits for it.
  mutating func send(
    _ fix: Fix, app index: Int, session position: Int, effects: inout [Effect]
  ) {
    if apps[index].state == .suspended {
      if !apps[index].sessions[position].hasHeldFixes {
        apps[index].sessions[position].lastBeforeHeld = apps[index].sessions[position].lastDelivered
      }
      hold(fix, app: index, session: position)
    } else {
      if toldFixes.first != fix { toldFixes = [fix] }
      effects.append(
        .deliver(.locationsUpdated(toldFixes, isAnswer: false), to: apps[index].sessions[position].identifier))
    }
  }

  // MARK: Suspension

  private mutating func hold(_ fix: Fix, app index: Int, session position: Int) {
    apps[index].sessions[position].heldFixes.append(fix)
    apps[index].sessions[position].trimHeldFixes(to: policy.suspendedFixesMax)
  }

  /// Nothing runs out while an app cannot run: its waits begin anew when it does.
  mutating func suspend(app index: Int) {
    for position in apps[index].sessions.indices {
      apps[index].sessions[position].waitsForFixSince = nil
      if let batch = apps[index].sessions[position].deferral?.batch, !batch.isEmpty {
        apps[index].sessions[position].deferral?.batch = []
        apps[index].sessions[position].lastBeforeHeld = nil
        for fix in batch { hold(fix, app: index, session: position) }
      }
    }
  }

  /// The app runs again: requests that were answered or ran out meanwhile have their outcome now, and updates wait
  /// for a fix as after a start.
  mutating func resumeWaits(app index: Int, effects: inout [Effect]) {
    for position in apps[index].sessions.indices {
      if let request = apps[index].sessions[position].locationRequest {
        let wish = apps[index].sessions[position].configuration.desiredAccuracy
        let isReduced = apps[index].told.accuracy == .reduced
        let isMet = request.best.map { isReduced || meets($0, wish: wish) } ?? false
        let isDue = request.deadline.map { $0 <= now } ?? false
        if isMet || isDue { finishRequest(app: index, session: position, effects: &effects) }
      }
      if apps[index].sessions[position].isListening, isPermitted(app: index) {
        awaitFix(app: index, session: position, effects: &effects)
      }
      passDeferralDeadline(app: index, session: position, until: now, effects: &effects)
      passPauseDeadlines(app: index, session: position, until: now)
      passLiveDeadline(app: index, session: position, until: now)
      if watchesMotion { passRestPause(app: index, session: position, until: now, effects: &effects) }
    }
    releaseHeldVisits(app: index, effects: &effects)
  }

  /// What waited during suspension arrives in order when the app runs again, fixes in a row as one array
  /// (behaviour 2.7, 2.16).
  mutating func releaseHeld(app index: Int, effects: inout [Effect]) {
    for position in apps[index].sessions.indices {
      let manager = apps[index].sessions[position].identifier
      for event in apps[index].sessions[position].takeHeldEvents() { effects.append(.deliver(event, to: manager)) }
    }
  }

  // MARK: The last fix

  /// The newest location that an app may see; nil without permission (cases GC-05).
  func visibleLastFix(app index: Int) -> Fix? {
    guard isPermitted(app: index), let lastFix else { return nil }
    guard apps[index].told.accuracy == .reduced else { return lastFix }
    return coarse.fix ?? coarse.coarsened(lastFix, policy: policy)
  }

  private mutating func storeLastFix(app index: Int, effects: inout [Effect]) {
    if let stored = apps[index].lastFixStoredAt,
      now.seconds(since: stored) < policy.lastFixStoreIntervalSeconds
    {
      return
    }
    guard let fix = visibleLastFix(app: index) else { return }
    apps[index].lastFixStoredAt = now
    effects.append(.storeLastFix(fix, for: apps[index].identifier))
  }
}

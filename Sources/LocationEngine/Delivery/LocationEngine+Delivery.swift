import LocationModel

/// Fixes on their way to managers: who may see them, and who has asked not to be told so often.
extension LocationEngine {
  mutating func receive(_ received: Fix, effects: inout [Effect]) {
    // A fix without a place (behaviour 10.10) is none.
    guard received.coordinate.isValid, let fix = believed(received) else { return }
    receivers = .fixing
    lastFix = fix
    lastFixReceivedAt = now
    coarse.update(with: fix, at: now, policy: policy)
    for index in apps.indices where !apps[index].sessions.isEmpty {
      if isPermitted(app: index) {
        let isReduced = apps[index].told.accuracy == .reduced
        // Asked before, since this fix may be the answer that ends the wish; stored after, so that nobody waits.
        let isWanted = apps[index].sessions.contains(where: \.wantsFixes)
        for position in apps[index].sessions.indices {
          offer(
            fix, isReduced: isReduced, app: index, session: position, effects: &effects)
        }
        if isWanted { storeLastFix(app: index, effects: &effects) }
      } else if isAwaitingAlways(app: index) {
        for position in apps[index].sessions.indices
        where apps[index].sessions[position].isUpdating {
          let isReduced = apps[index].told.accuracy == .reduced
          holdForAlways(
            isReduced ? coarse.fix ?? fix : fix, app: index, session: position, effects: &effects)
        }
      }
    }
    watchRegions(fix, effects: &effects)
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
  private func isAwaitingAlways(app index: Int) -> Bool {
    let authorization = apps[index].authorization
    return locationServicesEnabled && authorization.grant.level == .always
      && authorization.grant.isProvisional && !authorization.grant.isRestricted
      && !apps[index].isInUse && apps[index].state != .notRunning
  }

  private mutating func offer(
    _ precise: Fix, isReduced: Bool, app index: Int, session position: Int,
    effects: inout [Effect]
  ) {
    guard apps[index].sessions[position].wantsFixes else { return }
    let wish = apps[index].sessions[position].configuration.desiredAccuracy
    let seesCoarse = isReduced || wish == .reduced
    let fix = seesCoarse ? coarse.fix ?? precise : precise
    if apps[index].sessions[position].locationRequest != nil {
      apps[index].sessions[position].locationRequest?.consider(fix)
      if seesCoarse || meets(fix, wish: wish), apps[index].state != .suspended {
        finishRequest(app: index, session: position, effects: &effects)
      }
    }
    guard apps[index].sessions[position].isUpdating else { return }
    apps[index].sessions[position].waitsForFixSince = nil
    apps[index].sessions[position].hasReportedUnknown = false
    apps[index].sessions[position].hasReportedRefusal = false
    if seesCoarse {
      // One coarse value is delivered once, however many fixes it stands for (behaviour 1.43).
      guard apps[index].sessions[position].lastCoarseMadeAt != coarse.madeAt else { return }
      apps[index].sessions[position].lastCoarseMadeAt = coarse.madeAt
    }
    if passesFilter(fix, session: apps[index].sessions[position]) {
      apps[index].sessions[position].awaitsInitialFix = false
      deliver(fix, app: index, session: position, effects: &effects)
    }
  }

  /// Distance from the last delivered fix, or a clearly better fix of the same place (behaviour 2.3, 2.9).
  private func passesFilter(_ fix: Fix, session: ManagerSession) -> Bool {
    guard let filterMeters = session.configuration.distanceFilterMeters, !session.awaitsInitialFix,
      let last = session.lastDelivered
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
    if apps[index].state == .suspended, apps[index].sessions[position].heldFixes.isEmpty {
      apps[index].sessions[position].lastBeforeHeld = apps[index].sessions[position].lastDelivered
    }
    apps[index].sessions[position].lastDelivered = fix
    if apps[index].state == .suspended {
      hold(fix, app: index, session: position)
    } else {
      effects.append(
        .deliver(
          .locationsUpdated([fix], isAnswer: false),
          to: apps[index].sessions[position].identifier))
    }
  }

  // MARK: Suspension

  private mutating func hold(_ fix: Fix, app index: Int, session position: Int) {
    apps[index].sessions[position].heldFixes.append(fix)
    let excess = apps[index].sessions[position].heldFixes.count - policy.suspendedFixesMax
    if excess > 0 { apps[index].sessions[position].heldFixes.removeFirst(excess) }
  }

  /// Nothing runs out while an app cannot run: its waits begin anew when it does.
  mutating func suspend(app index: Int) {
    for position in apps[index].sessions.indices {
      apps[index].sessions[position].waitsForFixSince = nil
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
      if apps[index].sessions[position].isUpdating, isPermitted(app: index) {
        awaitFix(app: index, session: position, effects: &effects)
      }
    }
  }

  /// What waited during suspension arrives as one array when the app runs again (behaviour 2.7, 2.16).
  mutating func releaseHeldFixes(app index: Int, effects: inout [Effect]) {
    for position in apps[index].sessions.indices
    where !apps[index].sessions[position].heldFixes.isEmpty {
      let fixes = apps[index].sessions[position].heldFixes
      apps[index].sessions[position].heldFixes = []
      effects.append(
        .deliver(
          .locationsUpdated(fixes, isAnswer: false),
          to: apps[index].sessions[position].identifier))
    }
  }

  // MARK: The last fix

  /// The newest location that an app may see; nil without permission (cases GC-05).
  func visibleLastFix(app index: Int) -> Fix? {
    guard isPermitted(app: index), let lastFix else { return nil }
    guard apps[index].told.accuracy == .reduced else { return lastFix }
    return coarse.fix ?? CoarseLocation.coarsened(lastFix, policy: policy)
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

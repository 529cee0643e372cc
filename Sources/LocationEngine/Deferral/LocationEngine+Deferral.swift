import LocationModel

/// Deferred updates. Each `allow` is answered by exactly one `deferredUpdatesFinished` (behaviour 2.51).
extension LocationEngine {
  mutating func allowDeferral(
    app index: Int, session position: Int, distanceMeters: Double, timeoutSeconds: Double, effects: inout [Effect]
  ) {
    // The call ends an outstanding one-time request, and the deferral before it (behaviour 2.33, 2.51).
    apps[index].sessions[position].locationRequest = nil
    demandIsStale = true
    endDeferral(app: index, session: position, with: .deferredCanceled, effects: &effects)
    let session = apps[index].sessions[position]
    if let error = deferralError(of: session, app: index) {
      effects.append(.deliver(.deferredUpdatesFinished(error), to: session.identifier))
      return
    }
    apps[index].sessions[position].deferral = Deferral(
      start: lastFix?.coordinate, distanceMeters: distanceMeters, timeoutSeconds: timeoutSeconds, at: now)
    passDeferralDeadline(app: index, session: position, until: now, effects: &effects)
  }

  /// The conditions in Apple's order, the hardware last (behaviour 2.50).
  private func deferralError(of session: ManagerSession, app index: Int) -> LocationError? {
    let wish = session.configuration.desiredAccuracy
    if !session.isListening { return .deferredNotUpdatingLocation }
    if wish != .best && wish != .bestForNavigation { return .deferredAccuracyTooLow }
    if session.configuration.distanceFilterMeters != nil { return .deferredDistanceFiltered }
    return capabilities.defersUpdates && isPermitted(app: index) ? nil : .deferredFailed
  }

  /// Settings that a deferral cannot have end it.
  mutating func checkDeferral(app index: Int, session position: Int, effects: inout [Effect]) {
    let session = apps[index].sessions[position]
    guard session.deferral != nil, let error = deferralError(of: session, app: index) else { return }
    endDeferral(app: index, session: position, with: error, effects: &effects)
  }

  /// The end first, then what was kept (behaviour 2.55). A suspended app gets it with all that waits for it.
  mutating func endDeferral(
    app index: Int, session position: Int, with error: LocationError?, effects: inout [Effect]
  ) {
    guard let deferral = apps[index].sessions[position].deferral else { return }
    apps[index].sessions[position].deferral = nil
    demandIsStale = true
    let manager = apps[index].sessions[position].identifier
    effects.append(.deliver(.deferredUpdatesFinished(error), to: manager))
    guard !deferral.batch.isEmpty else { return }
    effects.append(.deliver(.locationsUpdated(deferral.batch, isAnswer: false), to: manager))
  }

  /// Keeps the fix, or lets it pass with what was kept; then looks whether the app's distance is reached.
  mutating func deferOrDeliver(_ fix: Fix, app index: Int, session position: Int, effects: inout [Effect]) {
    guard var deferral = apps[index].sessions[position].deferral else { return }
    apps[index].sessions[position].deferral = nil
    deferral.start = deferral.start ?? fix.coordinate
    deferral.batch.append(fix)
    let isFull = deferral.batch.count >= policy.deferredFixesMax
    if isFull || !isDeferring(app: index) {
      let manager = apps[index].sessions[position].identifier
      effects.append(.deliver(.locationsUpdated(deferral.batch, isAnswer: false), to: manager))
      deferral.batch = []
    }
    let isDone = deferral.isFarEnough(fix.coordinate)
    apps[index].sessions[position].deferral = deferral
    if isDone { endDeferral(app: index, session: position, with: nil, effects: &effects) }
  }

  /// Nothing is deferred in the foreground, nor while another app keeps the device awake (behaviour 2.54).
  func isDeferring(app index: Int) -> Bool {
    guard apps[index].state == .background else { return false }
    return !apps.indices.contains { other in
      other != index && apps[other].state != .suspended && isPermitted(app: other)
        && apps[other].sessions.contains { $0.wantsFixes || $0.live != nil }
    }
  }

  /// In the foreground again: what was kept is told, and the criteria are watched on.
  mutating func flushDeferral(app index: Int, session position: Int, effects: inout [Effect]) {
    guard let batch = apps[index].sessions[position].deferral?.batch, !batch.isEmpty else { return }
    apps[index].sessions[position].deferral?.batch = []
    let manager = apps[index].sessions[position].identifier
    effects.append(.deliver(.locationsUpdated(batch, isAnswer: false), to: manager))
  }

  mutating func passDeferralDeadline(
    app index: Int, session position: Int, until end: Instant, effects: inout [Effect]
  ) {
    guard let deadline = apps[index].sessions[position].deferral?.deadline, deadline <= end else { return }
    endDeferral(app: index, session: position, with: nil, effects: &effects)
  }
}

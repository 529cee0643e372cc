import LocationModel

/// Live updates: a stream that starts and stops with its reader, asks for permission by itself, rests with the device,
/// and always says why nothing comes (behaviour 9.1 to 9.5, 9.22).
extension LocationEngine {
  mutating func startLiveUpdates(
    _ configuration: LiveUpdateConfiguration, app index: Int, session position: Int
  ) {
    apps[index].sessions[position].live = LiveUpdates(configuration)
    hasLiveUpdates = true
    demandIsStale = true
  }

  /// After every step: who is served now, and what is to be said to who is not.
  mutating func refreshLiveUpdates(effects: inout [Effect]) {
    guard hasLiveUpdates else { return }
    hasLiveUpdates = false
    for index in apps.indices {
      for position in apps[index].sessions.indices where apps[index].sessions[position].live != nil {
        hasLiveUpdates = true
        // A suspended app hears how things stand when it runs again.
        guard apps[index].state != .suspended else { continue }
        askForLiveUpdates(app: index, session: position, effects: &effects)
        refreshLiveUpdates(app: index, session: position, effects: &effects)
      }
    }
  }

  private mutating func refreshLiveUpdates(app index: Int, session position: Int, effects: inout [Effect]) {
    let obstacle = obstacle(app: index)
    if obstacle.isEmpty {
      if apps[index].sessions[position].live?.listensSince == nil {
        beginLiveUpdates(app: index, session: position, effects: &effects)
      }
      waitForLocation(app: index, session: position)
    } else if apps[index].sessions[position].live?.listensSince != nil {
      apps[index].sessions[position].live?.endService()
      demandIsStale = true
    }
    let lacksLocation = obstacle.isEmpty && apps[index].sessions[position].live?.isUnavailable == true
    let diagnostics = lacksLocation ? .locationUnavailable : obstacle
    guard !diagnostics.isEmpty, diagnostics != apps[index].sessions[position].live?.told else { return }
    apps[index].sessions[position].live?.told = diagnostics
    effects.append(
      .deliver(
        .liveUpdated(LiveUpdate(fix: nil, diagnostics: diagnostics)), to: apps[index].sessions[position].identifier))
  }

  /// What stands between an app of the async API and its service; empty where nothing does (behaviour 9.4).
  func obstacle(app index: Int) -> ServiceDiagnostics {
    guard locationServicesEnabled else { return [.authorizationDenied, .authorizationDeniedGlobally] }
    switch apps[index].told.status {
    case .denied: return .authorizationDenied
    case .restricted: return .authorizationRestricted
    case .notDetermined, .authorizedAlways, .authorizedWhenInUse: break
    }
    if lacksServiceSession(app: index) { return .serviceSessionRequired }
    if apps[index].told.status == .notDetermined {
      if apps[index].prompt?.prompt.kind == .first { return .authorizationRequestInProgress }
      return apps[index].state == .foreground ? .locationUnavailable : .insufficientlyInUse
    }
    guard servesAsyncAPI(app: index) else { return .insufficientlyInUse }
    return demand != nil && receivers == .refused ? .authorizationDenied : []
  }

  /// Iterating counts as a session for While Using: the person is asked as soon as that can be (behaviour 9.22).
  private mutating func askForLiveUpdates(app index: Int, session position: Int, effects: inout [Effect]) {
    guard apps[index].told.status == .notDetermined else {
      apps[index].sessions[position].live?.hasAsked = false
      return
    }
    guard apps[index].sessions[position].live?.hasAsked == false, apps[index].state == .foreground,
      apps[index].prompt == nil, !apps[index].description.requiresExplicitServiceSession
    else { return }
    apps[index].sessions[position].live?.hasAsked = true
    requestWhenInUse(app: index, by: apps[index].sessions[position].identifier, effects: &effects)
  }

  /// A fresh location that is known already is the first one; an older one would only mislead who takes one and leaves.
  private mutating func beginLiveUpdates(app index: Int, session position: Int, effects: inout [Effect]) {
    apps[index].sessions[position].live?.listensSince = now
    apps[index].sessions[position].live?.waitsSince = now
    demandIsStale = true
    guard isFresh, let fix = lastFix else { return }
    offerLive(fix, isReduced: apps[index].told.accuracy == .reduced, app: index, session: position, effects: &effects)
  }

  private mutating func waitForLocation(app index: Int, session position: Int) {
    guard let live = apps[index].sessions[position].live, live.pause == nil, !live.isUnavailable else { return }
    let isLost = demand != nil && receivers == .unavailable
    let hasWaited = live.waitsSince.map { liveDeadline(since: $0) <= now } ?? false
    if isLost || hasWaited {
      apps[index].sessions[position].live?.isUnavailable = true
      apps[index].sessions[position].live?.waitsSince = nil
    } else if live.waitsSince == nil, receivers == .searching {
      apps[index].sessions[position].live?.waitsSince = now
    }
  }

  private func liveDeadline(since: Instant) -> Instant {
    since.advanced(bySeconds: policy.firstFixTimeoutSeconds)
  }

  func deadline(of live: LiveUpdates) -> Instant? {
    Instant.earlier(live.waitsSince.map(liveDeadline), live.pause?.schedule?.givesUpAt(policy))
  }

  mutating func passLiveDeadline(app index: Int, session position: Int, until end: Instant) {
    guard let schedule = apps[index].sessions[position].live?.pause?.schedule, schedule.givesUpAt(policy) <= end else {
      return
    }
    apps[index].sessions[position].live?.pause?.schedule?.giveUp(at: now, policy: policy)
    demandIsStale = true
  }

  // MARK: Fixes

  mutating func offerLive(
    _ precise: Fix, isReduced: Bool, app index: Int, session position: Int, effects: inout [Effect]
  ) {
    guard apps[index].sessions[position].live?.listensSince != nil, apps[index].state != .suspended,
      !staysPaused(app: index, session: position)
    else { return }
    let fix = isReduced ? coarse.fix ?? precise : precise
    apps[index].sessions[position].live?.waitsSince = nil
    apps[index].sessions[position].live?.isUnavailable = false
    let isStationary = pauseLiveIfStill(app: index, session: position)
    if isReduced {
      let madeAt = coarse.madeAt
      guard isStationary || apps[index].sessions[position].live?.lastCoarseMadeAt != madeAt else { return }
      apps[index].sessions[position].live?.lastCoarseMadeAt = madeAt
    }
    apps[index].sessions[position].live?.told = []
    var diagnostics: ServiceDiagnostics = isReduced ? .accuracyLimited : []
    if isStationary { diagnostics.insert(.stationary) }
    effects.append(
      .deliver(
        .liveUpdated(LiveUpdate(fix: fix, diagnostics: diagnostics)), to: apps[index].sessions[position].identifier))
  }

  /// A look during a rest: the device has moved, and locations come again, or the next look comes later.
  private mutating func staysPaused(app index: Int, session position: Int) -> Bool {
    guard let pause = apps[index].sessions[position].live?.pause else { return false }
    if let since = stillness.since, since > pause.since {
      apps[index].sessions[position].live?.pause = nil
      apps[index].sessions[position].live?.listensSince = now
      demandIsStale = true
      return false
    }
    if pause.schedule?.isAwake(at: now) == true {
      let next = nextPausedLook
      apps[index].sessions[position].live?.pause?.schedule?.look(from: next)
      demandIsStale = true
    }
    return true
  }

  /// The last location before a rest says so (behaviour 9.3).
  private mutating func pauseLiveIfStill(app index: Int, session position: Int) -> Bool {
    guard let live = apps[index].sessions[position].live, let listening = live.listensSince,
      let seconds = policy.pauseSeconds(for: live.configuration.activity),
      isStill(since: listening, forSeconds: seconds)
    else { return false }
    let pause = Pause(since: now, schedule: LookSchedule(from: nextPausedLook, policy: policy))
    apps[index].sessions[position].live?.pause = pause
    demandIsStale = true
    return true
  }
}

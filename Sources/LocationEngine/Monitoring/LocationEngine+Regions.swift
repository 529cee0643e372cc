import LocationModel

/// Fixes on their way to watched circles, and crossings on their way to apps.
extension LocationEngine {
  /// Every believed fix, whoever asked for it, at its full precision.
  mutating func watchRegions(_ fix: Fix, effects: inout [Effect]) {
    guard isWatchingAnyRegion else { return }
    let previous = lastWatchedFix
    // The same measurement twice is no second witness.
    if let previous, previous.time == fix.time { return }
    let fix = WatchedFix(fix, at: now, policy: policy)
    lastWatchedFix = fix
    for index in apps.indices where apps[index].isWatchingRegions {
      for news in apps[index].considerRegions(fix, after: previous, policy: policy) {
        take(news.change, app: index, region: news.position, effects: &effects)
      }
      updateRegionNeed(app: index)
    }
    watchConditions(fix, after: previous, effects: &effects)
  }

  mutating func take(_ change: RegionChange, app index: Int, region position: Int, effects: inout [Effect]) {
    switch change {
    case .determined(let state):
      apps[index].regions[position].toldState = state
      tellOwedState(app: index, region: position, effects: &effects)
      storeRegistrations(app: index, effects: &effects)
    case .entered: cross(to: [.inside], app: index, region: position, effects: &effects)
    case .exited: cross(to: [.outside], app: index, region: position, effects: &effects)
    case .passedThrough: cross(to: [.inside, .outside], app: index, region: position, effects: &effects)
    }
  }

  // MARK: Telling

  func runs(app index: Int) -> Bool {
    apps[index].state == .foreground || apps[index].state == .background
  }

  /// The app runs and has somebody to tell: a stream tells nobody of regions and visits.
  func canHear(app index: Int) -> Bool {
    runs(app: index) && apps[index].sessions.contains { !$0.identifier.isStream }
  }

  private mutating func cross(
    to states: [RegionState], app index: Int, region position: Int, effects: inout [Effect]
  ) {
    let crossings = states.map { apps[index].regions[position].crossing(to: $0) }
    let hears = canHear(app: index)
    // What may not wake an app is told only to one that is awake (behaviour 5.14).
    let events = crossings.filter { hears || $0.isNotified }.flatMap(\.events)
    let isNotified = crossings.contains(where: \.isNotified)
    if isNotified, apps[index].description.isInstalled, regionStanding(app: index) == .served {
      apps[index].regions[position].heldForAlways = nil
      return keepCrossings(events, app: index, effects: &effects)
    }
    switch regionStanding(app: index) {
    case .served where hears:
      apps[index].regions[position].heldForAlways = nil
      for event in events { tellEveryManager(event, app: index, effects: &effects) }
      settle(app: index, region: position, effects: &effects)
    case .served where isNotified:
      apps[index].regions[position].heldForAlways = nil
      wait(events, app: index, effects: &effects)
    case .heldForAlways where isNotified:
      // The newer one displaces the older one of the same region (behaviour 1.14).
      apps[index].regions[position].heldForAlways = (crossings.filter(\.isNotified).flatMap(\.events), now)
      askToConfirmAlways(app: index, effects: &effects)
    default:
      // What was held of this region is not true any more.
      apps[index].regions[position].heldForAlways = nil
      settle(app: index, region: position, effects: &effects)
    }
  }

  /// For an installed app: what may wake it is kept, and stored before it is told; the rest it hears if it runs.
  mutating func keepCrossings(_ events: [ManagerEvent], app index: Int, effects: inout [Effect]) {
    var states = events
    for event in events {
      switch event {
      case .regionEntered(let region): keep(.entered(region), app: index)
      case .regionExited(let region): keep(.exited(region), app: index)
      default: continue
      }
      // Its state is told with it.
      states.removeAll { $0 == event || $0 == event.stateAfterCrossing }
    }
    for position in apps[index].regions.indices { settle(app: index, region: position, effects: &effects) }
    storeRegistrations(app: index, effects: &effects)
    tellKeptEvents(app: index, effects: &effects)
    if canHear(app: index) {
      for state in states { tellEveryManager(state, app: index, effects: &effects) }
    } else if let first = events.first, apps[index].state == .suspended || apps[index].state == .notRunning {
      effects.append(.launch(apps[index].identifier, for: first))
    }
  }

  /// The app knows, or will never be told: stored, so that it is not told again.
  private mutating func settle(app index: Int, region position: Int, effects: inout [Effect]) {
    guard apps[index].regions[position].heldForAlways == nil else { return }
    apps[index].regions[position].toldState = apps[index].regions[position].state
    apps[index].regions[position].owesState = false
    storeRegistrations(app: index, effects: &effects)
  }

  /// Every manager of every process of the app (behaviour 5.13).
  func tellEveryManager(_ event: ManagerEvent, app index: Int, effects: inout [Effect]) {
    for session in apps[index].sessions where !session.identifier.isStream {
      effects.append(.deliver(event, to: session.identifier))
    }
  }

  /// Kept until the app runs and has a manager (behaviour 5.23).
  mutating func wait(_ events: [ManagerEvent], app index: Int, effects: inout [Effect]) {
    apps[index].waitingRegionEvents += events
    let excess = apps[index].waitingRegionEvents.count - policy.regionEventsHeldMax
    if excess > 0 { apps[index].waitingRegionEvents.removeFirst(excess) }
    guard let first = events.first, apps[index].state == .suspended || apps[index].state == .notRunning else { return }
    effects.append(.launch(apps[index].identifier, for: first))
  }

  /// To an app that runs again, or was launched and has made its first manager.
  mutating func tellWaitingEvents(app index: Int, effects: inout [Effect]) {
    guard !apps[index].waitingRegionEvents.isEmpty, regionStanding(app: index) == .served, canHear(app: index)
    else { return }
    for event in apps[index].waitingRegionEvents { tellEveryManager(event, app: index, effects: &effects) }
    apps[index].waitingRegionEvents = []
    for position in apps[index].regions.indices { settle(app: index, region: position, effects: &effects) }
  }

  // MARK: Receivers

  /// What the app's circles need, worked out anew; the receivers are arbitrated again only where that matters.
  mutating func updateRegionNeed(app index: Int) {
    let former = apps[index].regionNeed
    guard apps[index].isWatchingRegions else {
      apps[index].regionNeed = nil
      if former != nil { demandIsStale = true }
      return
    }
    let wanted = apps[index].circlesNeed(after: lastWatchedFix, rest: rest, policy: policy)
    apps[index].regionNeed = wanted
    if isArbitrationDue(from: former, to: wanted) { demandIsStale = true }
  }

  /// A sleep that becomes longer needs nothing: it is looked at when the shorter one ends.
  func isArbitrationDue(from former: ReceiverNeed?, to wanted: ReceiverNeed?) -> Bool {
    guard let former, let wanted else { return (former == nil) != (wanted == nil) }
    let slept = former.from.map { $0 > now } ?? false
    let sleeps = wanted.from.map { $0 > now } ?? false
    if slept, sleeps, let until = wanted.from { return nextNeedFrom.map { until < $0 } ?? true }
    return slept || sleeps || former.accuracy != wanted.accuracy
  }
}

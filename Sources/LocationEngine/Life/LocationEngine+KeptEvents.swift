import LocationModel

/// A kept event of an installed app, and whether the process that runs was told of it.
struct KeptEventStanding {
  var kept: KeptEvent
  var isTold = false
  /// A process was told of it that may have gone.
  var wasTold = false
}

/// What an installed app must not miss is numbered and stored before it is told, and done when a callback has returned
/// (`Request.acknowledgeEvent`). Until then every new process of the app is told again.
///
/// An event is one for the whole app: told to every manager, done with the first callback that returns.
extension LocationEngine {
  /// Not stored yet: that follows with the app's registrations, in the same step and before anybody is told.
  mutating func keep(_ content: KeptEvent.Content, app index: Int) {
    let kept = KeptEvent(number: apps[index].nextEventNumber, content: content)
    apps[index].nextEventNumber += 1
    // Of places on the way only the last one counts.
    if case .moved = content { dropKept(app: index) { if case .moved = $0.content { true } else { false } } }
    apps[index].keptEvents.append(KeptEventStanding(kept: kept))
    trimKept(app: index, max: policy.regionEventsHeldMax) { $0.regionIdentifier != nil }
    trimKept(app: index, max: policy.heldVisitsMax) { if case .visited = $0.content { true } else { false } }
  }

  private mutating func trimKept(app index: Int, max: Int, _ isMeant: (KeptEvent) -> Bool) {
    while apps[index].keptEvents.count(where: { isMeant($0.kept) }) > max,
      let oldest = apps[index].keptEvents.firstIndex(where: { isMeant($0.kept) })
    {
      apps[index].keptEvents.remove(at: oldest)
    }
  }

  mutating func dropKept(app index: Int, where isMeant: (KeptEvent) -> Bool) {
    apps[index].keptEvents.removeAll { isMeant($0.kept) }
  }

  mutating func acknowledge(_ numbers: [UInt64], app index: Int, effects: inout [Effect]) {
    dropKept(app: index) { numbers.contains($0.number) }
    storeRegistrations(app: index, effects: &effects)
  }

  /// Whoever was told has gone.
  mutating func forgetTelling(app index: Int) {
    for position in apps[index].keptEvents.indices { apps[index].keptEvents[position].isTold = false }
  }

  // MARK: Changes while the app is suspended

  /// A place on the way that a suspended app is told when it runs again: in order with all that its manager is told
  /// then, and on the disk until a callback has returned. Of such places the newest alone is kept on the disk.
  mutating func holdKeptMove(_ fix: Fix, app index: Int, session position: Int) {
    let number = keptMove(fix, app: index)
    let session = apps[index].sessions[position]
    if !session.hasHeldFixes { apps[index].sessions[position].lastBeforeHeld = session.lastDelivered }
    let isHeld = session.isUpdating && session.lastDelivered == fix
    apps[index].sessions[position].holdKept(number, fix, inPlaceOfLast: isHeld, fixesMax: policy.suspendedFixesMax)
  }

  /// The number of the event, which is one for all managers of the app.
  private mutating func keptMove(_ fix: Fix, app index: Int) -> UInt64 {
    let standings = apps[index].keptEvents
    if let same = standings.firstIndex(where: { $0.kept.content == .moved(fix) }) { return noteTold(same, app: index) }
    for standing in apps[index].keptEvents {
      guard case .moved = standing.kept.content else { continue }
      for position in apps[index].sessions.indices {
        apps[index].sessions[position].releaseHeldKept(standing.kept.number)
      }
    }
    keep(.moved(fix), app: index)
    return noteTold(apps[index].keptEvents.count - 1, app: index)
  }

  @discardableResult
  private mutating func noteTold(_ kept: Int, app index: Int) -> UInt64 {
    apps[index].keptEvents[kept].isTold = true
    apps[index].keptEvents[kept].wasTold = true
    return apps[index].keptEvents[kept].kept.number
  }

  /// What was kept for a suspended app's manager will not be delivered. A place that no manager hears of is to be told
  /// yet.
  mutating func dropHeldFixes(app index: Int, session position: Int) {
    let dropped = apps[index].sessions[position].dropHeldFixes()
    for number in dropped where !apps[index].sessions.contains(where: { $0.heldKeptFixes.contains(number) }) {
      guard let kept = apps[index].keptEvents.firstIndex(where: { $0.kept.number == number }) else { continue }
      apps[index].keptEvents[kept].isTold = false
    }
  }

  // MARK: Telling

  /// All that was not told yet, in order, to an app that can hear and may know.
  mutating func tellKeptEvents(app index: Int, effects: inout [Effect]) {
    guard !apps[index].keptEvents.isEmpty, canHear(app: index) else { return }
    for position in apps[index].keptEvents.indices where !apps[index].keptEvents[position].isTold {
      let kept = apps[index].keptEvents[position].kept
      guard let events = events(for: kept.content, app: index), let first = events.first else { continue }
      apps[index].keptEvents[position].isTold = true
      // A process that is being ended may not come to it.
      if !apps[index].life.isTerminating { apps[index].keptEvents[position].wasTold = true }
      tellManagers(.kept(kept.number, first), app: index, effects: &effects)
      for event in events.dropFirst() { tellManagers(event, app: index, effects: &effects) }
    }
  }

  private mutating func tellManagers(_ event: ManagerEvent, app index: Int, effects: inout [Effect]) {
    for session in apps[index].sessions where !session.identifier.isStream {
      effects.append(.deliver(event, to: session.identifier))
    }
  }

  /// What is said of it now, the kept one first; nil where nothing may be said yet.
  private func events(for content: KeptEvent.Content, app index: Int) -> [ManagerEvent]? {
    switch content {
    case .entered(let region), .exited(let region):
      guard regionStanding(app: index) == .served else { return nil }
      // As the app has it registered by now.
      let current = apps[index].regions.first { $0.region.identifier == region.identifier }?.region ?? region
      guard case .entered = content else { return [.regionExited(current), .stateDetermined(.outside, current)] }
      return [.regionEntered(current), .stateDetermined(.inside, current)]
    case .visited(let visit):
      return mayMonitor(app: index) ? [.visited(visible(visit, app: index))] : nil
    case .moved:
      // Told when the service is started (behaviour 4.6).
      return nil
    }
  }

  /// The service of significant changes is started in a new process: where the device went before (behaviour 4.6).
  mutating func tellKeptMove(app index: Int, session position: Int, effects: inout [Effect]) -> Bool {
    for kept in apps[index].keptEvents.indices where !apps[index].keptEvents[kept].isTold {
      guard case .moved(let place) = apps[index].keptEvents[kept].kept.content else { continue }
      var fix = visibleLastFix(app: index)
      if apps[index].told.accuracy == .full, fix.map({ $0.time < place.time }) ?? true { fix = place }
      guard let fix else { return false }
      if apps[index].state == .suspended {
        tellChange(fix, app: index, session: position, effects: &effects)
        return true
      }
      noteTold(kept, app: index)
      apps[index].sessions[position].significantChanges?.tell(fix, at: now)
      noteChange(fix, app: index, effects: &effects)
      let event = ManagerEvent.kept(
        apps[index].keptEvents[kept].kept.number, .locationsUpdated([fix], isAnswer: false))
      effects.append(.deliver(event, to: apps[index].sessions[position].identifier))
      return true
    }
    return false
  }

  /// The first event for which an app that does not run is to be started; places on the way only where the service
  /// itself begins, or the app ended before it was done with one: who was started for one, and did not ask for it, is
  /// not started again.
  func firstKeptEvent(app index: Int, includesMoves: Bool, includesTold: Bool = true) -> ManagerEvent? {
    for standing in apps[index].keptEvents where includesTold || !standing.wasTold {
      switch standing.kept.content {
      case .entered(let region): return .regionEntered(region)
      case .exited(let region): return .regionExited(region)
      case .visited(let visit): return .visited(visible(visit, app: index))
      case .moved(let fix) where includesMoves || standing.wasTold: return .locationsUpdated([fix], isAnswer: false)
      case .moved: continue
      }
    }
    return nil
  }
}

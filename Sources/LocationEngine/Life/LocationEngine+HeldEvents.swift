import LocationModel

/// What is said to a frozen app is kept, in order, and said when it runs again: it is not slow, it cannot read.
extension LocationEngine {
  /// At the end of every step, `start` being where its effects begin.
  mutating func holdForFrozen(from start: Int, effects: inout [Effect]) {
    var kept = start
    for position in start..<effects.count {
      switch effects[position] {
      case .life(.suspend(let app)): setFrozen(true, app)
      case .life(.resume(let app)): setFrozen(false, app)
      case .deliver(let event, let manager):
        if hold(event, for: manager) { continue }
      default: break
      }
      effects.swapAt(kept, position)
      kept += 1
    }
    effects.removeSubrange(kept..<effects.count)
    // What was said in this step to an app that the step has woken.
    for index in apps.indices where apps[index].life.isSupervised && !apps[index].life.isFrozen {
      releaseHeld(app: index, effects: &effects)
    }
  }

  private mutating func setFrozen(_ isFrozen: Bool, _ app: AppIdentifier) {
    guard let index = appIndexByIdentifier[app] else { return }
    apps[index].life.isFrozen = isFrozen && apps[index].state == .suspended
  }

  private mutating func hold(_ event: ManagerEvent, for manager: ManagerIdentifier) -> Bool {
    guard let index = appIndexByClient[manager.client], apps[index].life.isFrozen,
      let position = self.index(of: manager, app: index)
    else { return false }
    apps[index].sessions[position].hold(event, fixesMax: policy.suspendedFixesMax)
    return true
  }
}

extension ManagerSession {
  /// After the fixes that are kept already.
  mutating func hold(_ event: ManagerEvent, fixesMax: Int) {
    if !heldFixes.isEmpty {
      heldEvents.append(.locationsUpdated(heldFixes, isAnswer: false))
      heldFixes = []
    }
    heldEvents.append(event)
    trimHeldFixes(to: fixesMax)
  }

  /// A place that is kept on the disk, too.
  ///
  /// - Parameter inPlaceOfLast: this fix has just been held as one of the standard updates; it is told once.
  mutating func holdKept(_ number: UInt64, _ fix: Fix, inPlaceOfLast: Bool, fixesMax: Int) {
    if inPlaceOfLast, heldFixes.last == fix { heldFixes.removeLast() }
    hold(.kept(number, .locationsUpdated([fix], isAnswer: false)), fixesMax: fixesMax)
  }

  /// The numbers of the places that are held and kept.
  var heldKeptFixes: [UInt64] {
    heldEvents.compactMap { event in
      if case .kept(let number, .locationsUpdated) = event { number } else { nil }
    }
  }

  /// A newer place is kept: this one is told as any other.
  mutating func releaseHeldKept(_ number: UInt64) {
    for position in heldEvents.indices {
      if case .kept(number, let event) = heldEvents[position] { heldEvents[position] = event }
    }
  }

  /// Drops the oldest fixes beyond so many; other events stay.
  mutating func trimHeldFixes(to max: Int) {
    var excess = heldFixCount - max
    guard excess > 0 else { return }
    var position = 0
    while excess > 0, position < heldEvents.count {
      guard case .locationsUpdated(let fixes, isAnswer: false) = heldEvents[position] else {
        position += 1
        continue
      }
      if fixes.count <= excess {
        excess -= fixes.count
        heldEvents.remove(at: position)
      } else {
        heldEvents[position] = .locationsUpdated(Array(fixes.dropFirst(excess)), isAnswer: false)
        excess = 0
      }
    }
    if excess > 0 { heldFixes.removeFirst(excess) }
  }

  private var heldFixCount: Int {
    heldEvents.reduce(heldFixes.count) { count, event in
      if case .locationsUpdated(let fixes, isAnswer: false) = event { count + fixes.count } else { count }
    }
  }

  var hasHeldFixes: Bool { heldFixCount > 0 || !heldKeptFixes.isEmpty }

  /// All that is kept, in order.
  mutating func takeHeldEvents() -> [ManagerEvent] {
    var events = heldEvents
    if !heldFixes.isEmpty { events.append(.locationsUpdated(heldFixes, isAnswer: false)) }
    heldEvents = []
    heldFixes = []
    return events
  }

  mutating func dropHeldFixEvents() {
    heldEvents.removeAll { if case .locationsUpdated(_, isAnswer: false) = $0 { true } else { false } }
  }
}

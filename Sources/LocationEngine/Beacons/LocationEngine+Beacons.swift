import LocationModel

/// Packets of beacons on their way to watched neighbourhoods, and the radio that hears them (behaviour 6).
extension LocationEngine {
  mutating func handleBeacons(_ input: Input, effects: inout [Effect]) {
    switch input {
    case .beaconHeard(let packet): receive(packet, effects: &effects)
    case .beaconRadioChanged(let radio): changeRadio(to: radio, effects: &effects)
    case .displayTurnedOn: turnDisplayOn(effects: &effects)
    default: break
    }
  }

  // MARK: The radio

  /// Whether beacons can be monitored and ranged is about the adapter alone, switched on or not (behaviour 5.22).
  private mutating func changeRadio(to radio: BeaconRadio, effects: inout [Effect]) {
    guard radio != beaconScan.radio else { return }
    beaconScan.radio = radio
    beaconScan.isStale = true
    // What comes back looks at once.
    if radio == .on { beaconScan.lookSoon() }
    let isThere = radio != .absent
    guard isThere != capabilities.rangesBeacons else { return }
    capabilities.rangesBeacons = isThere
    capabilities.monitorsBeaconRegions = isThere
    monitoringIsStale = true
    for index in apps.indices { effects.append(.snapshotChanged(apps[index].identifier)) }
  }

  /// Beacons need a radio, and airplane mode switches it off (behaviour 3.12).
  var beaconsAreAudible: Bool { beaconScan.radio == .on && !isInAirplaneMode }

  /// A region of beacons is told as inside each time that somebody looks at the device, and an app is started for it
  /// (behaviour 6.4); and it is looked for at once (algorithms 3).
  private mutating func turnDisplayOn(effects: inout [Effect]) {
    beaconScan.lookSoon()
    for index in apps.indices where apps[index].isWatchingRegions && regionStanding(app: index) == .served {
      for monitored in apps[index].regions
      where monitored.region.notifiesEntryStateOnDisplay && monitored.beacons?.state == .inside {
        let event = ManagerEvent.stateDetermined(.inside, monitored.region)
        if canHear(app: index) {
          tellEveryManager(event, app: index, effects: &effects)
        } else {
          wait([event], app: index, effects: &effects)
        }
      }
    }
  }

  // MARK: Packets

  private mutating func receive(_ packet: BeaconPacket, effects: inout [Effect]) {
    guard beaconScan.listeningSince != nil else { return }
    let beacon = packet.frame.beacon
    if isRanged(beacon) { beaconScan.ranged.hear(packet, at: now, policy: policy) }
    for index in apps.indices {
      if apps[index].isWatchingRegions { hear(beacon, app: index, effects: &effects) }
      if apps[index].isWatchingConditions { hearForConditions(packet, app: index, effects: &effects) }
    }
    // A look that has gone on for this beacon may be over.
    if beaconScan.isDue(at: now, policy: policy) { beaconScan.isStale = true }
  }

  private mutating func hear(_ beacon: BeaconIdentity, app index: Int, effects: inout [Effect]) {
    for position in apps[index].regions.indices {
      guard let change = apps[index].regions[position].beacons?.hear(beacon, at: now) else { continue }
      take(change, app: index, region: position, effects: &effects)
    }
  }

  // MARK: Silence

  mutating func passBeaconDeadlines(app index: Int, until end: Instant, effects: inout [Effect]) {
    passRangingDeadlines(app: index, until: end, effects: &effects)
    guard let since = beaconScan.listeningSince else { return }
    if apps[index].isWatchingRegions {
      for position in apps[index].regions.indices {
        let change = apps[index].regions[position].beacons?.pass(until: end, listeningSince: since, policy: policy)
        guard let change else { continue }
        beaconScan.isStale = true
        take(change, app: index, region: position, effects: &effects)
      }
    }
    if apps[index].isWatchingConditions {
      passConditionSilence(app: index, until: end, listeningSince: since, effects: &effects)
    }
  }

  func considerBeaconDeadlines(_ consider: (Instant?) -> Void) {
    consider(beaconScan.due(policy: policy, after: now))
    for index in apps.indices {
      considerRangingDeadlines(app: index, consider)
      guard let since = beaconScan.listeningSince else { continue }
      for watch in beaconWatches(app: index) { consider(watch.silenceEnds(listeningSince: since, policy: policy)) }
    }
  }

  /// Those that are watched now.
  func beaconWatches(app index: Int) -> [BeaconWatch] {
    let regions = apps[index].isWatchingRegions ? apps[index].regions.compactMap(\.beacons) : []
    return regions + (apps[index].isWatchingConditions ? conditionBeaconWatches(app: index) : [])
  }

  // MARK: Whether the radio listens

  /// Switches the radio as all apps together need it, and tells those who range what stands in their way.
  mutating func arbitrateBeacons(effects: inout [Effect]) {
    beaconScan.isStale = false
    var wanted = refreshRanging(effects: &effects)
    var isContinuous = !wanted.isEmpty
    var isLookOpen = false
    var hasNew = false
    for index in apps.indices {
      hasNew = beginBeaconWatches(app: index) || hasNew
      for watch in beaconWatches(app: index) {
        isContinuous = isContinuous || apps[index].state == .foreground
        isLookOpen = isLookOpen || watch.isOpen(at: now, policy: policy)
        if !wanted.contains(watch.constraint) { wanted.append(watch.constraint) }
      }
    }
    if hasNew { beaconScan.lookSoon() }
    beaconScan.isStale = false
    arbitrateDisplay(effects: &effects)
    if isInAirplaneMode { wanted = [] }
    // A radio that is absent or off is told what for, so that who watches over it goes on; nothing wakes to look with
    // it.
    if wanted.isEmpty || isContinuous || beaconScan.radio == .absent || beaconScan.radio == .off {
      beaconScan.endLooks()
    } else if !beaconScan.looks(at: now, isLookOpen: isLookOpen, policy: policy) {
      wanted = []
    }
    listen(for: wanted.isEmpty ? nil : wanted, effects: &effects)
    holdBeacons()
  }

  /// The screen is watched while its turning on can be told of some region.
  private mutating func arbitrateDisplay(effects: inout [Effect]) {
    let isWanted =
      beaconScan.radio != .absent
      && apps.contains { app in
        app.isWatchingRegions
          && app.regions.contains { $0.beacons != nil && $0.region.notifiesEntryStateOnDisplay }
      }
    guard isWanted != beaconScan.watchesDisplay else { return }
    beaconScan.watchesDisplay = isWanted
    effects.append(.setDisplayWatch(on: isWanted))
  }

  private mutating func listen(for wanted: [BeaconConstraint]?, effects: inout [Effect]) {
    if wanted == nil || !beaconsAreAudible {
      beaconScan.listeningSince = nil
      beaconScan.ranged.removeAll()
    } else if beaconScan.listeningSince == nil {
      beaconScan.listeningSince = now
    }
    guard wanted != beaconScan.wanted else { return }
    beaconScan.wanted = wanted
    effects.append(.setBeaconScan(wanted))
  }

  /// True where there is one that was not watched before.
  private mutating func beginBeaconWatches(app index: Int) -> Bool {
    var hasNew = false
    if apps[index].isWatchingRegions {
      for position in apps[index].regions.indices {
        hasNew = apps[index].regions[position].beacons?.begin(at: now) == true || hasNew
      }
    }
    if apps[index].isWatchingConditions { hasNew = beginConditionBeaconWatches(app: index) || hasNew }
    return hasNew
  }
}

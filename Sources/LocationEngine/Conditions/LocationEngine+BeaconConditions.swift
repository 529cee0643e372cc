import LocationModel

/// Conditions on beacons: satisfied from the first packet, with the beacon that it was of (behaviour 9.31, 9.37).
extension LocationEngine {
  func conditionBeaconWatches(app index: Int) -> [BeaconWatch] {
    apps[index].monitors.flatMap { monitor in
      monitor.conditions.filter { watches($0, of: monitor, app: index) }.compactMap(\.beacons)
    }
  }

  /// True where there is one that was not watched before.
  mutating func beginConditionBeaconWatches(app index: Int) -> Bool {
    var hasNew = false
    for (position, condition) in watchedBeaconConditions(app: index) {
      let began = apps[index].monitors[position].conditions[condition].beacons?.begin(at: now)
      hasNew = began == true || hasNew
    }
    return hasNew
  }

  mutating func hearForConditions(_ packet: BeaconPacket, app index: Int, effects: inout [Effect]) {
    for (position, condition) in watchedBeaconConditions(app: index) {
      let change = apps[index].monitors[position].conditions[condition].beacons?.hear(packet.frame.beacon, at: now)
      tell(change, of: packet, app: index, monitor: position, condition: condition, effects: &effects)
    }
  }

  mutating func passConditionSilence(
    app index: Int, until end: Instant, listeningSince: Instant, effects: inout [Effect]
  ) {
    for (position, condition) in watchedBeaconConditions(app: index) {
      let change = apps[index].monitors[position].conditions[condition].beacons?.pass(
        until: end, listeningSince: listeningSince, policy: policy)
      guard change != nil else { continue }
      beaconScan.isStale = true
      tell(change, of: nil, app: index, monitor: position, condition: condition, effects: &effects)
    }
  }

  private func watchedBeaconConditions(app index: Int) -> [(monitor: Int, condition: Int)] {
    apps[index].monitors.indices.flatMap { position in
      let monitor = apps[index].monitors[position]
      return monitor.conditions.indices.filter {
        monitor.conditions[$0].beacons != nil && watches(monitor.conditions[$0], of: monitor, app: index)
      }.map { (position, $0) }
    }
  }

  private mutating func tell(
    _ change: RegionChange?, of packet: BeaconPacket?, app index: Int, monitor position: Int, condition: Int,
    effects: inout [Effect]
  ) {
    let identifier = apps[index].monitors[position].conditions[condition].stored.identifier
    for state in states(after: change) {
      let refinement = state == .satisfied ? packet.map { BeaconConstraint($0.frame.beacon) } : nil
      let event = ConditionEvent(identifier: identifier, state: state, time: packet?.time, refinement: refinement)
      self.change(to: event, app: index, monitor: position, condition: condition, effects: &effects)
    }
  }
}

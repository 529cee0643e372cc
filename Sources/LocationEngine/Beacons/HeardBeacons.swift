import LocationModel

/// A ranged beacon that was heard of late.
struct HeardBeacon {
  let beacon: BeaconIdentity
  private(set) var measuredPower: Int8
  /// The newest packets, oldest first.
  private var packets: [(at: Instant, decibels: Int)] = []
  private(set) var heardAt: Instant
  private(set) var heardTime: WallTime
  private var proximity = Proximity.unknown

  init(_ packet: BeaconPacket, at now: Instant) {
    beacon = packet.frame.beacon
    measuredPower = packet.frame.measuredPower
    heardAt = now
    heardTime = packet.time
  }

  mutating func hear(_ packet: BeaconPacket, at now: Instant, policy: Policy) {
    measuredPower = packet.frame.measuredPower
    heardAt = now
    heardTime = packet.time
    packets.append((now, packet.signalDecibels))
    let tooMany = max(0, packets.count - policy.beaconPacketsMax)
    let tooOld = packets.firstIndex { now.seconds(since: $0.at) < policy.beaconSmoothingSeconds } ?? packets.count - 1
    packets.removeFirst(max(tooMany, tooOld))
  }

  /// What is to be told of it now.
  mutating func sighting(at now: Instant, policy: Policy) -> BeaconSighting {
    let isRecent = now.seconds(since: heardAt) < policy.beaconUnknownSeconds
    // Those of the last second; where it has been silent for a moment, those of the last second that it was not.
    let fresh = packets.filter { now.seconds(since: $0.at) < policy.beaconSmoothingSeconds }
    let counted = isRecent ? (fresh.isEmpty ? packets : fresh) : []
    let decibels = BeaconDistance.mean(counted.map(\.decibels), policy: policy)
    let meters = decibels.flatMap {
      BeaconDistance.meters(decibels: $0, measuredPower: measuredPower, policy: policy)
    }
    proximity = meters.map { BeaconDistance.proximity(meters: $0, before: proximity, policy: policy) } ?? .unknown
    return BeaconSighting(
      beacon: beacon, proximity: proximity, accuracyMeters: meters,
      signalDecibels: decibels.map { Int($0.rounded()) }, time: heardTime)
  }
}

/// All of them, in the order of their identities, so that nothing depends on when they were heard.
struct HeardBeacons {
  private var beacons: [HeardBeacon] = []

  mutating func hear(_ packet: BeaconPacket, at now: Instant, policy: Policy) {
    let position = place(of: packet.frame.beacon)
    if position == beacons.count || beacons[position].beacon != packet.frame.beacon {
      beacons.insert(HeardBeacon(packet, at: now), at: position)
    }
    beacons[position].hear(packet, at: now, policy: policy)
    guard beacons.count > policy.beaconsHeardMax else { return }
    forget(at: now, policy: policy)
    if beacons.count > policy.beaconsHeardMax,
      let oldest = beacons.indices.min(by: { beacons[$0].heardAt < beacons[$1].heardAt })
    {
      beacons.remove(at: oldest)
    }
  }

  /// Where it is, or would be.
  private func place(of beacon: BeaconIdentity) -> Int {
    var low = 0
    var high = beacons.count
    while low < high {
      let middle = (low + high) / 2
      if beacons[middle].beacon < beacon { low = middle + 1 } else { high = middle }
    }
    return low
  }

  mutating func forget(at now: Instant, policy: Policy) {
    beacons.removeAll { now.seconds(since: $0.heardAt) >= policy.beaconForgottenSeconds }
  }

  mutating func removeAll() {
    beacons = []
  }

  /// By proximity, then by distance; those of unknown distance last (behaviour 6.6).
  mutating func sightings(
    of constraint: BeaconConstraint, at now: Instant, policy: Policy
  ) -> [BeaconSighting] {
    var found: [BeaconSighting] = []
    for position in beacons.indices
    where constraint.matches(beacons[position].beacon)
      && now.seconds(since: beacons[position].heardAt) < policy.beaconForgottenSeconds
    {
      found.append(beacons[position].sighting(at: now, policy: policy))
    }
    return found.sorted { $0.rank < $1.rank }
  }
}

extension BeaconSighting {
  fileprivate var rank: (Int, Double, BeaconIdentity) {
    (proximity == .unknown ? Int.max : proximity.rawValue, accuracyMeters ?? .infinity, beacon)
  }
}

/// One packet of a beacon, as the radio heard it.
package struct BeaconPacket: Hashable, Sendable {
  package var frame: BeaconFrame
  /// In dBm.
  package var signalDecibels: Int
  /// When it was heard, in the session's civil time.
  package var time: WallTime

  package init(_ frame: BeaconFrame, signalDecibels: Int, time: WallTime) {
    self.frame = frame
    self.signalDecibels = signalDecibels
    self.time = time
  }
}

/// What an app is told of one beacon that it ranges (behaviour 6.7 to 6.10).
package struct BeaconSighting: Hashable, Sendable {
  package var beacon: BeaconIdentity
  package var proximity: Proximity
  /// Nil where the distance is not known.
  package var accuracyMeters: Double?
  /// Mean signal strength in dBm; nil where the beacon was not heard of late.
  package var signalDecibels: Int?
  /// When it was heard last.
  package var time: WallTime

  package init(
    beacon: BeaconIdentity, proximity: Proximity, accuracyMeters: Double?, signalDecibels: Int?, time: WallTime
  ) {
    self.beacon = beacon
    self.proximity = proximity
    self.accuracyMeters = accuracyMeters
    self.signalDecibels = signalDecibels
    self.time = time
  }
}

/// How near a beacon is. Raw values are Apple's (behaviour 6.7).
package enum Proximity: Int, Sendable, CaseIterable {
  case unknown = 0
  case immediate = 1
  case near = 2
  case far = 3
}

/// The radio that beacons are heard with.
package enum BeaconRadio: Hashable, Sendable {
  /// There is none.
  case absent
  /// It is there, and nobody has said yet whether it is on.
  case starting
  /// It is there, and switched off.
  case off
  /// It is on, and does not listen for us.
  case failing
  case on
}

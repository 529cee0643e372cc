/// What one beacon says of itself: its UUID as two halves, as it is written, and its numbers (behaviour 6.1).
package struct BeaconIdentity: Hashable, Comparable, Sendable {
  package var uuidHigh: UInt64
  package var uuidLow: UInt64
  package var major: UInt16
  package var minor: UInt16

  package init(uuidHigh: UInt64, uuidLow: UInt64, major: UInt16, minor: UInt16) {
    self.uuidHigh = uuidHigh
    self.uuidLow = uuidLow
    self.major = major
    self.minor = minor
  }

  package static func < (left: BeaconIdentity, right: BeaconIdentity) -> Bool {
    (left.uuidHigh, left.uuidLow, left.major, left.minor) < (right.uuidHigh, right.uuidLow, right.major, right.minor)
  }
}

extension BeaconConstraint {
  /// This beacon and no other.
  package init(_ beacon: BeaconIdentity) {
    self.init(uuidHigh: beacon.uuidHigh, uuidLow: beacon.uuidLow, major: beacon.major, minor: beacon.minor)
  }

  /// Numbers that are left out match any (behaviour 6.1).
  package func matches(_ beacon: BeaconIdentity) -> Bool {
    beacon.uuidHigh == uuidHigh && beacon.uuidLow == uuidLow && major.map { $0 == beacon.major } != false
      && minor.map { $0 == beacon.minor } != false
  }
}

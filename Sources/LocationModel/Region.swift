/// A place to be watched: a circle, or the neighbourhood of beacons.
package struct Region: Hashable, Sendable {
  package enum Shape: Hashable, Sendable {
    case circle(center: Coordinate, radiusMeters: Double)
    case beacons(BeaconConstraint)
  }

  /// The app's own key: a second region of this name replaces the first (behaviour 5.3, 5.4).
  package var identifier: String
  package var shape: Shape
  package var notifiesOnEntry: Bool
  package var notifiesOnExit: Bool
  package var notifiesEntryStateOnDisplay: Bool
  /// How far beyond the edge of a circle the device is to be before the crossing is told, in metres
  /// (`startMonitoring(for:desiredAccuracy:)`, behaviour 5.24); nil leaves it to the policy.
  package var marginMeters: Double?

  package init(
    identifier: String, shape: Shape, notifiesOnEntry: Bool = true, notifiesOnExit: Bool = true,
    notifiesEntryStateOnDisplay: Bool = false, marginMeters: Double? = nil
  ) {
    self.identifier = identifier
    self.shape = shape
    self.notifiesOnEntry = notifiesOnEntry
    self.notifiesOnExit = notifiesOnExit
    self.notifiesEntryStateOnDisplay = notifiesEntryStateOnDisplay
    self.marginMeters = marginMeters
  }
}

/// Where the device is with respect to a region. Raw values are Apple's (behaviour 5.9).
package enum RegionState: Int, Sendable {
  case unknown = 0
  case inside = 1
  case outside = 2
}

/// Which beacons are meant; nil stands for any value (behaviour 6.1).
package struct BeaconConstraint: Hashable, Sendable {
  /// The 128 bits of the UUID as it is written, first half and second half.
  package var uuidHigh: UInt64
  package var uuidLow: UInt64
  package var major: UInt16?
  package var minor: UInt16?

  package init(uuidHigh: UInt64, uuidLow: UInt64, major: UInt16? = nil, minor: UInt16? = nil) {
    self.uuidHigh = uuidHigh
    self.uuidLow = uuidLow
    self.major = major
    self.minor = minor
  }
}

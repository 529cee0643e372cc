import LocationModel

extension CLRegion {
  /// The region of Apple's class for this shape.
  package static func make(_ region: Region) -> CLRegion {
    switch region.shape {
    case .circle(let center, let radiusMeters):
      let circle = CLCircularRegion(
        center: CLLocationCoordinate2D(center), radius: radiusMeters, identifier: region.identifier)
      circle.notifyOnEntry = region.notifiesOnEntry
      circle.notifyOnExit = region.notifiesOnExit
      return circle
    case .beacons(let constraint):
      let beacons = CLBeaconRegion(
        beaconIdentityConstraint: CLBeaconIdentityConstraint(constraint),
        identifier: region.identifier)
      beacons.notifyOnEntry = region.notifiesOnEntry
      beacons.notifyOnExit = region.notifiesOnExit
      beacons.notifyEntryStateOnDisplay = region.notifiesEntryStateOnDisplay
      return beacons
    }
  }
}

extension Region {
  /// Nil for a region that is neither a circle nor of beacons: there is nothing to watch.
  package init?(_ region: CLRegion) {
    switch region {
    case let circle as CLCircularRegion:
      self.init(
        identifier: circle.identifier,
        shape: .circle(center: Coordinate(circle.center), radiusMeters: circle.radius),
        notifiesOnEntry: circle.notifyOnEntry, notifiesOnExit: circle.notifyOnExit)
    case let beacons as CLBeaconRegion:
      self.init(
        identifier: beacons.identifier,
        shape: .beacons(BeaconConstraint(beacons.beaconIdentityConstraint)),
        notifiesOnEntry: beacons.notifyOnEntry, notifiesOnExit: beacons.notifyOnExit,
        notifiesEntryStateOnDisplay: beacons.notifyEntryStateOnDisplay)
    default:
      return nil
    }
  }
}

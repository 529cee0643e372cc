import LocationModel

/// One region of an app: what it asked for, and what it was told.
struct MonitoredRegion {
  var region: Region
  /// Nil for a region of beacons.
  var watch: RegionWatch?
  /// Nil for a circle.
  var beacons: BeaconWatch?
  /// The manager that asked for it in this process, if it did.
  var starter: ManagerIdentifier?
  /// Monitoring has begun: there was permission when it was asked for, or since (behaviour 1.33).
  var hasBegun = false
  /// The starter is told the state once it is known (behaviour 5.11).
  var owesState = false
  /// What the app knows or was told; what is stored.
  var toldState: RegionState = .unknown
  /// The newest crossing that only a confirmed Always may tell (behaviour 1.14).
  var heldForAlways: (events: [ManagerEvent], at: Instant)?

  init(_ region: Region, starter: ManagerIdentifier? = nil) {
    self.region = region
    self.starter = starter
    switch region.shape {
    case .circle(let center, let radius):
      watch = RegionWatch(center: center, radiusMeters: radius, marginMeters: region.marginMeters)
    case .beacons(let constraint):
      beacons = BeaconWatch(constraint)
    }
  }

  /// What is believed of the device.
  var state: RegionState { watch?.state ?? beacons?.state ?? .unknown }

  mutating func assume(_ state: RegionState) {
    watch?.assume(state)
    beacons?.assume(state)
  }

  /// What to tell of a crossing; `isNotified` says whether it may wake an app (behaviour 5.14).
  func crossing(to state: RegionState) -> (events: [ManagerEvent], isNotified: Bool) {
    let isNotified = state == .inside ? region.notifiesOnEntry : region.notifiesOnExit
    let told: [ManagerEvent] = [.stateDetermined(state, region)]
    guard isNotified else { return (told, false) }
    return ([state == .inside ? .regionEntered(region) : .regionExited(region)] + told, true)
  }
}

extension Region {
  /// Whether there is such a place, and it is not too large (behaviour 5.18, 5.19).
  func isMonitorable(policy: Policy) -> Bool {
    guard case .circle(let center, let radius) = shape else { return true }
    return center.isValid && radius > 0 && radius <= policy.regionRadiusMetersMax
  }
}

extension ManagerEvent {
  /// The region that an event is about.
  var regionIdentifier: String? {
    switch self {
    case .monitoringStarted(let region), .stateDetermined(_, let region), .regionEntered(let region),
      .regionExited(let region):
      region.identifier
    case .monitoringFailed(let region, _): region?.identifier
    case .kept(_, let event): event.regionIdentifier
    default: nil
    }
  }
}

extension ManagerEvent {
  /// What is determined by a crossing.
  var stateAfterCrossing: ManagerEvent? {
    switch self {
    case .regionEntered(let region): .stateDetermined(.inside, region)
    case .regionExited(let region): .stateDetermined(.outside, region)
    default: nil
    }
  }
}

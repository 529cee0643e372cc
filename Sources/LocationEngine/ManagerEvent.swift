import LocationModel

/// What a manager tells its delegate. Long cases are boxed, as those of `Effect` are.
package enum ManagerEvent: Hashable, Sendable {
  /// The status or the accuracy changed, or (`isInitial`) the manager has just been made (behaviour 1.25 to 1.27).
  case authorizationChanged(Authorization, isInitial: Bool, statusChanged: Bool)
  /// Never empty, oldest first (behaviour 2.7). `isAnswer` marks the outcome of `requestLocation`.
  case locationsUpdated([Fix], isAnswer: Bool)
  case failed(LocationError, isAnswer: Bool)
  case temporaryFullAccuracyAnswered(CompletionIdentifier, LocationError?)
  case deferredUpdatesFinished(LocationError?)
  case updatesPaused
  case updatesResumed
  indirect case visited(Visit)
  indirect case liveUpdated(LiveUpdate)
  indirect case headingUpdated(Heading)
  /// Shall the person be shown how to calibrate the compass? A yes is `Request.showHeadingCalibration`, a no is nothing
  /// (behaviour 7.7).
  case headingCalibrationAsked
  /// What the monitor held when it was opened, events that wait for a reader among it; nil where it could not be.
  indirect case monitorOpened(StoredMonitor?)
  indirect case conditionChanged(ConditionEvent)
  /// How a session stands; the first comes at once.
  case sessionDiagnosed(ServiceDiagnostics)

  indirect case monitoringStarted(Region)
  indirect case monitoringFailed(Region?, LocationError)
  indirect case stateDetermined(RegionState, Region)
  indirect case regionEntered(Region)
  indirect case regionExited(Region)
  /// Nearest first; empty where none is heard (behaviour 6.5, 6.6).
  indirect case beaconsRanged([BeaconSighting], BeaconConstraint)
  indirect case rangingFailed(BeaconConstraint, LocationError)

  /// An event that is told again until it is acknowledged by its number; never one of these itself.
  indirect case kept(UInt64, ManagerEvent)
}

/// What an app may know of its permission at once, without asking the service.
package struct ClientSnapshot: Hashable, Sendable {
  package var authorization: Authorization
  package var locationServicesEnabled: Bool
  package var capabilities: Capabilities
  /// The newest location this app may see; nil without permission.
  package var lastFix: Fix?
  /// What the app has monitored, in the order of registration (behaviour 5.1).
  package var monitoredRegions: [Region]

  package init(
    authorization: Authorization, locationServicesEnabled: Bool, capabilities: Capabilities,
    lastFix: Fix?, monitoredRegions: [Region] = []
  ) {
    self.authorization = authorization
    self.locationServicesEnabled = locationServicesEnabled
    self.capabilities = capabilities
    self.lastFix = lastFix
    self.monitoredRegions = monitoredRegions
  }
}

/// Which services this machine can give at all, permission apart (behaviour 5.22).
package struct Capabilities: Hashable, Sendable {
  package var monitorsCircularRegions = true
  package var monitorsBeaconRegions = false
  package var rangesBeacons = false
  /// Any receiver of positions will do.
  package var monitorsSignificantChanges = true
  package var monitorsVisits = true
  package var hasHeading = false
  package var defersUpdates = true
  /// Metres; nil where regions cannot be monitored (behaviour 5.19).
  package var maximumRegionRadiusMeters: Double?

  package init() {}
}

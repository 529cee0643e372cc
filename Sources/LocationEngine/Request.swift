import LocationModel

/// What an app may ask of the service through one of its managers.
package enum Request: Hashable, Sendable {
  case requestWhenInUseAuthorization
  case requestAlwaysAuthorization
  /// Answered once by `ManagerEvent.temporaryFullAccuracyAnswered` (behaviour 1.47 to 1.49).
  case requestTemporaryFullAccuracy(purposeKey: String, completion: CompletionIdentifier)

  case configure(ManagerConfiguration)
  case startUpdatingLocation
  case stopUpdatingLocation
  case requestLocation
  case allowDeferredUpdates(distanceMeters: Double, timeoutSeconds: Double)
  case disallowDeferredUpdates

  /// Until the manager is released (behaviour 9.1).
  case startLiveUpdates(LiveUpdateConfiguration)

  case startMonitoringSignificantChanges
  case stopMonitoringSignificantChanges
  case startMonitoringVisits
  case stopMonitoringVisits
  case startMonitoring(Region)
  case stopMonitoring(regionIdentifier: String)
  case requestState(Region)
  case startUpdatingHeading
  case stopUpdatingHeading
  /// The delegate's yes to `ManagerEvent.headingCalibrationAsked` (behaviour 7.7).
  case showHeadingCalibration
  case dismissHeadingCalibration
  case startRanging(BeaconConstraint)
  case stopRanging(BeaconConstraint)
}

/// The settable properties of a manager that the service acts on. Defaults are Apple's on iOS.
package struct ManagerConfiguration: Hashable, Sendable {
  package var desiredAccuracy: DesiredAccuracy = .best
  /// Metres between two deliveries; nil delivers every fix (behaviour 2.9).
  package var distanceFilterMeters: Double?
  package var activityType: ActivityType = .other
  package var pausesAutomatically = true
  package var allowsBackgroundUpdates = false
  package var showsBackgroundIndicator = false
  /// Degrees between two headings; nil delivers every one (behaviour 7.4).
  package var headingFilterDegrees: Double? = 1
  package var headingOrientation: HeadingOrientation = .portrait

  package init() {}
}

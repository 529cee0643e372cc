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

  /// Opens the app's monitor of this name for this manager, until it is released; answered by
  /// `ManagerEvent.monitorOpened` (behaviour 9.30). The next four are about the monitor that the manager has open.
  case openMonitor(String)
  /// With the state that the app assumes as its record (behaviour 9.31, 9.32).
  case addCondition(StoredCondition)
  case removeCondition(String)
  /// Somebody awaits the events, which counts as a session for While Using (behaviour 9.22).
  case iterateConditions
  /// The app has handled an event (behaviour 9.34).
  case settleCondition(ConditionEvent)
  /// A callback for the event of this number has returned: it is not told again.
  case acknowledgeEvent(UInt64)

  /// `CLBackgroundActivitySession` and `CLServiceSession`: until the manager is released; answered at once, and with
  /// every change, by `ManagerEvent.sessionDiagnosed` (behaviour 9.10 to 9.26).
  case holdBackgroundActivity
  case holdServiceSession(ServiceSessionGoal)

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

extension Request {
  /// Whether an app wants something from now on: not what ends, settles or only changes something that runs.
  package var asksForSomething: Bool {
    switch self {
    case .requestWhenInUseAuthorization, .requestAlwaysAuthorization, .requestTemporaryFullAccuracy,
      .startUpdatingLocation, .requestLocation, .startMonitoring, .startMonitoringSignificantChanges,
      .startMonitoringVisits, .startRanging, .startUpdatingHeading, .startLiveUpdates,
      .openMonitor, .addCondition, .iterateConditions, .holdBackgroundActivity, .holdServiceSession:
      true
    case .configure, .stopUpdatingLocation, .allowDeferredUpdates, .disallowDeferredUpdates,
      .stopMonitoringSignificantChanges, .stopMonitoringVisits, .stopMonitoring, .requestState, .stopUpdatingHeading,
      .stopRanging, .removeCondition, .settleCondition, .acknowledgeEvent, .showHeadingCalibration,
      .dismissHeadingCalibration:
      false
    }
  }
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

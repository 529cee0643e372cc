/// What the diagnostics of sessions are made from: the app's status now, and whether location services are on.
func currentAuthorizationForDiagnostics() -> (status: CLAuthorizationStatus, servicesEnabled: Bool) {
  (authorizationReading.status(), CLLocationManager.locationServicesEnabled())
}

// The class method is the one way to the status without a manager of one's own, and it is deprecated; a requirement
// that is not lets code call it without a warning.
private protocol AuthorizationReading {
  func status() -> CLAuthorizationStatus
}

private struct ClassAuthorizationReading: AuthorizationReading {
  @available(*, deprecated)
  func status() -> CLAuthorizationStatus { CLLocationManager.authorizationStatus() }
}

private let authorizationReading: any AuthorizationReading & Sendable = ClassAuthorizationReading()

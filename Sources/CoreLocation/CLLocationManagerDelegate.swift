/// What a location manager tells an app.
///
/// Every method may be left out. A method that is left out does what its default here says; the defaults of the newer
/// methods call the older ones, so that delegates of every age work (behaviour 1.27, 1.28, 2.8).
public protocol CLLocationManagerDelegate: AnyObject {
  /// New locations: at least one, oldest first (behaviour 2.7).
  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])

  /// The form of one location at a time that iOS 6 replaced.
  @available(*, deprecated, renamed: "locationManager(_:didUpdateLocations:)")
  func locationManager(
    _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation, from oldLocation: CLLocation)

  func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading)

  /// Whether the calibration panel may be shown.
  func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool

  func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion)

  @available(*, deprecated, renamed: "locationManager(_:didRange:satisfying:)")
  func locationManager(
    _ manager: CLLocationManager, didRangeBeacons beacons: [CLBeacon], in region: CLBeaconRegion)

  @available(*, deprecated, renamed: "locationManager(_:didFailRangingFor:error:)")
  func locationManager(
    _ manager: CLLocationManager, rangingBeaconsDidFailFor region: CLBeaconRegion,
    withError error: any Error)

  func locationManager(
    _ manager: CLLocationManager, didRange beacons: [CLBeacon],
    satisfying beaconConstraint: CLBeaconIdentityConstraint)

  func locationManager(
    _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint,
    error: any Error)

  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion)

  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion)

  /// An app that uses location services must implement this (behaviour 2.15).
  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)

  func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error)

  @available(*, deprecated, renamed: "locationManagerDidChangeAuthorization(_:)")
  func locationManager(
    _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus)

  /// The status or the accuracy changed, or the manager has just been made (behaviour 1.25, 1.27).
  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)

  func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion)

  func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager)

  func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager)

  func locationManager(
    _ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?)

  func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit)
}

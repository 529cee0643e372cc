// Newer methods, whose defaults call the older ones.
extension CLLocationManagerDelegate {
  /// Calls `locationManager(_:didUpdateTo:from:)` for each location, oldest first (behaviour 2.8). `from` is the
  /// location before; on a manager's first event, where Objective-C gives nil, it is the new location itself,
  /// because Swift's type has no nil.
  public func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    var previous = manager.previousLocationForLegacyDelegates
    for location in locations {
      legacyCalls.update(self, manager, to: location, from: previous ?? location)
      previous = location
    }
  }

  /// Calls `locationManager(_:didChangeAuthorization:)` unless the accuracy alone changed, of which the older method
  /// knows nothing (behaviour 1.27).
  public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    guard !manager.isDeliveringAccuracyChangeAlone else { return }
    legacyCalls.changeAuthorization(self, manager)
  }

  /// Calls `locationManager(_:didRangeBeacons:in:)` once for each region of this constraint that the app ranges by
  /// `startRangingBeacons(in:)`; a constraint of `startRangingBeacons(satisfying:)` has no region to name, so that
  /// the older method is not called for it.
  public func locationManager(
    _ manager: CLLocationManager, didRange beacons: [CLBeacon],
    satisfying beaconConstraint: CLBeaconIdentityConstraint
  ) {
    for region in legacyCalls.regions(of: manager, satisfying: beaconConstraint) {
      legacyCalls.range(self, manager, beacons, in: region)
    }
  }

  /// Calls `locationManager(_:rangingBeaconsDidFailFor:withError:)` once for each region of this constraint that the
  /// app ranges by `startRangingBeacons(in:)`.
  public func locationManager(
    _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint,
    error: any Error
  ) {
    for region in legacyCalls.regions(of: manager, satisfying: beaconConstraint) {
      legacyCalls.failRanging(self, manager, in: region, error)
    }
  }

  /// Names the missing method in one line on standard error: an app that uses location services must implement it.
  /// After `requestLocation()` its absence is a programmer error that ends the program (behaviour 2.15, 2.34).
  public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    let name = String(describing: Swift.type(of: self))
    guard !manager.isDeliveringAnswer else {
      programmerError(
        "\(name), a delegate of requestLocation(), must implement locationManager(_:didFailWithError:); "
          + "the error was \(error)")
    }
    DiagnosticLog.write(
      "\(name) does not implement locationManager(_:didFailWithError:), which location services need; "
        + "the error was \(error)")
  }
}

// Methods that nothing stands behind.
extension CLLocationManagerDelegate {
  /// Does nothing.
  @available(*, deprecated, renamed: "locationManager(_:didUpdateLocations:)")
  public func locationManager(
    _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation, from oldLocation: CLLocation
  ) {}

  /// Does nothing.
  @available(*, deprecated, renamed: "locationManagerDidChangeAuthorization(_:)")
  public func locationManager(
    _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
  ) {}

  /// Does nothing.
  @available(*, deprecated, renamed: "locationManager(_:didRange:satisfying:)")
  public func locationManager(
    _ manager: CLLocationManager, didRangeBeacons beacons: [CLBeacon], in region: CLBeaconRegion
  ) {}

  /// Does nothing.
  @available(*, deprecated, renamed: "locationManager(_:didFailRangingFor:error:)")
  public func locationManager(
    _ manager: CLLocationManager, rangingBeaconsDidFailFor region: CLBeaconRegion,
    withError error: any Error
  ) {}

  /// Does nothing.
  public func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {}

  /// False: the calibration panel is not shown (behaviour 7.7).
  public func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool {
    false
  }

  /// Does nothing.
  public func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
  ) {}

  /// Does nothing.
  public func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {}

  /// Does nothing.
  public func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {}

  /// Does nothing.
  public func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
  ) {}

  /// Does nothing.
  public func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {}

  /// Does nothing.
  public func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {}

  /// Does nothing.
  public func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) {}

  /// Does nothing.
  public func locationManager(
    _ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?
  ) {}

  /// Does nothing.
  public func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {}
}

/// Calls of deprecated names from code that is not deprecated itself, without a warning: the requirements are not
/// deprecated, the witnesses are.
private protocol LegacyCalling {
  func update(
    _ delegate: any CLLocationManagerDelegate, _ manager: CLLocationManager, to new: CLLocation,
    from old: CLLocation)
  func changeAuthorization(_ delegate: any CLLocationManagerDelegate, _ manager: CLLocationManager)
  func range(
    _ delegate: any CLLocationManagerDelegate, _ manager: CLLocationManager, _ beacons: [CLBeacon],
    in region: CLBeaconRegion)
  func failRanging(
    _ delegate: any CLLocationManagerDelegate, _ manager: CLLocationManager,
    in region: CLBeaconRegion, _ error: any Error)
  func regions(
    of manager: CLLocationManager, satisfying constraint: CLBeaconIdentityConstraint
  ) -> [CLBeaconRegion]
}

private var legacyCalls: any LegacyCalling { LegacyCalls() }

private struct LegacyCalls: LegacyCalling {
  @available(*, deprecated)
  func update(
    _ delegate: any CLLocationManagerDelegate, _ manager: CLLocationManager, to new: CLLocation,
    from old: CLLocation
  ) {
    delegate.locationManager(manager, didUpdateTo: new, from: old)
  }

  @available(*, deprecated)
  func changeAuthorization(
    _ delegate: any CLLocationManagerDelegate, _ manager: CLLocationManager
  ) {
    delegate.locationManager(manager, didChangeAuthorization: manager.authorizationStatus)
  }

  @available(*, deprecated)
  func range(
    _ delegate: any CLLocationManagerDelegate, _ manager: CLLocationManager, _ beacons: [CLBeacon],
    in region: CLBeaconRegion
  ) {
    delegate.locationManager(manager, didRangeBeacons: beacons, in: region)
  }

  @available(*, deprecated)
  func failRanging(
    _ delegate: any CLLocationManagerDelegate, _ manager: CLLocationManager,
    in region: CLBeaconRegion, _ error: any Error
  ) {
    delegate.locationManager(manager, rangingBeaconsDidFailFor: region, withError: error)
  }

  /// The regions that the app ranges by the older method, by identifier.
  @available(*, deprecated)
  func regions(
    of manager: CLLocationManager, satisfying constraint: CLBeaconIdentityConstraint
  ) -> [CLBeaconRegion] {
    manager.rangedRegions
      .compactMap { $0 as? CLBeaconRegion }
      .filter { $0.beaconIdentityConstraint == constraint }
      .sorted { $0.identifier < $1.identifier }
  }
}

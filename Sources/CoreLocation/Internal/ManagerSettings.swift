import LocationEngine
import LocationModel

/// What a manager remembers, readable from any thread. Defaults are Apple's on iOS.
struct ManagerSettings: @unchecked Sendable {
  var distanceFilter = kCLDistanceFilterNone
  var desiredAccuracy = kCLLocationAccuracyBest
  var activityType = CLActivityType.other
  var pausesAutomatically = true
  var allowsBackgroundUpdates = false
  var showsBackgroundIndicator = false
  var headingFilter: CLLocationDegrees = 1
  var headingOrientation = CLDeviceOrientation.portrait
  var headingBody: (any CLBodyIdentifiable)?
  var rangedRegions: [CLBeaconRegion] = []
  var rangedConstraints: [CLBeaconIdentityConstraint] = []

  /// Updates are wanted; those that are still on their way after a stop are dropped.
  var acceptsUpdates = false
  /// The same for significant changes.
  var acceptsSignificantChanges = false
  /// The outcome of `requestLocation()` is wanted.
  var acceptsAnswer = false
  /// The newest location that was delivered.
  var lastLocation: CLLocation?

  /// No mark tells locations of one service from those of the other (behaviour 4.3).
  var acceptsLocations: Bool { acceptsUpdates || acceptsSignificantChanges }

  /// As the service reads it: a filter that is not a length delivers everything.
  var configuration: ManagerConfiguration {
    var configuration = ManagerConfiguration()
    configuration.desiredAccuracy = DesiredAccuracy(desiredAccuracy)
    configuration.distanceFilterMeters = distanceFilter >= 0 ? distanceFilter : nil
    configuration.activityType = ActivityType(rawValue: activityType.rawValue) ?? .other
    configuration.pausesAutomatically = pausesAutomatically
    configuration.allowsBackgroundUpdates = allowsBackgroundUpdates
    configuration.showsBackgroundIndicator = showsBackgroundIndicator
    return configuration
  }
}

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
  /// Headings are wanted.
  var acceptsHeadings = false
  /// The newest heading that was delivered; nil until there was one (behaviour 7.10).
  var lastHeading: CLHeading?
  /// The newest location that was delivered.
  var lastLocation: CLLocation?

  /// No mark tells locations of one service from those of the other (behaviour 4.3).
  var acceptsLocations: Bool { acceptsUpdates || acceptsSignificantChanges }

  /// These beacons are ranged, by whichever method.
  func ranges(_ constraint: BeaconConstraint) -> Bool {
    rangedConstraints.contains { BeaconConstraint($0) == constraint }
      || rangedRegions.contains { BeaconConstraint($0.beaconIdentityConstraint) == constraint }
  }

  /// As the service reads it: a filter that is not a length delivers everything.
  var configuration: ManagerConfiguration {
    var configuration = ManagerConfiguration()
    configuration.desiredAccuracy = DesiredAccuracy(desiredAccuracy)
    configuration.distanceFilterMeters = distanceFilter >= 0 ? distanceFilter : nil
    configuration.activityType = ActivityType(rawValue: activityType.rawValue) ?? .other
    configuration.pausesAutomatically = pausesAutomatically
    configuration.allowsBackgroundUpdates = allowsBackgroundUpdates
    configuration.showsBackgroundIndicator = showsBackgroundIndicator
    configuration.headingFilterDegrees = headingFilter >= 0 ? headingFilter : nil
    configuration.headingOrientation = HeadingOrientation(headingOrientation)
    return configuration
  }
}

extension HeadingOrientation {
  /// Those that no heading can refer to count as portrait; none of them is ever kept (behaviour 7.5).
  fileprivate init(_ orientation: CLDeviceOrientation) {
    switch orientation {
    case .portraitUpsideDown: self = .portraitUpsideDown
    case .landscapeLeft: self = .landscapeLeft
    case .landscapeRight: self = .landscapeRight
    case .portrait, .unknown, .faceUp, .faceDown: self = .portrait
    }
  }
}

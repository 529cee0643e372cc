/// What an app declares of itself in its Info.plist, as far as location services read it.
package struct AppDescription: Hashable, Sendable {
  package var identifier: AppIdentifier
  /// `NSLocationWhenInUseUsageDescription`
  package var whenInUseUsage: String?
  /// `NSLocationAlwaysAndWhenInUseUsageDescription`
  package var alwaysAndWhenInUseUsage: String?
  /// `NSLocationAlwaysUsageDescription`, the key of iOS 8 to 10
  package var alwaysUsage: String?
  /// `NSLocationTemporaryUsageDescriptionDictionary`
  package var temporaryUsages: [TemporaryUsage] = []
  /// `NSLocationDefaultAccuracyReduced`
  package var prefersReducedAccuracy = false
  /// `UIBackgroundModes` has `location`
  package var hasLocationBackgroundMode = false
  /// `NSLocationRequireExplicitServiceSession`
  package var requiresExplicitServiceSession = false
  /// An installed bundle: the service may start the app for an event, so that its regions are watched while it does not
  /// run. A plain executable is not (behaviour 3.13, 5.23).
  package var isInstalled = false

  package struct TemporaryUsage: Hashable, Sendable {
    package var purposeKey: String
    package var text: String

    package init(purposeKey: String, text: String) {
      self.purposeKey = purposeKey
      self.text = text
    }
  }

  package init(identifier: AppIdentifier) {
    self.identifier = identifier
  }
}

/// Where an app stands in its life.
package enum AppState: Int, Sendable {
  case notRunning
  case suspended
  case background
  case foreground
}

import LocationModel

/// The heading updates of one manager, from `startUpdatingHeading` to `stopUpdatingHeading`.
struct HeadingUpdates {
  /// The newest heading was not considered yet: updates have just started, or the app was suspended.
  var isBehind = true
  /// Where the heading filter measures from (behaviour 7.4).
  var lastDelivered: Heading?
  /// The disturbance that this manager heard of last.
  var toldDisturbance: Int

  init(toldDisturbance: Int) {
    self.toldDisturbance = toldDisturbance
  }

  /// Turned by at least the filter since what was delivered last; and whatever the filter says, when a heading begins
  /// or ceases to be one that can be believed, and when true north becomes or ceases to be known.
  func wants(_ heading: Heading, filterDegrees: Double?) -> Bool {
    guard let lastDelivered, let filterDegrees else { return true }
    if (heading.accuracyDegrees == nil) != (lastDelivered.accuracyDegrees == nil) { return true }
    if (heading.trueDegrees == nil) != (lastDelivered.trueDegrees == nil) { return true }
    // Angles come from sums that are right to some 1e-13 degrees only.
    return CircleAngle.difference(heading.magneticDegrees, lastDelivered.magneticDegrees) >= filterDegrees - 1e-9
  }
}

/// The calibration display of one app (behaviour 7.7).
struct HeadingCalibration {
  /// The strength of the field when the app was asked last; nil where the source measures none.
  var askedAtMicroteslas: Double?
  var toldDisturbance: Int
  /// Since when the display is on; nil where it is not.
  var shownSince: Instant?
}

/// How fine an app wishes its locations to be. A wish, not a filter (behaviour 2.10).
package enum DesiredAccuracy: Hashable, Sendable {
  case bestForNavigation
  case best
  case meters(Double)
  /// What an app without full accuracy gets, asked for on purpose (behaviour 1.44).
  case reduced
}

/// What the device carries while it moves. Raw values are Apple's (behaviour 2.41).
package enum ActivityType: Int, Sendable {
  case other = 1
  case automotiveNavigation = 2
  case fitness = 3
  case otherNavigation = 4
  case airborne = 5
}

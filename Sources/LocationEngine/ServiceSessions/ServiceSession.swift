import LocationModel

/// What a `CLServiceSession` declares (behaviour 9.20).
package struct ServiceSessionGoal: Hashable, Sendable {
  /// In order: a greater one includes the lesser.
  package enum Requirement: Int, Comparable, Sendable {
    case none = 0
    case whenInUse = 1
    case always = 2

    package static func < (left: Requirement, right: Requirement) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  package var authorization: Requirement
  /// A key of `NSLocationTemporaryUsageDescriptionDictionary`; nil where full accuracy is no goal.
  package var fullAccuracyPurposeKey: String?

  package init(authorization: Requirement, fullAccuracyPurposeKey: String? = nil) {
    self.authorization = authorization
    self.fullAccuracyPurposeKey = fullAccuracyPurposeKey
  }
}

/// One `CLServiceSession` that a process holds.
struct ServiceSession {
  let goal: ServiceSessionGoal
  /// Always is in effect for the async API: begun in the foreground, or taken up again (behaviour 9.23, 9.26).
  var holdsAlways = false
  /// The person was asked for it, or could not be.
  var hasAskedAuthorization = false
  var hasAskedAlways = false
  var hasAskedFullAccuracy = false
  /// Nil until anything was told: the first element always comes (behaviour 9.25).
  var told: ServiceDiagnostics?
}

/// One `CLBackgroundActivitySession` that a process holds.
struct BackgroundActivity {
  /// In effect: begun in the foreground, or taken up again (behaviour 9.12).
  var hasBegun = false
  var told: ServiceDiagnostics?
}

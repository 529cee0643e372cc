import LocationModel

/// What live updates are for (behaviour 9.1). Raw values are those of Apple's Objective-C names.
package enum LiveUpdateConfiguration: Int, Sendable {
  case `default` = 0
  case automotiveNavigation = 1
  case otherNavigation = 2
  case fitness = 3
  case airborne = 4

  /// Navigation is as exact as it can be, all else as good as it can be.
  var accuracy: DesiredAccuracy {
    switch self {
    case .automotiveNavigation, .otherNavigation: .bestForNavigation
    case .default, .fitness, .airborne: .best
    }
  }

  /// How long a rest it takes to be stationary (behaviour 9.3).
  var activity: ActivityType {
    switch self {
    case .default: .other
    case .automotiveNavigation: .automotiveNavigation
    case .otherNavigation: .otherNavigation
    case .fitness: .fitness
    case .airborne: .airborne
    }
  }
}

/// One element of live updates: a location, or why there is none (behaviour 9.2, 9.5).
package struct LiveUpdate: Hashable, Sendable {
  package var fix: Fix?
  package var diagnostics: ServiceDiagnostics

  package init(fix: Fix?, diagnostics: ServiceDiagnostics = []) {
    self.fix = fix
    self.diagnostics = diagnostics
  }
}

/// One iteration of live updates.
struct LiveUpdates {
  let configuration: LiveUpdateConfiguration
  /// What was told last in place of a location; empty where a location was told since.
  var told: ServiceDiagnostics = []
  /// Since when it is served without a break; nil while it is not.
  var listensSince: Instant?
  /// Since when it waits for a location; nil while it does not.
  var waitsSince: Instant?
  /// It has waited too long.
  var isUnavailable = false
  /// When the coarse location was made that was told last.
  var lastCoarseMadeAt: Instant?
  /// The device rests (behaviour 9.3).
  var pause: Pause?
  /// The person was asked for it, or could not be.
  var hasAsked = false

  init(_ configuration: LiveUpdateConfiguration) {
    self.configuration = configuration
  }

  /// Nothing comes from here until it is served again.
  mutating func endService() {
    listensSince = nil
    waitsSince = nil
    isUnavailable = false
    lastCoarseMadeAt = nil
    pause = nil
  }
}

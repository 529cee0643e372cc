/// What a person has decided about an app, as it is stored. Allow Once and temporary full accuracy are not in it:
/// they end with the app's use.
package struct Grant: Hashable, Sendable {
  package enum Level: Int, Sendable {
    case notDetermined = 0
    case denied = 1
    case whenInUse = 2
    case always = 3
  }

  package var level: Level
  /// Always was given, but the person has only said While Using so far (behaviour 1.13).
  package var isProvisional: Bool
  package var isPrecise: Bool
  /// The one call that may lift While Using to Always has been made (behaviour 1.15).
  package var hasRequestedAlways: Bool
  /// Management forbids location to this app (behaviour 1.4).
  package var isRestricted: Bool

  package init(
    level: Level = .notDetermined, isProvisional: Bool = false, isPrecise: Bool = true,
    hasRequestedAlways: Bool = false, isRestricted: Bool = false
  ) {
    self.level = level
    self.isProvisional = isProvisional
    self.isPrecise = isPrecise
    self.hasRequestedAlways = hasRequestedAlways
    self.isRestricted = isRestricted
  }

  /// What a person decides in Settings about an app that is not running (behaviour 1.29).
  package mutating func change(level: Level?, isPrecise: Bool?) {
    var authorization = AppAuthorization(grant: self)
    if let level { authorization.decide(level) }
    if let isPrecise { authorization.setPrecise(isPrecise) }
    self = authorization.grant
  }
}

/// The permission of one app: what was decided for good, and what lasts only while the app is in use.
///
/// States and exits of the decision:
/// - `notDetermined`: a first prompt's answer, or Settings
/// - `denied`: only Settings (behaviour 1.11)
/// - `whenInUse`: Settings, one escalation to `always` (1.15); after Allow Once also the end of use (1.17)
/// - `always`, provisional: confirmed or taken back by the second prompt (1.14); `always`: Settings
struct AppAuthorization {
  var grant: Grant
  /// The level came from Allow Once and ends with use (behaviour 1.17).
  var isOnce = false
  /// Full accuracy lent to an app that has reduced accuracy, until it is out of use (behaviour 1.50).
  var hasTemporaryFullAccuracy = false

  init(grant: Grant) {
    self.grant = grant
  }

  /// What the app is told.
  func authorization(servicesEnabled: Bool) -> Authorization {
    let status = status(servicesEnabled: servicesEnabled)
    // Accuracy reads full while nothing is decided (behaviour 1.40).
    let isFull = grant.level == .notDetermined || grant.isPrecise || hasTemporaryFullAccuracy
    return Authorization(status: status, accuracy: isFull ? .full : .reduced)
  }

  /// The global switch hides every app's own state (behaviour 1.3, 1.30).
  private func status(servicesEnabled: Bool) -> AuthorizationStatus {
    guard servicesEnabled else { return .denied }
    if grant.isRestricted { return .restricted }
    switch grant.level {
    case .notDetermined: return .notDetermined
    case .denied: return .denied
    case .whenInUse: return .authorizedWhenInUse
    case .always: return .authorizedAlways
    }
  }

  /// Whether the app may be served now. A provisional Always serves like While Using (behaviour 1.13).
  func permits(inUse: Bool, servicesEnabled: Bool) -> Bool {
    guard servicesEnabled, !grant.isRestricted else { return false }
    switch grant.level {
    case .notDetermined, .denied: return false
    case .whenInUse: return inUse
    case .always: return inUse || !grant.isProvisional
    }
  }

  /// The grant to be kept beyond the app's use.
  var storedGrant: Grant {
    var stored = grant
    if isOnce {
      stored.level = .notDetermined
      stored.hasRequestedAlways = false
      stored.isPrecise = true
    }
    return stored
  }

  mutating func decide(_ level: Grant.Level, isProvisional: Bool = false, isOnce: Bool = false) {
    grant.level = level
    grant.isProvisional = isProvisional
    self.isOnce = isOnce
    if level == .notDetermined {
      grant.hasRequestedAlways = false
      grant.isPrecise = true
    }
    if level == .notDetermined || level == .denied { hasTemporaryFullAccuracy = false }
  }

  /// The person set Precise in Settings, which also ends what was lent for a while.
  mutating func setPrecise(_ isPrecise: Bool) {
    grant.isPrecise = isPrecise
    hasTemporaryFullAccuracy = false
  }

  /// What lasts only during use ends (behaviour 1.17, 1.50).
  mutating func endUse() {
    hasTemporaryFullAccuracy = false
    if isOnce { decide(.notDetermined) }
  }
}

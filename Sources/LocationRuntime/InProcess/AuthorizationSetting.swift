import LocationEngine

/// The value of CORELOCATION_AUTHORIZATION: a level, and `,reduced` for an app without full accuracy.
package struct AuthorizationSetting: Hashable, Sendable {
  package var grant: Grant

  package static let expected =
    "notDetermined, denied, restricted, whenInUse or always, each with \",reduced\" behind it if wanted"

  /// Nil for a text that is not one of `expected`.
  package init?(_ text: String) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard let level = parts.first, parts.count <= 2 else { return nil }
    if parts.count == 2, parts[1] != "reduced" { return nil }
    switch level {
    case "notDetermined": grant = Grant()
    case "denied": grant = Grant(level: .denied)
    case "restricted": grant = Grant(isRestricted: true)
    case "whenInUse": grant = Grant(level: .whenInUse)
    case "always": grant = Grant(level: .always, hasRequestedAlways: true)
    default: return nil
    }
    grant.isPrecise = parts.count == 1
  }
}

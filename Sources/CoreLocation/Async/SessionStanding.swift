/// How an app's permission stands, as the diagnostics of sessions say it.
struct SessionStanding: Sendable {
  let isDenied: Bool
  let isDeniedGlobally: Bool
  let isRestricted: Bool

  /// Services that are off for all deny each app too (behaviour 9.4).
  init(status: CLAuthorizationStatus, servicesEnabled: Bool) {
    isDenied = status == .denied || !servicesEnabled
    isDeniedGlobally = !servicesEnabled
    isRestricted = status == .restricted
  }

  static func current() -> SessionStanding {
    let now = currentAuthorizationForDiagnostics()
    return SessionStanding(status: now.status, servicesEnabled: now.servicesEnabled)
  }
}

/// Why the async API gives what it gives, or why it gives nothing (behaviour 9.4, 9.38).
package struct ServiceDiagnostics: OptionSet, Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  package static let authorizationDenied = ServiceDiagnostics(rawValue: 1 << 0)
  /// Location services are off; `authorizationDenied` is set, too.
  package static let authorizationDeniedGlobally = ServiceDiagnostics(rawValue: 1 << 1)
  package static let authorizationRestricted = ServiceDiagnostics(rawValue: 1 << 2)
  package static let authorizationRequestInProgress = ServiceDiagnostics(rawValue: 1 << 3)
  package static let insufficientlyInUse = ServiceDiagnostics(rawValue: 1 << 4)
  package static let serviceSessionRequired = ServiceDiagnostics(rawValue: 1 << 5)
  package static let locationUnavailable = ServiceDiagnostics(rawValue: 1 << 6)
  package static let accuracyLimited = ServiceDiagnostics(rawValue: 1 << 7)
  package static let stationary = ServiceDiagnostics(rawValue: 1 << 8)
  package static let conditionUnsupported = ServiceDiagnostics(rawValue: 1 << 9)
  package static let conditionLimitExceeded = ServiceDiagnostics(rawValue: 1 << 10)
  package static let persistenceUnavailable = ServiceDiagnostics(rawValue: 1 << 11)
  package static let fullAccuracyDenied = ServiceDiagnostics(rawValue: 1 << 12)
  package static let alwaysAuthorizationDenied = ServiceDiagnostics(rawValue: 1 << 13)
}

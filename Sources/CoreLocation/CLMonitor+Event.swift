import LocationModel

extension CLMonitor {
  /// A change of a condition's state.
  public struct Event: Sendable {
    public typealias State = __CLMonitoringState

    /// The exact beacon that satisfied a condition for any (behaviour 9.37).
    public let refinement: (any CLCondition)?

    private let event: ConditionEvent

    init(_ event: ConditionEvent) {
      refinement = event.refinement.map(BeaconIdentityCondition.init)
      self.event = event
    }

    public var identifier: String { event.identifier }
    public var state: CLMonitor.Event.State { State(rawValue: event.state.rawValue) ?? .unknown }
    public var date: Date { event.time.map { Date($0) } ?? .distantPast }

    public var authorizationDenied: Bool { event.diagnostics.contains(.authorizationDenied) }
    public var authorizationDeniedGlobally: Bool { event.diagnostics.contains(.authorizationDeniedGlobally) }
    public var authorizationRestricted: Bool { event.diagnostics.contains(.authorizationRestricted) }
    public var insufficientlyInUse: Bool { event.diagnostics.contains(.insufficientlyInUse) }
    public var accuracyLimited: Bool { event.diagnostics.contains(.accuracyLimited) }
    public var conditionUnsupported: Bool { event.diagnostics.contains(.conditionUnsupported) }
    public var conditionLimitExceeded: Bool { event.diagnostics.contains(.conditionLimitExceeded) }
    public var persistenceUnavailable: Bool { event.diagnostics.contains(.persistenceUnavailable) }
    public var serviceSessionRequired: Bool { event.diagnostics.contains(.serviceSessionRequired) }
    public var authorizationRequestInProgress: Bool {
      event.diagnostics.contains(.authorizationRequestInProgress)
    }
  }
}

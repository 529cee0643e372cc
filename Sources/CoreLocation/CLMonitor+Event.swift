extension CLMonitor {
  /// A change of a condition's state.
  public struct Event: Sendable {
    public typealias State = __CLMonitoringState

    /// The exact beacon that satisfied a condition for any (behaviour 9.37).
    public let refinement: (any CLCondition)?

    private let storedIdentifier: String
    private let storedState: State
    private let storedDate: Date
    private let storedConditionUnsupported: Bool

    init(identifier: String, state: State, date: Date, conditionUnsupported: Bool) {
      refinement = nil
      storedIdentifier = identifier
      storedState = state
      storedDate = date
      storedConditionUnsupported = conditionUnsupported
    }

    public var identifier: String { storedIdentifier }
    public var state: CLMonitor.Event.State { storedState }
    public var date: Date { storedDate }

    public var authorizationDenied: Bool { false }
    public var authorizationDeniedGlobally: Bool { false }
    public var authorizationRestricted: Bool { false }
    public var insufficientlyInUse: Bool { false }
    public var accuracyLimited: Bool { false }
    public var conditionUnsupported: Bool { storedConditionUnsupported }
    public var conditionLimitExceeded: Bool { false }
    public var persistenceUnavailable: Bool { false }
    public var serviceSessionRequired: Bool { false }
    public var authorizationRequestInProgress: Bool { false }
  }
}

/// Whether a condition holds. Raw values are Apple's (behaviour 9.32).
package enum ConditionState: UInt, Sendable {
  case unknown = 0
  case satisfied = 1
  case unsatisfied = 2
  case unmonitored = 3
}

/// A change of a condition's state, or the end of its being watched, with the reason.
package struct ConditionEvent: Hashable, Sendable {
  package var identifier: String
  package var state: ConditionState
  /// When it was measured; nil where it was not.
  package var time: WallTime?
  package var diagnostics: ServiceDiagnostics
  /// The beacon that satisfied a condition on beacons; nil otherwise (behaviour 9.37).
  package var refinement: BeaconConstraint?

  package init(
    identifier: String, state: ConditionState, time: WallTime?, diagnostics: ServiceDiagnostics = [],
    refinement: BeaconConstraint? = nil
  ) {
    self.refinement = refinement
    self.identifier = identifier
    self.state = state
    self.time = time
    self.diagnostics = diagnostics
  }

  /// Whether an app that was told `other`, or assumes its state, learns nothing new (behaviour 9.33).
  package func tellsTheSame(as other: ConditionEvent) -> Bool {
    state == other.state && (diagnostics == other.diagnostics || other.diagnostics.isEmpty)
  }
}

/// A condition of a monitor, as it is stored.
package struct StoredCondition: Hashable, Sendable {
  package var identifier: String
  package var shape: Region.Shape
  /// The last event that the app has handled (behaviour 9.34).
  package var record: ConditionEvent
  /// The newest event that it has not.
  package var pending: ConditionEvent?

  package init(identifier: String, shape: Region.Shape, record: ConditionEvent, pending: ConditionEvent? = nil) {
    self.identifier = identifier
    self.shape = shape
    self.record = record
    self.pending = pending
  }
}

/// A monitor of an app, as it is stored (behaviour 9.30, 9.35).
package struct StoredMonitor: Hashable, Sendable {
  package var name: String
  /// In the order of their addition.
  package var conditions: [StoredCondition]

  package init(name: String, conditions: [StoredCondition]) {
    self.name = name
    self.conditions = conditions
  }
}

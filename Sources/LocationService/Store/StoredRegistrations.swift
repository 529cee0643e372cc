import LocationModel

/// What an app asked to be told of while it does not run, as it outlives the service.
package struct StoredRegistrations: Hashable, Sendable {
  package typealias WatchedRegion = RegisteredRegion

  /// In the app's order.
  package var regions: [WatchedRegion]
  package var monitorsSignificantChanges: Bool
  package var monitorsVisits: Bool
  /// What the engine wants to find again, in its own form (`StoredEngineState`); nil where there is nothing.
  package var engineState: [UInt8]?

  package init(
    regions: [WatchedRegion] = [], monitorsSignificantChanges: Bool = false, monitorsVisits: Bool = false,
    engineState: [UInt8]? = nil
  ) {
    self.regions = regions
    self.monitorsSignificantChanges = monitorsSignificantChanges
    self.monitorsVisits = monitorsVisits
    self.engineState = engineState
  }

  package init(_ registrations: Registrations) {
    self.init(
      regions: registrations.regions, monitorsSignificantChanges: registrations.monitorsSignificantChanges,
      monitorsVisits: registrations.monitorsVisits, engineState: StoredEngineState.bytes(of: registrations))
  }

  /// All but the events that wait, which have rows of their own.
  package var registrations: Registrations {
    var registrations = Registrations()
    registrations.regions = regions
    registrations.monitorsSignificantChanges = monitorsSignificantChanges
    registrations.monitorsVisits = monitorsVisits
    StoredEngineState.read(engineState, into: &registrations)
    return registrations
  }

  /// Nothing in it: storing it leaves nothing behind.
  package var isEmpty: Bool { self == StoredRegistrations() }
}

/// An event that an app has not taken yet, in the form that its sender chose.
package struct PendingEvent: Hashable, Sendable {
  /// Greater than that of every event before, never used again.
  package var number: Int64
  package var bytes: [UInt8]

  package init(number: Int64, bytes: [UInt8]) {
    self.number = number
    self.bytes = bytes
  }
}

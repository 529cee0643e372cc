/// What an app has asked the service to watch for it, as it is stored: it outlives the app's process (behaviour 5.6).
package struct Registrations: Hashable, Sendable {
  /// In the order of registration.
  package var regions: [RegisteredRegion] = []
  package var monitorsSignificantChanges = false
  package var monitorsVisits = false
  /// The stay under way of which an installed app was told, as it would be told had the device gone when it was last
  /// seen there: it goes on where the service is started again.
  package var stay: Visit?
  /// Where an installed app was told last that the device is, as a significant change: the next one is measured from
  /// there, also where the service is started again.
  package var lastChange: Fix?
  /// In the order of their first opening.
  package var monitors: [StoredMonitor] = []
  /// What an installed app has not heard yet, or has not been done with, the oldest first.
  package var events: [KeptEvent] = []
  /// The number of its next event.
  package var nextEventNumber: UInt64 = 1

  package init() {}

  /// There is nothing to keep.
  package var isEmpty: Bool { self == Registrations() }
}

/// One region that an app has watched.
package struct RegisteredRegion: Hashable, Sendable {
  package var region: Region
  /// What the app last knew or was told; a crossing that it could not be told yet is not in it, so that it is found
  /// again after a restart.
  package var state: RegionState

  package init(region: Region, state: RegionState = .unknown) {
    self.region = region
    self.state = state
  }
}

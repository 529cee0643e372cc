import LinuxIO
import LocationEngine
import LocationModel
import LocationProviders
import LocationRuntime

/// A receiver that finds what a test tells it to find, and only while it is switched on.
package final class ScriptedReceiver: LocationProvider {
  private struct State {
    var events: (@Sendable (ProviderEvent) -> Void)?
    var demand: ReceiverDemand?
  }

  private let state = Locked(State())

  package init() {}

  package func connect(_ events: @escaping @Sendable (ProviderEvent) -> Void) {
    state.withLock { $0.events = events }
  }

  package func setDemand(_ demand: ReceiverDemand?) {
    state.withLock { $0.demand = demand }
  }

  /// What the receiver is wanted for now; nil while it is off.
  package var demand: ReceiverDemand? {
    state.withLock { $0.demand }
  }

  package func give(_ fix: Fix) {
    eventsIfOn?(.fix(fix))
  }

  package func say(_ receiverState: ReceiverState) {
    eventsIfOn?(.state(receiverState))
  }

  private var eventsIfOn: (@Sendable (ProviderEvent) -> Void)? {
    state.withLock { $0.demand == nil ? nil : $0.events }
  }
}

/// Remembers as long as the device lives, over launches of its app.
final class MemoryStore: AppStateStore {
  private let state: Locked<StoredAppState>

  init(_ initial: StoredAppState) {
    state = Locked(initial)
  }

  func load(_ app: AppIdentifier) -> StoredAppState {
    state.withLock { $0 }
  }

  func store(_ grant: Grant, for app: AppIdentifier) {
    state.withLock { $0.grant = grant }
  }

  func store(_ lastFix: Fix, for app: AppIdentifier) {
    state.withLock { $0.lastFix = lastFix }
  }

  func store(_ registrations: Registrations, for app: AppIdentifier) {
    state.withLock { $0.registrations = registrations }
  }
}

/// The lines that the app's developer would have read.
package final class NoticeLog: Sendable {
  private let state = Locked<[String]>([])

  package init() {}

  func add(_ line: String) {
    state.withLock { $0.append(line) }
  }

  package var lines: [String] {
    state.withLock { $0 }
  }
}

import LocationEngine
import LocationModel

/// The grant comes from outside (CORELOCATION_AUTHORIZATION) and is not stored; the rest is.
package final class PresetGrantStore: AppStateStore {
  private let grant: Grant
  private let store: any AppStateStore

  package init(grant: Grant, store: any AppStateStore) {
    self.grant = grant
    self.store = store
  }

  package func load(_ app: AppIdentifier) -> StoredAppState {
    var state = store.load(app)
    state.grant = grant
    return state
  }

  package func store(_ grant: Grant, for app: AppIdentifier) {}

  package func store(_ lastFix: Fix, for app: AppIdentifier) {
    store.store(lastFix, for: app)
  }

  package func store(_ registrations: Registrations, for app: AppIdentifier) {
    store.store(registrations, for: app)
  }
}

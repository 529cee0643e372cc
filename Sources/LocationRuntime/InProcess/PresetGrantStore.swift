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
    StoredAppState(grant: grant, lastFix: store.load(app).lastFix)
  }

  package func store(_ grant: Grant, for app: AppIdentifier) {}

  package func store(_ lastFix: Fix, for app: AppIdentifier) {
    store.store(lastFix, for: app)
  }
}

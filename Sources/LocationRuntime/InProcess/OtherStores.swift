import LinuxIO
import LocationEngine
import LocationModel

/// The two parts of an app's state, which are stored apart from each other.
enum StoredPart: String {
  case grant
  case lastFix

  /// What is not kept and what comes of it; `what` is what happened to it.
  func sentence(_ app: AppIdentifier, what: String) -> String {
    switch self {
    case .grant: "the permission of \(app.name) \(what) and will be asked for again"
    case .lastFix: "the last location of \(app.name) \(what); its next start begins without one"
    }
  }
}

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

/// Where there is no folder for state: nothing is kept, and the first thing that would have been says so.
package final class HomelessStore: AppStateStore {
  private let log: @Sendable (String) -> Void
  private let hasSaid = Locked(false)

  package init(log: @escaping @Sendable (String) -> Void) {
    self.log = log
  }

  package func load(_ app: AppIdentifier) -> StoredAppState { StoredAppState() }
  package func store(_ grant: Grant, for app: AppIdentifier) { say(.grant, app: app) }
  package func store(_ lastFix: Fix, for app: AppIdentifier) { say(.lastFix, app: app) }

  private func say(_ part: StoredPart, app: AppIdentifier) {
    let isFirst = hasSaid.withLock { said in
      defer { said = true }
      return !said
    }
    guard isFirst else { return }
    let sentence = part.sentence(app, what: "is not kept")
    log("Neither XDG_STATE_HOME nor HOME names a folder by its whole path: \(sentence).")
  }
}

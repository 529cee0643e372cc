import LinuxIO
import LocationEngine
import LocationModel

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
  package func store(_ registrations: Registrations, for app: AppIdentifier) { say(.registrations, app: app) }

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

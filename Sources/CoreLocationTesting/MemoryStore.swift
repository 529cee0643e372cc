import LinuxIO
import LocationEngine
import LocationModel
import LocationProviders
import LocationRuntime

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

import LocationEngine
import LocationModel

/// What an open monitor of this process holds, so that a service that comes back can be told of it again. The app's own
/// record counts: what it has not handled is found and told anew.
struct MonitorMirror: Sendable {
  private let name: String
  private var conditions: [StoredCondition] = []
  private var isIterated = false
  private var isOpen = false

  init(name: String) {
    self.name = name
  }

  mutating func note(_ request: Request) {
    switch request {
    case .addCondition(let condition):
      if let index = index(of: condition.identifier) {
        conditions[index] = condition
      } else {
        conditions.append(condition)
      }
    case .removeCondition(let identifier): conditions.removeAll { $0.identifier == identifier }
    case .iterateConditions: isIterated = true
    case .settleCondition(let event):
      if let index = index(of: event.identifier) { conditions[index].record = event }
    default: break
    }
  }

  private func index(of identifier: String) -> Int? {
    conditions.firstIndex { $0.identifier == identifier }
  }

  /// Whether the app is to hear it: only the first opening is news.
  mutating func hasOpened(_ stored: StoredMonitor?) -> Bool {
    guard !isOpen else { return false }
    isOpen = true
    conditions = (stored?.conditions ?? []).map {
      StoredCondition(identifier: $0.identifier, shape: $0.shape, record: $0.record)
    }
    return true
  }

  /// All that has to be said again.
  func resume() -> [Request] {
    [.openMonitor(name)] + (isOpen ? conditions.map { .addCondition($0) } : [])
      + (isIterated ? [.iterateConditions] : [])
  }
}

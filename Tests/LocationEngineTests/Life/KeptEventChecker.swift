import LocationEngine

/// Follows what an engine keeps for one installed app, and says where it breaks a rule: what is told was stored before,
/// and no manager of a process is told anything twice.
struct KeptEventChecker {
  private let app: AppIdentifier
  private var clients: Set<ClientIdentifier> = []
  private var stored: Set<UInt64> = []
  private var told: [ManagerIdentifier: Set<UInt64>] = [:]

  init(app: AppIdentifier) {
    self.app = app
  }

  mutating func follow(_ input: Input) {
    switch input {
    case .clientConnected(let client, let description, _, _) where description.identifier == app:
      clients.insert(client)
    case .clientDisconnected(let client):
      clients.remove(client)
      told = told.filter { $0.key.client != client }
    case .managerReleased(let manager): told[manager] = nil
    case .appRestored(let description, _, let registrations) where description.identifier == app:
      stored.formUnion(registrations.events.map(\.number))
    // Of an app that nobody supervises, its end may be said before its connections are gone.
    case .life(.processEnded(app)), .appStateChanged(app, .notRunning): told = [:]
    case .life(.launched(let description, _, _)) where description.identifier == app: told = [:]
    default: break
    }
  }

  /// What is wrong.
  mutating func check(_ effects: [Effect]) -> [String] {
    effects.compactMap { effect in
      switch effect {
      case .storeRegistrations(let registrations, app):
        stored.formUnion(registrations.events.map(\.number))
        return nil
      case .deliver(.kept(let number, _), let manager) where clients.contains(manager.client):
        if !stored.contains(number) { return "event \(number) is told before it is stored" }
        return told[manager, default: []].insert(number).inserted ? nil : "event \(number) is told twice"
      default: return nil
      }
    }
  }
}

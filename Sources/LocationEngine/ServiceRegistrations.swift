/// Services of an app that go on when its process has ended, until they are stopped (behaviour 4.5, 8.1).
package struct ServiceRegistrations: Hashable, Sendable {
  package var monitorsSignificantChanges = false
  package var monitorsVisits = false

  package init(monitorsSignificantChanges: Bool = false, monitorsVisits: Bool = false) {
    self.monitorsSignificantChanges = monitorsSignificantChanges
    self.monitorsVisits = monitorsVisits
  }

  package var isEmpty: Bool { self == ServiceRegistrations() }
}

extension LocationEngine {
  /// What the store holds of an app. It counts once, and not where the app has said otherwise since.
  mutating func restore(_ registrations: ServiceRegistrations, of app: AppIdentifier) {
    guard let index = appIndexByIdentifier[app], !apps[index].knowsRegistrations else { return }
    apps[index].knowsRegistrations = true
    apps[index].registrations = registrations
    if registrations.monitorsVisits { apps[index].visits = VisitMonitoring(at: now, policy: policy) }
    demandIsStale = true
  }

  mutating func register(
    app index: Int, effects: inout [Effect], _ change: (inout ServiceRegistrations) -> Void
  ) {
    let before = apps[index].registrations
    change(&apps[index].registrations)
    apps[index].knowsRegistrations = true
    guard apps[index].registrations != before else { return }
    effects.append(.storeServiceRegistrations(apps[index].registrations, for: apps[index].identifier))
  }
}

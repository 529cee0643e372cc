import LocationEngine
import LocationRuntime

/// How the service is, in values: for `corelocation doctor`, which finds the words and the cures.
extension LocationDaemon {
  func condition(of name: String?, for asker: PeerIdentity) -> ServiceCondition {
    var condition = host.read { engine in
      ServiceCondition(
        isSystemWide: configuration.isSystemWide, areServicesOn: engine.locationServicesEnabled,
        isInAirplaneMode: engine.isInAirplaneMode, receivers: engine.receiverStatus,
        wishCount: UInt32(clamping: engine.receiverHoldings.count))
    }
    if let own = desk.state.first(where: { $0.user == asker.userNumber }) {
      condition.promptCount = UInt32(clamping: own.prompts)
      condition.agentCount = UInt32(clamping: own.agents)
    }
    condition.supervision = supervision(of: asker.userNumber)
    condition.awaitingAppCount = UInt32(clamping: awaitingCount(of: asker.userNumber))
    guard let name, let app = knownApp(name, of: asker) else { return condition }
    let grant = host.read { $0.grant(of: app) } ?? store.load(app).grant
    condition.app = ServiceCondition.App(name: app.name, grant: grant)
    return condition
  }
}

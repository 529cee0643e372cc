import LocationEngine
import LocationModel
import LocationRuntime

/// `corelocation top`: for whom receivers run or sleep, why, and what they would cost for each alone.
extension LocationDaemon {
  /// A line for each service of each app that may need receivers; those of other users only for an administrator.
  func top(for asker: PeerIdentity) -> CommandAnswer {
    let all = isAdministrator(asker)
    let now = clock.now
    let (decisions, holdings) = host.read { ($0.receiverDecisions, $0.receiverHoldings) }
    let rows = decisions.filter { all || $0.app.userNumber == asker.userNumber }.map { decision in
      let holding = holdings.first { $0.app == decision.app }
      let seconds = holding.map { max(0, now.seconds(since: $0.since)) }
      let joules = seconds.map { EnergyModel().alwaysOnSatelliteJoules(seconds: $0, fixCount: 0) }
      let isOn = decision.look == .now
      return [
        decision.app.name, decision.app.userNumber.map(String.init) ?? "-", decision.serviceWords,
        decision.accuracyWords, decision.lookWords(at: now),
        isOn ? seconds.map { "\(Int($0)) s" } ?? "-" : "-",
        isOn ? joules.map { "\(Int($0.rounded())) J" } ?? "-" : "-",
      ]
    }
    return .table(columns: ["APP", "USER", "FOR", "WISH", "RECEIVERS", "SINCE", "COST IF ALONE"], rows: rows)
  }
}

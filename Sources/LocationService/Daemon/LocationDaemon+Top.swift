import LocationEngine
import LocationModel
import LocationRuntime

/// `corelocation top`: for whom receivers run or sleep, why, and what they would cost for each alone.
extension LocationDaemon {
  /// A line for each service of each app that may need receivers; those of other users only for an administrator.
  func top(for asker: PeerIdentity) -> CommandAnswer {
    let all = isAdministrator(asker)
    let now = clock.now
    let (decisions, holdings, beacons) = host.read {
      ($0.receiverDecisions, $0.receiverHoldings, $0.beaconDecisions)
    }
    func isShown(_ app: AppIdentifier) -> Bool { all || app.userNumber == asker.userNumber }
    var rows = decisions.filter { isShown($0.app) }.map { decision in
      let since = decision.look == .now ? holdings.first { $0.app == decision.app }?.since : nil
      return [
        decision.app.name, decision.app.userNumber.map(String.init) ?? "-", decision.serviceWords,
        decision.accuracyWords, decision.lookWords(at: now),
      ] + cost(since: since, at: now) { EnergyModel().alwaysOnSatelliteJoules(seconds: $0, fixCount: 0) }
    }
    rows += beacons.filter { isShown($0.app) }.map { decision in
      [
        decision.app.name, decision.app.userNumber.map(String.init) ?? "-", decision.serviceWords, "-",
        decision.lookWords(at: now),
      ] + cost(since: decision.since, at: now) { $0 * EnergyModel().beaconScanWatts }
    }
    return .table(columns: ["APP", "USER", "FOR", "WISH", "RECEIVERS", "SINCE", "COST IF ALONE"], rows: rows)
  }

  /// Since when, and what it has come to.
  private func cost(since: Instant?, at now: Instant, joules: (Double) -> Double) -> [String] {
    guard let since else { return ["-", "-"] }
    let seconds = max(0, now.seconds(since: since))
    return ["\(Int(seconds)) s", EnergyText.of(joules(seconds))]
  }
}

import LocationEngine
import LocationModel
import LocationRuntime

/// How the service is, in sentences.
extension LocationDaemon {
  func status(for asker: PeerIdentity) -> [String] {
    let (isOn, isInAirplaneMode, receivers, holdings) = host.read {
      ($0.locationServicesEnabled, $0.isInAirplaneMode, $0.receiverStatus, $0.receiverHoldings)
    }
    let apps = Set(clients.values.filter { $0.client != nil }.map(\.identity.app))
    let shownCount = host.read { engine in apps.count { engine.showsIndicator(of: $0) } }
    var lines = [
      configuration.isSystemWide
        ? "The system's service, at \(configuration.socketPath)."
        : "The service of user \(asker.userNumber), at \(configuration.socketPath).",
      "Location Services are \(isOn ? "on" : "off").",
      "Airplane mode is \(isInAirplaneMode ? "on" : "off").",
      Self.sentence(receivers, wantedBy: holdings.count, shownBy: shownCount),
      Self.count(clients.values.count { $0.client != nil }, "app is", "apps are") + " connected.",
    ]
    for (user, prompts, agents) in desk.state where prompts > 0 || agents > 0 {
      let waiting = prompts == 0 ? "no question waits" : Self.count(prompts, "question waits", "questions wait")
      let answerer =
        agents == 0 ? "nobody can answer: start \"corelocation agent\"" : Self.count(agents, "agent", "agents")
      lines.append("User \(user): \(waiting); \(answerer).")
    }
    if !host.read({ $0.allowsBackgroundRefresh }) {
      lines.append("Background App Refresh is off: no event starts or wakes an app (corelocation refresh on).")
    }
    switch supervision(of: asker.userNumber) {
    case .notNeeded: break
    case .connected: lines.append("Installed apps of user \(asker.userNumber) have a supervisor.")
    case .missing:
      let waiting = awaitingCount(of: asker.userNumber)
      lines.append(
        "Installed apps of user \(asker.userNumber) have no supervisor, so that none is started; "
          + (waiting == 0
            ? "no event waits for one." : Self.count(waiting, "app has", "apps have") + " an event waiting."))
    }
    for app in heldOffApps(of: asker.userNumber) {
      let why =
        host.read { $0.couldNotStart(app) }
        ? "it could not be started. Install it again (corelocation install), or say why by"
        : "it ended again and again as soon as it was started. That ends with"
      lines.append("Events do not start \(app.name) for now: \(why) \"corelocation launch \(app.name)\".")
    }
    let differences = configuration.policy.differences(from: Policy())
    lines.append(differences.isEmpty ? "The policy is the default." : "The policy differs from the default:")
    lines += differences.map { "  \($0.field) is \($0.value), by default \($0.standard)" }
    return lines
  }

  private func heldOffApps(of user: UInt32) -> [AppIdentifier] {
    guard let installed = try? store.file.bundles() else { return [] }
    return installed.map(\.app).filter { app in app.userNumber == user && host.read { $0.isHeldOff(app) } }
  }

  /// - Parameters:
  ///   - count: of apps for which receivers are on.
  ///   - shownCount: of apps that use location in the background, as `apps` says. One that rests needs no receiver.
  static func sentence(_ state: ReceiverState, wantedBy count: Int, shownBy shownCount: Int) -> String {
    guard count > 0 else {
      guard shownCount > 0 else { return "The receivers are off: nobody wants a location." }
      return "The receivers are off: "
        + (shownCount == 1
          ? "the app that uses location in the background needs none just now."
          : "the \(shownCount) apps that use location in the background need none just now.")
    }
    let wish = count == 1 ? "one app wants locations" : "\(count) apps want locations"
    switch state {
    case .searching: return "The receivers search: \(wish)."
    case .fixing: return "The receivers give fixes: \(wish)."
    case .unavailable: return "There is no receiver just now, and \(wish); \"corelocation doctor\" tells why."
    case .refused: return "Another service refuses its locations, and \(wish)."
    }
  }

  private static func count(_ count: Int, _ one: String, _ many: String) -> String {
    count == 0 ? "No \(one)" : count == 1 ? "1 \(one)" : "\(count) \(many)"
  }
}

extension Policy {
  /// The fields that are not as in another policy, by their names in `policy.json`.
  package func differences(from other: Policy) -> [(field: String, value: String, standard: String)] {
    zip(Mirror(reflecting: fields).children, Mirror(reflecting: other.fields).children).compactMap { own, standard in
      let (value, usual) = ("\(own.value)", "\(standard.value)")
      guard value != usual, let field = own.label else { return nil }
      return (field, value, usual)
    }
  }
}

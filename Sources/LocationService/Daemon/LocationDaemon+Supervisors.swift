import LocationEngine
import LocationRuntime

/// In the system's service: each person's apps are started and ended by a supervisor of that person's own, which comes
/// and goes. On the queue.
extension LocationDaemon {
  /// From now on installed apps are started and ended through their persons' supervisors. To be called once, on the
  /// queue and before the service starts.
  package func superviseThroughPersons() {
    let supervisors = PersonalSupervisors(
      socketPath: configuration.socketPath, runName: "\(clock.wallTime.nanosecondsSince1970)", log: log)
    personalSupervisors = supervisors
    supervise(with: supervisors)
  }

  func greetSupervisor(_ client: ServedClient) {
    guard let personalSupervisors else {
      return client.disconnect("this service takes no supervisor: it is a person's own, and starts its apps itself")
    }
    let identity = client.identity
    if let refusal = refusal(of: identity, for: identity.userNumber) ?? personalSupervisors.add(client) {
      return client.disconnect(refusal)
    }
    client.role = .supervisor
    client.send(.toolGreeting)
  }

  // MARK: Left processes

  static let leftoverSentence = "it is left of an earlier run of its supervisor"

  /// A supervisor that was killed while it started an app leaves a process that is found only now, by the next one.
  /// What a process of an installed app says waits until that has looked at it; two of them are told no event twice.
  ///
  /// - Returns: whether the greeting follows later, or not at all.
  func isExaminedFirst(_ client: ServedClient) -> Bool {
    guard let personalSupervisors, client.identity.kind == .bundle else { return false }
    let identity = client.identity
    if leftProcesses[identity.userNumber]?.contains(identity.processNumber) == true {
      client.disconnect("its supervisor has gone")
      return true
    }
    guard personalSupervisors.isReady(identity.userNumber) else { return false }
    client.unheard = []
    client.stream.pauseReading()
    personalSupervisors.examine(identity.processNumber, of: identity.userNumber)
    return true
  }

  private func wasExamined(_ processNumber: Int32, of user: UInt32, isLeftover: Bool) {
    for client in clients.values
    where client.identity.userNumber == user && client.identity.processNumber == processNumber
      && client.identity.kind == .bundle
    {
      if isLeftover { client.disconnect(Self.leftoverSentence) } else { serveAtLast(client) }
    }
  }

  private func serveAtLast(_ client: ServedClient) {
    guard let unheard = client.unheard, case .app(var description) = client.role else { return }
    client.unheard = nil
    greet(client, as: &description)
    for message in unheard { heard(message, from: client) }
    client.stream.resumeReading()
  }

  // MARK: Coming and going

  func heard(_ report: SupervisorReport, from client: ServedClient) {
    if case .examined(let number, let isLeftover) = report, case .supervisor = client.role {
      return wasExamined(number, of: client.identity.userNumber, isLeftover: isLeftover)
    }
    guard let personalSupervisors, personalSupervisors.heard(report, from: client) else { return }
    lookAgain(at: client)
    let user = client.identity.userNumber
    supervisorsReadyAt[user] = clock.now
    leftProcesses[user] = nil
    bringBackApps { $0.userNumber == user }
    // Whether what waited is still to be told, and may start the app, the engine says.
    for app in appsAwaitingSupervisor.filter({ $0.userNumber == user }) {
      appsAwaitingSupervisor.remove(app)
      host.handle(.life(.startPossible(app)))
    }
  }

  /// Its apps are nobody's now. They count as ended, are not served any more, and come back with the next supervisor as
  /// they do with the next run of a service that was killed (docs/decisions/0011-apps-of-a-killed-service.md).
  func supervisorLeft(_ client: ServedClient) {
    guard let personalSupervisors else { return }
    let user = client.identity.userNumber
    let lived = supervisorsReadyAt.removeValue(forKey: user).map { clock.now.seconds(since: $0) } ?? 0
    let standing = host.read { engine in
      personalSupervisors.running(of: user).map { ($0, engine.storedLife(of: $0)?.running ?? .no) }
    }
    let left = personalSupervisors.remove(client)
    if lived >= configuration.policy.crashLoopSeconds {
      for (app, running) in standing where running != .no { cutOffApps[app] = running }
    }
    for other in clients.values where left.contains(other.identity.app) && other.identity.kind == .bundle {
      leftProcesses[user, default: []].insert(other.identity.processNumber)
      other.disconnect("its supervisor has gone")
    }
    // Nobody answers for the others.
    for other in clients.values where other.unheard != nil && other.identity.userNumber == user { serveAtLast(other) }
  }

  /// Of a user's supervisor; nil where this user needs none here.
  func supervision(of user: UInt32) -> ServiceCondition.Supervision {
    guard let personalSupervisors else { return .notNeeded }
    if personalSupervisors.isReady(user) { return .connected }
    let hasApps = (try? store.file.bundles().contains { $0.app.userNumber == user }) ?? false
    return hasApps ? .missing : .notNeeded
  }

  /// How many apps of a user an event waits for until there is a supervisor.
  func awaitingCount(of user: UInt32) -> Int { appsAwaitingSupervisor.count { $0.userNumber == user } }
}

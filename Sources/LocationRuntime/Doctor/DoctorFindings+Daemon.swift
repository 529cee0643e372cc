import LocationEngine

extension DoctorFindings {
  /// The service that apps wait for on this machine.
  package struct Daemon: Hashable, Sendable {
    package var socketPath: String
    /// Why nothing can be learnt from it, as a sentence.
    package var problem: String?
    package var condition: ServiceCondition?
    /// Whether apps that are started from here use it: nothing else was asked for.
    package var isUsed = true

    package init(socketPath: String, problem: String? = nil, condition: ServiceCondition? = nil, isUsed: Bool = true) {
      self.socketPath = socketPath
      self.problem = problem
      self.condition = condition
      self.isUsed = isUsed
    }

    /// The service listens to receivers now, for an app.
    var hasReceiversOn: Bool {
      guard isUsed, let condition, condition.wishCount > 0 else { return false }
      return condition.receivers == .fixing || condition.receivers == .searching
    }
  }

  /// Whether an app of the service would get locations now.
  func serviceGivesLocations(_ daemon: Daemon) -> Bool {
    guard let condition = daemon.condition, condition.areServicesOn else { return false }
    let isAllowed =
      switch condition.app?.grant.level {
      case nil, .notDetermined: condition.agentCount > 0
      case .denied: false
      case .whenInUse, .always: condition.app?.grant.isRestricted == false
      }
    let comes = condition.wishCount > 0 ? condition.receivers == .fixing : fixCount > 0
    return isAllowed && comes
  }
}

import LocationEngine
import LocationModel

/// The rules of permission and use written a second time, in other terms than the engine's, for one app.
struct AppModel {
  enum Decision { case undecided, refused, once, whileUsing, provisional, always }

  struct Question {
    var identifier: PromptIdentifier
    var kind: Prompt.Kind
    var asksForAlways: Bool
    var choices: [PromptChoice]
  }

  struct Manager {
    var ranged: Set<BeaconConstraint> = []
    var configuration = ManagerConfiguration()
    var isUpdating = false
    var beganInFront = false
    var hasRequest = false
    var monitorsChanges = false
  }

  var description: AppDescription
  var decision: Decision
  var isPrecise: Bool
  var isLentPrecise = false
  var hasAskedForAlways: Bool
  var isRestricted: Bool
  var state = AppState.notRunning
  var graceEndSeconds: Double?
  var hasSession = false
  var question: Question?
  var managers: [ManagerIdentifier: Manager] = [:]
  var registrations = Registrations()
  var monitorsServices: Bool { registrations.monitorsSignificantChanges || registrations.monitorsVisits }
  var regions: [String: Region] = [:]

  init(description: AppDescription, grant: Grant) {
    self.description = description
    isPrecise = grant.isPrecise
    hasAskedForAlways = grant.hasRequestedAlways
    isRestricted = grant.isRestricted
    decision =
      switch grant.level {
      case .notDetermined: .undecided
      case .denied: .refused
      case .whenInUse: .whileUsing
      case .always: grant.isProvisional ? .provisional : .always
      }
  }

  var isInUse: Bool { state == .foreground || graceEndSeconds != nil || hasSession }

  func authorization(isOn: Bool) -> Authorization {
    let status: AuthorizationStatus =
      switch (isOn, isRestricted, decision) {
      case (false, _, _): .denied
      case (true, true, _): .restricted
      case (true, false, .undecided): .notDetermined
      case (true, false, .refused): .denied
      case (true, false, .once), (true, false, .whileUsing): .authorizedWhenInUse
      case (true, false, .provisional), (true, false, .always): .authorizedAlways
      }
    return Authorization(
      status: status, accuracy: decision == .undecided || isPrecise || isLentPrecise ? .full : .reduced)
  }

  mutating func register(_ region: Region, regionsMax: Int) {
    if case .circle(_, let radius) = region.shape, !(radius > 0 && radius.isFinite) { return }
    guard regions[region.identifier] != nil || regions.count < regionsMax else { return }
    regions[region.identifier] = region
  }

  func mayWatchRegions(_ policy: Policy, isOn: Bool) -> Bool {
    let told = authorization(isOn: isOn)
    guard mayMonitor(policy), !regions.isEmpty, told.accuracy == .full, told.status.isAuthorized else { return false }
    guard state != .notRunning || description.isInstalled else { return false }
    return isPermitted(isOn: isOn) || decision == .provisional
  }

  func isPermitted(isOn: Bool) -> Bool {
    guard authorization(isOn: isOn).status.isAuthorized else { return false }
    return decision == .always || isInUse
  }

  /// Before iOS 13 monitoring took Always (behaviour 1.21).
  func mayMonitor(_ policy: Policy) -> Bool {
    !policy.monitoringNeedsAlways || decision == .always || decision == .provisional
  }

  mutating func decide(_ decision: Decision) {
    self.decision = decision
    if decision == .undecided {
      isPrecise = true
      hasAskedForAlways = false
    }
    if decision == .undecided || decision == .refused { isLentPrecise = false }
  }

  /// What lasts only during use ends where there is no use.
  mutating func settleUse() {
    let carriers = managers.values.contains { $0.isUpdating && $0.beganInFront }
    if hasSession, !carriers { hasSession = false }
    guard !isInUse else { return }
    isLentPrecise = false
    if decision == .once { decide(.undecided) }
  }

  mutating func pass(to seconds: Double) {
    if let end = graceEndSeconds, end <= seconds { graceEndSeconds = nil }
    settleUse()
  }

  mutating func change(to next: AppState, at seconds: Double, isOn: Bool, graceSeconds: Double) {
    guard next != state else { return }
    if state == .foreground, next != .notRunning {
      hasSession =
        description.hasLocationBackgroundMode && isPermitted(isOn: isOn)
        && managers.values.contains {
          $0.isUpdating && $0.beganInFront && $0.configuration.allowsBackgroundUpdates
        }
      graceEndSeconds = seconds + graceSeconds
    }
    state = next
    if next == .foreground || next == .notRunning {
      graceEndSeconds = nil
      hasSession = false
    }
    if next == .notRunning {
      for key in managers.keys {
        managers[key]?.end()
        managers[key]?.monitorsChanges = false
      }
    }
    settleUse()
  }

  mutating func answer(_ answer: PromptAnswer, policy: Policy) {
    guard let question, question.choices.contains(answer.choice) else { return }
    self.question = nil
    switch (question.kind, answer.choice) {
    case (.first, let choice):
      switch choice {
      case .allowOnce: decide(.once)
      case .allowWhileUsing: decide(question.asksForAlways ? .provisional : .whileUsing)
      case .allow: decide(question.asksForAlways ? .always : .whileUsing)
      default: decide(.refused)
      }
      if question.asksForAlways { hasAskedForAlways = true }
      if policy.firstPromptOffersPrecise { isPrecise = answer.isPrecise && !description.prefersReducedAccuracy }
    case (.escalation, .changeToAlways), (.provisionalConfirmation, .changeToAlways): decide(.always)
    case (.provisionalConfirmation, _): decide(.whileUsing)
    case (.temporaryFullAccuracy, .allowOnce): isLentPrecise = true
    default: break
    }
    settleUse()
  }
}

extension AppModel.Manager {
  mutating func end() {
    isUpdating = false
    beganInFront = false
    hasRequest = false
  }
}

import LocationEngine

/// The service that apps share: whether they use it, what it may give them, and who answers its questions.
extension DoctorChecks {
  static func daemon(_ findings: DoctorFindings) -> [DoctorLine] {
    guard let daemon = findings.daemon else {
      return [DoctorLine(.daemon, .ok, "No location service runs or is installed here: apps serve themselves.")]
    }
    guard daemon.isUsed else {
      return [
        DoctorLine(
          .daemon, .ok,
          "There is a location service at \(daemon.socketPath); what --source or CORELOCATION_SOURCE names is asked "
            + "instead of it.")
      ]
    }
    guard let condition = daemon.condition else {
      return [
        DoctorLine(
          .daemon, .cause,
          "Apps wait for the location service at \(daemon.socketPath), which serves none: "
            + "\(daemon.problem ?? "it does not answer").",
          cure: "sudo systemctl start corelocationd.socket, or systemctl --user start corelocationd.socket; without "
            + "systemd start corelocationd")
      ]
    }
    let who = condition.isSystemWide ? "the system's location service" : "this person's own location service"
    return [
      DoctorLine(.daemon, .ok, "Apps use \(who), at \(daemon.socketPath)."), agent(condition), receivers(condition),
    ] + supervision(condition, at: daemon.socketPath)
  }

  /// The permission as the service has it; nil where apps serve themselves.
  static func servicePermission(_ findings: DoctorFindings) -> DoctorLine? {
    guard let daemon = findings.daemon, daemon.isUsed, let condition = daemon.condition else { return nil }
    let asked = findings.permission.app
    guard let app = condition.app else {
      return DoctorLine(
        .permission, .look, "The service knows no app \(asked): it has not asked for permission yet.",
        cure: "corelocation apps lists those that have; a path may be decided about beforehand: corelocation grant "
          + "PATH whenInUse")
    }
    let grant = app.grant
    let cure = "corelocation grant \(app.name) whenInUse"
    if grant.isRestricted {
      return DoctorLine(.permission, .cause, "\(app.name) is restricted: it gets no location.")
    }
    switch grant.level {
    case .denied:
      return DoctorLine(.permission, .cause, "Permission of \(app.name) is denied: it gets no location.", cure: cure)
    case .notDetermined:
      return DoctorLine(
        .permission, condition.agentCount > 0 ? .look : .cause, "Permission of \(app.name) is not decided.",
        cure: condition.agentCount > 0 ? "answer when you are asked, or \(cure)" : cure)
    case .whenInUse, .always:
      let level = grant.level == .always ? "always" : "while in use"
      return grant.isPrecise
        ? DoctorLine(.permission, .ok, "\(app.name) may have locations \(level).")
        : DoctorLine(
          .permission, .look, "\(app.name) may have locations \(level), coarse ones only.",
          cure: "corelocation grant \(app.name) precise")
    }
  }

  private static func agent(_ condition: ServiceCondition) -> DoctorLine {
    let questions = condition.promptCount == 1 ? "1 question waits" : "\(condition.promptCount) questions wait"
    switch (condition.promptCount, condition.agentCount) {
    case (0, 0):
      return DoctorLine(
        .agent, .look, "No agent runs: what apps ask would wait.",
        cure: "corelocation agent, in a terminal or on the desktop")
    case (_, 0):
      return DoctorLine(
        .agent, .cause, "\(questions) for an answer, and no agent runs.",
        cure: "corelocation agent asks you; corelocation grant and deny decide without")
    case (0, _): return DoctorLine(.agent, .ok, "An agent answers the questions of apps; none waits.")
    default:
      return DoctorLine(
        .agent, .look, "\(questions) for an answer.", cure: "answer in the terminal or on the desktop of the agent")
    }
  }

  /// Nothing where installed apps need no supervisor of this person's.
  private static func supervision(_ condition: ServiceCondition, at socketPath: String) -> [DoctorLine] {
    switch condition.supervision {
    case .notNeeded: return []
    case .connected: return [DoctorLine(.daemon, .ok, "A supervisor starts and suspends installed apps.")]
    case .missing:
      let waiting = condition.awaitingAppCount
      let consequence =
        waiting == 0 ? "" : waiting == 1 ? "; an event waits for 1 app" : "; events wait for \(waiting) apps"
      return [
        DoctorLine(
          .daemon, waiting == 0 ? .look : .cause,
          "No supervisor of this person runs, so that no installed app is started\(consequence).",
          cure: "systemctl --user enable --now corelocation-supervisor; without systemd corelocationd --user "
            + "--supervise \(socketPath)")
      ]
    }
  }

  private static func receivers(_ condition: ServiceCondition) -> DoctorLine {
    guard condition.wishCount > 0 else {
      return DoctorLine(.receiver, .ok, "The service's receivers are off, since no app needs a location just now.")
    }
    switch condition.receivers {
    case .fixing: return DoctorLine(.receiver, .ok, "The service's receivers give locations.")
    case .searching:
      return DoctorLine(
        .receiver, .look, "The service's receivers search.", cure: "wait some minutes; the antenna needs a free sky")
    case .unavailable: return DoctorLine(.receiver, .cause, "The service has no receiver just now.", cure: receiverCure)
    case .refused:
      return DoctorLine(
        .receiver, .cause, "The service is refused locations by the desktop's location service.", cure: receiverCure)
    }
  }

  private static let receiverCure = "the lines below tell what there is; journalctl -u corelocationd what it tried"
}

extension [DoctorLine] {
  /// Nothing is to be done about what keeps no location away.
  var withoutNeedlessCures: [DoctorLine] {
    map { line in
      var line = line
      if line.mark == .ok { line.cure = nil }
      return line
    }
  }
}

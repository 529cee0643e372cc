import LocationEngine
import LocationModel

/// An effect in a few words. `1: ...` is said to manager 1 (of client 1; `2.1:` to manager 1 of client 2).
func describe(_ effect: Effect) -> String {
  switch effect {
  case .deliver(let event, let manager):
    let client = manager.client == EngineBench.client ? "" : "\(manager.client.number)."
    return "\(client)\(manager.number): \(describe(event))"
  case .snapshotChanged(let app): return "snapshot of \(app.name)"
  case .showPrompt(let prompt): return "prompt \(prompt.identifier.number): \(describe(prompt))"
  case .withdrawPrompt(let prompt): return "withdraw prompt \(prompt.number)"
  case .showLocationServicesAlert: return "services alert"
  case .storeGrant(let grant, _): return "store \(describe(grant))"
  case .storeLastFix(let fix, _): return "store \(describe(fix))"
  case .storeRegistrations(let registrations, _):
    let regions = registrations.regions.map { $0.state == .unknown ? $0.region.identifier : describe($0) }
    let services = [
      registrations.monitorsSignificantChanges ? " changes" : "", registrations.monitorsVisits ? " visits" : "",
    ]
    if !registrations.monitors.isEmpty {
      return "store monitors "
        + registrations.monitors.map { monitor in
          monitor.name
            + monitor.conditions.map { condition in
              " \(condition.identifier) \(condition.record.state)"
                + (condition.pending.map { "<\($0.state)" } ?? "")
            }.joined()
        }.joined(separator: "; ")
    }
    let waiting = registrations.events.count
    let events = waiting == 0 ? "" : ", \(waiting) event\(waiting == 1 ? " waits" : "s wait")"
    return "store regions [\(regions.joined(separator: ", "))]\(services.joined())\(events)"
  case .launch(let app, let event): return "launch \(app.name): \(describe(event))"
  case .life(let effect): return describe(effect)
  case .setReceivers(let demand):
    let limit = demand.map { $0.kinds == .all ? "" : $0.kinds == .wired ? " wired" : " none" } ?? ""
    let others: [(ReceiverTechnologies, String)] = [
      (.satellite, "satellite"), (.wireless, "wireless"), (.cell, "cell"),
    ]
    let technologies = demand?.technologies ?? .satellite
    let means =
      technologies == .satellite
      ? "" : " by " + others.filter { technologies.contains($0.0) }.map(\.1).joined(separator: "+")
    return "receivers \(demand.map { describe($0.accuracy) } ?? "off")\(limit)\(means)"
  case .setMotionSensor(let isOn): return "motion sensor \(isOn ? "on" : "off")"
  case .setHeadingSensor(let isOn): return "compass \(isOn ? "on" : "off")"
  case .setBeaconScan(let constraints): return "beacon scan \(constraints.map { "\($0.count)" } ?? "off")"
  case .setDisplayWatch(let isOn): return "display watch \(isOn ? "on" : "off")"
  case .showHeadingCalibration: return "show calibration"
  case .hideHeadingCalibration: return "hide calibration"
  case .note(let notice): return "note: \(describe(notice))"
  }
}

private func describe(_ effect: LifeEffect) -> String {
  switch effect {
  case .suspend: "suspend"
  case .resume: "resume"
  case .terminate(_, .commanded): "terminate"
  case .terminate(_, .forceQuit): "terminate by force"
  case .terminate(_, .backgroundTasksNotEnded): "kill"
  case .terminate(_, .eventNotHandled): "kill for an event"
  case .tell(let event, let client): "client \(client.number): \(describe(event))"
  case .store(let life, _):
    "store life" + (life.wasForceQuit ? " quit" : "") + (life.hadBackgroundActivity ? " activity" : "")
      + (life.hadAlwaysSession ? " always" : "")
      + (life.running == .foreground ? " in front" : life.running == .background ? " running on" : "")
  case .indicatorChanged(_, let isShown): "indicator \(isShown ? "on" : "off")"
  }
}

private func describe(_ event: LifeEvent) -> String {
  switch event {
  case .began(let standing):
    "began \(standing.state)\(standing.cause == .event ? " for an event" : "")"
      + (standing.allowsBackgroundRefresh ? "" : " without refresh")
  case .enteredForeground: "foreground"
  case .enteredBackground: "background"
  case .willBeSuspended: "will be suspended"
  case .willTerminate: "will terminate"
  case .backgroundTaskExpired(let number): "task \(number) expired"
  case .backgroundTimeChanged(let ends): "time until \(ends.map { short(Double($0.nanoseconds) / 1e9) } ?? "ever")"
  case .backgroundRefreshChanged(let isOn): "refresh \(isOn ? "on" : "off")"
  }
}

private func describe(_ registered: RegisteredRegion) -> String {
  "\(registered.region.identifier) \(registered.state)"
}

private func describe(_ event: ManagerEvent) -> String {
  switch event {
  case .authorizationChanged(let authorization, let isInitial, let statusChanged):
    let cause = isInitial ? " (initial)" : statusChanged ? "" : " (accuracy only)"
    return "\(authorization.status) \(authorization.accuracy)\(cause)"
  case .locationsUpdated(let fixes, let isAnswer):
    return (isAnswer ? "answer " : "") + fixes.map(describe).joined(separator: ", ")
  case .failed(let error, let isAnswer): return (isAnswer ? "answer " : "") + "failed \(error)"
  case .temporaryFullAccuracyAnswered(let completion, let error):
    return "completion \(completion.number) \(error.map { "\($0)" } ?? "nil")"
  case .deferredUpdatesFinished(let error): return "deferral finished \(error.map { "\($0)" } ?? "nil")"
  case .updatesPaused: return "paused"
  case .updatesResumed: return "resumed"
  case .visited(let visit): return "visit \(describe(visit.arrival)) to \(describe(visit.departure))"
  case .headingUpdated(let heading): return describe(heading)
  case .headingCalibrationAsked: return "calibration?"
  case .liveUpdated(let update): return "live \(describe(update.fix, update.diagnostics))"
  case .monitorOpened(let monitor):
    guard let monitor else { return "not opened" }
    let conditions = monitor.conditions.map { condition in
      "\(condition.identifier) \(condition.record.state)" + (condition.pending.map { ", pending \($0.state)" } ?? "")
    }
    return "opened [\(conditions.joined(separator: "; "))]"
  case .conditionChanged(let event):
    let reasons = describe(nil, event.diagnostics)
    let beacon = event.refinement.map { " by \($0.major ?? 0).\($0.minor ?? 0)" } ?? ""
    return "condition \(event.identifier) \(event.state)\(beacon)\(reasons.isEmpty ? "" : " (\(reasons))")"
  case .sessionDiagnosed(let diagnostics): return "session \(describe(nil, diagnostics))"
  case .monitoringStarted(let region): return "monitoring \(region.identifier)"
  case .monitoringFailed(let region, let error): return "monitoring \(region?.identifier ?? "nil") failed \(error)"
  case .stateDetermined(let state, let region): return "\(region.identifier) is \(state)"
  case .regionEntered(let region): return "entered \(region.identifier)"
  case .regionExited(let region): return "exited \(region.identifier)"
  case .rangingFailed(_, let error): return "ranging failed \(error)"
  case .kept(_, let event): return describe(event)
  case .beaconsRanged(let beacons, _): return "ranged [\(beacons.map(describe).joined(separator: ", "))]"
  }
}

/// `heading 355 true 0 ±15`: degrees, rounded to tenths; what is not known is left out.
private func describe(_ heading: Heading) -> String {
  func tenths(_ degrees: Double) -> String { short((degrees * 10).rounded() / 10) }
  let trueNorth = heading.trueDegrees.map { " true \(tenths($0))" } ?? ""
  return "heading \(tenths(heading.magneticDegrees))\(trueNorth) ±\(heading.accuracyDegrees.map(tenths) ?? "?")"
}

private func describe(_ fix: Fix?, _ diagnostics: ServiceDiagnostics) -> String {
  let names: [(ServiceDiagnostics, String)] = [
    (.authorizationDenied, "denied"), (.authorizationDeniedGlobally, "globally"),
    (.authorizationRestricted, "restricted"), (.authorizationRequestInProgress, "asking"),
    (.insufficientlyInUse, "not in use"), (.serviceSessionRequired, "session required"),
    (.locationUnavailable, "unavailable"), (.accuracyLimited, "limited"), (.stationary, "stationary"),
    (.conditionUnsupported, "unsupported"), (.conditionLimitExceeded, "too many"),
    (.persistenceUnavailable, "not kept"), (.fullAccuracyDenied, "no full accuracy"),
    (.alwaysAuthorizationDenied, "no always"),
  ]
  let words = (fix.map { [describe($0)] } ?? []) + names.filter { diagnostics.contains($0.0) }.map(\.1)
  return words.joined(separator: ", ")
}

/// `7.1 near -63`: major and minor, how near, and the signal strength.
private func describe(_ sighting: BeaconSighting) -> String {
  "\(sighting.beacon.major).\(sighting.beacon.minor) \(sighting.proximity) \(sighting.signalDecibels ?? 0)"
}

/// Seconds since the start.
private func describe(_ time: WallTime?) -> String {
  guard let time else { return "?" }
  return short(Double(time.nanosecondsSince1970 - Fix.start.nanosecondsSince1970) / 1e9)
}

/// `fix 3±5`: measured in second 3, within 5 m.
private func describe(_ fix: Fix) -> String {
  // Divided, not multiplied by 1e-9, so that whole seconds stay whole.
  let seconds = Double(fix.time.nanosecondsSince1970 - Fix.start.nanosecondsSince1970) / 1e9
  return "fix \(short(seconds))±\(fix.horizontalAccuracyMeters.map(short) ?? "?")"
}

private func short(_ number: Double) -> String {
  number == number.rounded() ? "\(Int(number))" : "\(number)"
}

private func describe(_ prompt: Prompt) -> String {
  let choices = prompt.choices.map { "\($0)" }.joined(separator: "/")
  let precise = prompt.offersPreciseSwitch ? " precise?" : ""
  let kind =
    switch prompt.kind {
    case .temporaryFullAccuracy(let key): "temporary \(key)"
    default: "\(prompt.kind)"
    }
  return "\(kind) '\(prompt.usageText)' \(choices)\(precise)"
}

private func describe(_ grant: Grant) -> String {
  var words = [grant.isProvisional ? "provisional \(grant.level)" : "\(grant.level)"]
  if !grant.isPrecise { words.append("reduced") }
  if grant.hasRequestedAlways { words.append("asked") }
  if grant.isRestricted { words.append("restricted") }
  return words.joined(separator: " ")
}

private func describe(_ accuracy: DesiredAccuracy) -> String {
  if case .meters(let meters) = accuracy { return "\(short(meters)) m" }
  return "\(accuracy)"
}

private func describe(_ notice: Notice) -> String {
  switch notice {
  case .requestIgnoredForMissingKeys(_, let request, let keys):
    "\(request) lacks \(keys.joined(separator: ", "))"
  case .requestIgnoredInBackground(_, let request): "\(request) in background"
  case .requestIgnoredWhilePrompting(_, let request): "\(request) while prompting"
  case .requestIgnoredAsAnswered(_, let request): "\(request) answered before"
  case .requestIgnoredAfterAllowOnce(_, let request): "\(request) after Allow Once"
  case .serviceUnavailable(_, let service): "no \(service)"
  case .magneticModelDoesNotHold: "no magnetic model for this date"
  case .tooManyManagers(_, let max): "more than \(max) managers"
  case .tooManyRegions(_, let max): "more than \(max) regions"
  case .killedForEvent: "killed for an event"
  case .killedForBackgroundTasks(_, let tasks): "killed for \(tasks.joined(separator: ", "))"
  case .tooManyBackgroundTasks(_, let max): "more than \(max) background tasks"
  case .launchesHeldOff(_, let starts, let couldStart, let seconds):
    "\(starts) starts\(couldStart ? "" : " that failed"), held off for \(short(seconds)) s"
  case .sessionWithoutBackgroundMode: "session without background mode"
  case .conditionsWithoutSession: "conditions without session"
  }
}

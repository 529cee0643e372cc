import LocationModel

/// Prompts on screen and what their answers mean.
extension LocationEngine {
  mutating func show(
    kind: Prompt.Kind, app index: Int, by manager: ManagerIdentifier?, usageText: String,
    choices: [PromptChoice], asksForAlways: Bool, effects: inout [Effect]
  ) {
    let prompt = Prompt(
      identifier: PromptIdentifier(nextPromptNumber), app: apps[index].identifier, kind: kind,
      usageText: usageText, choices: choices,
      offersPreciseSwitch: kind == .first && policy.firstPromptOffersPrecise
        && !apps[index].description.prefersReducedAccuracy)
    nextPromptNumber += 1
    apps[index].prompt = PendingPrompt(
      prompt: prompt, asker: manager, asksForAlways: asksForAlways)
    effects.append(.showPrompt(prompt))
    // While a person decides whether there will be locations at all, one-time requests do not run out. Later
    // questions do not decide that, and some wait for days.
    guard kind == .first else { return }
    for position in apps[index].sessions.indices {
      apps[index].sessions[position].locationRequest?.deadline = nil
    }
  }

  mutating func withdrawPrompt(app index: Int, effects: inout [Effect]) {
    guard let pending = apps[index].prompt else { return }
    effects.append(.withdrawPrompt(pending.prompt.identifier))
    endPrompt(app: index)
    complete(pending, with: .promptDeclined, effects: &effects)
  }

  private mutating func endPrompt(app index: Int) {
    let kind = apps[index].prompt?.prompt.kind
    apps[index].prompt = nil
    guard kind == .first else { return }
    let deadline = requestDeadline
    for position in apps[index].sessions.indices {
      apps[index].sessions[position].locationRequest?.deadline = deadline
    }
  }

  /// A released manager's calls are answered before it is gone (behaviour 1.48).
  mutating func declineCompletions(
    of manager: ManagerIdentifier, app index: Int, effects: inout [Effect]
  ) {
    guard let pending = apps[index].prompt else { return }
    apps[index].prompt?.completions.removeAll { $0.manager == manager }
    for (asker, completion) in pending.completions where asker == manager {
      effects.append(.deliver(.temporaryFullAccuracyAnswered(completion, .promptDeclined), to: manager))
    }
  }

  private func complete(
    _ pending: PendingPrompt, with error: LocationError?, effects: inout [Effect]
  ) {
    for (manager, completion) in pending.completions {
      effects.append(.deliver(.temporaryFullAccuracyAnswered(completion, error), to: manager))
    }
  }

  /// An answer to a prompt that is gone, or one that was not offered, changes nothing.
  mutating func answerPrompt(
    _ identifier: PromptIdentifier, with answer: PromptAnswer, effects: inout [Effect]
  ) {
    guard let index = apps.firstIndex(where: { $0.prompt?.prompt.identifier == identifier }),
      let pending = apps[index].prompt, pending.prompt.choices.contains(answer.choice)
    else { return }
    endPrompt(app: index)
    let wasPermitted = isPermitted(app: index)
    switch pending.prompt.kind {
    case .first:
      decideFirst(app: index, answer: answer, asksForAlways: pending.asksForAlways)
    case .escalation:
      if answer.choice == .changeToAlways { apps[index].authorization.decide(.always) }
    case .provisionalConfirmation:
      // A held fix goes out, or is dropped, as the service begins or ends (`beginService`, `endService`).
      apps[index].authorization.decide(answer.choice == .changeToAlways ? .always : .whenInUse)
    case .temporaryFullAccuracy:
      if answer.choice == .allowOnce {
        apps[index].authorization.hasTemporaryFullAccuracy = true
      }
    case .settings: break
    }
    // Given to an app that is out of use by now, what lasts only during use has ended already (1.17, 1.50).
    if !apps[index].isInUse { apps[index].authorization.endUse() }
    tellAuthorization(app: index, wasPermitted: wasPermitted, effects: &effects)
    // A nil error says that the prompt was answered, not that accuracy was given (behaviour 1.48).
    complete(pending, with: nil, effects: &effects)
  }

  private mutating func decideFirst(app index: Int, answer: PromptAnswer, asksForAlways: Bool) {
    let prefersReduced = apps[index].description.prefersReducedAccuracy
    switch answer.choice {
    case .allowOnce:
      apps[index].authorization.decide(.whenInUse, isOnce: true)
    case .allowWhileUsing:
      // Always was asked for: the app is told Always, and gets While Using (behaviour 1.13).
      apps[index].authorization.decide(
        asksForAlways ? .always : .whenInUse, isProvisional: asksForAlways)
    case .allow:
      apps[index].authorization.decide(asksForAlways ? .always : .whenInUse)
    case .doNotAllow, .keepWhileUsing, .changeToAlways, .settings:
      apps[index].authorization.decide(.denied)
    }
    if asksForAlways { apps[index].authorization.grant.hasRequestedAlways = true }
    if policy.firstPromptOffersPrecise {
      apps[index].authorization.grant.isPrecise = !prefersReduced && answer.isPrecise
    }
  }

  // MARK: Provisional Always

  /// Keeps the newest fix that only a confirmed Always may see, and asks for the confirmation (behaviour 1.14).
  mutating func holdForAlways(
    _ fix: Fix, app index: Int, session position: Int, effects: inout [Effect]
  ) {
    apps[index].sessions[position].fixAwaitingAlways = (fix, now)
    askToConfirmAlways(app: index, effects: &effects)
  }

  /// One question, however much waits for its answer.
  mutating func askToConfirmAlways(app index: Int, effects: inout [Effect]) {
    guard apps[index].prompt == nil else { return }
    let description = apps[index].description
    show(
      kind: .provisionalConfirmation, app: index, by: nil,
      usageText: description.alwaysAndWhenInUseUsage ?? description.alwaysUsage ?? "",
      choices: [.keepWhileUsing, .changeToAlways], asksForAlways: true, effects: &effects)
  }
}

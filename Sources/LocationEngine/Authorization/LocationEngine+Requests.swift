import LocationModel

/// The three calls by which an app asks for permission. Each either shows a prompt or does nothing, and nothing
/// means: no error, no callback, one line in the log (behaviour 1.5 to 1.8, 1.47 to 1.49).
extension LocationEngine {
  mutating func requestWhenInUse(
    app index: Int, by manager: ManagerIdentifier, effects: inout [Effect]
  ) {
    let name = "requestWhenInUseAuthorization()"
    guard apps[index].told.status == .notDetermined else { return }
    guard mayPrompt(app: index, request: name, effects: &effects) else { return }
    guard let text = apps[index].description.whenInUseUsage else {
      note(
        .requestIgnoredForMissingKeys(
          apps[index].identifier, request: name, keys: [InfoKey.whenInUse]), effects: &effects)
      return
    }
    showFirstPrompt(
      app: index, by: manager, usageText: text, asksForAlways: false, effects: &effects)
  }

  mutating func requestAlways(
    app index: Int, by manager: ManagerIdentifier, effects: inout [Effect]
  ) {
    let name = "requestAlwaysAuthorization()"
    let authorization = apps[index].authorization
    switch apps[index].told.status {
    case .restricted, .denied, .authorizedAlways:
      return
    case .authorizedWhenInUse:
      // Once only, and not upon a temporary grant (behaviour 1.15, 1.18).
      guard !authorization.isOnce else {
        note(
          .requestIgnoredAfterAllowOnce(apps[index].identifier, request: name), effects: &effects)
        return
      }
      guard policy.alwaysEscalation != .doesNothing, !authorization.grant.hasRequestedAlways else {
        note(
          .requestIgnoredAsAnswered(apps[index].identifier, request: name), effects: &effects)
        return
      }
    case .notDetermined:
      break
    }
    guard mayPrompt(app: index, request: name, effects: &effects) else { return }
    guard let text = alwaysUsageText(app: index, request: name, effects: &effects) else { return }
    if apps[index].told.status == .notDetermined {
      // Since iOS 13 the first prompt only asks for While Using, in that key's words; those for Always come with
      // the second (behaviour 1.10, 1.14).
      let whileUsing =
        policy.firstPrompt == .onceWhileUsingOrNot
        ? apps[index].description.whenInUseUsage : nil
      showFirstPrompt(
        app: index, by: manager, usageText: whileUsing ?? text, asksForAlways: true, effects: &effects)
    } else {
      escalate(app: index, by: manager, usageText: text, effects: &effects)
    }
  }

  private mutating func escalate(
    app index: Int, by manager: ManagerIdentifier, usageText: String, effects: inout [Effect]
  ) {
    let wasPermitted = isPermitted(app: index)
    apps[index].authorization.grant.hasRequestedAlways = true
    switch policy.alwaysEscalation {
    case .promptsAtOnce:
      show(
        kind: .escalation, app: index, by: manager, usageText: usageText,
        choices: [.keepWhileUsing, .changeToAlways], asksForAlways: true, effects: &effects)
    case .becomesProvisional:
      apps[index].authorization.decide(.always, isProvisional: true)
    case .doesNothing:
      break
    }
    tellAuthorization(app: index, wasPermitted: wasPermitted, effects: &effects)
  }

  private mutating func showFirstPrompt(
    app index: Int, by manager: ManagerIdentifier, usageText: String, asksForAlways: Bool,
    effects: inout [Effect]
  ) {
    let choices: [PromptChoice] =
      switch policy.firstPrompt {
      case .allowOrNot: [.allow, .doNotAllow]
      case .onceWhileUsingOrNot: [.allowOnce, .allowWhileUsing, .doNotAllow]
      }
    show(
      kind: .first, app: index, by: manager, usageText: usageText, choices: choices,
      asksForAlways: asksForAlways, effects: &effects)
  }

  mutating func requestTemporaryFullAccuracy(
    app index: Int, by manager: ManagerIdentifier, purposeKey: String,
    completion: CompletionIdentifier, effects: inout [Effect]
  ) {
    let kind = Prompt.Kind.temporaryFullAccuracy(purposeKey: purposeKey)
    let shown = apps[index].prompt?.prompt.kind
    let usage = apps[index].description.temporaryUsages.first { $0.purposeKey == purposeKey }
    let told = apps[index].told
    guard let usage, told.status.isAuthorized, told.accuracy == .reduced,
      apps[index].state == .foreground, shown == nil || shown == kind
    else {
      let declined = ManagerEvent.temporaryFullAccuracyAnswered(completion, .promptDeclined)
      effects.append(.deliver(declined, to: manager))
      return
    }
    // If the question is on screen already, one answer serves both calls.
    if shown == nil {
      show(
        kind: kind, app: index, by: manager, usageText: usage.text,
        choices: [.allowOnce, .doNotAllow], asksForAlways: false, effects: &effects)
    }
    apps[index].prompt?.completions.append((manager, completion))
  }

  // MARK: Conditions

  /// A prompt needs the app in the foreground, and one prompt is enough at a time (behaviour 1.6, 1.20).
  private func mayPrompt(app index: Int, request: String, effects: inout [Effect]) -> Bool {
    guard apps[index].state == .foreground else {
      note(.requestIgnoredInBackground(apps[index].identifier, request: request), effects: &effects)
      return false
    }
    guard apps[index].prompt == nil else {
      note(
        .requestIgnoredWhilePrompting(apps[index].identifier, request: request), effects: &effects)
      return false
    }
    return true
  }

  /// The text for Always, if the Info.plist has every key that the era needs (behaviour 1.8).
  private func alwaysUsageText(
    app index: Int, request: String, effects: inout [Effect]
  ) -> String? {
    let description = apps[index].description
    let hasPair = description.alwaysAndWhenInUseUsage != nil && description.whenInUseUsage != nil
    if hasPair { return description.alwaysAndWhenInUseUsage }
    var missing: [String] = []
    switch policy.alwaysUsageKeys {
    case .alwaysKey:
      if let text = description.alwaysUsage { return text }
      missing = [InfoKey.always]
    case .combinedAndWhenInUseKeys:
      if description.alwaysAndWhenInUseUsage == nil { missing.append(InfoKey.alwaysAndWhenInUse) }
      if description.whenInUseUsage == nil { missing.append(InfoKey.whenInUse) }
    }
    note(
      .requestIgnoredForMissingKeys(description.identifier, request: request, keys: missing),
      effects: &effects)
    return nil
  }

  func note(_ notice: Notice, effects: inout [Effect]) {
    effects.append(.note(notice))
  }
}

/// The Info.plist keys that location services read.
package enum InfoKey {
  package static let whenInUse = "NSLocationWhenInUseUsageDescription"
  package static let alwaysAndWhenInUse = "NSLocationAlwaysAndWhenInUseUsageDescription"
  package static let always = "NSLocationAlwaysUsageDescription"
  package static let temporaryUsages = "NSLocationTemporaryUsageDescriptionDictionary"
  package static let defaultAccuracyReduced = "NSLocationDefaultAccuracyReduced"
  package static let explicitServiceSession = "NSLocationRequireExplicitServiceSession"
  package static let backgroundModes = "UIBackgroundModes"
  package static let bundleIdentifier = "CFBundleIdentifier"
  package static let bundleExecutable = "CFBundleExecutable"
  package static let requiredDeviceCapabilities = "UIRequiredDeviceCapabilities"
}

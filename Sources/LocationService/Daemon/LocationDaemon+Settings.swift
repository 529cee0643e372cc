import LocationEngine
import LocationRuntime

/// An app's entry in Settings: shown by its person's agent when the app asks for it, and again after each choice until
/// the person leaves it. On the queue.
extension LocationDaemon {
  /// The engine's prompts count from the other end.
  private static let firstEntryNumber: UInt64 = 1 << 63

  /// An app in the background shows nothing.
  func openSettings(_ number: UInt64, for client: ServedClient) {
    guard case .app(let description) = client.role, host.read({ $0.state(of: client.identity.app) }) == .foreground
    else {
      return client.send(.settingsOpened(number, false))
    }
    showEntry(of: description, isFirst: false) { [weak client] isShown in
      client?.send(.settingsOpened(number, isShown))
    }
  }

  private func showEntry(of app: AppDescription, isFirst: Bool, shown: (@Sendable (Bool) -> Void)? = nil) {
    entryCount += 1
    let entry = entry(of: app, number: Self.firstEntryNumber + entryCount)
    desk.open(entry, isFirst: isFirst, shown: shown) { [weak self] answer in
      guard let self, case .settings(let change) = answer.choice, change != .done else { return }
      carryOut(change, for: app.identifier)
      showEntry(of: app, isFirst: true)
    }
  }

  private func entry(of app: AppDescription, number: UInt64) -> Prompt {
    let name = app.identifier
    let grant = host.read { $0.grant(of: name) } ?? store.load(name).grant
    let settings = AppSettings(
      level: grant.level, isPrecise: grant.isPrecise, allowsBackgroundRefresh: backgroundRefresh(of: app))
    return Prompt(
      identifier: PromptIdentifier(number), app: name, kind: .settings(settings), usageText: app.whenInUseUsage ?? "",
      choices: Self.choices(settings, isRestricted: grant.isRestricted, offersAlways: app.describesAlways).map {
        .settings($0)
      }, offersPreciseSwitch: false)
  }

  /// Nil where it is off for all apps, and for an app that is never started.
  private func backgroundRefresh(of app: AppDescription) -> Bool? {
    guard installedApps != nil, app.isInstalled, host.read({ $0.allowsBackgroundRefresh }) else { return nil }
    return host.read { $0.storedLife(of: app.identifier) }?.allowsBackgroundRefresh
  }

  /// What a person looks for most comes first: some desktops show three buttons and no more.
  private static func choices(
    _ settings: AppSettings, isRestricted: Bool, offersAlways: Bool
  ) -> [SettingsChange] {
    var choices: [SettingsChange] = []
    if !isRestricted {
      let levels: [Grant.Level] = [.whenInUse, .always, .denied, .notDetermined]
      choices += levels.filter { $0 != settings.level && (offersAlways || $0 != .always) }.map { .level($0) }
      if settings.level == .whenInUse || settings.level == .always { choices.append(.precise(!settings.isPrecise)) }
    }
    if let isOn = settings.allowsBackgroundRefresh { choices.append(.backgroundRefresh(!isOn)) }
    return choices + [.done]
  }

  private func carryOut(_ change: SettingsChange, for app: AppIdentifier) {
    do throws(CommandProblem) {
      switch change {
      case .level(let level): try decide(for: app, GrantChange(level: level))
      case .precise(let isPrecise): try decide(for: app, GrantChange(isPrecise: isPrecise))
      case .backgroundRefresh(let isOn):
        host.handle(.life(.backgroundRefreshSwitched(app, isOn: isOn)))
        host.waitUntilCarriedOut(secondsMax: 5)
      case .done: return
      }
      log("The person of user \(app.userNumber ?? 0) changed the settings of \(app.name).")
    } catch {
      log("The settings of \(app.name) were not changed: \(error.sentence)")
    }
  }
}

extension AppDescription {
  fileprivate var describesAlways: Bool { alwaysAndWhenInUseUsage != nil || alwaysUsage != nil }
}

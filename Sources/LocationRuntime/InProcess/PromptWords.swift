import LocationEngine

// What a person reads of a prompt, on a terminal as on a desktop. The app's name is not the app's choice; its reason
// is, and stands below the name, without anything that could pass for more than text.

extension Prompt {
  /// The question.
  package var title: String {
    let name = PlainText.printable(app.name)
    switch kind {
    case .first: return "Allow \(name) to use your location?"
    case .escalation, .provisionalConfirmation:
      return "Allow \(name) to also use your location even when you are not using it?"
    case .temporaryFullAccuracy: return "Allow \(name) to use your precise location once?"
    case .settings: return "Settings of \(name)"
    }
  }

  /// How things stand, a line each; empty for all but an app's entry.
  package var standing: [String] {
    guard case .settings(let settings) = kind else { return [] }
    var lines = ["Location: \(SettingsChange.level(settings.level).label)"]
    if settings.level == .whenInUse || settings.level == .always {
      lines.append("Precise Location: \(settings.isPrecise ? "On" : "Off")")
    }
    if let isOn = settings.allowsBackgroundRefresh { lines.append("Background App Refresh: \(isOn ? "On" : "Off")") }
    return lines
  }

  /// The app's reason; empty where it gave none.
  package var printableUsageText: String { PlainText.printable(usageText) }
}

extension PromptChoice {
  package var label: String {
    switch self {
    case .allowOnce: "Allow Once"
    case .allowWhileUsing: "Allow While Using App"
    case .allow: "Allow"
    case .doNotAllow: "Don't Allow"
    case .keepWhileUsing: "Keep Only While Using"
    case .changeToAlways: "Change to Always Allow"
    case .settings(let change): change.label
    }
  }
}

extension SettingsChange {
  fileprivate var label: String {
    switch self {
    case .level(.notDetermined): "Ask Next Time"
    case .level(.denied): "Never"
    case .level(.whenInUse): "While Using the App"
    case .level(.always): "Always"
    case .precise(let isOn): "Turn Precise Location \(isOn ? "On" : "Off")"
    case .backgroundRefresh(let isOn): "Turn Background App Refresh \(isOn ? "On" : "Off")"
    case .done: "Done"
    }
  }
}

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
    }
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
    }
  }
}

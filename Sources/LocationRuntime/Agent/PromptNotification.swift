import LocationEngine

/// A prompt as a notification of a desktop: its words, its buttons, and what each button means.
///
/// (freedesktop.org, Desktop Notifications Specification 1.2)
package struct PromptNotification: Hashable, Sendable {
  package struct Action: Hashable, Sendable {
    package var key: String
    package var label: String
  }

  package enum Meaning: Hashable, Sendable {
    case answer(PromptAnswer)
    /// The same question is shown again with Precise switched.
    case switchPrecise
  }

  /// The key of an action that the specification gives to the notification itself: a click on its text.
  private static let textKey = "default"
  private static let preciseKey = "precise"

  package var prompt: Prompt
  /// What an allowing answer gives; the person can switch it where the prompt offers that.
  package var isPrecise: Bool

  package init(_ prompt: Prompt, isPrecise: Bool = true) {
    self.prompt = prompt
    self.isPrecise = isPrecise
  }

  /// Servers never read markup in it.
  package var summary: String { prompt.title }

  /// - Parameter readsMarkup: the server takes the text for markup; what is an app's must stay text.
  package func body(readsMarkup: Bool) -> String {
    var lines: [String] = []
    let reason = prompt.printableUsageText
    if !reason.isEmpty { lines.append(readsMarkup ? Self.escape(reason) : reason) }
    lines += prompt.standing
    if prompt.offersPreciseSwitch {
      lines.append(
        isPrecise
          ? "Precise: On. A click on this text gives an approximate location only."
          : "Precise: Off. A click on this text gives the precise location.")
    }
    return lines.joined(separator: "\n")
  }

  /// The choices come first, since some desktops show three buttons and no more; there a click on the text switches
  /// Precise.
  package var actions: [Action] {
    var actions = prompt.choices.enumerated().map { Action(key: Self.key($0.offset), label: $0.element.label) }
    if prompt.offersPreciseSwitch {
      actions.append(Action(key: Self.preciseKey, label: isPrecise ? "Precise: On" : "Precise: Off"))
      actions.append(Action(key: Self.textKey, label: "Switch Precise"))
    }
    return actions
  }

  /// Nil for a key that is none of this notification's.
  package func meaning(of key: String) -> Meaning? {
    if key == Self.preciseKey || key == Self.textKey { return prompt.offersPreciseSwitch ? .switchPrecise : nil }
    guard let index = prompt.choices.indices.first(where: { Self.key($0) == key }) else { return nil }
    return .answer(PromptAnswer(prompt.choices[index], isPrecise: isPrecise))
  }

  private static func key(_ index: Int) -> String { "choice-\(index + 1)" }

  /// The three characters that markup is made of.
  package static func escape(_ text: String) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }
}

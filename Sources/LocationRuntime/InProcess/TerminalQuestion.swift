import LocationEngine

/// A prompt as lines of text, and what a typed line means.
package struct TerminalQuestion: Sendable {
  private let prompt: Prompt

  package init(_ prompt: Prompt) {
    self.prompt = prompt
  }

  package var text: String {
    var text = "\n\(prompt.title)\n"
    let reason = prompt.printableUsageText
    if !reason.isEmpty { text += "  \"\(reason)\"\n" }
    for line in prompt.standing { text += "  \(line)\n" }
    for (index, choice) in prompt.choices.enumerated() {
      text += "  \(index + 1)  \(choice.label)\n"
    }
    if prompt.offersPreciseSwitch {
      text += "  (add \"r\" to give an approximate location only, as in \"2r\")\n"
    }
    return text + "> "
  }

  package var help: String {
    "Type a number from 1 to \(prompt.choices.count).\n> "
  }

  /// Nil where the line is none of the choices.
  package func answer(to line: String) -> PromptAnswer? {
    var typed = line.filter { $0 != " " && $0 != "\t" && $0 != "\r" }.lowercased()
    var isPrecise = true
    if prompt.offersPreciseSwitch, typed.hasSuffix("r") {
      typed.removeLast()
      isPrecise = false
    }
    guard let number = Int(typed), prompt.choices.indices.contains(number - 1) else { return nil }
    return PromptAnswer(prompt.choices[number - 1], isPrecise: isPrecise)
  }
}

import LocationEngine
import LocationRuntime

/// What an operator has decided beforehand, for machines with nobody to ask: a level for each app, or for every app.
package struct PermissionRules: Hashable, Sendable {
  package struct Rule: Hashable, Sendable {
    package var level: Grant.Level
    package var isPrecise: Bool

    package init(level: Grant.Level, isPrecise: Bool = true) {
      self.level = level
      self.isPrecise = isPrecise
    }
  }

  /// By the app's name, as `corelocation apps` shows it; "*" is every other app.
  package var ruleByApp: [String: Rule]

  package init(ruleByApp: [String: Rule] = [:]) {
    self.ruleByApp = ruleByApp
  }

  /// The rule's answer in the prompt's own terms; nil where no rule speaks of the app, and a person is asked.
  package func answer(to prompt: Prompt) -> PromptAnswer? {
    guard let rule = ruleByApp[prompt.app.name] ?? ruleByApp["*"] else { return nil }
    let wished: [PromptChoice] =
      switch (rule.level, prompt.kind) {
      case (.notDetermined, _), (_, .settings): []
      case (.denied, .first), (.denied, .temporaryFullAccuracy): [.doNotAllow]
      case (.denied, _), (.whenInUse, .escalation), (.whenInUse, .provisionalConfirmation): [.keepWhileUsing]
      case (_, .first): [.allowWhileUsing, .allow]
      case (.always, .escalation), (.always, .provisionalConfirmation): [.changeToAlways]
      case (_, .temporaryFullAccuracy): [rule.isPrecise ? .allowOnce : .doNotAllow]
      }
    guard let choice = wished.first(where: prompt.choices.contains) else { return nil }
    return PromptAnswer(choice, isPrecise: rule.isPrecise)
  }
}

/// A question for the person at the device. The host shows it; the engine decides what the answer means.
package struct Prompt: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The first question of an app (behaviour 1.10).
    case first
    /// While Using to Always, asked because the app called `requestAlwaysAuthorization` (behaviour 1.15).
    case escalation
    /// Confirms a provisional Always after something happened that needs it (behaviour 1.14).
    case provisionalConfirmation
    /// Full accuracy for as long as the app is in use (behaviour 1.47).
    case temporaryFullAccuracy(purposeKey: String)
    /// The app's entry in Settings, which it has asked to be shown: the service's own question, never the engine's.
    case settings(AppSettings)
  }

  package var identifier: PromptIdentifier
  package var app: AppIdentifier
  package var kind: Kind
  /// Why the app says it wants this: the text of its Info.plist key.
  package var usageText: String
  /// What the person may choose, in the order shown.
  package var choices: [PromptChoice]
  /// Whether the person may turn Precise off in the prompt itself (behaviour 1.46).
  package var offersPreciseSwitch: Bool

  package init(
    identifier: PromptIdentifier, app: AppIdentifier, kind: Kind, usageText: String,
    choices: [PromptChoice], offersPreciseSwitch: Bool
  ) {
    self.identifier = identifier
    self.app = app
    self.kind = kind
    self.usageText = usageText
    self.choices = choices
    self.offersPreciseSwitch = offersPreciseSwitch
  }
}

package enum PromptChoice: Hashable, Sendable {
  case allowOnce
  case allowWhileUsing
  /// Before iOS 13: what was asked for, at once.
  case allow
  case doNotAllow
  case keepWhileUsing
  case changeToAlways
  /// In an app's entry.
  case settings(SettingsChange)
}

/// What an app's entry in Settings shows.
package struct AppSettings: Hashable, Sendable {
  package var level: Grant.Level
  package var isPrecise: Bool
  /// Nil where it is not to be decided here: the app is not installed, or it is off for all.
  package var allowsBackgroundRefresh: Bool?

  package init(level: Grant.Level, isPrecise: Bool, allowsBackgroundRefresh: Bool? = nil) {
    self.level = level
    self.isPrecise = isPrecise
    self.allowsBackgroundRefresh = allowsBackgroundRefresh
  }
}

/// What a person does in an app's entry.
package enum SettingsChange: Hashable, Sendable {
  /// `notDetermined` is Ask Next Time.
  case level(Grant.Level)
  case precise(Bool)
  case backgroundRefresh(Bool)
  /// Leaves it as it is.
  case done
}

package struct PromptAnswer: Hashable, Sendable {
  package var choice: PromptChoice
  package var isPrecise: Bool

  package init(_ choice: PromptChoice, isPrecise: Bool = true) {
    self.choice = choice
    self.isPrecise = isPrecise
  }
}

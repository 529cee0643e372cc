import LocationEngine

/// The terminal of an agent. It tells commands in place of buttons.
package final class AgentTerminal: AgentPrompter {
  private let prompter: TerminalPrompter
  private let log: @Sendable (String) -> Void

  package init(log: @escaping @Sendable (String) -> Void) {
    self.log = log
    prompter = TerminalPrompter(log: log)
  }

  package func show(
    _ prompt: Prompt, shown: @escaping @Sendable () -> Void, answer: @escaping @Sendable (PromptAnswer) -> Void,
    putOff: @escaping @Sendable () -> Void
  ) {
    prompter.show(prompt, shown: shown, answer: answer, putOff: putOff)
  }

  package func withdraw(_ prompt: PromptIdentifier) {
    prompter.withdraw(prompt)
  }

  package func showServicesAlert(for app: AppIdentifier, turnOn: @escaping @Sendable () -> Void) {
    log(
      "Turn on Location Services? \(PlainText.printable(app.name)) wants your location; \"corelocation services on\" "
        + "switches it on.")
  }

  package func tell(_ sentence: String) {
    log(sentence)
  }
}

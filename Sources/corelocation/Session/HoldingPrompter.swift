import LocationEngine
import LocationRuntime

/// Asks on the terminal, and keeps a live table from drawing over the question.
final class HoldingPrompter: PermissionPrompter {
  private let prompter = TerminalPrompter(log: Messages.log)
  private let table: LiveTable?

  init(table: LiveTable?) {
    self.table = table
  }

  func show(_ prompt: Prompt, answer: @escaping @Sendable (PromptAnswer) -> Void) {
    guard let table, TerminalPrompter.hasTerminal else { return prompter.show(prompt, answer: answer) }
    table.setHeld(true)
    prompter.show(
      prompt,
      answer: { given in
        table.setHeld(false)
        answer(given)
      }, putOff: { table.setHeld(false) })
  }

  func withdraw(_ prompt: PromptIdentifier) {
    prompter.withdraw(prompt)
    table?.setHeld(false)
  }

  func showLocationServicesAlert(for app: AppIdentifier) { prompter.showLocationServicesAlert(for: app) }
}

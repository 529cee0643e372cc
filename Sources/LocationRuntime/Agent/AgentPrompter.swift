import LocationEngine

/// How an agent asks a person what the service wants to know: on a terminal, or on a desktop.
package protocol AgentPrompter: AnyObject, Sendable {
  /// Shows a prompt. One of the last two is called once, on any thread, unless the prompt is withdrawn.
  ///
  /// - Parameters:
  ///   - shown: it is before the person's eyes; called before the others, also again where it is shown anew.
  ///   - putOff: the person has closed it without an answer, or there is no way to show it now.
  func show(
    _ prompt: Prompt, shown: @escaping @Sendable () -> Void, answer: @escaping @Sendable (PromptAnswer) -> Void,
    putOff: @escaping @Sendable () -> Void)

  func withdraw(_ prompt: PromptIdentifier)

  /// "Turn On Location Services?" (behaviour 1.31)
  ///
  /// - Parameter turnOn: the person wants it; not called where a terminal tells the command instead.
  func showServicesAlert(for app: AppIdentifier, turnOn: @escaping @Sendable () -> Void)

  /// Something that the person has to know and that has no answer.
  func tell(_ sentence: String)
}

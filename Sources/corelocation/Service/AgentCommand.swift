import Dispatch
import Glibc
import LinuxIO
import LocationEngine
import LocationRuntime

/// `corelocation agent`: asks this person, on this terminal, what apps may have.
enum AgentCommand {
  static let command = Command(
    name: "agent", summary: "Asks on this terminal when apps want your location, until it is stopped",
    notes: [
      "The first agent of a person is asked; when it ends the next is, with the question that was open.",
      "Without an agent questions wait; \"corelocation grant\" and \"deny\" answer them, too.",
    ],
    run: { (_) throws(CommandFailure) in try run() })

  private static func run() throws(CommandFailure) -> ExitStatus {
    guard TerminalPrompter.hasTerminal else {
      throw .failed("there is no terminal to ask on; run it in one, or decide with \"corelocation grant\"")
    }
    let desk = TerminalDesk()
    do throws(ToolConnection.Failure) {
      let connection = try ToolConnection(
        path: try ServiceAccess.socketPath(), heard: { desk.heard($0) })
      desk.serve(connection)
      try connection.becomeAgent()
      Messages.say("Waiting for questions. Press Control-C to end.")
      throw ToolConnection.Failure(description: desk.waitForEnd())
    } catch {
      throw .failed(error.description)
    }
  }
}

/// Questions of the service, one at a time on the terminal, and their answers.
private final class TerminalDesk: Sendable {
  private struct State {
    var connection: ToolConnection?
    var shown: Prompt?
    /// Questions that came before there was anybody to answer to.
    var early: [Prompt] = []
    var reasonOfEnd: String?
  }

  private let state = Locked(State())
  private let prompter = TerminalPrompter(log: Messages.log)
  private let ended = DispatchSemaphore(value: 0)

  func serve(_ connection: ToolConnection) {
    let early = state.withLock { state in
      defer { state.early = [] }
      state.connection = connection
      return state.early
    }
    early.forEach(show)
  }

  func heard(_ news: ToolConnection.News) {
    switch news {
    case .prompt(let prompt):
      let isReady = state.withLock { state -> Bool in
        guard state.connection == nil else { return true }
        state.early.append(prompt)
        return false
      }
      if isReady { show(prompt) }
    case .promptWithdrawn(let prompt):
      prompter.withdraw(prompt)
    case .servicesAlert(let app):
      Messages.say(
        "\(PlainText.printable(app.name)) wants your location, but Location Services is off. "
          + "\"corelocation services on\" switches it on.")
    case .promptAnswerRefused(let prompt, let reason):
      Messages.say("This answer does not count: \(reason)")
      // The service still waits for it.
      if let shown = state.withLock({ $0.shown }), shown.identifier == prompt { show(shown) }
    case .ended(let reason):
      state.withLock { $0.reasonOfEnd = reason }
      ended.signal()
    }
  }

  private func show(_ prompt: Prompt) {
    let connection = state.withLock { state -> ToolConnection? in
      state.shown = prompt
      return state.connection
    }
    prompter.show(prompt) { answer in try? connection?.answer(prompt.identifier, with: answer) }
  }

  /// Why the service ended the connection.
  func waitForEnd() -> String {
    ended.wait()
    return state.withLock { $0.reasonOfEnd }.map { "the location service ended the connection: \($0)" }
      ?? "the location service ended the connection"
  }
}

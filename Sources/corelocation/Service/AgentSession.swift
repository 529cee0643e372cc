import Dispatch
import LinuxIO
import LocationEngine
import LocationRuntime

/// Brings questions of the service to the person, and answers back. It outlives the service: one that is started again
/// is served again.
final class AgentSession: Sendable {
  private struct State {
    var connection: ToolConnection?
    var shown: Prompt?
  }

  /// A service that has gone is looked for so often.
  private static let retryMilliseconds = 1_000

  private let prompter: any AgentPrompter
  private let path: String
  private let end: AgentEnd
  private let state = Locked(State())

  /// - Parameter end: comes from elsewhere when there is no way to ask any more.
  init(prompter: any AgentPrompter, path: String, end: AgentEnd) {
    self.prompter = prompter
    self.path = path
    self.end = end
  }

  /// Returns why it cannot go on.
  func run() -> String {
    do throws(ToolConnection.Failure) {
      try connect()
    } catch {
      return error.description
    }
    while true {
      if let reason = end.wait() { return reason }
      lost()
      Messages.say("the location service has gone; waiting for it")
      while true {
        if let reason = end.wait(milliseconds: Self.retryMilliseconds) { return reason }
        do throws(ToolConnection.Failure) {
          try connect()
          break
        } catch {
          // A service that answers and refuses will not think better of it.
          if error.isRefusal { return error.description }
        }
      }
      Messages.say("the location service is back")
    }
  }

  private func connect() throws(ToolConnection.Failure) {
    let connection = try ToolConnection(path: path, heard: { [weak self] in self?.heard($0) })
    state.withLock { $0.connection = connection }
    try connection.becomeAgent()
    // Its answer comes after a refusal of the agent, if there is one.
    _ = try connection.ask(.status)
    end.serviceCame()
  }

  private func lost() {
    let shown = state.withLock { state -> Prompt? in
      defer { state = State() }
      return state.shown
    }
    // The app asks anew.
    if let shown { prompter.withdraw(shown.identifier) }
  }

  private func heard(_ news: ToolConnection.News) {
    switch news {
    case .prompt(let prompt): show(prompt)
    case .promptWithdrawn(let prompt):
      forget(prompt)
      prompter.withdraw(prompt)
    case .servicesAlert(let app):
      prompter.showServicesAlert(for: app) { [weak self] in self?.turnServicesOn() }
    case .promptAnswerRefused(let prompt, let reason):
      prompter.tell("This answer does not count: \(reason)")
      // The service still waits for it, unless it has withdrawn it.
      if let shown = state.withLock({ $0.shown }), shown.identifier == prompt { show(shown) }
    case .ended: end.serviceWent()
    }
  }

  private func show(_ prompt: Prompt) {
    state.withLock { $0.shown = prompt }
    prompter.show(
      prompt,
      shown: { [weak self] in
        try? self?.connection?.tellShown(prompt.identifier)
      },
      answer: { [weak self] answer in
        try? self?.connection?.answer(prompt.identifier, with: answer)
      },
      putOff: { [weak self] in
        self?.forget(prompt.identifier)
        try? self?.connection?.putOff(prompt.identifier)
      })
  }

  private var connection: ToolConnection? { state.withLock { $0.connection } }

  private func forget(_ prompt: PromptIdentifier) {
    state.withLock { if $0.shown?.identifier == prompt { $0.shown = nil } }
  }

  /// On a connection of its own, since the answer is waited for.
  private func turnServicesOn() {
    DispatchQueue.global().async { [path, prompter] in
      do throws(ToolConnection.Failure) {
        if case .failed(let reason) = try ToolConnection(path: path).ask(.switchServices(isOn: true)) {
          prompter.tell(reason)
        }
      } catch {
        prompter.tell(error.description)
      }
    }
  }
}

/// What an agent waits for: that the service goes, or that there is nobody to ask any more.
final class AgentEnd: Sendable {
  private struct State {
    var hasServiceGone = false
    var reason: String?
  }

  private let state = Locked(State())
  private let bell = DispatchSemaphore(value: 0)

  func come(because reason: String) {
    state.withLock { $0.reason = $0.reason ?? reason }
    bell.signal()
  }

  func serviceCame() { state.withLock { $0.hasServiceGone = false } }

  func serviceWent() {
    state.withLock { $0.hasServiceGone = true }
    bell.signal()
  }

  /// Waits for either; the reason to end, or nil where the service has gone.
  func wait() -> String? {
    while true {
      let (gone, reason) = state.withLock { ($0.hasServiceGone, $0.reason) }
      if let reason { return reason }
      if gone { return nil }
      bell.wait()
    }
  }

  /// Waits so long for the reason to end.
  func wait(milliseconds: Int) -> String? {
    let limit = DispatchTime.now() + .milliseconds(milliseconds)
    while true {
      if let reason = state.withLock({ $0.reason }) { return reason }
      guard bell.wait(timeout: limit) == .success else { return nil }
    }
  }
}

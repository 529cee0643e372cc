import LinuxIO
import LocationEngine
import LocationModel
import LocationProviders

/// The person at a simulated device: answers prompts from a script, in its order, each after some simulated seconds.
/// A prompt for which nothing is written waits until somebody answers it.
package final class ScriptedPerson: PermissionPrompter {
  /// What a log of the device tells.
  package enum Event: Sendable {
    case isAsked(Prompt)
    case answers(Prompt, PromptAnswer)
    /// The question does not offer this, and stays.
    case cannotAnswer(Prompt, PromptChoice)
    case isNoLongerAsked(Prompt)
    case isShownLocationServicesAlert
  }

  private struct Line {
    var answer: PromptAnswer
    var afterSeconds: Double
  }

  private struct Question {
    var prompt: Prompt
    var answer: @Sendable (PromptAnswer) -> Void
  }

  private struct State {
    var script: [Line] = []
    var questions: [Question] = []
    var shown: [Prompt] = []
    var alerts: [AppIdentifier] = []
    var alarms: [any Alarm] = []
    var onEvent: (@Sendable (Event) -> Void)?
  }

  private let clock: any SessionClock
  private let state = Locked(State())

  package init(clock: any SessionClock) {
    self.clock = clock
  }

  /// Told of each event, before anything comes of it.
  package func onEvent(_ body: @escaping @Sendable (Event) -> Void) { state.withLock { $0.onEvent = body } }

  private func tell(_ event: Event) { state.withLock { $0.onEvent }?(event) }

  /// The next prompt without an answer in the script gets this one.
  package func willAnswer(_ answer: PromptAnswer, afterSeconds: Double) {
    state.withLock { $0.script.append(Line(answer: answer, afterSeconds: afterSeconds)) }
  }

  /// Answers the oldest open prompt now; false when there is none, or when it does not offer this.
  @discardableResult
  package func answer(_ answer: PromptAnswer) -> Bool {
    guard let oldest = openPrompts.first else { return false }
    return answerPrompt(oldest.identifier, with: answer)
  }

  /// Prompts on screen, the oldest first.
  package var openPrompts: [Prompt] {
    state.withLock { $0.questions.map(\.prompt) }
  }

  /// All prompts ever shown.
  package var shownPrompts: [Prompt] {
    state.withLock { $0.shown }
  }

  /// Apps for which "Turn On Location Services?" was shown.
  package var locationServicesAlerts: [AppIdentifier] {
    state.withLock { $0.alerts }
  }

  // MARK: PermissionPrompter

  package func show(_ prompt: Prompt, answer: @escaping @Sendable (PromptAnswer) -> Void) {
    let line = state.withLock { state -> Line? in
      state.shown.append(prompt)
      state.questions.append(Question(prompt: prompt, answer: answer))
      return state.script.isEmpty ? nil : state.script.removeFirst()
    }
    tell(.isAsked(prompt))
    guard let line else { return }
    let alarm = clock.makeAlarm { [weak self] in
      self?.answerPrompt(prompt.identifier, with: line.answer)
    }
    state.withLock { $0.alarms.append(alarm) }
    alarm.set(clock.now.advanced(bySeconds: line.afterSeconds))
  }

  @discardableResult
  private func answerPrompt(_ prompt: PromptIdentifier, with answer: PromptAnswer) -> Bool {
    let (question, isOffered) = state.withLock { state -> (Question?, Bool) in
      guard let index = state.questions.firstIndex(where: { $0.prompt.identifier == prompt }) else {
        return (nil, false)
      }
      let question = state.questions[index]
      guard question.prompt.choices.contains(answer.choice) else { return (question, false) }
      state.questions.remove(at: index)
      return (question, true)
    }
    guard let question else { return false }
    tell(isOffered ? .answers(question.prompt, answer) : .cannotAnswer(question.prompt, answer.choice))
    if isOffered { question.answer(answer) }
    return isOffered
  }

  package func withdraw(_ prompt: PromptIdentifier) {
    let gone = state.withLock { state in
      let gone = state.questions.first { $0.prompt.identifier == prompt }?.prompt
      state.questions.removeAll { $0.prompt.identifier == prompt }
      return gone
    }
    if let gone { tell(.isNoLongerAsked(gone)) }
  }

  package func showLocationServicesAlert(for app: AppIdentifier) {
    state.withLock { $0.alerts.append(app) }
    tell(.isShownLocationServicesAlert)
  }
}

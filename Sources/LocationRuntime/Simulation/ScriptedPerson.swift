import LinuxIO
import LocationEngine
import LocationModel
import LocationProviders

/// The person at a simulated device: answers prompts from a script, in its order, each after some simulated seconds.
/// A prompt for which nothing is written waits until somebody answers it.
package final class ScriptedPerson: PermissionPrompter {
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
  }

  private let clock: any SessionClock
  private let state = Locked(State())

  package init(clock: any SessionClock) {
    self.clock = clock
  }

  /// The next prompt without an answer in the script gets this one.
  package func willAnswer(_ answer: PromptAnswer, afterSeconds: Double) {
    state.withLock { $0.script.append(Line(answer: answer, afterSeconds: afterSeconds)) }
  }

  /// Answers the oldest open prompt now; false when there is none.
  @discardableResult
  package func answer(_ answer: PromptAnswer) -> Bool {
    let question = state.withLock { state in
      state.questions.isEmpty ? nil : state.questions.removeFirst()
    }
    question?.answer(answer)
    return question != nil
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
    guard let line else { return }
    let alarm = clock.makeAlarm { [weak self] in
      self?.answerPrompt(prompt.identifier, with: line.answer)
    }
    state.withLock { $0.alarms.append(alarm) }
    alarm.set(clock.now.advanced(bySeconds: line.afterSeconds))
  }

  private func answerPrompt(_ prompt: PromptIdentifier, with answer: PromptAnswer) {
    let question = state.withLock { state -> Question? in
      guard let index = state.questions.firstIndex(where: { $0.prompt.identifier == prompt }) else {
        return nil
      }
      return state.questions.remove(at: index)
    }
    question?.answer(answer)
  }

  package func withdraw(_ prompt: PromptIdentifier) {
    state.withLock { $0.questions.removeAll { $0.prompt.identifier == prompt } }
  }

  package func showLocationServicesAlert(for app: AppIdentifier) {
    state.withLock { $0.alerts.append(app) }
  }
}

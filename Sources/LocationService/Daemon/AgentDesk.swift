import Dispatch
import LinuxIO
import LocationEngine
import LocationRuntime

/// Where prompts wait for a person: each user's in the order of asking, one on screen at a time, shown by the user's
/// first agent. An agent that goes gives its prompt to the next; without an agent prompts wait.
///
/// A person who closes a question without an answer has put it off: it goes to the next agent, others come first, and
/// the agent that it was closed at shows it again after `putOffSeconds`.
final class AgentDesk: PermissionPrompter, @unchecked Sendable {
  private struct Waiting {
    var prompt: Prompt
    var answer: @Sendable (PromptAnswer) -> Void
    /// For an app's entry: hear once whether a person sees it.
    var shown: [@Sendable (Bool) -> Void] = []
    /// The agent that has it has told that it is before the person's eyes.
    var isSeen = false
    /// Agents at which the person has put it off, for now.
    var putOffAt: Set<ObjectIdentifier> = []

    mutating func tell(isShown: Bool) {
      isSeen = isShown
      for told in shown { told(isShown) }
      shown = []
    }
  }

  private struct Desk {
    var agents: [ServedClient] = []
    var waiting: [Waiting] = []
    /// The one of those that wait that is on screen, and whose.
    var shown: (prompt: PromptIdentifier, agent: ServedClient)?

    func shows(_ prompt: PromptIdentifier, at agent: ServedClient) -> Bool {
      shown?.prompt == prompt && shown?.agent === agent
    }
  }

  private let queue: DispatchQueue
  private let putOffSeconds: Double
  private let log: @Sendable (String) -> Void
  /// Nil where an answer can be kept; else why not.
  private let obstacle: @Sendable () -> String?
  /// What the machine's permission file says of an app.
  private let decided: @Sendable (Prompt) -> PromptAnswer?
  private var desks: [UInt32: Desk] = [:]

  init(
    queue: DispatchQueue, putOffSeconds: Double, log: @escaping @Sendable (String) -> Void,
    obstacle: @escaping @Sendable () -> String?, decided: @escaping @Sendable (Prompt) -> PromptAnswer?
  ) {
    self.queue = queue
    self.putOffSeconds = putOffSeconds
    self.log = log
    self.obstacle = obstacle
    self.decided = decided
  }

  // MARK: The host's side, from any thread

  func show(_ prompt: Prompt, answer: @escaping @Sendable (PromptAnswer) -> Void) {
    queue.async { [self] in
      if let decision = decided(prompt) { return answer(decision) }
      let user = prompt.app.userNumber ?? 0
      desks[user, default: Desk()].waiting.append(Waiting(prompt: prompt, answer: answer))
      if desks[user]?.agents.isEmpty == true {
        log(
          "\(prompt.app.name) asks for user \(user)'s location, and nobody can answer: start \"corelocation agent\", "
            + "or decide with \"corelocation grant\".")
      }
      advance(user)
    }
  }

  func withdraw(_ prompt: PromptIdentifier) {
    queue.async { [self] in
      for user in desks.keys {
        guard let place = desks[user]?.waiting.firstIndex(where: { $0.prompt.identifier == prompt }) else { continue }
        desks[user]?.waiting.remove(at: place)
        if let shown = desks[user]?.shown, shown.prompt == prompt {
          shown.agent.send(.promptWithdrawn(prompt))
          desks[user]?.shown = nil
        }
        advance(user)
      }
    }
  }

  func showLocationServicesAlert(for app: AppIdentifier) {
    queue.async { [self] in
      log("\(app.name) wants a location, but Location Services is off; \"corelocation services on\" switches it on.")
      desks[app.userNumber ?? 0]?.agents.first?.send(.servicesAlert(app))
    }
  }

  // MARK: Entries in Settings, on the queue

  /// Gives an app's entry to an agent, behind what waits already: an app cannot keep questions of others away by it.
  /// One that is there stays. Unlike a question it is gone when the person closes it.
  ///
  /// - Parameters:
  ///   - isFirst: the person is at it, and sees what has come of the last choice.
  ///   - shown: hears once whether a person sees it: when an agent has told that, or when none will.
  func open(
    _ entry: Prompt, isFirst: Bool, shown: (@Sendable (Bool) -> Void)?,
    answer: @escaping @Sendable (PromptAnswer) -> Void
  ) {
    let user = entry.app.userNumber ?? 0
    guard let desk = desks[user], !desk.agents.isEmpty else {
      shown?(false)
      return
    }
    if let there = desk.waiting.firstIndex(where: { $0.prompt.isEntry && $0.prompt.app == entry.app }) {
      if let shown { desks[user]?.waiting[there].shown.append(shown) }
      if desk.waiting[there].isSeen { desks[user]?.waiting[there].tell(isShown: true) }
      return
    }
    let waiting = Waiting(prompt: entry, answer: answer, shown: shown.map { [$0] } ?? [])
    desks[user]?.waiting.insert(waiting, at: isFirst ? 0 : desk.waiting.count)
    advance(user)
  }

  /// The prompt that this agent has is before the person's eyes.
  func wasShown(_ prompt: PromptIdentifier, at agent: ServedClient) {
    let user = agent.identity.userNumber
    guard let desk = desks[user], desk.shows(prompt, at: agent),
      let place = desk.waiting.firstIndex(where: { $0.prompt.identifier == prompt })
    else { return }
    desks[user]?.waiting[place].tell(isShown: true)
  }

  // MARK: The agents' side, on the queue

  func add(_ agent: ServedClient) {
    let user = agent.identity.userNumber
    guard desks[user]?.agents.contains(where: { $0 === agent }) != true else { return }
    desks[user, default: Desk()].agents.append(agent)
    advance(user)
  }

  func remove(_ agent: ServedClient) {
    let user = agent.identity.userNumber
    guard var desk = desks[user], desk.agents.contains(where: { $0 === agent }) else { return }
    desk.agents.removeAll { $0 === agent }
    for place in desk.waiting.indices { desk.waiting[place].putOffAt.remove(ObjectIdentifier(agent)) }
    if desk.shown?.agent === agent {
      for place in desk.waiting.indices where desk.waiting[place].prompt.identifier == desk.shown?.prompt {
        desk.waiting[place].isSeen = false
      }
      desk.shown = nil
    }
    if desk.agents.isEmpty {
      for place in desk.waiting.indices { desk.waiting[place].tell(isShown: false) }
      desk.waiting.removeAll { $0.prompt.isEntry }
    }
    desks[user] = desk.agents.isEmpty && desk.waiting.isEmpty ? nil : desk
    advance(user)
  }

  /// The answer of one who was not asked counts for nothing. One that could not be kept is not taken: the prompt stays.
  func answer(_ prompt: PromptIdentifier, with answer: PromptAnswer, from agent: ServedClient) {
    let user = agent.identity.userNumber
    guard let desk = desks[user], desk.shows(prompt, at: agent),
      let place = desk.waiting.firstIndex(where: { $0.prompt.identifier == prompt })
    else { return agent.send(.promptAnswerRefused(prompt, "The question was withdrawn.")) }
    let asked = desk.waiting[place]
    guard asked.prompt.choices.contains(answer.choice) else {
      return agent.send(.promptAnswerRefused(prompt, "This was not among the choices."))
    }
    if answer.choice != .settings(.done), let obstacle = obstacle() {
      log("The answer for \(asked.prompt.app.name) is not taken: \(obstacle)")
      return agent.send(.promptAnswerRefused(prompt, obstacle))
    }
    // Who answers has seen it, whatever the agent has told.
    desks[user]?.waiting[place].tell(isShown: true)
    desks[user]?.waiting.remove(at: place)
    desks[user]?.shown = nil
    asked.answer(answer)
    advance(user)
  }

  /// The person has closed the question at this agent without an answer.
  func putOff(_ prompt: PromptIdentifier, at agent: ServedClient) {
    let user = agent.identity.userNumber
    guard desks[user]?.shows(prompt, at: agent) == true else { return }
    desks[user]?.shown = nil
    if let place = desks[user]?.waiting.firstIndex(where: { $0.prompt.identifier == prompt && $0.prompt.isEntry }) {
      return putOffEntry(at: place, of: user, at: agent)
    }
    setPutOff(true, prompt, at: agent)
    queue.asyncAfter(deadline: .now() + putOffSeconds) { [weak self, weak agent] in
      if let self, let agent { setPutOff(false, prompt, at: agent) }
    }
  }

  /// One that the person has seen is closed by that. One that this agent could not show is the next agent's.
  private func putOffEntry(at place: Int, of user: UInt32, at agent: ServedClient) {
    guard let entry = desks[user]?.waiting[place] else { return }
    desks[user]?.waiting[place].putOffAt.insert(ObjectIdentifier(agent))
    let tried = entry.putOffAt.union([ObjectIdentifier(agent)])
    if entry.isSeen || desks[user]?.agents.allSatisfy({ tried.contains(ObjectIdentifier($0)) }) == true {
      desks[user]?.waiting[place].tell(isShown: false)
      desks[user]?.waiting.remove(at: place)
    }
    advance(user)
  }

  private func setPutOff(_ isPutOff: Bool, _ prompt: PromptIdentifier, at agent: ServedClient) {
    let user = agent.identity.userNumber
    if let place = desks[user]?.waiting.firstIndex(where: { $0.prompt.identifier == prompt }) {
      if isPutOff {
        desks[user]?.waiting[place].putOffAt.insert(ObjectIdentifier(agent))
      } else {
        desks[user]?.waiting[place].putOffAt.remove(ObjectIdentifier(agent))
      }
    }
    advance(user)
  }

  /// How many prompts wait and how many agents there are, for each user.
  var state: [(user: UInt32, prompts: Int, agents: Int)] {
    desks.sorted { $0.key < $1.key }.map { ($0.key, $0.value.waiting.count, $0.value.agents.count) }
  }

  private func advance(_ user: UInt32) {
    guard let desk = desks[user], desk.shown == nil else { return }
    for next in desk.waiting {
      guard let agent = desk.agents.first(where: { !next.putOffAt.contains(ObjectIdentifier($0)) }) else { continue }
      desks[user]?.shown = (next.prompt.identifier, agent)
      agent.send(.prompt(next.prompt))
      return
    }
  }
}

extension Prompt {
  fileprivate var isEntry: Bool {
    if case .settings = kind { true } else { false }
  }
}

import LocationEngine
import LocationModel
import Testing

@Suite("Random lives of a supervised app")
struct RandomSupervisedLifeTests {
  private static let lifeCount: UInt64 = ProofSize.isFull ? 20_000 : 150
  private static let stepCount = 400

  /// What happens to app a, whose processes are clients 1 and 2, among what happens to all.
  private func lifeInput(_ inputs: inout RandomInputs) -> Input {
    func pick<Element>(_ choices: [Element]) -> Element {
      choices[Int.random(in: 0..<choices.count, using: &inputs.generator)]
    }
    let app = inputs.apps[0]
    let client = ClientIdentifier(pick([1, 2]))
    let manager = ManagerIdentifier(client: client, number: pick([1, 2, 3]))
    switch Int.random(in: 0..<22, using: &inputs.generator) {
    case 0:
      return .life(.launched(app, grant: pick([.always, .always, .whenInUse, Grant()]), pick([.person, .event])))
    case 1: return .life(.processEnded(app.identifier))
    case 2, 3, 4:
      return .life(.commanded(app.identifier, pick([.enterForeground, .enterBackground, .enterBackground])))
    case 5:
      return .life(.commanded(app.identifier, pick([.terminate, .forceQuit, .enterBackground, .enterBackground])))
    case 6, 7: return .life(.backgroundTaskBegun(pick([1, 2, 3]), name: "t", by: client))
    case 8: return .life(.backgroundTaskEnded(pick([1, 2, 3]), by: client))
    case 9: return .life(.backgroundRefreshSwitched(pick([app.identifier, nil]), isOn: pick([true, true, false])))
    case 10: return .life(.startFailed(app.identifier))
    case 11: return .clientConnected(client, app, grant: .always, lastFix: nil)
    case 12: return .grantChanged(app.identifier, pick([.always, .always, .whenInUse]))
    case 13, 18, 19: return .requested(pick([.holdBackgroundActivity, .startLiveUpdates(.default)]), by: manager)
    case 14:
      let goal = ServiceSessionGoal(
        authorization: pick([.none, .whenInUse, .always]), fullAccuracyPurposeKey: pick([nil, "turn", "unknown"]))
      return .requested(.holdServiceSession(goal), by: manager)
    case 15:
      var life = StoredAppLife()
      life.wasForceQuit = pick([true, false])
      life.hadBackgroundActivity = pick([true, false])
      life.running = pick([.no, .background, .foreground])
      return .life(.restored(app, grant: .always, life))
    case 16: return .requested(.acknowledgeEvent(pick([1, 2, 3, 4])), by: manager)
    case 17: return .life(pick([.startPossible(app.identifier), .installedAgain(app.identifier)]))
    default: return .managerCreated(manager)
    }
  }

  private func live(seed: UInt64) -> SupervisedLifeChecker {
    var inputs = RandomInputs(seed: seed)
    var policy = RandomInputs.policy(&inputs.generator)
    policy.relaunchesAfterForceQuit = inputs.generator.happens(oneIn: 2)
    policy.significantChangeWakeSeconds = inputs.generator.happens(oneIn: 2) ? 900 : 0
    policy.backgroundTasksPerAppMax = 4
    var checker = SupervisedLifeChecker(policy: policy, app: inputs.apps[0].identifier)
    for _ in 0..<Self.stepCount where checker.violations.isEmpty {
      let next = inputs.next()
      let input = inputs.generator.happens(oneIn: 2) ? lifeInput(&inputs) : next.input
      for effect in checker.feed(input, at: next.seconds) {
        if case .showPrompt(let prompt) = effect { inputs.shownPrompts.append(prompt.identifier) }
      }
    }
    return checker
  }

  @Test(
    "Nothing reaches a frozen app, nothing is done to one that ends, and no start breaks a rule (behaviour 1.23, 3)")
  func invariants() {
    RandomLifeExpectations.expectNoViolation(Self.lifeCount) { live(seed: $0) }
  }

  @Test("The same inputs give the same effects, and wake-ups without a cause give none")
  func determinism() {
    RandomLifeExpectations.expectSameEffects { live(seed: $0) }
  }

  @Test("The lives are full: every effect on a life, and every event of one, occurs in them")
  func coverage() {
    var seen: Set<String> = []
    for seed in 1...60 as ClosedRange<UInt64> {
      let effects = live(seed: seed).history.flatMap(\.effects)
      for case .launch(_, for: .liveUpdated) in effects { seen.insert("started for updates") }
      for case .life(let effect) in effects {
        var words = describe(Effect.life(effect))
        if case .tell = effect { words = String(words.drop { $0 != ":" }.dropFirst(2)) }
        seen.insert(String(words.prefix { !$0.isNumber }))
      }
    }
    for word in [
      "suspend", "resume", "terminate", "terminate by force", "kill", "store life", "store life quit",
      "store life activity", "store life always", "indicator on", "indicator off", "began foreground",
      "began background for an event", "foreground", "background", "will be suspended", "will terminate", "task ",
      "time until ever", "time until ", "refresh on", "refresh off", "started for updates",
    ] {
      #expect(seen.contains(word), "no \(word) in any life")
    }
  }
}

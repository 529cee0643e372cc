import LocationEngine
import LocationModel
import Testing

@Suite("Random lives of several apps")
struct RandomLifeTests {
  private static let lifeCount: UInt64 = ProofSize.isFull ? 20_000 : 150
  private static let stepCount = 400

  private func live(seed: UInt64, profile: DeviceProfile = .receiver) -> EngineChecker {
    var inputs = RandomInputs(seed: seed)
    var checker = EngineChecker(policy: RandomInputs.policy(&inputs.generator), profile: profile)
    var motions = SeededGenerator(seed: seed)
    for _ in 0..<Self.stepCount where checker.violations.isEmpty {
      let next = inputs.next()
      if profile.hasMotionSensor, Int.random(in: 0..<8, using: &motions) == 0 {
        let motion = [DeviceMotion.still, .moving, .unknown].randomElement(using: &motions) ?? .still
        _ = checker.feed(.motionChanged(motion), at: next.seconds)
      }
      for effect in checker.feed(next.input, at: next.seconds) {
        if case .showPrompt(let prompt) = effect { inputs.shownPrompts.append(prompt.identifier) }
      }
    }
    return checker
  }

  @Test("No life breaks a rule of permission, accuracy, prompts, answers or demand (behaviour 1, 2, 3)")
  func invariants() {
    RandomLifeExpectations.expectNoViolation(Self.lifeCount) { live(seed: $0) }
  }

  @Test("Nor does a life on a phone, whose receivers sleep and whose motion sensor says anything at any time")
  func phoneInvariants() {
    RandomLifeExpectations.expectNoViolation(Self.lifeCount) { live(seed: $0, profile: .phone) }
    RandomLifeExpectations.expectSameEffects { live(seed: $0, profile: .phone) }
  }

  @Test("The same inputs give the same effects, and wake-ups without a cause give none")
  func determinism() {
    RandomLifeExpectations.expectSameEffects { live(seed: $0) }
  }

  @Test("The lives are full: every kind of effect, prompt and outcome occurs in them")
  func coverage() {
    var seen: Set<String> = []
    for seed in 1...90 as ClosedRange<UInt64> {
      for effect in live(seed: seed).history.flatMap(\.effects) {
        let words = describe(effect).split(separator: " ")
        seen.insert(words.first { !$0.hasSuffix(":") }.map(String.init) ?? "")
        seen.insert(String(words[0]))
        if case .deliver(.regionEntered, _) = effect { seen.insert("entered") }
        if case .deliver(.regionExited, _) = effect { seen.insert("exited") }
        if case .deliver(.failed, _) = effect { seen.insert(words.dropFirst().joined(separator: " ")) }
        if case .deliver(.locationsUpdated(let fixes, _), _) = effect, fixes.count > 1 { seen.insert("array") }
        if case .showPrompt(let prompt) = effect { seen.insert("\(prompt.kind)".prefix { $0 != "(" }.description) }
      }
    }
    for word in [
      "store", "receivers", "withdraw", "services", "prompt", "note:", "fix", "answer", "completion", "array",
      "failed denied", "failed locationUnknown", "answer failed denied", "answer failed locationUnknown",
      "entered", "exited", "monitoring", "launch", "first", "escalation", "provisionalConfirmation",
      "temporaryFullAccuracy", "restricted", "denied",
      "notDetermined", "authorizedAlways", "authorizedWhenInUse",
    ] {
      #expect(seen.contains(word), "no \(word) in any life")
    }
  }
}

import LocationEngine
import LocationModel
import Testing

/// A life that was lived, and what was wrong with it.
protocol CheckedLife {
  var engine: LocationEngine { get }
  var violations: [String] { get }
  var history: [(input: Input, seconds: Double, effects: [Effect])] { get }
}

/// What every random life has to keep to, whatever happens in it.
enum RandomLifeExpectations {
  /// No life breaks a rule; the first that does is told with its seed and its last steps.
  static func expectNoViolation(_ lifeCount: UInt64, _ live: (UInt64) -> some CheckedLife) {
    for seed in ProofSize.seeds(lifeCount) {
      let checker = live(seed)
      guard let violation = checker.violations.first else { continue }
      let last = checker.history.suffix(ProofSize.printedStepCount).map {
        "\($0.seconds): \($0.input) -> \($0.effects.map(describe))"
      }
      Issue.record("CORELOCATION_SEED=\(seed): \(violation)\n\(last.joined(separator: "\n"))")
      return
    }
  }

  /// The same inputs give the same effects, and wake-ups without a cause give none.
  static func expectSameEffects(_ live: (UInt64) -> some CheckedLife) {
    for seed in ProofSize.seeds(ProofSize.isFull ? 500 : 20) {
      let checker = live(seed)
      var again = LocationEngine(policy: checker.engine.policy, profile: checker.engine.profile)
      var nudged = LocationEngine(policy: checker.engine.policy, profile: checker.engine.profile)
      for (input, seconds, effects) in checker.history {
        let time = Instant.zero.advanced(bySeconds: seconds)
        #expect(again.handle(input, at: time) == effects, "CORELOCATION_SEED=\(seed)")
        #expect(nudged.handle(input, at: time) == effects, "CORELOCATION_SEED=\(seed)")
        #expect(nudged.handle(.timePassed, at: time).isEmpty, "CORELOCATION_SEED=\(seed) \(seconds) \(input)")
        #expect(nudged.handle(.timePassed, at: .zero).isEmpty, "CORELOCATION_SEED=\(seed)")
      }
    }
  }
}

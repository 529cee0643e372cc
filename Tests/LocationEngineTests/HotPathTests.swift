import LocationEngine
import LocationModel
import Testing

@Suite("A stream of fixes")
struct HotPathTests {
  @Test("Every fix of a long stream reaches a manager without a filter, and nothing is kept")
  func stream() {
    var bench = EngineBench(policy: .with { $0.lastFixStoreIntervalSeconds = 1e9 }, grant: .whenInUse)
    bench.configure { $0.pausesAutomatically = false }
    bench.request(.startUpdatingLocation, at: 0)
    bench.fix(at: 0)
    let count = ProofSize.isFull ? 1_000_000 : 10_000
    var effects: [Effect] = []
    var delivered = 0
    let clock = ContinuousClock()
    let taken = clock.measure {
      for number in 1...count {
        let fix = Fix.east(0, at: 0)
        bench.engine.handle(
          .fixReceived(fix), at: Instant(nanoseconds: Int64(number) * 1_000_000_000), effects: &effects)
        delivered += effects.count
        effects.removeAll(keepingCapacity: true)
      }
    }
    #expect(delivered == count)
    #expect(bench.engine.nextDeadline == nil)
    let seconds = Double(taken.components.seconds) + Double(taken.components.attoseconds) * 1e-18
    if ProofSize.isFull { print("\(count) fixes in \(seconds) s: \(Int(Double(count) / seconds)) a second") }
  }
}

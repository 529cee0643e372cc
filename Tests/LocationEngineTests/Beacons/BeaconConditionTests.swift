import LocationEngine
import LocationModel
import Testing

@Suite("Conditions on beacons")
struct BeaconConditionTests {
  private static func condition(
    _ identifier: String = "shop", _ constraint: BeaconConstraint = .uuid(), assuming state: ConditionState = .unknown
  ) -> StoredCondition {
    StoredCondition(
      identifier: identifier, shape: .beacons(constraint),
      record: ConditionEvent(identifier: identifier, state: state, time: Fix.start))
  }

  private func opened(app: AppDescription = .complete) -> EngineBench {
    var bench = EngineBench.withRadio(grant: .whenInUse, app: app)
    bench.request(.openMonitor("places"), at: 0)
    return bench
  }

  @Test("A condition for any beacon is satisfied by the first, which the event names (behaviour 9.37)")
  func refinement() {
    var bench = opened()
    #expect(bench.said(bench.request(.addCondition(Self.condition()), at: 0)) == ["beacon scan 1"])
    let packets =
      EngineBench.packets(1...10) { .of(major: 7, minor: 1, at: $0) }
      + EngineBench.packets(11...20) { .of(major: 7, minor: 2, at: $0) }
    #expect(
      bench.listen(to: 100, packets: packets)
        == ["1 1: condition shop satisfied by 7.1", "50 1: condition shop unsatisfied"])
  }

  @Test("Nothing near when it is added is an event, and none where that was assumed (behaviour 9.32, 9.33)")
  func assumed() {
    var bench = opened()
    bench.request(.addCondition(Self.condition()), at: 0)
    bench.request(.addCondition(Self.condition("other", assuming: .unsatisfied)), at: 0)
    #expect(bench.listen(to: 10) == ["3 1: condition shop unsatisfied"])
  }

  @Test("Without an adapter it is unsupported, and watched once there is one (behaviour 9.38)")
  func adapter() {
    var bench = EngineBench(grant: .whenInUse)
    bench.request(.openMonitor("places"), at: 0)
    #expect(
      bench.said(bench.request(.addCondition(Self.condition()), at: 0))
        == ["1: condition shop unmonitored (unsupported)"])
    bench.hear(.beaconRadioChanged(.on), at: 10)
    #expect(bench.listen(to: 20, packets: [(12, .of(at: 12))]) == ["12 1: condition shop satisfied by 1.1"])
  }

  @Test("The radio rests when the condition is removed and when its monitor is closed")
  func rest() {
    var bench = opened()
    bench.request(.addCondition(Self.condition()), at: 0)
    #expect(bench.request(.removeCondition("shop"), at: 1).contains("beacon scan off"))
    bench.request(.addCondition(Self.condition()), at: 2)
    #expect(bench.hear(.managerReleased(EngineBench.manager(1)), at: 3).contains("beacon scan off"))
    #expect(bench.deadlineSeconds == nil)
  }
}

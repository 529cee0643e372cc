import LocationEngine
import LocationModel
@testable import LocationRuntime
import Testing

@Suite("A monitor over a service that goes and comes")
struct MonitorMirrorTests {
  private func event(_ state: ConditionState) -> ConditionEvent {
    ConditionEvent(identifier: "home", state: state, time: WallTime(secondsSince1970: 5))
  }

  private func condition(_ state: ConditionState, pending: ConditionState? = nil) -> StoredCondition {
    StoredCondition(
      identifier: "home", shape: .circle(center: Coordinate(latitude: 1, longitude: 2), radiusMeters: 100),
      record: event(state), pending: pending.map(event))
  }

  @Test("A service that comes back is told of the monitor, its conditions as the app knows them, and its reader")
  func resuming() {
    var mirror = ManagerMirror()
    mirror.note(.openMonitor("places"))
    let opened = ManagerEvent.monitorOpened(
      StoredMonitor(name: "places", conditions: [condition(.unsatisfied, pending: .satisfied)]))
    #expect(mirror.heard(opened) == opened)
    #expect(mirror.resume() == [.openMonitor("places"), .addCondition(condition(.unsatisfied))])
    mirror.note(.iterateConditions)
    mirror.note(.settleCondition(event(.satisfied)))
    #expect(
      mirror.resume() == [.openMonitor("places"), .addCondition(condition(.satisfied)), .iterateConditions])
    #expect(mirror.heard(opened) == nil, "the app has it open already")
    mirror.note(.removeCondition("home"))
    #expect(mirror.resume() == [.openMonitor("places"), .iterateConditions])
  }

  @Test("A service that has not answered the opening is asked again, and nothing else")
  func opening() {
    var mirror = ManagerMirror()
    mirror.note(.openMonitor("places"))
    #expect(mirror.resume() == [.openMonitor("places")])
    #expect(mirror.heard(.monitorOpened(nil)) == .monitorOpened(nil))
    #expect(mirror.heard(.monitorOpened(nil)) == nil)
  }
}

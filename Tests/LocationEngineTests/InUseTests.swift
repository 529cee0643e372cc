import LocationEngine
import LocationModel
import Testing

@Suite("When an app is in use")
struct InUseTests {
  /// While Using, updates running from the foreground, one fix.
  private func following(
    allowsBackground: Bool, app: AppDescription = .complete, policy: Policy = Policy(), grant: Grant = .whenInUse
  ) -> EngineBench {
    var bench = EngineBench(policy: policy, grant: grant, app: app)
    bench.configure { $0.allowsBackgroundUpdates = allowsBackground }
    bench.request(.startUpdatingLocation, at: 0)
    bench.fix(at: 1)
    return bench
  }

  @Test("Use goes on for the grace of the policy after the foreground, then the receivers go off (behaviour 1.19)")
  func grace() {
    var bench = following(allowsBackground: false)
    #expect(bench.become(.background, at: 10) == [])
    #expect(bench.deadlineSeconds == 15)
    #expect(bench.fix(at: 14.5) == ["1: fix 14.5±4"])
    #expect(bench.pass(to: 15) == ["receivers off"])
    #expect(bench.fix(at: 16) == [])
    var none = following(allowsBackground: false, policy: .with { $0.inUseGraceSeconds = 0 })
    #expect(none.become(.background, at: 10) == ["receivers off"])
  }

  @Test("Fixes kept for a suspended app and dropped as use ended are not taken for delivered (behaviour 2.4)")
  func droppedIsNotDelivered() {
    var bench = following(allowsBackground: false)
    bench.become(.suspended, at: 10)
    bench.fix(at: 12)
    bench.pass(to: 15)
    #expect(bench.become(.foreground, at: 60) == ["1: fix 12±4", "receivers best"])
  }

  @Test("Back in the foreground the updates go on; what the manager has had is not told again (behaviour 1.22, 2.5)")
  func backInForeground() {
    var bench = following(allowsBackground: false)
    bench.become(.background, at: 10)
    bench.pass(to: 15)
    #expect(bench.become(.foreground, at: 60) == ["receivers best"])
    #expect(bench.fix(at: 61) == ["1: fix 61±4", "store fix 61±4"])
  }

  @Test("Updates begun in the foreground with the property and the mode go on in the background (behaviour 3.2)")
  func backgroundSession() {
    var bench = following(allowsBackground: true)
    #expect(bench.become(.background, at: 10) == [])
    #expect(bench.pass(to: 59) == [])
    #expect(bench.fix(at: 60) == ["1: fix 60±4"])
    #expect(bench.request(.stopUpdatingLocation, at: 61) == ["receivers off"])
    #expect(bench.request(.startUpdatingLocation, at: 62) == ["1: failed denied"], "use ended with the stop")
  }

  @Test("Without the background mode in the Info.plist the property carries nothing (behaviour 3.2)")
  func noBackgroundMode() {
    var bench = following(allowsBackground: true, app: .complete { $0.hasLocationBackgroundMode = false })
    bench.become(.background, at: 10)
    #expect(bench.pass(to: 15) == ["receivers off"])
  }

  @Test("Updates that wait for permission carry no use into the background (behaviour 1.19)")
  func noSessionWithoutPermission() {
    var bench = following(allowsBackground: true, grant: Grant())
    bench.become(.background, at: 10)
    bench.pass(to: 15)
    #expect(bench.settings(.whenInUse, at: 20) == ["store whenInUse", "1: authorizedWhenInUse full"])
    #expect(bench.fix(at: 21) == [])
  }

  @Test("A start in the background with only While Using fails, and begins when the app is in front (behaviour 1.22)")
  func startInBackground() {
    var bench = EngineBench(grant: .whenInUse, state: .background)
    bench.configure { $0.allowsBackgroundUpdates = true }
    #expect(bench.request(.startUpdatingLocation, at: 0) == ["1: failed denied"])
    #expect(bench.become(.foreground, at: 10) == ["receivers best"])
    bench.become(.background, at: 20)
    #expect(bench.pass(to: 25).last == "receivers off", "begun in the background, it is no background session")
  }

  @Test("Within the grace a start is served, but is no background session")
  func startInGrace() {
    var bench = EngineBench(grant: .whenInUse)
    bench.configure { $0.allowsBackgroundUpdates = true }
    bench.become(.background, at: 10)
    #expect(bench.request(.startUpdatingLocation, at: 12) == ["receivers best"])
    #expect(bench.pass(to: 15) == ["receivers off"])
  }

  @Test("The property set to false during a session ends use only the next time the foreground is left (behaviour 3.4)")
  func propertyDuringSession() {
    var bench = following(allowsBackground: true)
    bench.become(.background, at: 10)
    #expect(bench.configure { $0.allowsBackgroundUpdates = false } == [])
    #expect(bench.fix(at: 30) == ["1: fix 30±4"])
    bench.become(.foreground, at: 40)
    bench.become(.background, at: 50)
    #expect(bench.pass(to: 55) == ["receivers off"])
  }

  @Test("Two managers: use lasts until the last background session stops; a released manager counts as stopped")
  func twoSessions() {
    var bench = EngineBench(grant: .whenInUse, managers: 2)
    for number in [UInt64(1), 2] {
      bench.configure(by: number) { $0.allowsBackgroundUpdates = true }
      bench.request(.startUpdatingLocation, at: 0, by: number)
    }
    bench.fix(at: 1)
    bench.become(.background, at: 5)
    bench.request(.stopUpdatingLocation, at: 20)
    #expect(bench.fix(at: 21) == ["2: fix 21±4"])
    #expect(bench.hear(.managerReleased(EngineBench.manager(2)), at: 22) == ["receivers off"])
  }

  @Test("With the property false, Always is served for as long as the process runs (behaviour 3.3)")
  func alwaysInBackground() {
    var bench = following(allowsBackground: false, grant: .always)
    bench.become(.background, at: 10)
    #expect(bench.fix(at: 30) == ["1: fix 30±4"])
    #expect(bench.become(.suspended, at: 31) == ["receivers off"])
  }
}

import LocationEngine
import LocationModel
import Testing

@Suite("Monitors of conditions")
struct ConditionMonitorTests {
  private static let far = 5_000.0

  private func condition(
    _ identifier: String = "home", assuming state: ConditionState = .unknown, radius: Double = 150
  ) -> StoredCondition {
    StoredCondition(
      identifier: identifier, shape: .circle(center: Fix.east(0, at: 0).coordinate, radiusMeters: radius),
      record: ConditionEvent(identifier: identifier, state: state, time: Fix.start))
  }

  private func opened(grant: Grant = .always, managers: UInt64 = 1, app: AppDescription = .complete) -> EngineBench {
    var bench = EngineBench(grant: grant, managers: managers, app: app)
    bench.request(.openMonitor("places"), at: 0)
    return bench
  }

  private func isSaid(_ effect: String) -> Bool {
    !effect.hasPrefix("store") && !effect.hasPrefix("receivers")
  }

  @Test("Being inside when a condition is added is an event, unlike for a region (behaviour 9.33)")
  func insideAtAdd() {
    var bench = opened()
    bench.request(.addCondition(condition()), at: 0)
    #expect(bench.stay(from: 0, to: 60, east: 0) == ["1 1: condition home satisfied"])
    #expect(bench.stay(from: 60, to: 200, east: 1_000) == ["81 1: condition home unsatisfied"])
    #expect(bench.stay(from: 200, to: 300, east: 0) == ["221 1: condition home satisfied"])
  }

  @Test(
    "A right assumption is no event, a wrong one is corrected by one (behaviour 9.32)",
    arguments: [(ConditionState.satisfied, false), (.unsatisfied, true), (.unknown, true), (.unmonitored, true)])
  func assuming(state: ConditionState, isNews: Bool) {
    var bench = opened()
    bench.request(.addCondition(condition(assuming: state)), at: 0)
    #expect(bench.stay(from: 0, to: 60, east: 0) == (isNews ? ["1 1: condition home satisfied"] : []))
  }

  @Test("A fix that is known and fresh is enough for an added condition")
  func freshFix() {
    var bench = opened()
    bench.request(.startUpdatingLocation, at: 0)
    bench.fix(at: 1)
    #expect(bench.request(.addCondition(condition()), at: 5).contains("1: condition home satisfied"))
  }

  @Test("A name is open in one place at a time, and free again when that has gone (behaviour 9.30)")
  func oneOpener() {
    var bench = opened(managers: 3)
    #expect(bench.request(.openMonitor("places"), at: 1, by: 2) == ["2: not opened"])
    #expect(bench.request(.openMonitor("others"), at: 1, by: 2) == ["2: opened []"])
    bench.hear(.managerReleased(EngineBench.manager(1)), at: 2)
    #expect(bench.request(.openMonitor("places"), at: 3, by: 3) == ["3: opened []"])
    for name in ["", "_hidden", "a b", "a/b", String(repeating: "a", count: 300)] {
      bench.hear(.managerCreated(EngineBench.manager(9)), at: 4)
      #expect(bench.request(.openMonitor(name), at: 4, by: 9) == ["9: not opened"])
      bench.hear(.managerReleased(EngineBench.manager(9)), at: 4)
    }
  }

  @Test("A condition of the same name replaces, a removed one is silent (behaviour 9.31)")
  func replacing() {
    var bench = opened()
    bench.request(.addCondition(condition(radius: 100)), at: 0)
    bench.request(.addCondition(condition("work")), at: 0)
    #expect(
      bench.request(.addCondition(condition(assuming: .satisfied, radius: 200)), at: 0)
        == ["store monitors places home satisfied work unknown"])
    #expect(bench.stay(from: 0, to: 30, east: 0) == ["1 1: condition work satisfied"])
    bench.request(.removeCondition("home"), at: 31)
    #expect(bench.stay(from: 31, to: 100, east: 2_000) == ["52 1: condition work unsatisfied"])
  }

  @Test("The record changes with what the app has handled, and both are stored (behaviour 9.34, 9.35)")
  func settling() {
    var bench = opened()
    bench.request(.addCondition(condition()), at: 0)
    #expect(bench.fix(at: 1).contains("store monitors places home unknown<satisfied"))
    let event = ConditionEvent(identifier: "home", state: .satisfied, time: Fix.start.advanced(bySeconds: 1))
    #expect(bench.request(.settleCondition(event), at: 2) == ["store monitors places home satisfied"])
  }

  @Test("The 21st condition is too many; replacing one of the 20 is not (behaviour 9.39)")
  func limit() {
    var bench = opened(managers: 2)
    bench.request(.openMonitor("others"), at: 0, by: 2)
    for number in 0..<19 { bench.request(.addCondition(condition("\(number)")), at: 0) }
    bench.request(.addCondition(condition("19")), at: 0, by: 2)
    #expect(
      bench.request(.addCondition(condition("20")), at: 0).filter(isSaid) == ["1: condition 20 unmonitored (too many)"])
    #expect(bench.request(.addCondition(condition("0", radius: 99)), at: 0).filter(isSaid) == [])
  }

  @Test("Beacons are kept and not watched; a circle that is none is not even kept (behaviour 9.38)")
  func unsupported() {
    var bench = opened()
    let beacons = StoredCondition(
      identifier: "shop", shape: .beacons(BeaconConstraint(uuidHigh: 1, uuidLow: 2)),
      record: ConditionEvent(identifier: "shop", state: .unknown, time: nil))
    #expect(
      bench.request(.addCondition(beacons), at: 0).filter(isSaid) == ["1: condition shop unmonitored (unsupported)"])
    for radius in [0, -1, .nan, .infinity] {
      #expect(
        bench.request(.addCondition(condition("bad", radius: radius)), at: 0).filter(isSaid)
          == ["1: condition bad unmonitored (unsupported)"])
    }
  }

  // MARK: Permission

  @Test("What stands in the way is an event of each condition, and its end brings the state (behaviour 9.38)")
  func obstacles() {
    var bench = opened(grant: .whenInUse)
    bench.request(.addCondition(condition()), at: 0)
    bench.fix(at: 1)
    #expect(bench.settings(.denied, at: 2).contains("1: condition home unmonitored (denied)"))
    #expect(bench.pass(to: 10).filter(isSaid) == [])
    bench.settings(.whenInUse, at: 11)
    #expect(bench.stay(from: 11, to: 30, east: 0) == ["12 1: condition home satisfied"])
    #expect(
      bench.hear(.locationServicesSwitched(on: false), at: 40)
        .contains("1: condition home unmonitored (denied, globally)"))
    bench.hear(.locationServicesSwitched(on: true), at: 41)
    #expect(
      bench.hear(.preciseChanged(EngineBench.app, false), at: 42).contains("1: condition home unmonitored (limited)"))
    bench.hear(.preciseChanged(EngineBench.app, true), at: 43)
    bench.become(.background, at: 50)
    #expect(bench.pass(to: 55).contains("1: condition home unmonitored (not in use)"))
  }

  @Test("Awaiting the events asks for While Using, opening alone does not (behaviour 9.22)")
  func implicitSession() {
    var bench = EngineBench()
    #expect(bench.request(.openMonitor("places"), at: 0) == ["1: opened []"])
    #expect(bench.request(.addCondition(condition()), at: 0).filter(isSaid) == [])
    #expect(
      bench.request(.iterateConditions, at: 1).filter(isSaid) == [
        "prompt 1: first 'while using' allowOnce/allowWhileUsing/doNotAllow precise?",
        "1: condition home unmonitored (asking)",
      ])
    bench.answer(.allowWhileUsing, at: 2)
    #expect(bench.stay(from: 2, to: 10, east: 0) == ["3 1: condition home satisfied"])
  }

  @Test("An Info.plist that demands a session of one's own gets none (behaviour 9.22)")
  func explicitSession() {
    var bench = opened(app: .complete { $0.requiresExplicitServiceSession = true })
    #expect(
      bench.request(.addCondition(condition()), at: 0).filter(isSaid)
        == ["1: condition home unmonitored (session required)"])
    #expect(bench.stay(from: 0, to: 10, east: 0) == [])
  }

  // MARK: Beyond the process

  /// An installed app whose monitor knows that the device is outside; its process has gone.
  private func absent(isInstalled: Bool = true) -> EngineBench {
    var bench = EngineBench(grant: .always)
    // As before era 18: Always needs no session (behaviour 9.23).
    bench.engine = LocationEngine(policy: .with { $0.alwaysNeedsServiceSession = false })
    var registrations = Registrations()
    registrations.monitors = [StoredMonitor(name: "places", conditions: [condition(assuming: .unsatisfied)])]
    let app = AppDescription.complete { $0.isInstalled = isInstalled }
    bench.hear(.appRestored(app, grant: .always, registrations: registrations), at: 0)
    return bench
  }

  private func launch(_ bench: inout EngineBench, at seconds: Double) -> [String] {
    let app = AppDescription.complete { $0.isInstalled = true }
    bench.hear(.clientConnected(EngineBench.client, app, grant: .always, lastFix: nil), at: seconds)
    bench.become(.background, at: seconds)
    bench.hear(.managerCreated(EngineBench.manager(1)), at: seconds)
    return bench.request(.openMonitor("places"), at: seconds)
  }

  @Test("RB-08: an event while the app does not run starts it, waits for its reader, and is one (behaviour 9.35, 9.36)")
  func launched() {
    var bench = absent()
    #expect(bench.stay(from: 0, to: 60, east: 0) == ["1 launch org.example.walk: condition home satisfied"])
    // While it waits the condition is not watched.
    #expect(bench.stay(from: 60, to: 200, east: Self.far) == [])
    #expect(launch(&bench, at: 231).filter(isSaid) == ["1: opened [home unsatisfied, pending satisfied]"])
    #expect(bench.stay(from: 240, to: 300, east: Self.far) == ["241 1: condition home unsatisfied"])
  }

  @Test("A plain executable is not watched for, and is told when it has its monitor open again (behaviour 3.13)")
  func plainExecutable() {
    var bench = absent(isInstalled: false)
    #expect(bench.stay(from: 0, to: 60, east: 0) == [])
    #expect(bench.deadlineSeconds == nil)
    #expect(launch(&bench, at: 90).filter(isSaid) == ["1: opened [home unsatisfied]"])
    #expect(bench.stay(from: 100, to: 110, east: 0) == ["101 1: condition home satisfied"])
  }

  // MARK: Receivers

  @Test("Far from every edge the receivers sleep; closed, they are off (algorithms 1.4)")
  func receivers() {
    var bench = opened(grant: .whenInUse)
    #expect(bench.request(.addCondition(condition()), at: 0).contains { $0.hasPrefix("receivers") })
    #expect(bench.fix(at: 1, east: 50_000).last == "receivers off")
    #expect(bench.deadlineSeconds.map { $0 > 60 } == true)
    bench.hear(.managerReleased(EngineBench.manager(1)), at: 2)
    #expect(bench.deadlineSeconds == nil)
  }
}

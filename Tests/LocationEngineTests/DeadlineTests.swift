import LocationEngine
import LocationModel
import Testing

@Suite("Time")
struct DeadlineTests {
  @Test("A late, an early and a repeated wake-up change nothing but the moment")
  func wakeUps() {
    var bench = EngineBench(grant: .whenInUse)
    bench.request(.requestLocation, at: 0)
    bench.fix(at: 1, accuracy: 65)
    #expect(bench.pass(to: 9.99) == [])
    #expect(bench.pass(to: 9.99) == [])
    #expect(bench.pass(to: 500) == ["1: answer fix 1±65", "receivers off"])
    #expect(bench.pass(to: 500) == [])
    #expect(bench.deadlineSeconds == nil)
  }

  @Test("A late wake-up gives the request its answer though use has ended meanwhile")
  func lateAfterGrace() {
    var bench = EngineBench(grant: .whenInUse)
    bench.request(.requestLocation, at: 0)
    bench.fix(at: 1, accuracy: 65)
    bench.become(.background, at: 6)
    // Due at 10, use ends at 11, the machine wakes at 60.
    #expect(bench.pass(to: 60) == ["1: answer fix 1±65", "receivers off"])
  }

  @Test("Time that steps back is taken as the newest time seen")
  func stepBack() {
    var bench = EngineBench(grant: .whenInUse)
    bench.request(.startUpdatingLocation, at: 100)
    #expect(bench.deadlineSeconds == 110)
    #expect(bench.pass(to: 5) == [])
    #expect(bench.deadlineSeconds == 110)
    bench.fix(at: 50)
    bench.request(.stopUpdatingLocation, at: 1)
    bench.request(.requestLocation, at: 1)
    #expect(bench.deadlineSeconds == 110, "ten seconds from 100")
  }

  @Test("The earliest deadline of several is the next")
  func earliest() {
    var bench = EngineBench(grant: .whenInUse, managers: 2)
    bench.request(.requestLocation, at: 0)
    bench.request(.requestLocation, at: 3, by: 2)
    #expect(bench.deadlineSeconds == 10)
    bench.become(.background, at: 4)
    #expect(bench.deadlineSeconds == 9)
    bench.become(.foreground, at: 5)
    #expect(bench.pass(to: 10) == ["1: answer failed locationUnknown"])
    #expect(bench.deadlineSeconds == 13)
  }

  @Test("Ends of the clock are no trap")
  func extremes() {
    var engine = LocationEngine()
    let client = ClientIdentifier(1)
    let manager = ManagerIdentifier(client: client, number: 1)
    let last = Instant(nanoseconds: .max)
    let connected = Input.clientConnected(client, .complete, grant: .whenInUse, lastFix: nil)
    _ = engine.handle(connected, at: Instant(nanoseconds: .min))
    _ = engine.handle(.appStateChanged(EngineBench.app, .foreground), at: last)
    _ = engine.handle(.managerCreated(manager), at: last)
    _ = engine.handle(.requested(.startUpdatingLocation, by: manager), at: last)
    #expect(engine.handle(.fixReceived(.east(0, at: 0)), at: last).map(describe).contains("1: fix 0±4"))
    _ = engine.handle(.appStateChanged(EngineBench.app, .background), at: last)
    // The grace cannot end later than the clock does, so that it ends now.
    #expect(engine.handle(.timePassed, at: last).map(describe) == ["receivers off"])
  }

  @Test("Managers beyond the bound are refused with one line each; the rest are served")
  func managerBound() {
    var bench = EngineBench(policy: .with { $0.managersPerClientMax = 2 }, grant: .whenInUse, managers: 2)
    #expect(bench.hear(.managerCreated(EngineBench.manager(3)), at: 0) == ["note: more than 2 managers"])
    #expect(bench.request(.startUpdatingLocation, at: 0, by: 3) == [])
    #expect(bench.request(.startUpdatingLocation, at: 0, by: 2) == ["receivers best"])
    bench.hear(.managerReleased(EngineBench.manager(1)), at: 1)
    #expect(
      bench.hear(.managerCreated(EngineBench.manager(3)), at: 1)
        == ["3: authorizedWhenInUse full (initial)"])
  }

  @Test("Word of apps, clients, managers and prompts that nobody knows is ignored")
  func strangers() {
    var bench = EngineBench()
    let stranger = ClientIdentifier(99)
    let nobody = AppIdentifier("org.example.nobody")
    let inputs: [Input] = [
      .clientDisconnected(stranger), .managerCreated(EngineBench.manager(1, of: stranger)),
      .managerReleased(EngineBench.manager(77)), .requested(.startUpdatingLocation, by: EngineBench.manager(77)),
      .requested(.requestLocation, by: EngineBench.manager(1, of: stranger)), .appStateChanged(nobody, .foreground),
      .grantChanged(nobody, .always), .preciseChanged(nobody, false), .restrictionChanged(nobody, true),
      .promptAnswered(PromptIdentifier(5), PromptAnswer(.allow)),
    ]
    for input in inputs { #expect(bench.hear(input, at: 1) == []) }
    #expect(bench.engine.snapshot(for: stranger) == nil)
    #expect(bench.engine.grant(of: nobody) == nil)
  }
}

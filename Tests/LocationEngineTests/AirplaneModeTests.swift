import LocationEngine
import LocationModel
import Testing

@Suite("Airplane mode")
struct AirplaneModeTests {
  @Test("Leaves wired receivers on, and permission as it is (behaviour 3.12)")
  func wiredReceiversStay() {
    var bench = EngineBench(grant: .whenInUse)
    #expect(bench.hear(.airplaneModeChanged(isOn: true), at: 0) == [])
    #expect(bench.request(.startUpdatingLocation, at: 1) == ["receivers best wired"])
    #expect(bench.fix(at: 2) == ["1: fix 2±4", "store fix 2±4"])
    #expect(bench.hear(.airplaneModeChanged(isOn: false), at: 3) == ["receivers best"])
    #expect(bench.hear(.airplaneModeChanged(isOn: false), at: 4) == [])
  }

  @Test("Switches everything off where the policy says so")
  func policy() {
    var bench = EngineBench(policy: .with { $0.wiredReceiversInAirplaneMode = false }, grant: .whenInUse)
    bench.request(.startUpdatingLocation, at: 0)
    #expect(bench.hear(.airplaneModeChanged(isOn: true), at: 1) == ["receivers best none"])
  }

  @Test("A phone's Wi-Fi and cell towers are off: satellites are asked for whatever wish, and nothing else is")
  func phone() {
    for (wish, before) in [(3_000.0, "receivers 3000 m by cell"), (1_000, "receivers 1000 m by wireless")] {
      var bench = EngineBench(grant: .whenInUse, profile: .phone)
      bench.configure { $0.desiredAccuracy = .meters(wish) }
      #expect(bench.request(.startUpdatingLocation, at: 0).last == before)
      let meters = Int(wish)
      #expect(bench.hear(.airplaneModeChanged(isOn: true), at: 1) == ["receivers \(meters) m wired"])
      #expect(bench.hear(.airplaneModeChanged(isOn: false), at: 2) == [before])
    }
  }

  @Test("What it takes away is unknown and not denied, once, and comes back by itself (behaviour 3.12, 2.13)")
  func unknownNotDenied() {
    var bench = EngineBench(grant: .whenInUse)
    bench.request(.startUpdatingLocation, at: 0)
    bench.fix(at: 1)
    bench.hear(.airplaneModeChanged(isOn: true), at: 2)
    #expect(bench.hear(.receiversChanged(.unavailable), at: 2) == ["1: failed locationUnknown"])
    #expect(bench.hear(.receiversChanged(.unavailable), at: 3) == [])
    #expect(bench.hear(.airplaneModeChanged(isOn: false), at: 4) == ["receivers best"])
    #expect(bench.fix(at: 5, east: 10) == ["1: fix 5±4"])
  }

  @Test("Whom a service refused hears no second denial of it while airplane mode keeps it off (cases GC-01)")
  func refusalBefore() {
    var bench = EngineBench(grant: .whenInUse)
    bench.request(.startUpdatingLocation, at: 0)
    #expect(bench.hear(.receiversChanged(.refused), at: 1) == ["1: failed denied"])
    bench.hear(.airplaneModeChanged(isOn: true), at: 2)
    #expect(bench.hear(.receiversChanged(.unavailable), at: 2) == [])
    // No longer refused: a request waits for a fix as with no receiver, instead of failing at once.
    bench.request(.stopUpdatingLocation, at: 3)
    #expect(bench.request(.requestLocation, at: 4) == ["receivers best wired"])
  }
}

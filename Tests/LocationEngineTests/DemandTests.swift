import LocationEngine
import LocationModel
import Testing

@Suite("What the receivers are asked for")
struct DemandTests {
  @Test("The finest of all managers' wishes counts, and a coarser rest brings it down again")
  func finestWish() {
    var bench = EngineBench(grant: .whenInUse, managers: 5)
    let wishes: [DesiredAccuracy] = [.reduced, .meters(3_000), .meters(10), .best, .bestForNavigation]
    var said: [String] = []
    for (index, wish) in wishes.enumerated() {
      bench.configure(by: UInt64(index + 1)) { $0.desiredAccuracy = wish }
      said += bench.request(.startUpdatingLocation, at: 0, by: UInt64(index + 1))
    }
    #expect(
      said == [
        "receivers reduced", "receivers 3000 m", "receivers 10 m", "receivers best", "receivers bestForNavigation",
      ])
    #expect(bench.request(.stopUpdatingLocation, at: 1, by: 5) == ["receivers best"])
    #expect(bench.request(.stopUpdatingLocation, at: 1, by: 3) == [])
    #expect(bench.hear(.managerReleased(EngineBench.manager(4)), at: 1) == ["receivers 3000 m"])
  }

  @Test("A wish changed while running is passed on, one of a manager that wants nothing is not")
  func changedWish() {
    var bench = EngineBench(grant: .whenInUse, managers: 2)
    bench.request(.startUpdatingLocation, at: 0)
    #expect(bench.configure { $0.desiredAccuracy = .meters(100) } == ["receivers 100 m"])
    #expect(bench.configure(by: 2) { $0.desiredAccuracy = .bestForNavigation } == [])
  }

  @Test(
    "Nobody may be served: off. Undecided, denied, restricted, switched off, out of use",
    arguments: [
      Grant(), Grant(level: .denied), Grant(level: .always, isRestricted: true),
    ])
  func offWithoutPermission(grant: Grant) {
    var bench = EngineBench(grant: grant)
    #expect(!bench.request(.startUpdatingLocation, at: 0).contains { $0.hasPrefix("receivers") })
    #expect(!bench.request(.requestLocation, at: 1).contains { $0.hasPrefix("receivers") })
  }

  @Test("Off while the only app that wants fixes is suspended, on again when it runs")
  func offWhileSuspended() {
    var bench = EngineBench(grant: .always)
    bench.request(.startUpdatingLocation, at: 0)
    #expect(bench.become(.suspended, at: 1) == ["receivers off"])
    #expect(bench.become(.background, at: 2) == ["receivers best"])
  }

  @Test("A reduced app's wish is as coarse as what it gets (behaviour 1.44)")
  func reducedApp() {
    var bench = EngineBench(grant: .reduced)
    #expect(bench.request(.startUpdatingLocation, at: 0) == ["receivers reduced"])
    #expect(bench.hear(.preciseChanged(EngineBench.app, true), at: 1).last == "receivers best")
  }
}

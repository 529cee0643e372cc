import LocationEngine
import LocationModel
import Testing

@Suite("The screen is watched for regions that are told when it turns on (behaviour 6.4)")
struct DisplayWatchTests {
  private let door = Region.beacons("door")
  private var shown: Region {
    var region = Region.beacons("shown")
    region.notifiesEntryStateOnDisplay = true
    return region
  }

  private func watch(_ effects: [String]) -> [String] { effects.filter { $0.hasPrefix("display") } }

  @Test("from the first such region to the end of the last, and for no other")
  func demand() {
    var bench = EngineBench.withRadio()
    #expect(watch(bench.monitor(door)).isEmpty)
    #expect(watch(bench.monitor(shown)) == ["display watch on"])
    #expect(watch(bench.request(.stopMonitoring(regionIdentifier: "door"), at: 1)).isEmpty)
    #expect(watch(bench.request(.stopMonitoring(regionIdentifier: "shown"), at: 2)) == ["display watch off"])
  }

  @Test("a region that replaces it and does not want it ends it (behaviour 5.3)")
  func replaced() {
    var bench = EngineBench.withRadio()
    bench.monitor(shown)
    var plain = shown
    plain.notifiesEntryStateOnDisplay = false
    #expect(watch(bench.monitor(plain)) == ["display watch off"])
  }

  @Test("not without permission, and not without an adapter")
  func standing() {
    var refused = EngineBench.withRadio(grant: Grant(level: .denied))
    #expect(watch(refused.monitor(shown)).isEmpty)
    var bench = EngineBench.withRadio()
    bench.monitor(shown)
    #expect(watch(bench.settings(.denied, at: 1)) == ["display watch off"])
    #expect(watch(bench.settings(.always, at: 2)) == ["display watch on"])
    #expect(watch(bench.hear(.beaconRadioChanged(.absent), at: 3)) == ["display watch off"])
    #expect(watch(bench.hear(.beaconRadioChanged(.on), at: 4)) == ["display watch on"])
  }

  @Test("for an installed app that does not run, too, which is started for what is told")
  func absent() {
    let app = AppDescription.complete { $0.isInstalled = true }
    var bench = EngineBench.withRadio(app: app)
    bench.monitor(shown)
    bench.packet(.of(at: 1), at: 1)
    #expect(watch(bench.hear(.clientDisconnected(EngineBench.client), at: 2)).isEmpty)
    let told = bench.hear(.displayTurnedOn, at: 3)
    #expect(told.contains("launch org.example.walk: shown is inside"))
  }
}

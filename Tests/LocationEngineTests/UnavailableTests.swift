import LocationEngine
import LocationModel
import Testing

@Suite("Services that this machine cannot give")
struct UnavailableTests {
  @Test("Each answers as on hardware that lacks it, and says so to the developer (behaviour 6.9, 7.6)")
  func answers() {
    var bench = EngineBench(grant: .always)
    let beacon = BeaconConstraint(uuidHigh: 1, uuidLow: 2)
    #expect(
      bench.request(.startRanging(beacon), at: 0)
        == ["note: no beacon ranging", "1: ranging failed rangingUnavailable", "beacon scan 1"])
    #expect(bench.request(.startUpdatingHeading, at: 0) == ["note: no heading", "compass on"])
    // Both are wanted meanwhile: what comes later is used.
    #expect(bench.request(.stopRanging(beacon), at: 1) == ["beacon scan off"])
    #expect(bench.request(.stopUpdatingHeading, at: 1) == ["compass off"])
    #expect(bench.deadlineSeconds == nil)
  }
}

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
        == ["note: no beacon ranging", "1: ranging failed rangingUnavailable"])
    #expect(bench.request(.startUpdatingHeading, at: 0) == ["note: no heading", "compass on"])
    for stop in [
      Request.stopRanging(beacon), .stopUpdatingHeading,
    ] {
      #expect(bench.request(stop, at: 1) == (stop == .stopUpdatingHeading ? ["compass off"] : []))
    }
  }
}

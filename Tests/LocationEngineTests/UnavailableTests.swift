import LocationEngine
import LocationModel
import Testing

@Suite("Services that this version lacks")
struct UnavailableTests {
  static let region = Region(
    identifier: "home", shape: .circle(center: Coordinate(latitude: 47.5, longitude: 19.2), radiusMeters: 150))

  @Test("Each answers as on hardware that lacks it, and says so to the developer (behaviour 5.1, 5.19, 6.9, 7.6)")
  func answers() {
    var bench = EngineBench(grant: .always)
    let beacon = BeaconConstraint(uuidHigh: 1, uuidLow: 2)
    #expect(
      bench.request(.startMonitoring(Self.region), at: 0)
        == ["1: monitoring home failed regionMonitoringFailure", "note: no region monitoring"])
    #expect(
      bench.request(.startRanging(beacon), at: 0)
        == ["1: ranging failed rangingUnavailable", "note: no beacon ranging"])
    #expect(bench.request(.startUpdatingHeading, at: 0) == ["note: no heading"])
    for stop in [
      Request.stopMonitoring(regionIdentifier: "home"), .stopRanging(beacon), .stopUpdatingHeading,
    ] {
      #expect(bench.request(stop, at: 1) == [])
    }
  }

  @Test("Every question about a region is answered once, honestly unknown (cases RB-05)")
  func stateIsUnknown() {
    var bench = EngineBench(grant: .always)
    bench.request(.startMonitoring(Self.region), at: 0)
    #expect(bench.request(.requestState(Self.region), at: 0) == ["1: home is unknown"])
    #expect(bench.request(.requestState(Self.region), at: 1) == ["1: home is unknown"])
    #expect(bench.pass(to: 60) == [])
  }
}

import LocationEngine
import LocationModel
import Testing

@Suite("Services that this version lacks")
struct UnavailableTests {
  @Test("Each answers as on hardware that lacks it, and says so to the developer (behaviour 6.9, 7.6)")
  func answers() {
    var bench = EngineBench(grant: .always)
    let beacon = BeaconConstraint(uuidHigh: 1, uuidLow: 2)
    #expect(
      bench.request(.startRanging(beacon), at: 0)
        == ["1: ranging failed rangingUnavailable", "note: no beacon ranging"])
    #expect(
      bench.request(.startMonitoringSignificantChanges, at: 0) == ["note: no significant-change monitoring"])
    #expect(bench.request(.startMonitoringVisits, at: 0) == ["note: no visit monitoring"])
    #expect(bench.request(.startUpdatingHeading, at: 0) == ["note: no heading"])
    for stop in [
      Request.stopRanging(beacon), .stopUpdatingHeading, .stopMonitoringVisits, .stopMonitoringSignificantChanges,
      .disallowDeferredUpdates,
    ] {
      #expect(bench.request(stop, at: 1) == [])
    }
  }

  @Test("Deferral: its conditions are checked first, in Apple's order, then the hardware is missing (behaviour 2.50)")
  func deferral() {
    var bench = EngineBench(grant: .always)
    let allow = Request.allowDeferredUpdates(distanceMeters: 100, timeoutSeconds: 60)
    #expect(bench.request(allow, at: 0) == ["1: deferral finished deferredNotUpdatingLocation"])
    bench.configure { $0.desiredAccuracy = .meters(10) }
    bench.request(.startUpdatingLocation, at: 0)
    #expect(bench.request(allow, at: 0) == ["1: deferral finished deferredAccuracyTooLow"])
    bench.configure { $0.distanceFilterMeters = 5 }
    #expect(bench.request(allow, at: 0) == ["1: deferral finished deferredDistanceFiltered"])
    bench.configure { _ in }
    #expect(bench.request(allow, at: 0) == ["1: deferral finished deferredFailed"])
  }
}

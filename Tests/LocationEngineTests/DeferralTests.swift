import LocationEngine
import LocationModel
import Testing

@Suite("Deferred updates")
struct DeferralTests {
  private static let unlimited = 1.797_693_134_862_315_7e308

  /// Updating since second 0, one fix in second 1, no pauses; in the background since second 2 unless told otherwise.
  private func updating(policy: Policy = Policy(), inBackground: Bool = true) -> EngineBench {
    var bench = EngineBench(policy: policy, grant: .always)
    bench.configure {
      $0.pausesAutomatically = false
      $0.allowsBackgroundUpdates = true
    }
    bench.request(.startUpdatingLocation, at: 0)
    bench.fix(at: 1)
    if inBackground { bench.become(.background, at: 2) }
    return bench
  }

  private func allow(_ meters: Double = unlimited, seconds: Double = unlimited) -> Request {
    .allowDeferredUpdates(distanceMeters: meters, timeoutSeconds: seconds)
  }

  @Test("Its conditions in Apple's order (behaviour 2.50)")
  func conditions() {
    var bench = EngineBench(grant: .always)
    #expect(bench.request(allow(), at: 0) == ["1: deferral finished deferredNotUpdatingLocation"])
    bench.configure { $0.desiredAccuracy = .meters(10) }
    bench.request(.startUpdatingLocation, at: 0)
    #expect(bench.request(allow(), at: 0) == ["1: deferral finished deferredAccuracyTooLow"])
    bench.configure { $0.distanceFilterMeters = 5 }
    #expect(bench.request(allow(), at: 0) == ["1: deferral finished deferredDistanceFiltered"])
    bench.configure { $0.desiredAccuracy = .bestForNavigation }
    #expect(bench.request(allow(), at: 0) == [])
  }

  @Test("A device without the hardware, and an app without permission, fail (behaviour 2.50)")
  func failing() {
    var capabilities = Capabilities()
    capabilities.defersUpdates = false
    var bench = EngineBench(grant: .always)
    bench.engine = LocationEngine(capabilities: capabilities)
    bench.hear(.clientConnected(EngineBench.client, .complete, grant: .always, lastFix: nil), at: 0)
    bench.hear(.managerCreated(EngineBench.manager(1)), at: 0)
    bench.request(.startUpdatingLocation, at: 0)
    #expect(bench.request(allow(), at: 0) == ["1: deferral finished deferredFailed"])
    var denied = EngineBench(grant: Grant(level: .denied))
    denied.request(.startUpdatingLocation, at: 0)
    #expect(denied.request(allow(), at: 0) == ["1: deferral finished deferredFailed"])
  }

  @Test("In the background fixes are kept, and the time's end gives them in one array (behaviour 2.52, 2.54; seed 003)")
  func timeout() {
    var bench = updating()
    #expect(bench.request(allow(seconds: 60), at: 3) == [])
    for second in 4...8 { #expect(bench.fix(at: Double(second)).allSatisfy { !$0.hasPrefix("1:") }) }
    #expect(bench.deadlineSeconds == 63)
    #expect(
      bench.pass(to: 63) == ["1: deferral finished nil", "1: fix 4±4, fix 5±4, fix 6±4, fix 7±4, fix 8±4"])
    #expect(bench.fix(at: 64).first == "1: fix 64±4", "normal updates go on (behaviour 2.53)")
  }

  @Test("The distance is measured from the place of the call; either end suffices (behaviour 2.52, 2.57)")
  func distance() {
    var bench = updating()
    bench.request(allow(100, seconds: 1_000), at: 3)
    bench.fix(at: 4, east: 60)
    #expect(bench.fix(at: 5, east: -60) == [])
    #expect(bench.fix(at: 6, east: 101) == ["1: deferral finished nil", "1: fix 4±4, fix 5±4, fix 6±4"])
    #expect(bench.pass(to: 2_000) == [])
  }

  @Test("In the foreground nothing is deferred, but its ends are watched (behaviour 2.54)")
  func foreground() {
    var bench = updating(inBackground: false)
    bench.request(allow(100, seconds: 1_000), at: 3)
    #expect(bench.fix(at: 4, east: 50) == ["1: fix 4±4"])
    #expect(bench.fix(at: 5, east: 150) == ["1: fix 5±4", "1: deferral finished nil"])
    bench.request(allow(seconds: 10), at: 6)
    #expect(bench.pass(to: 16) == ["1: deferral finished nil"])
  }

  @Test("Deferral begins as the app goes to the background, and pauses in the foreground (behaviour 2.54)")
  func comingAndGoing() {
    var bench = updating(inBackground: false)
    bench.request(allow(seconds: 1_000), at: 3)
    #expect(bench.fix(at: 4) == ["1: fix 4±4"])
    bench.become(.background, at: 5)
    #expect(bench.fix(at: 6) == [])
    #expect(bench.become(.foreground, at: 7) == ["1: fix 6±4"])
    #expect(bench.fix(at: 8) == ["1: fix 8±4"])
    bench.become(.background, at: 9)
    #expect(bench.fix(at: 10) == [])
    #expect(bench.pass(to: 1_003) == ["1: deferral finished nil", "1: fix 10±4"])
  }

  @Test("Another app that uses location prevents it; what was kept comes with the next fix (behaviour 2.54)")
  func otherApp() {
    var bench = updating()
    bench.request(allow(seconds: 1_000), at: 3)
    bench.fix(at: 4)
    let client = ClientIdentifier(2)
    let other = AppDescription.complete { $0.identifier = AppIdentifier("other") }
    bench.hear(.clientConnected(client, other, grant: .always, lastFix: nil), at: 5)
    bench.hear(.managerCreated(EngineBench.manager(1, of: client)), at: 5)
    bench.hear(.requested(.startUpdatingLocation, by: EngineBench.manager(1, of: client)), at: 5)
    #expect(bench.fix(at: 6).first == "1: fix 4±4, fix 6±4")
    bench.hear(.clientDisconnected(client), at: 7)
    #expect(bench.fix(at: 8) == [])
  }

  @Test("A second call cancels the first, and each is answered once (behaviour 2.51)")
  func secondCall() {
    var bench = updating()
    bench.request(allow(seconds: 60), at: 3)
    bench.fix(at: 4)
    #expect(bench.request(allow(seconds: 60), at: 5) == ["1: deferral finished deferredCanceled", "1: fix 4±4"])
    #expect(bench.pass(to: 64) == [])
    #expect(bench.pass(to: 65) == ["1: deferral finished nil"])
    #expect(bench.pass(to: 200) == [])
  }

  @Test("Disallowing tells what was kept; stopping drops it (behaviour 2.52)")
  func ended() {
    var bench = updating()
    bench.request(allow(), at: 3)
    bench.fix(at: 4)
    #expect(
      bench.request(.disallowDeferredUpdates, at: 5) == ["1: deferral finished deferredCanceled", "1: fix 4±4"])
    #expect(bench.request(.disallowDeferredUpdates, at: 6) == [])
    bench.request(allow(), at: 7)
    bench.fix(at: 8)
    #expect(
      bench.request(.stopUpdatingLocation, at: 9)
        == ["1: deferral finished deferredNotUpdatingLocation", "receivers off"])
  }

  @Test("Settings that deferral cannot have end it (behaviour 2.50)")
  func settings() {
    var bench = updating()
    bench.request(allow(), at: 3)
    bench.fix(at: 4)
    #expect(
      bench.configure {
        $0.pausesAutomatically = false
        $0.distanceFilterMeters = 10
      } == ["1: deferral finished deferredDistanceFiltered", "1: fix 4±4"])
  }

  @Test("Permission that goes ends it, and nothing that was kept comes (behaviour 2.14)")
  func permission() {
    var bench = updating()
    bench.request(allow(), at: 3)
    bench.fix(at: 4)
    let said = bench.settings(.denied, at: 5)
    #expect(said.contains("1: deferral finished deferredFailed"))
    #expect(!said.contains { $0.contains("fix") })
  }

  @Test("A full cache is told early, and the deferral goes on (behaviour 2.55)")
  func fullCache() {
    var bench = updating(policy: .with { $0.deferredFixesMax = 3 })
    bench.request(allow(seconds: 100), at: 3)
    bench.fix(at: 4)
    bench.fix(at: 5)
    #expect(bench.fix(at: 6) == ["1: fix 4±4, fix 5±4, fix 6±4"])
    #expect(bench.fix(at: 7) == [])
    #expect(bench.pass(to: 103) == ["1: deferral finished nil", "1: fix 7±4"])
  }

  @Test("A suspended app gets what was kept as it runs again, no location twice (behaviour 2.16, 2.55)")
  func suspended() {
    var bench = updating()
    bench.request(allow(seconds: 100), at: 3)
    bench.fix(at: 4)
    bench.become(.suspended, at: 5)
    bench.fix(at: 6)
    #expect(bench.pass(to: 200) == [])
    #expect(
      bench.become(.background, at: 201) == ["1: fix 4±4, fix 6±4", "1: deferral finished nil", "receivers best"])
  }
}

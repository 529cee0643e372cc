import LocationEngine
import LocationModel
import Testing

@Suite("Allow Once")
struct AllowOnceTests {
  /// An app that was allowed once in second 1.
  private func allowedOnce() -> EngineBench {
    var bench = EngineBench()
    bench.request(.requestWhenInUseAuthorization, at: 0)
    bench.answer(.allowOnce, at: 1)
    return bench
  }

  @Test("It reads as While Using and nothing of it is stored (behaviour 1.16, 1.17)")
  func readsAsWhileUsing() {
    var bench = EngineBench()
    bench.request(.requestWhenInUseAuthorization, at: 0)
    #expect(bench.answer(.allowOnce, at: 1) == ["1: authorizedWhenInUse full"])
  }

  @Test("It ends with use, the app hears so and may ask again (behaviour 1.17)")
  func endsWithUse() {
    var bench = allowedOnce()
    #expect(bench.become(.background, at: 10) == [])
    #expect(bench.deadlineSeconds == 15)
    #expect(bench.pass(to: 15) == ["1: notDetermined full"])
    bench.become(.foreground, at: 20)
    #expect(bench.request(.requestWhenInUseAuthorization, at: 21).first?.hasPrefix("prompt 2: first") == true)
  }

  @Test("It survives a dip into the background shorter than the grace (behaviour 1.17)")
  func survivesADip() {
    var bench = allowedOnce()
    bench.become(.background, at: 10)
    #expect(bench.become(.foreground, at: 14.9) == [])
    #expect(bench.pass(to: 100) == [])
    #expect(bench.deadlineSeconds == nil)
  }

  @Test("It survives a background session for as long as that runs (behaviour 1.17)")
  func survivesABackgroundSession() {
    var bench = allowedOnce()
    bench.configure { $0.allowsBackgroundUpdates = true }
    bench.request(.startUpdatingLocation, at: 2)
    bench.fix(at: 3)
    bench.become(.background, at: 10)
    #expect(bench.pass(to: 1_000) == [])
    #expect(bench.fix(at: 1_001) == ["1: fix 1001±4", "store fix 1001±4"])
    #expect(bench.request(.stopUpdatingLocation, at: 1_002) == ["1: notDetermined full", "receivers off"])
  }

  @Test("After a request for Always it is plain While Using, and Always is not asked again meanwhile (behaviour 1.18)")
  func onceAfterAlwaysRequest() {
    var bench = EngineBench()
    bench.request(.requestAlwaysAuthorization, at: 0)
    #expect(bench.answer(.allowOnce, at: 1) == ["1: authorizedWhenInUse full"])
    #expect(
      bench.request(.requestAlwaysAuthorization, at: 2)
        == ["note: requestAlwaysAuthorization() after Allow Once"])
    bench.become(.background, at: 3)
    bench.become(.foreground, at: 20)
    #expect(bench.request(.requestAlwaysAuthorization, at: 21).first?.hasPrefix("prompt 2: first") == true)
  }

  @Test("Always is not asked upon it either where While Using was asked for (behaviour 1.18)")
  func noEscalationUponOnce() {
    var bench = allowedOnce()
    #expect(
      bench.request(.requestAlwaysAuthorization, at: 2)
        == ["note: requestAlwaysAuthorization() after Allow Once"])
  }

  @Test("Settings makes it last (behaviour 1.29)")
  func settingsMakesItLast() {
    var bench = allowedOnce()
    #expect(bench.settings(.whenInUse, at: 2) == ["store whenInUse"])
    bench.become(.background, at: 3)
    #expect(bench.pass(to: 100) == [])
  }

  @Test("Its accuracy ends with it: the next answer decides anew")
  func accuracyEndsToo() {
    var bench = EngineBench()
    bench.request(.requestWhenInUseAuthorization, at: 0)
    #expect(bench.answer(.allowOnce, isPrecise: false, at: 1) == ["1: authorizedWhenInUse reduced"])
    bench.become(.background, at: 2)
    #expect(bench.pass(to: 7) == ["1: notDetermined full"])
  }

  @Test("Answered when the app is out of use by then, it has ended already: nobody hears of it (behaviour 1.17)")
  func answeredOutOfUse() {
    var bench = EngineBench()
    bench.request(.requestWhenInUseAuthorization, at: 0)
    bench.become(.background, at: 1)
    bench.pass(to: 10)
    #expect(bench.answer(.allowOnce, at: 11) == [])
    bench.become(.foreground, at: 12)
    #expect(bench.request(.requestWhenInUseAuthorization, at: 13).first?.hasPrefix("prompt 2: first") == true)
  }

  @Test("It ends with the process (behaviour 1.17)", arguments: [true, false])
  func endsWithTheProcess(isTold: Bool) {
    var bench = allowedOnce()
    if isTold {
      #expect(bench.become(.notRunning, at: 2) == ["1: notDetermined full"])
    } else {
      #expect(bench.hear(.clientDisconnected(EngineBench.client), at: 2) == [])
    }
    #expect(bench.engine.grant(of: EngineBench.app) == Grant())
  }
}

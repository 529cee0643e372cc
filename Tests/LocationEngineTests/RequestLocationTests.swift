import LocationEngine
import LocationModel
import Testing

@Suite("One location (cases CL-11)")
struct RequestLocationTests {
  @Test("Only vague fixes: the newest of the best answers at 10 s, and no other follows (behaviour 2.30 to 2.32)")
  func vagueFixes() {
    var bench = EngineBench(grant: .whenInUse)
    #expect(bench.request(.requestLocation, at: 0) == ["receivers best"])
    #expect(bench.deadlineSeconds == 10)
    #expect(bench.fix(at: 1, accuracy: 65) == ["store fix 1±65"])
    for second in 2...9 { #expect(bench.fix(at: Double(second), accuracy: 65) == []) }
    #expect(bench.pass(to: 10) == ["1: answer fix 9±65", "receivers off"])
    #expect(bench.pass(to: 60) == [])
    #expect(bench.fix(at: 61) == [])
  }

  @Test("The most accurate fix answers, not the newest (behaviour 2.31)")
  func mostAccurate() {
    var bench = EngineBench(grant: .whenInUse)
    bench.request(.requestLocation, at: 0)
    bench.fix(at: 1, accuracy: 80)
    bench.fix(at: 2, accuracy: 30)
    bench.fix(at: 3, accuracy: nil)
    bench.fix(at: 4, accuracy: 90)
    #expect(bench.pass(to: 10).first == "1: answer fix 2±30")
  }

  @Test("A fix as good as wished answers at once (behaviour 2.31)")
  func goodEnough() {
    var bench = EngineBench(grant: .whenInUse)
    bench.configure { $0.desiredAccuracy = .meters(100) }
    #expect(bench.request(.requestLocation, at: 0) == ["receivers 100 m"])
    #expect(bench.fix(at: 0.5, accuracy: 101) == ["store fix 0.5±101"])
    #expect(bench.fix(at: 1, accuracy: 100) == ["1: answer fix 1±100", "receivers off"])
  }

  @Test("Best is met by a good open-sky fix of 5 m, a wish finer than that too (chosen; behaviour 2.32)")
  func bestIsMet() {
    for wish in [DesiredAccuracy.best, .bestForNavigation, .meters(0), .meters(-7)] {
      var bench = EngineBench(grant: .whenInUse)
      bench.configure { $0.desiredAccuracy = wish }
      bench.request(.requestLocation, at: 0)
      #expect(bench.fix(at: 1, accuracy: 5.1) == ["store fix 1±5.1"])
      #expect(bench.fix(at: 2, accuracy: 5) == ["1: answer fix 2±5", "receivers off"])
    }
  }

  @Test("No signal: locationUnknown at 10 s (behaviour 2.30, 2.32)")
  func noSignal() {
    var bench = EngineBench(grant: .whenInUse)
    bench.request(.requestLocation, at: 0)
    #expect(bench.hear(.receiversChanged(.unavailable), at: 1) == [])
    #expect(bench.pass(to: 9.999) == [])
    #expect(bench.pass(to: 10) == ["1: answer failed locationUnknown", "receivers off"])
  }

  @Test("Refused receivers end a request with denied, and the next one as soon as they refuse again (cases GC-01)")
  func refusedReceivers() {
    var bench = EngineBench(grant: .whenInUse)
    bench.request(.requestLocation, at: 0)
    #expect(bench.hear(.receiversChanged(.refused), at: 1) == ["1: answer failed denied", "receivers off"])
    #expect(bench.pass(to: 60) == [])
    #expect(bench.request(.requestLocation, at: 61) == ["receivers best"])
    #expect(bench.hear(.receiversChanged(.refused), at: 61) == ["1: answer failed denied", "receivers off"])
  }

  @Test("A request beside updates that were refused is refused at once (cases GC-01)")
  func besideRefusedUpdates() {
    var bench = EngineBench(grant: .whenInUse, managers: 2)
    bench.request(.startUpdatingLocation, at: 0)
    bench.hear(.receiversChanged(.refused), at: 1)
    #expect(bench.request(.requestLocation, at: 2, by: 2) == ["2: answer failed denied"])
  }

  @Test("The cached fix is no answer: a request wants a new one")
  func cachedIsNoAnswer() {
    var bench = EngineBench(grant: .whenInUse, lastFix: .east(0, at: -1))
    bench.request(.requestLocation, at: 0)
    #expect(bench.pass(to: 10) == ["1: answer failed locationUnknown", "receivers off"])
  }

  @Test("A start takes the place of the request, silently (behaviour 2.33)")
  func startCancels() {
    var bench = EngineBench(grant: .whenInUse)
    bench.request(.requestLocation, at: 0)
    bench.fix(at: 1, accuracy: 65)
    #expect(bench.request(.startUpdatingLocation, at: 2) == ["1: fix 1±65"], "the cached fix of the start")
    #expect(bench.fix(at: 3, accuracy: 65) == ["1: fix 3±65"])
    #expect(bench.pass(to: 10) == [])
  }

  @Test("A stop cancels the request, silently, and so does asking for deferral (behaviour 2.33)")
  func stopCancels() {
    var bench = EngineBench(grant: .whenInUse)
    bench.request(.requestLocation, at: 0)
    #expect(bench.request(.stopUpdatingLocation, at: 1) == ["receivers off"])
    #expect(bench.pass(to: 20) == [])
    bench.request(.requestLocation, at: 30)
    let deferral = Request.allowDeferredUpdates(distanceMeters: 10, timeoutSeconds: 10)
    #expect(
      bench.request(deferral, at: 31) == ["1: deferral finished deferredNotUpdatingLocation", "receivers off"])
    #expect(bench.pass(to: 60) == [])
  }

  @Test("While updates run, and while one request is out, another does nothing (behaviour 2.33)")
  func secondRequest() {
    var bench = EngineBench(grant: .whenInUse)
    bench.request(.startUpdatingLocation, at: 0)
    #expect(bench.request(.requestLocation, at: 1) == [])
    #expect(bench.fix(at: 2) == ["1: fix 2±4", "store fix 2±4"])
    var twice = EngineBench(grant: .whenInUse)
    twice.request(.requestLocation, at: 0)
    #expect(twice.request(.requestLocation, at: 5) == [])
    #expect(twice.pass(to: 10) == ["1: answer failed locationUnknown", "receivers off"])
  }

  @Test("Under reduced accuracy the first coarse fix answers at once (chosen; behaviour 2.32 measured 10 s)")
  func reduced() {
    var bench = EngineBench(grant: .reduced)
    bench.request(.requestLocation, at: 0)
    #expect(bench.fix(at: 1) == ["1: answer fix 1±5000", "store fix 1±5000", "receivers off"])
  }

  @Test("Denied is the one outcome where a person refused, before or meanwhile (behaviour 2.30)")
  func denied() {
    var bench = EngineBench(grant: Grant(level: .denied))
    #expect(bench.request(.requestLocation, at: 0) == ["1: answer failed denied"])
    var meanwhile = EngineBench(grant: .whenInUse)
    meanwhile.request(.requestLocation, at: 0)
    #expect(
      meanwhile.settings(.denied, at: 1)
        == ["store denied", "1: denied full", "1: answer failed denied", "receivers off"])
    #expect(meanwhile.pass(to: 20) == [])
  }

  @Test("While the first prompt is up a request waits, and its 10 s begin with the answer", arguments: [true, false])
  func waitsForPrompt(asksFirst: Bool) {
    var bench = EngineBench()
    if asksFirst { bench.request(.requestWhenInUseAuthorization, at: 0) }
    bench.request(.requestLocation, at: 1)
    if !asksFirst { bench.request(.requestWhenInUseAuthorization, at: 2) }
    #expect(bench.deadlineSeconds == nil)
    #expect(bench.pass(to: 100) == [])
    #expect(
      bench.answer(.allowWhileUsing, at: 101)
        == ["store whenInUse", "1: authorizedWhenInUse full", "receivers best"])
    #expect(bench.deadlineSeconds == 111)
    #expect(bench.fix(at: 102) == ["1: answer fix 102±4", "store fix 102±4", "receivers off"])
  }

  @Test("Don't Allow answers the waiting request with denied")
  func refusedWhileWaiting() {
    var bench = EngineBench()
    bench.request(.requestWhenInUseAuthorization, at: 0)
    bench.request(.requestLocation, at: 1)
    #expect(bench.answer(.doNotAllow, at: 5) == ["store denied", "1: denied full", "1: answer failed denied"])
  }

  @Test("With nothing decided and no prompt, the request runs out like any other")
  func undecided() {
    var bench = EngineBench()
    #expect(bench.request(.requestLocation, at: 0) == [])
    #expect(bench.fix(at: 1) == [])
    #expect(bench.pass(to: 10) == ["1: answer failed locationUnknown"])
  }

  @Test("A later prompt of the app does not stop the clock, before or after the request")
  func laterPrompts() {
    var bench = EngineBench(grant: .whenInUse)
    bench.request(.requestLocation, at: 0)
    bench.request(.requestAlwaysAuthorization, at: 1)
    #expect(bench.deadlineSeconds == 10)
    #expect(bench.answer(.keepWhileUsing, at: 9) == [])
    #expect(bench.deadlineSeconds == 10)
  }

  @Test("A suspended app has its one outcome when it runs again (behaviour 2.16, 2.30)")
  func suspended() {
    var bench = EngineBench(grant: .always, managers: 2)
    bench.request(.requestLocation, at: 0)
    bench.request(.requestLocation, at: 0, by: 2)
    bench.become(.suspended, at: 1)
    #expect(bench.fix(at: 2, accuracy: 65) == ["store fix 2±65"])
    #expect(bench.pass(to: 20) == [])
    #expect(bench.become(.background, at: 21).prefix(2) == ["1: answer fix 2±65", "2: answer fix 2±65"])
    bench.request(.requestLocation, at: 30)
    bench.become(.suspended, at: 31)
    bench.fix(at: 32, accuracy: 4)
    #expect(bench.become(.background, at: 33).first == "1: answer fix 32±4")
  }
}

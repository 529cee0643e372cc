import LocationEngine
import LocationModel
import Testing

@Suite("Reduced and full accuracy")
struct AccuracyTests {
  static let turn = Request.requestTemporaryFullAccuracy(
    purposeKey: "turn", completion: CompletionIdentifier(7))
  static let turnPrompt = "prompt 1: temporary turn 'turn by turn' allowOnce/doNotAllow"

  @Test("Accuracy reads full while nothing is decided (behaviour 1.40)")
  func fullWhileUndecided() {
    var bench = EngineBench(grant: Grant(isPrecise: false), managers: 0)
    #expect(bench.hear(.managerCreated(EngineBench.manager(1)), at: 0) == ["1: notDetermined full (initial)"])
  }

  @Test("The person may turn Precise off in the prompt (behaviour 1.41)")
  func preciseOffInPrompt() {
    var bench = EngineBench()
    bench.request(.requestWhenInUseAuthorization, at: 0)
    #expect(
      bench.answer(.allowWhileUsing, isPrecise: false, at: 1)
        == ["store whenInUse reduced", "1: authorizedWhenInUse reduced"])
  }

  @Test("NSLocationDefaultAccuracyReduced: no switch in the prompt, a reduced grant, full by Settings (behaviour 1.46)")
  func defaultReduced() {
    var bench = EngineBench(app: .complete { $0.prefersReducedAccuracy = true })
    #expect(
      bench.request(.requestWhenInUseAuthorization, at: 0)
        == ["prompt 1: first 'while using' allowOnce/allowWhileUsing/doNotAllow"])
    #expect(
      bench.answer(.allowWhileUsing, isPrecise: true, at: 1)
        == ["store whenInUse reduced", "1: authorizedWhenInUse reduced"])
    #expect(
      bench.hear(.preciseChanged(EngineBench.app, true), at: 2)
        == ["store whenInUse", "1: authorizedWhenInUse full (accuracy only)"])
  }

  @Test("Turning Precise in Settings is told though the status stays (behaviour 1.27, 1.41)")
  func preciseInSettings() {
    var bench = EngineBench(grant: .whenInUse)
    #expect(
      bench.hear(.preciseChanged(EngineBench.app, false), at: 0)
        == ["store whenInUse reduced", "1: authorizedWhenInUse reduced (accuracy only)"])
    #expect(bench.hear(.preciseChanged(EngineBench.app, false), at: 1) == [])
  }

  @Test("A reduced app gets one coarse fix a quarter hour, whatever it wishes (behaviour 1.43, 1.44; cases CL-10)")
  func coarseDelivery() {
    var bench = EngineBench(policy: .with { $0.lastFixStoreIntervalSeconds = 3_600 }, grant: .reduced)
    bench.configure { $0.desiredAccuracy = .bestForNavigation }
    bench.request(.startUpdatingLocation, at: 0)
    #expect(bench.fix(at: 1) == ["1: fix 1±5000", "store fix 1±5000"])
    for second in 2...900 {
      #expect(bench.fix(at: Double(second), east: Double(second) * 15) == [])
    }
    #expect(bench.fix(at: 901, east: 13_500) == ["1: fix 901±5000"])
  }

  @Test("A full app that wishes for reduced gets what a reduced app gets (behaviour 1.44)")
  func wishForReduced() {
    var bench = EngineBench(grant: .whenInUse, managers: 2)
    bench.configure { $0.desiredAccuracy = .reduced }
    #expect(bench.request(.startUpdatingLocation, at: 0) == ["receivers reduced"])
    bench.request(.startUpdatingLocation, at: 0, by: 2)
    #expect(bench.fix(at: 1) == ["1: fix 1±5000", "2: fix 1±4", "store fix 1±4"])
    #expect(bench.fix(at: 2) == ["2: fix 2±4"])
  }

  @Test("A manager that wished for reduced hears no location because Precise was turned (behaviour 1.44)")
  func wishForReducedKeeps() {
    var bench = EngineBench(grant: .whenInUse)
    bench.configure { $0.desiredAccuracy = .reduced }
    bench.request(.startUpdatingLocation, at: 0)
    bench.fix(at: 1)
    #expect(
      bench.hear(.preciseChanged(EngineBench.app, false), at: 2)
        == ["store whenInUse reduced", "1: authorizedWhenInUse reduced (accuracy only)"])
    #expect(bench.fix(at: 3) == [])
  }

  @Test("Becoming full, a running app gets the precise cached fix at once; becoming reduced, the coarse one")
  func accuracyChangesWhileUpdating() {
    var bench = EngineBench(grant: .reduced)
    bench.request(.startUpdatingLocation, at: 0)
    bench.fix(at: 1)
    #expect(
      bench.hear(.preciseChanged(EngineBench.app, true), at: 2)
        == [
          "store whenInUse", "1: authorizedWhenInUse full (accuracy only)", "1: fix 1±4", "receivers best",
        ])
    bench.fix(at: 3)
    #expect(
      bench.hear(.preciseChanged(EngineBench.app, false), at: 4) == [
        "store whenInUse reduced", "1: authorizedWhenInUse reduced (accuracy only)", "1: fix 1±5000",
        "receivers reduced",
      ])
  }

  @Test("Precise fixes kept while suspended do not reach the app once Precise is off (behaviour 1.42)")
  func heldThenReduced() {
    var bench = EngineBench(grant: .always, managers: 2)
    bench.request(.startUpdatingLocation, at: 0)
    bench.become(.background, at: 1)
    bench.become(.suspended, at: 2)
    bench.fix(at: 3)
    bench.hear(.preciseChanged(EngineBench.app, false), at: 4)
    #expect(bench.become(.background, at: 5).first == "1: fix 3±5000")
  }

  @Test("Precise fixes dropped so do not bring back the coarse value that was told before them (behaviour 1.43)")
  func droppedThenReduced() {
    var bench = EngineBench(grant: Grant(level: .always, isPrecise: false))
    bench.request(.startUpdatingLocation, at: 0)
    bench.fix(at: 1)
    bench.become(.suspended, at: 2)
    bench.hear(.preciseChanged(EngineBench.app, true), at: 3)
    bench.fix(at: 4)
    bench.hear(.preciseChanged(EngineBench.app, false), at: 5)
    #expect(bench.become(.background, at: 6) == ["receivers reduced"])
  }

  @Test("A precise best-so-far does not answer a request once Precise is off (behaviour 1.42)")
  func requestThenReduced() {
    var bench = EngineBench(grant: .whenInUse)
    bench.request(.requestLocation, at: 0)
    bench.fix(at: 1, accuracy: 65)
    bench.hear(.preciseChanged(EngineBench.app, false), at: 2)
    #expect(bench.pass(to: 10) == ["1: answer fix 1±5000", "receivers off"])
  }

  // MARK: Temporary full accuracy

  @Test("Temporary accuracy asks with its key's text; a nil error means answered, not given (behaviour 1.47, 1.48)")
  func temporaryAnswered() {
    var given = EngineBench(grant: .reduced)
    #expect(given.request(Self.turn, at: 0) == [Self.turnPrompt])
    #expect(
      given.answer(.allowOnce, at: 1)
        == ["1: authorizedWhenInUse full (accuracy only)", "1: completion 7 nil"])
    var refused = EngineBench(grant: .reduced)
    refused.request(Self.turn, at: 0)
    #expect(refused.answer(.doNotAllow, at: 1) == ["1: completion 7 nil"])
  }

  @Test("Error 18 at once: unknown key, full already, out of the foreground, no permission (behaviour 1.49)")
  func temporaryDeclined() {
    let declined = ["1: completion 7 promptDeclined"]
    var unknownKey = EngineBench(grant: .reduced, app: .complete { $0.temporaryUsages = [] })
    #expect(unknownKey.request(Self.turn, at: 0) == declined)
    var full = EngineBench(grant: .whenInUse)
    #expect(full.request(Self.turn, at: 0) == declined)
    var background = EngineBench(grant: .reduced)
    background.become(.background, at: 0)
    #expect(background.request(Self.turn, at: 1) == declined)
    for grant in [Grant(), Grant(level: .denied, isPrecise: false)] {
      var unauthorized = EngineBench(grant: grant)
      #expect(unauthorized.request(Self.turn, at: 0) == declined)
    }
  }

  @Test("Two calls with one key share the prompt, one with another key is declined, and so is one from the background")
  func temporaryShared() {
    var bench = EngineBench(grant: .reduced, managers: 3)
    bench.request(Self.turn, at: 0)
    let again = Request.requestTemporaryFullAccuracy(purposeKey: "turn", completion: CompletionIdentifier(8))
    #expect(bench.request(again, at: 1, by: 2) == [])
    let other = Request.requestTemporaryFullAccuracy(purposeKey: "meet", completion: CompletionIdentifier(9))
    #expect(bench.request(other, at: 2, by: 3) == ["3: completion 9 promptDeclined"])
    bench.become(.background, at: 3)
    let late = Request.requestTemporaryFullAccuracy(purposeKey: "turn", completion: CompletionIdentifier(10))
    #expect(bench.request(late, at: 4, by: 3) == ["3: completion 10 promptDeclined"])
    #expect(bench.answer(.doNotAllow, at: 5) == ["1: completion 7 nil", "2: completion 8 nil"])
  }

  @Test("It lapses when use ends, is kept through a dip, and is not stored (behaviour 1.50)")
  func temporaryLapses() {
    var bench = EngineBench(grant: Grant(level: .always, isPrecise: false))
    bench.request(Self.turn, at: 0)
    bench.answer(.allowOnce, at: 1)
    bench.become(.background, at: 2)
    #expect(bench.become(.foreground, at: 6) == [])
    bench.become(.background, at: 7)
    #expect(bench.pass(to: 12) == ["1: authorizedAlways reduced (accuracy only)"])
    #expect(bench.engine.grant(of: EngineBench.app)?.isPrecise == false)
  }

  @Test("A background session keeps it (behaviour 1.50)")
  func temporaryKeptBySession() {
    var bench = EngineBench(grant: .reduced)
    bench.configure { $0.allowsBackgroundUpdates = true }
    bench.request(.startUpdatingLocation, at: 0)
    bench.request(Self.turn, at: 0)
    bench.answer(.allowOnce, at: 1)
    bench.become(.background, at: 2)
    #expect(bench.fix(at: 9) == ["1: fix 9±4", "store fix 9±4"])
  }

  @Test("Allowed when the app is out of use by then, it has lapsed already (behaviour 1.50)")
  func temporaryAnsweredOutOfUse() {
    var bench = EngineBench(grant: .reduced)
    bench.request(Self.turn, at: 0)
    bench.become(.background, at: 1)
    bench.pass(to: 6)
    #expect(bench.answer(.allowOnce, at: 7) == ["1: completion 7 nil"])
    #expect(bench.become(.foreground, at: 8) == [])
  }

  @Test("Precise set, or permission taken, in Settings ends it for good (behaviour 1.41)")
  func temporaryEndedInSettings() {
    var bench = EngineBench(grant: .reduced)
    bench.request(Self.turn, at: 0)
    bench.answer(.allowOnce, at: 1)
    #expect(bench.settings(.denied, at: 2) == ["store denied reduced", "1: denied reduced"])
    #expect(bench.settings(.whenInUse, at: 3) == ["store whenInUse reduced", "1: authorizedWhenInUse reduced"])
    bench.request(Self.turn, at: 4)
    bench.answer(.allowOnce, prompt: 2, at: 5)
    #expect(bench.hear(.preciseChanged(EngineBench.app, true), at: 6) == ["store whenInUse"])
    #expect(
      bench.hear(.preciseChanged(EngineBench.app, false), at: 7)
        == ["store whenInUse reduced", "1: authorizedWhenInUse reduced (accuracy only)"])
  }

  @Test("The prompt goes, and its calls end, when Settings settles the question or Allow Once lapses")
  func temporaryMoot() {
    var bench = EngineBench(grant: .reduced)
    bench.request(Self.turn, at: 0)
    #expect(
      bench.hear(.preciseChanged(EngineBench.app, true), at: 1) == [
        "withdraw prompt 1", "1: completion 7 promptDeclined", "store whenInUse",
        "1: authorizedWhenInUse full (accuracy only)",
      ])
    var once = EngineBench()
    once.request(.requestWhenInUseAuthorization, at: 0)
    once.answer(.allowOnce, isPrecise: false, at: 1)
    once.request(Self.turn, at: 2)
    once.become(.background, at: 3)
    #expect(
      once.pass(to: 8)
        == ["withdraw prompt 2", "1: completion 7 promptDeclined", "1: notDetermined full"])
  }

  @Test("A released manager's calls are answered before it goes, whoever asked first (behaviour 1.48)")
  func temporaryReleased() {
    var bench = EngineBench(grant: .reduced, managers: 2)
    bench.request(Self.turn, at: 0)
    let second = Request.requestTemporaryFullAccuracy(purposeKey: "turn", completion: CompletionIdentifier(8))
    bench.request(second, at: 1, by: 2)
    #expect(bench.hear(.managerReleased(EngineBench.manager(2)), at: 2) == ["2: completion 8 promptDeclined"])
    #expect(
      bench.hear(.managerReleased(EngineBench.manager(1)), at: 3)
        == ["1: completion 7 promptDeclined", "withdraw prompt 1"])
  }

  @Test("What an app may read at once is coarse too (behaviour 1.42; cases GC-05)")
  func snapshotIsCoarse() {
    var bench = EngineBench(grant: .reduced, lastFix: .east(100, at: -60))
    let stored = bench.engine.snapshot(for: EngineBench.client)?.lastFix
    #expect(stored?.horizontalAccuracyMeters == 5_000)
    #expect(stored?.coordinate != Fix.east(100, at: 0).coordinate)
    bench.fix(at: 1, east: 200)
    let fresh = bench.engine.snapshot(for: EngineBench.client)?.lastFix
    #expect(fresh?.coordinate == stored?.coordinate, "the same square")
    bench.settings(.denied, at: 2)
    #expect(bench.engine.snapshot(for: EngineBench.client)?.lastFix == nil)
  }
}

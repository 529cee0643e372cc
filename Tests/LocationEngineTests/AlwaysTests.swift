import LocationEngine
import LocationModel
import Testing

@Suite("Always: provisional, confirmed, escalated")
struct AlwaysTests {
  static let confirmation = "provisionalConfirmation 'always' keepWhileUsing/changeToAlways"

  /// Provisional Always, updates running since second 2, one fix in second 3, out of use from second 10 on. Another
  /// app keeps the receivers on.
  private func provisionalInBackground(policy: Policy = Policy()) -> EngineBench {
    var bench = EngineBench(policy: policy)
    bench.request(.requestAlwaysAuthorization, at: 0)
    bench.answer(.allowWhileUsing, at: 1)
    bench.request(.startUpdatingLocation, at: 2)
    bench.fix(at: 3)
    bench.become(.background, at: 5)
    bench.pass(to: 10)
    return bench
  }

  @Test("Always asked, While Using answered: the app is told Always, Settings shows While Using (behaviour 1.13)")
  func provisional() {
    var bench = EngineBench()
    bench.request(.requestAlwaysAuthorization, at: 0)
    #expect(
      bench.answer(.allowWhileUsing, at: 1)
        == ["store provisional always asked", "1: authorizedAlways full"])
    #expect(bench.engine.grant(of: EngineBench.app)?.isProvisional == true)
  }

  @Test("Provisional Always serves like While Using: out of use the receivers go off (behaviour 1.13)")
  func servesLikeWhileUsing() {
    var bench = EngineBench(grant: Grant(level: .always, isProvisional: true))
    #expect(bench.request(.startUpdatingLocation, at: 0) == ["receivers best"])
    #expect(bench.fix(at: 1) == ["1: fix 1±4", "store fix 1±4"])
    bench.become(.background, at: 2)
    #expect(bench.pass(to: 7) == ["receivers off"])
  }

  @Test("A fix that needs real Always is held, and Always delivers it, once, without a callback (behaviour 1.14)")
  func confirmed() {
    var bench = provisionalInBackground()
    #expect(bench.fix(at: 11) == ["prompt 2: \(Self.confirmation)"])
    #expect(
      bench.answer(.changeToAlways, prompt: 2, at: 20)
        == ["store always asked", "1: fix 11±4", "receivers best"])
    #expect(bench.fix(at: 21) == ["1: fix 21±4"])
  }

  @Test("The newest fix displaces the one held (behaviour 1.14)")
  func newestHeld() {
    var bench = provisionalInBackground()
    bench.fix(at: 11)
    #expect(bench.fix(at: 12) == [])
    #expect(bench.fix(at: 13) == [])
    #expect(
      bench.answer(.changeToAlways, prompt: 2, at: 20)
        == ["store always asked", "1: fix 13±4", "receivers best"])
  }

  @Test("A held fix that became too old is dropped: exactly an hour is not, a second more is (behaviour 1.14)")
  func tooOld() {
    var young = provisionalInBackground()
    young.fix(at: 11)
    #expect(
      young.answer(.changeToAlways, prompt: 2, at: 3_611)
        == ["store always asked", "1: fix 11±4", "receivers best"])
    var old = provisionalInBackground()
    old.fix(at: 11)
    #expect(old.answer(.changeToAlways, prompt: 2, at: 3_612) == ["store always asked", "receivers best"])
  }

  @Test("Keep Only While Using drops the held fix and tells While Using (behaviour 1.14)")
  func kept() {
    var bench = provisionalInBackground()
    bench.fix(at: 11)
    #expect(
      bench.answer(.keepWhileUsing, prompt: 2, at: 20)
        == ["store whenInUse asked", "1: authorizedWhenInUse full"])
    #expect(bench.become(.foreground, at: 60) == ["1: fix 11±4", "receivers best"], "the cached fix of every begin")
    #expect(
      bench.request(.requestAlwaysAuthorization, at: 61)
        == ["note: requestAlwaysAuthorization() answered before"])
  }

  @Test("Back in use before the answer, the app is served as usual and the held fix comes not late (behaviour 2.7)")
  func answeredInUse() {
    var bench = provisionalInBackground()
    bench.fix(at: 11)
    #expect(bench.become(.foreground, at: 12) == ["1: fix 11±4", "receivers best"])
    #expect(bench.fix(at: 13) == ["1: fix 13±4"])
    #expect(bench.answer(.changeToAlways, prompt: 2, at: 20) == ["store always asked"])
  }

  @Test("Settings answers the second prompt too: it goes, the held fix is delivered once (behaviour 1.14, 1.29)")
  func confirmedInSettings() {
    var bench = provisionalInBackground()
    bench.fix(at: 11)
    #expect(
      bench.settings(.always, at: 20)
        == ["withdraw prompt 2", "store always asked", "1: fix 11±4", "receivers best"])
    #expect(bench.answer(.keepWhileUsing, prompt: 2, at: 21) == [])
  }

  @Test("A held precise fix never reaches an app whose Precise was turned off meanwhile (behaviour 1.42)")
  func heldThenReduced() {
    var bench = provisionalInBackground()
    bench.fix(at: 11)
    bench.hear(.preciseChanged(EngineBench.app, false), at: 12)
    #expect(
      bench.answer(.changeToAlways, prompt: 2, at: 20)
        == ["store always reduced asked", "1: fix 3±5000", "receivers reduced"])
  }

  @Test("The second prompt does not stop the clock of a one-time request: it may stay unanswered for days")
  func requestDuringConfirmation() {
    var bench = provisionalInBackground()
    bench.fix(at: 11)
    bench.become(.foreground, at: 20)
    bench.request(.stopUpdatingLocation, at: 21)
    bench.request(.requestLocation, at: 30)
    #expect(bench.deadlineSeconds == 40)
  }

  @Test("Escalation: While Using may ask for Always once; Change is told (behaviour 1.15)")
  func escalationChanged() {
    var bench = EngineBench(grant: .whenInUse)
    #expect(
      bench.request(.requestAlwaysAuthorization, at: 0) == [PromptTests.escalation, "store whenInUse asked"])
    #expect(bench.answer(.changeToAlways, at: 1) == ["store always asked", "1: authorizedAlways full"])
  }

  @Test("Escalation: Keep is not told, and later requests are ignored, after a new launch too (behaviour 1.15)")
  func escalationKept() {
    var bench = EngineBench(grant: .whenInUse)
    bench.request(.requestAlwaysAuthorization, at: 0)
    #expect(bench.answer(.keepWhileUsing, at: 1) == [])
    let ignored = ["note: requestAlwaysAuthorization() answered before"]
    #expect(bench.request(.requestAlwaysAuthorization, at: 2) == ignored)
    var next = EngineBench(grant: Grant(level: .whenInUse, hasRequestedAlways: true))
    #expect(next.request(.requestAlwaysAuthorization, at: 0) == ignored)
  }

  @Test("In iOS 13.0 to 13.3 the escalation gave provisional Always without a prompt (behaviour 1.15)")
  func escalationBecomesProvisional() {
    var bench = EngineBench(policy: .with(era: .iOS13) { $0.alwaysEscalation = .becomesProvisional }, grant: .whenInUse)
    #expect(
      bench.request(.requestAlwaysAuthorization, at: 0)
        == ["store provisional always asked", "1: authorizedAlways full"])
    #expect(bench.request(.requestAlwaysAuthorization, at: 1) == [])
  }

  @Test("Escalation prompts at once in eras 13 and 18, and does nothing before iOS 11 (behaviour 1.15)")
  func escalationByEra() {
    for era in [Era.iOS13, .iOS18] {
      var bench = EngineBench(policy: Policy(era: era), grant: .whenInUse)
      #expect(
        bench.request(.requestAlwaysAuthorization, at: 0)
          == [PromptTests.escalation, "store whenInUse asked"])
    }
    for era in [Era.iOS8, .iOS10] {
      var bench = EngineBench(policy: Policy(era: era), grant: .whenInUse)
      #expect(
        bench.request(.requestAlwaysAuthorization, at: 0)
          == ["note: requestAlwaysAuthorization() answered before"])
      #expect(bench.engine.grant(of: EngineBench.app) == .whenInUse, "nothing is used up")
    }
  }

  @Test("Reset brings the first question back, for Always too (behaviour 1.29)")
  func reset() {
    var bench = EngineBench(grant: Grant(level: .always, isPrecise: false, hasRequestedAlways: true))
    #expect(bench.settings(.notDetermined, at: 0) == ["store notDetermined", "1: notDetermined full"])
    #expect(bench.request(.requestAlwaysAuthorization, at: 1) == [PromptTests.firstPrompt])
  }

  @Test("Always serves in the background, While Using does not (behaviour 1.24)")
  func backgroundService() {
    var always = EngineBench(grant: .always)
    always.request(.startUpdatingLocation, at: 0)
    always.become(.background, at: 1)
    #expect(always.fix(at: 9) == ["1: fix 9±4", "store fix 9±4"])
    var whileUsing = EngineBench(grant: .whenInUse)
    whileUsing.request(.startUpdatingLocation, at: 0)
    whileUsing.become(.background, at: 1)
    #expect(whileUsing.fix(at: 5.9).first == "1: fix 5.9±4")
    #expect(whileUsing.fix(at: 6) == ["receivers off"])
  }
}

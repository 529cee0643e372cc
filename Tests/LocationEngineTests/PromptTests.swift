import LocationEngine
import LocationModel
import Testing

@Suite("Asking for permission")
struct PromptTests {
  static let firstPrompt = "prompt 1: first 'while using' allowOnce/allowWhileUsing/doNotAllow precise?"
  static let escalation = "prompt 1: escalation 'always' keepWhileUsing/changeToAlways"

  @Test("A new manager hears the status once, even if nothing is decided (behaviour 1.25)")
  func initialStatus() {
    var bench = EngineBench(managers: 0)
    #expect(bench.hear(.managerCreated(EngineBench.manager(1)), at: 0) == ["1: notDetermined full (initial)"])
    #expect(bench.hear(.managerCreated(EngineBench.manager(1)), at: 1) == [])
    var denied = EngineBench(grant: Grant(level: .denied), managers: 0)
    #expect(denied.hear(.managerCreated(EngineBench.manager(1)), at: 0) == ["1: denied full (initial)"])
  }

  @Test(
    "The first prompt is the same for both requests since iOS 13 and never offers Always (behaviour 1.10)",
    arguments: [Request.requestWhenInUseAuthorization, .requestAlwaysAuthorization])
  func firstPromptIsTheSame(request: Request) {
    var bench = EngineBench()
    #expect(bench.request(request, at: 0) == [Self.firstPrompt])
  }

  @Test("In era 13 there is no Precise switch yet: it came with iOS 14 (behaviour 1.46)")
  func noPreciseBeforeReducedAccuracy() {
    var bench = EngineBench(
      policy: Policy(era: .iOS13), app: .complete { $0.prefersReducedAccuracy = true })
    #expect(
      bench.request(.requestWhenInUseAuthorization, at: 0)
        == ["prompt 1: first 'while using' allowOnce/allowWhileUsing/doNotAllow"])
    #expect(
      bench.answer(.allowWhileUsing, at: 1) == ["store whenInUse", "1: authorizedWhenInUse full"])
  }

  @Test(
    "Before iOS 11 the prompt is Allow or Don't Allow, and gives what was asked for", arguments: [Era.iOS8, .iOS10])
  func oldPrompts(era: Era) {
    var bench = EngineBench(policy: Policy(era: era))
    #expect(
      bench.request(.requestAlwaysAuthorization, at: 0)
        == ["prompt 1: first 'always' allow/doNotAllow"])
    #expect(bench.answer(.allow, at: 1) == ["store always asked", "1: authorizedAlways full"])
    var whileUsing = EngineBench(policy: Policy(era: era))
    #expect(
      whileUsing.request(.requestWhenInUseAuthorization, at: 0)
        == ["prompt 1: first 'while using' allow/doNotAllow"])
    #expect(whileUsing.answer(.allow, at: 1) == ["store whenInUse", "1: authorizedWhenInUse full"])
  }

  @Test("Don't Allow is denied, and no later request shows a prompt (behaviour 1.11, 1.12)")
  func deniedForGood() {
    var bench = EngineBench()
    bench.request(.requestWhenInUseAuthorization, at: 0)
    #expect(bench.answer(.doNotAllow, at: 1) == ["store denied", "1: denied full"])
    #expect(bench.request(.requestWhenInUseAuthorization, at: 2) == [])
    #expect(bench.request(.requestAlwaysAuthorization, at: 3) == [])
  }

  @Test("Every manager of the app hears an answer (behaviour 1.25)")
  func allManagersHear() {
    var bench = EngineBench(managers: 2)
    bench.request(.requestWhenInUseAuthorization, at: 0)
    #expect(
      bench.answer(.allowWhileUsing, at: 1)
        == ["store whenInUse", "1: authorizedWhenInUse full", "2: authorizedWhenInUse full"])
  }

  @Test(
    "A request does nothing in any other status, and nobody is called back (behaviour 1.5)",
    arguments: [
      Grant(level: .denied), .whenInUse, .always, Grant(isRestricted: true), Grant(level: .always, isProvisional: true),
    ])
  func whenInUseActsOnlyOnce(grant: Grant) {
    var bench = EngineBench(grant: grant)
    #expect(bench.request(.requestWhenInUseAuthorization, at: 0) == [])
  }

  @Test("Neither request shows a prompt for a restricted app (behaviour 1.4)")
  func restrictedIsNeverAsked() {
    var bench = EngineBench(grant: Grant(isRestricted: true))
    #expect(bench.request(.requestAlwaysAuthorization, at: 0) == [])
    #expect(
      bench.hear(.restrictionChanged(EngineBench.app, false), at: 1)
        == ["store notDetermined", "1: notDetermined full"])
    #expect(bench.request(.requestWhenInUseAuthorization, at: 2) == [Self.firstPrompt])
    #expect(
      bench.hear(.restrictionChanged(EngineBench.app, true), at: 3)
        == ["withdraw prompt 1", "store notDetermined restricted", "1: restricted full"])
  }

  @Test("A prompt needs the foreground; grace and background session do not count (behaviour 1.6, 1.20)")
  func noPromptInBackground() {
    var bench = EngineBench(grant: .whenInUse)
    bench.configure { $0.allowsBackgroundUpdates = true }
    bench.request(.startUpdatingLocation, at: 0)
    bench.become(.background, at: 1)
    let refusal = ["note: requestAlwaysAuthorization() in background"]
    #expect(bench.request(.requestAlwaysAuthorization, at: 2) == refusal)
    #expect(bench.request(.requestAlwaysAuthorization, at: 60) == ["1: failed locationUnknown"] + refusal)
    bench.become(.foreground, at: 61)
    #expect(bench.request(.requestAlwaysAuthorization, at: 62) == [Self.escalation, "store whenInUse asked"])
    var undecided = EngineBench(state: .background)
    #expect(
      undecided.request(.requestWhenInUseAuthorization, at: 0)
        == ["note: requestWhenInUseAuthorization() in background"])
  }

  @Test("One prompt is on screen at a time; a second request is noted and lost")
  func onePromptAtATime() {
    var bench = EngineBench(managers: 2)
    bench.request(.requestWhenInUseAuthorization, at: 0)
    #expect(
      bench.request(.requestAlwaysAuthorization, at: 1, by: 2)
        == ["note: requestAlwaysAuthorization() while prompting"])
    #expect(bench.answer(.allowWhileUsing, at: 2).first == "store whenInUse")
  }

  @Test("A missing key gives one line that names it, and uses nothing up (behaviour 1.7, 1.8; cases CL-07)")
  func missingKeys() {
    var bench = EngineBench(app: AppDescription(identifier: EngineBench.app))
    #expect(
      bench.request(.requestWhenInUseAuthorization, at: 0)
        == ["note: requestWhenInUseAuthorization() lacks NSLocationWhenInUseUsageDescription"])
    #expect(
      bench.request(.requestAlwaysAuthorization, at: 1) == [
        "note: requestAlwaysAuthorization() lacks NSLocationAlwaysAndWhenInUseUsageDescription, "
          + "NSLocationWhenInUseUsageDescription"
      ])
    #expect(bench.engine.grant(of: EngineBench.app) == Grant())
    var escalating = EngineBench(grant: .whenInUse, app: .complete { $0.alwaysAndWhenInUseUsage = nil })
    #expect(
      escalating.request(.requestAlwaysAuthorization, at: 0)
        == ["note: requestAlwaysAuthorization() lacks NSLocationAlwaysAndWhenInUseUsageDescription"])
    #expect(escalating.engine.grant(of: EngineBench.app) == .whenInUse)
  }

  @Test(
    "The old Always key is enough only before iOS 11 (behaviour 1.8)",
    arguments: [(Era.iOS8, true), (.iOS10, true), (.iOS13, false), (.iOS18, false)])
  func oldAlwaysKey(era: Era, isEnough: Bool) {
    var bench = EngineBench(
      policy: Policy(era: era),
      app: .complete {
        $0.alwaysAndWhenInUseUsage = nil
        $0.whenInUseUsage = nil
      })
    let effects = bench.request(.requestAlwaysAuthorization, at: 0)
    #expect(
      effects == [
        isEnough
          ? "prompt 1: first 'always, old key' allow/doNotAllow"
          : "note: requestAlwaysAuthorization() lacks NSLocationAlwaysAndWhenInUseUsageDescription, "
            + "NSLocationWhenInUseUsageDescription"
      ])
  }

  @Test("An app that was updated meanwhile is judged by the keys it has now")
  func updatedApp() {
    var bench = EngineBench(app: AppDescription(identifier: EngineBench.app))
    bench.hear(.clientDisconnected(EngineBench.client), at: 1)
    let next = ClientIdentifier(2)
    bench.hear(.clientConnected(next, .complete, grant: Grant(), lastFix: nil), at: 2)
    bench.become(.foreground, at: 2)
    bench.hear(.managerCreated(EngineBench.manager(1, of: next)), at: 2)
    #expect(
      bench.hear(.requested(.requestWhenInUseAuthorization, by: EngineBench.manager(1, of: next)), at: 3)
        == [Self.firstPrompt])
  }

  @Test("A released manager takes its prompt down, another's release does not (behaviour 2.18)")
  func releaseWithdraws() {
    var bench = EngineBench(managers: 2)
    bench.request(.requestWhenInUseAuthorization, at: 0)
    #expect(bench.hear(.managerReleased(EngineBench.manager(2)), at: 1) == [])
    #expect(bench.hear(.managerReleased(EngineBench.manager(1)), at: 2) == ["withdraw prompt 1"])
    #expect(bench.answer(.allowWhileUsing, at: 3) == [])
  }

  @Test("A process that ends takes its prompt with it, and nothing more is said to it")
  func endOfProcessWithdraws() {
    var bench = EngineBench(managers: 2)
    bench.request(.requestWhenInUseAuthorization, at: 0)
    #expect(bench.become(.notRunning, at: 1) == ["withdraw prompt 1"])
    var gone = EngineBench(managers: 2)
    gone.request(.requestWhenInUseAuthorization, at: 0)
    #expect(gone.hear(.clientDisconnected(EngineBench.client), at: 1) == ["withdraw prompt 1"])
  }

  @Test("An answer to a prompt that is gone, or that was not offered, changes nothing")
  func strayAnswers() {
    var bench = EngineBench()
    #expect(bench.answer(.allowWhileUsing, at: 0) == [])
    bench.request(.requestWhenInUseAuthorization, at: 1)
    #expect(bench.answer(.changeToAlways, at: 2) == [])
    #expect(bench.answer(.doNotAllow, prompt: 9, at: 3) == [])
    #expect(bench.answer(.doNotAllow, at: 4) == ["store denied", "1: denied full"])
  }

  @Test("Settings decides while the prompt is up: it goes, and a late answer counts for nothing (behaviour 1.29)")
  func settingsDuringPrompt() {
    var bench = EngineBench()
    bench.request(.requestWhenInUseAuthorization, at: 0)
    #expect(
      bench.settings(.denied, at: 1) == ["withdraw prompt 1", "store denied", "1: denied full"])
    #expect(bench.answer(.allowWhileUsing, at: 2) == [])
    var escalating = EngineBench(grant: .whenInUse)
    escalating.request(.requestAlwaysAuthorization, at: 0)
    #expect(
      escalating.settings(.always, at: 1)
        == ["withdraw prompt 1", "store always asked", "1: authorizedAlways full"])
  }

  @Test("An answer that leaves the status as it was calls nobody back (behaviour 1.26)")
  func noChangeNoCall() {
    var bench = EngineBench(grant: .whenInUse)
    #expect(bench.settings(.whenInUse, at: 0) == [])
    bench.request(.requestAlwaysAuthorization, at: 1)
    #expect(bench.answer(.keepWhileUsing, at: 2) == [])
  }
}

import LocationEngine
import LocationModel
import Testing

@Suite("CLBackgroundActivitySession")
struct BackgroundActivityTests {
  private let hold = Request.holdBackgroundActivity

  @Test("A session begun in the foreground keeps a While Using app running, in use, and shown (behaviour 1.19, 9.10)")
  func background() {
    var bench = EngineBench.supervised(grant: .whenInUse, managers: 2)
    #expect(bench.request(hold, at: 1, by: 2) == ["2: session ", "store life activity in front"])
    bench.request(.startLiveUpdates(.default), at: 2)
    #expect(bench.command(.enterBackground, at: 10).contains("indicator on"))
    #expect(bench.run(to: 1_000).filter { $0.contains("suspend") } == [])
    #expect(bench.fix(at: 1_001).contains("1: live fix 1001±4"))
    let effects = bench.hear(.managerReleased(EngineBench.manager(2)), at: 1_002)
    #expect(effects.contains("suspend") && effects.contains("indicator off") && effects.contains("store life"))
  }

  @Test("It needs the background mode; without it it does nothing, and the log says so (behaviour 9.10)")
  func mode() {
    var bench = EngineBench.supervised(
      app: .complete { ($0.isInstalled, $0.hasLocationBackgroundMode) = (true, false) })
    #expect(bench.request(hold, at: 1) == ["note: session without background mode", "1: session "])
    bench.command(.enterBackground, at: 10)
    #expect(bench.run(to: 16).contains("15.0: suspend"))
  }

  @Test("In the background none begins: it says why, and begins when the app is in front (behaviour 9.12)")
  func beginInBackground() {
    var bench = EngineBench.supervised(cause: .event)
    #expect(bench.request(hold, at: 7) == ["1: session not in use"])
    #expect(bench.run(to: 20).contains("10.0: suspend"))
    #expect(bench.command(.enterForeground, at: 30).contains("1: session "))
    bench.command(.enterBackground, at: 40)
    #expect(bench.run(to: 100) == [])
  }

  @Test("One held before the process ended is taken up again at once, and only at once (behaviour 9.6, 9.11, 9.12)")
  func rejoin() {
    for (delay, rejoins) in [(1.0, true), (6.0, false)] {
      var bench = EngineBench.supervised()
      bench.request(hold, at: 1)
      bench.command(.enterBackground, at: 2)
      bench.endProcess(at: 10)
      bench.launch(.event, at: 20)
      bench.request(hold, at: 20 + delay)
      bench.run(to: 100)
      #expect((bench.appState == .background) == rejoins)
    }
  }

  @Test(
    "Live updates under a session outlive a crash: the app is started for them, once it may have them (behaviour 9.6)")
  func crash() {
    for grant in [Grant.whenInUse, .always] {
      var bench = EngineBench.supervised(grant: grant, managers: 2)
      bench.request(hold, at: 1, by: 2)
      bench.request(.startLiveUpdates(.default), at: 2)
      bench.command(.enterBackground, at: 10)
      #expect(bench.endProcess(at: 100).contains("launch org.example.walk: live "))
      bench.launch(.event, grant: grant, managers: 2, at: 101)
      #expect(bench.request(hold, at: 102, by: 2).contains("2: session "))
      bench.request(.startLiveUpdates(.default), at: 102)
      #expect(bench.fix(at: 200).contains("1: live fix 200±4"), "as if nothing had been")
      bench.hear(.locationServicesSwitched(on: false), at: 300)
      #expect(bench.endProcess(at: 301).filter { $0.hasPrefix("launch") } == [], "there is nothing to be had")
      bench.pass(to: 5_000)
      #expect(bench.hear(.locationServicesSwitched(on: true), at: 5_000).contains("launch org.example.walk: live "))
    }
  }

  @Test(
    "Not one that the person ended, that had no session, that was in front, or whose refresh is off",
    arguments: ["terminated", "force-quit", "without a session", "in front", "without refresh", "without updates"])
  func noCrash(how: String) {
    var bench = EngineBench.supervised(managers: 2)
    if how != "without a session" { bench.request(hold, at: 1, by: 2) }
    if how != "without updates" { bench.request(.startLiveUpdates(.default), at: 2) }
    if how != "in front" { bench.command(.enterBackground, at: 10) }
    if how == "without refresh" { bench.hear(.life(.backgroundRefreshSwitched(nil, isOn: false)), at: 11) }
    if how == "terminated" { bench.command(.terminate, at: 99) }
    if how == "force-quit" { bench.command(.forceQuit, at: 99) }
    let effects = bench.endProcess(at: 100) + bench.run(to: 5_000) + bench.fix(at: 5_001, east: 20_000)
    #expect(effects.filter { $0.hasPrefix("launch") } == [])
  }

  @Test(
    "Started again after a crash, it is ended for good, or crashes for good in front, whatever it has taken up by then",
    arguments: [AppCommand.terminate, .forceQuit, .enterForeground])
  func endedAfterCrash(command: AppCommand) {
    for takesUp in [false, true] {
      var bench = EngineBench.supervised(grant: .whenInUse, managers: 2)
      bench.request(hold, at: 1, by: 2)
      bench.request(.startLiveUpdates(.default), at: 2)
      bench.command(.enterBackground, at: 10)
      #expect(bench.endProcess(at: 100).contains { $0.hasPrefix("launch") })
      bench.launch(.event, grant: .whenInUse, managers: 2, at: 101)
      if takesUp {
        bench.request(hold, at: 101, by: 2)
        bench.request(.startLiveUpdates(.default), at: 101)
      }
      bench.command(command, at: 102)
      #expect(bench.endProcess(at: 103).filter { $0.hasPrefix("launch") } == [])
      #expect(bench.run(to: 1_000).filter { $0.contains("launch") } == [])
    }
  }

  @Test("An app that crashes at each start is held off as for any event, and started again afterwards")
  func crashLoop() {
    var bench = EngineBench.supervised(managers: 2)
    bench.request(hold, at: 1, by: 2)
    bench.request(.startLiveUpdates(.default), at: 2)
    bench.command(.enterBackground, at: 10)
    var starts = 0
    var second = 100.0
    while bench.endProcess(at: second).contains(where: { $0.hasPrefix("launch") }), starts < 100 {
      starts += 1
      bench.launch(.event, managers: 2, at: second + 1)
      second += 2
    }
    #expect(starts == 5, "as many as the policy has in a minute")
    #expect(bench.run(to: second + 300).contains { $0.contains("launch org.example.walk: live ") })
  }

  @Test("The store remembers it beyond a start of the service; an end by the person ends it, too (behaviour 9.12)")
  func stored() {
    var bench = EngineBench.supervised()
    bench.endProcess(at: 1)
    bench.engine = LocationEngine()
    var life = StoredAppLife()
    life.hadBackgroundActivity = true
    bench.hear(.life(.restored(.installed, grant: .always, life)), at: 2)
    bench.launch(.event, at: 3)
    #expect(bench.request(hold, at: 4).contains("1: session "))
    bench.command(.forceQuit, at: 5)
    bench.endProcess(at: 6)
    bench.launch(.event, at: 7)
    #expect(bench.request(hold, at: 8) == ["1: session not in use"])
  }

  @Test("Launched in the background, its last session ended before: nothing begins (cases RB-08, behaviour 9.12)")
  func endedBefore() {
    var bench = EngineBench.supervised()
    bench.request(hold, at: 1)
    bench.hear(.managerReleased(EngineBench.manager(1)), at: 2)
    bench.endProcess(at: 10)
    bench.launch(.event, at: 20)
    #expect(bench.request(hold, at: 21) == ["1: session not in use"])
    #expect(bench.run(to: 40).last == "30.0: suspend")
  }

  @Test("Permission that goes takes the session's use along, and the session says so; permission brings it back")
  func permission() {
    var bench = EngineBench.supervised(grant: .whenInUse)
    bench.request(hold, at: 1)
    bench.command(.enterBackground, at: 2)
    bench.pass(to: 8)
    let denied = bench.settings(.denied, at: 10)
    #expect(denied.contains("1: session denied") && denied.contains("suspend"))
    bench.settings(.whenInUse, at: 20)
    #expect(bench.command(.enterForeground, at: 30).contains("1: session "))
  }

  @Test("The indicator: always under While Using, under Always as the app wishes (behaviour 3.5)")
  func indicator() {
    for (grant, wishes, shows) in [(Grant.whenInUse, false, true), (.always, false, false), (.always, true, true)] {
      var bench = EngineBench.supervised(grant: grant)
      bench.configure {
        $0.allowsBackgroundUpdates = true
        $0.showsBackgroundIndicator = wishes
      }
      bench.request(.startUpdatingLocation, at: 1)
      #expect(!bench.engine.showsIndicator(of: EngineBench.app), "not in the foreground")
      #expect(bench.command(.enterBackground, at: 2).contains("indicator on") == shows)
      #expect(bench.engine.showsIndicator(of: EngineBench.app) == shows)
    }
  }

  @Test("A plain process is in use for as long as it holds one (behaviour 9.10)")
  func plain() {
    var bench = EngineBench(grant: .whenInUse, managers: 2)
    #expect(bench.request(hold, at: 1, by: 2) == ["2: session "])
    bench.request(.startUpdatingLocation, at: 1)
    bench.become(.background, at: 2)
    bench.pass(to: 100)
    #expect(bench.fix(at: 101).contains("1: fix 101±4"))
    #expect(bench.hear(.managerReleased(EngineBench.manager(2)), at: 102).contains("receivers off"))
  }
}

@Suite("CLServiceSession")
struct ServiceSessionTests {
  private func hold(_ authorization: ServiceSessionGoal.Requirement, key: String? = nil) -> Request {
    .holdServiceSession(ServiceSessionGoal(authorization: authorization, fullAccuracyPurposeKey: key))
  }

  @Test("A session asks by itself, and says how it stands: asking, then nothing in the way (behaviour 9.20, 9.25)")
  func asks() {
    var bench = EngineBench()
    let asked = bench.request(hold(.whenInUse), at: 1)
    #expect(asked.first?.hasPrefix("prompt 1: first 'while using'") == true)
    #expect(asked.last == "1: session asking")
    #expect(bench.answer(.allowWhileUsing, at: 2).last == "1: session ")
    #expect(bench.request(.startUpdatingLocation, at: 3) == ["receivers best"])
  }

  @Test("Settled before, the first element says so and that nobody is asked (behaviour 9.25)")
  func settled() {
    for (grant, words) in [
      (Grant.whenInUse, ""), (.always, ""), (Grant(level: .denied), "denied"),
      (Grant(isRestricted: true), "restricted"),
    ] {
      var bench = EngineBench(grant: grant)
      #expect(bench.request(hold(.whenInUse), at: 1) == ["1: session \(words)"])
    }
    var off = EngineBench(grant: .whenInUse)
    off.hear(.locationServicesSwitched(on: false), at: 0)
    #expect(off.request(hold(.whenInUse), at: 1) == ["1: session denied, globally"])
  }

  @Test("In the background nobody is asked; as soon as the app is in front, the person is (behaviour 9.20)")
  func asksLater() {
    var bench = EngineBench.supervised(grant: Grant(), cause: .event)
    #expect(bench.request(hold(.whenInUse), at: 1) == ["1: session not in use"])
    let front = bench.command(.enterForeground, at: 5)
    #expect(front.contains { $0.hasPrefix("prompt 1: first") } && front.contains("1: session asking"))
  }

  @Test(
    "Layers: While Using first, then another session's Always, then full accuracy, one after the other (behaviour 9.21)"
  )
  func layers() {
    var bench = EngineBench(managers: 3)
    bench.request(hold(.whenInUse), at: 1, by: 1)
    #expect(bench.request(hold(.always), at: 1, by: 2) == ["2: session asking"])
    #expect(bench.request(hold(.none, key: "turn"), at: 1, by: 3) == ["3: session asking"])
    let first = bench.answer(.allowWhileUsing, isPrecise: false, at: 2)
    #expect(first.contains { $0.hasPrefix("prompt 2: escalation") })
    let second = bench.answer(.changeToAlways, prompt: 2, at: 3)
    #expect(second.contains { $0.hasPrefix("prompt 3: temporary turn") })
    let third = bench.answer(.allowOnce, prompt: 3, at: 4)
    #expect(third.filter { $0.contains("session") } == ["1: session ", "2: session ", "3: session "])
  }

  @Test("Refused goals are named: Always kept from the app, full accuracy not given (behaviour 9.23, 9.25)")
  func refused() {
    var always = EngineBench(grant: .whenInUse)
    #expect(always.request(hold(.always), at: 1).last == "1: session asking")
    #expect(always.answer(.keepWhileUsing, at: 2).last == "1: session no always")
    var full = EngineBench(grant: .reduced)
    #expect(full.request(hold(.whenInUse, key: "meet"), at: 1).last == "1: session asking")
    #expect(full.answer(.doNotAllow, at: 2).last == "1: session no full accuracy")
    var unknown = EngineBench(grant: .reduced)
    #expect(unknown.request(hold(.whenInUse, key: "fly"), at: 1).last == "1: session no full accuracy")
    var denied = EngineBench(grant: Grant(level: .denied))
    #expect(denied.request(hold(.always), at: 1) == ["1: session denied, no always"])
  }

  @Test("Where Always comes without a question, full accuracy is asked for at once (behaviour 9.20, 9.21)")
  func fullAccuracyAfterSilentAlways() {
    var bench = EngineBench(
      policy: .with { $0.alwaysEscalation = .becomesProvisional }, grant: .reduced, app: .complete)
    let goal = ServiceSessionGoal(authorization: .always, fullAccuracyPurposeKey: "turn")
    let effects = bench.request(.holdServiceSession(goal), at: 1)
    #expect(effects.contains { $0.hasPrefix("prompt 1") }, "\(effects)")
    #expect(bench.pass(to: 1) == [])
  }

  @Test("A goal of nothing asks nobody (behaviour 9.24)")
  func none() {
    var bench = EngineBench()
    #expect(bench.request(hold(.none), at: 1) == ["1: session "])
  }

  @Test("Where the Info.plist demands one, live updates wait for a session of one's own (behaviour 9.22, 9.24)")
  func explicit() {
    var bench = EngineBench(grant: .whenInUse, managers: 2, app: .complete { $0.requiresExplicitServiceSession = true })
    #expect(bench.request(.startLiveUpdates(.default), at: 1) == ["1: live session required"])
    #expect(bench.request(hold(.none), at: 2, by: 2).contains("receivers best"))
    #expect(bench.fix(at: 3).contains("1: live fix 3±4"))
    #expect(
      bench.hear(.managerReleased(EngineBench.manager(2)), at: 4) == ["1: live session required", "receivers off"])
  }

  @Test("A goal of nothing is no session where nothing is decided (behaviour 9.24)")
  func explicitUndecided() {
    var bench = EngineBench(managers: 2, app: .complete { $0.requiresExplicitServiceSession = true })
    bench.request(hold(.none), at: 1, by: 2)
    #expect(bench.request(.startLiveUpdates(.default), at: 2) == ["1: live session required"])
  }

  @Test("From era 18 Always is in effect for live updates only while a session for it is held (behaviour 9.23)")
  func alwaysInEffect() {
    for (era, holds, serves) in [(Era.iOS18, false, false), (.iOS18, true, true), (.iOS13, false, true)] {
      var bench = EngineBench(policy: Policy(era: era), grant: .always, managers: 2)
      if holds { bench.request(hold(.always), at: 1, by: 2) }
      bench.request(.startLiveUpdates(.default), at: 2)
      bench.become(.background, at: 3)
      #expect(bench.pass(to: 8).contains("1: live not in use") == !serves)
      #expect(bench.fix(at: 9).contains("1: live fix 9±4") == serves)
    }
  }

  @Test("One for Always begins in the foreground, or at once after a launch where one was held (behaviour 9.23, 9.26)")
  func alwaysRejoined() {
    for (held, delay, serves) in [(true, 1.0, true), (true, 6.0, false), (false, 1.0, false)] {
      var bench = EngineBench.supervised(managers: 2)
      if held { bench.request(hold(.always), at: 1, by: 2) }
      bench.endProcess(at: 10)
      bench.launch(.event, managers: 2, at: 20)
      let said = bench.request(hold(.always), at: 20 + delay, by: 2)
      #expect(said.contains("2: session ") == serves)
      bench.request(.startLiveUpdates(.default), at: 27)
      #expect(bench.fix(at: 28).contains("1: live fix 28±4") == serves)
    }
  }

  @Test(
    "A condition starts an app with Always only where its last process held a session for it (behaviour 9.23, 9.36)")
  func conditions() {
    let shape = Region.circle().shape
    let condition = StoredCondition(
      identifier: "home", shape: shape,
      record: ConditionEvent(identifier: "home", state: .unsatisfied, time: Fix.start))
    for holds in [true, false] {
      var bench = EngineBench.supervised(managers: 2)
      bench.request(.openMonitor("places"), at: 1)
      bench.request(.addCondition(condition), at: 1)
      if holds { bench.request(hold(.always), at: 1, by: 2) }
      bench.stay(from: 1, to: 30, east: 5_000)
      bench.endProcess(at: 100)
      let effects = bench.enterHome(from: 300)
      #expect(effects.contains("launch org.example.walk: condition home satisfied") == holds)
      guard holds else { continue }
      bench.launch(.event, at: 322)
      #expect(bench.request(.openMonitor("places"), at: 323).contains { $0.contains("pending satisfied") })
    }
  }

  @Test("A condition wakes a suspended app, and the event reaches its reader at once (behaviour 9.36)")
  func conditionWakes() {
    var bench = EngineBench.supervised(managers: 2)
    bench.request(.openMonitor("places"), at: 1)
    bench.request(
      .addCondition(
        StoredCondition(
          identifier: "home", shape: Region.circle().shape,
          record: ConditionEvent(identifier: "home", state: .unsatisfied, time: Fix.start))), at: 1)
    bench.request(hold(.always), at: 1, by: 2)
    bench.stay(from: 1, to: 30, east: 5_000)
    bench.command(.enterBackground, at: 100)
    bench.run(to: 110)
    let effects = bench.enterHome(from: 300)
    let told = effects.filter { $0 == "resume" || $0.contains("condition") || $0.hasPrefix("launch") }
    #expect(told == ["resume", "1: condition home satisfied"])
  }

  @Test("Let go while it asks, a session takes its question down (behaviour 2.18, 9.21)")
  func letGo() {
    var bench = EngineBench()
    bench.request(hold(.whenInUse), at: 1)
    #expect(bench.hear(.managerReleased(EngineBench.manager(1)), at: 2) == ["withdraw prompt 1"])
  }

  @Test("A missing key is named once, and nobody is asked (behaviour 1.7)")
  func missingKey() {
    var bench = EngineBench(app: .complete { $0.whenInUseUsage = nil })
    #expect(bench.request(hold(.whenInUse), at: 1).filter { $0.hasPrefix("note") }.count == 1)
    #expect(bench.run(to: 100) == [])
    #expect(bench.pass(to: 200) == [])
  }
}

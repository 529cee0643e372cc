import LocationEngine
import LocationModel
import Testing

@Suite("Events wake and start supervised apps")
struct WakeTests {
  /// A circle of 150 m around the origin, the device 1 km east of it, the app suspended since second 105.
  private func suspended(policy: Policy = Policy(), grant: Grant = .always) -> EngineBench {
    var bench = EngineBench.supervised(policy: policy, grant: grant)
    bench.request(.startMonitoring(.circle()), at: 1)
    bench.stay(from: 1, to: 30, east: 1_000)
    bench.command(.enterBackground, at: 100)
    bench.run(to: 106)
    return bench
  }

  private func ended(policy: Policy = Policy(), grant: Grant = .always) -> EngineBench {
    var bench = suspended(policy: policy, grant: grant)
    bench.endProcess(at: 200)
    return bench
  }

  private func isTold(_ effects: [String]) -> Bool { effects.contains("1: entered home") }
  private func starts(_ effects: [String]) -> [String] { effects.filter { $0.hasPrefix("launch") } }

  @Test("A crossing wakes a suspended app with Always for 10 s, and is told at once (behaviour 1.23, 3.6; seed 000)")
  func wake() {
    var bench = suspended()
    let effects = bench.enterHome(from: 300)
    let resume = effects.firstIndex(of: "resume")
    let told = effects.firstIndex(of: "1: entered home")
    #expect(resume != nil && told != nil && resume! < told!)
    #expect(starts(effects) == [])
    #expect(bench.appState == .background)
    bench.request(.acknowledgeEvent(1), at: 322)
    #expect(bench.run(to: 340).suffix(2) == ["331.0: client 1: will be suspended", "331.0: suspend"])
  }

  @Test("With While Using nobody is woken, though the app's updates keep it in use (behaviour 1.23)")
  func whenInUse() {
    var bench = suspended(grant: .whenInUse)
    let effects = bench.enterHome(from: 300)
    #expect(!effects.contains("resume") && !isTold(effects) && starts(effects) == [])
  }

  @Test("A task begun in the time of a wake lasts 30 s from its end (behaviour 3.6, 3.7; seed 000)")
  func taskInWake() {
    var bench = suspended()
    bench.enterHome(from: 300)
    bench.beginTask(at: 325)
    #expect(bench.run(to: 362).last == "361.0: client 1: task 1 expired")
  }

  @Test("In a wake an app is told its 10 s, and with an open task 30 s more (behaviour 3.6, 3.7, 3.8; seed 000)")
  func toldTime() {
    var bench = suspended()
    // The second fix, at 321, is the crossing.
    #expect(bench.enterHome(from: 300).contains("client 1: time until 331"))
    #expect(bench.beginTask(at: 325) == ["client 1: time until 361"])
    #expect(bench.endTask(at: 326) == ["client 1: time until 331"])
    bench.request(.acknowledgeEvent(1), at: 327)
    bench.run(to: 340)
    var gone = ended()
    gone.enterHome(from: 300)
    gone.launch(.event, at: 321)
    let told = gone.engine.lifeStanding(of: EngineBench.client)?.backgroundTimeEnds
    #expect(told == Instant.zero.advanced(bySeconds: 331))
  }

  @Test("Told while it runs in the background, an app has its 10 s for that event, too (behaviour 3.6)")
  func windowForEachEvent() {
    var bench = EngineBench.supervised()
    bench.request(.startMonitoring(.circle()), at: 1)
    bench.stay(from: 1, to: 30, east: 1_000)
    bench.fix(at: 80, east: 0)
    bench.command(.enterBackground, at: 97)
    #expect(isTold(bench.fix(at: 101, east: 0)))
    bench.request(.acknowledgeEvent(1), at: 102)
    #expect(bench.run(to: 120).last == "111.0: suspend")
  }

  @Test("A crossing starts an app that does not run; it hears with its first manager (behaviour 1.23, 5.23; seed 000)")
  func launch() {
    var bench = ended()
    #expect(starts(bench.enterHome(from: 300)) == ["launch org.example.walk: entered home"])
    #expect(isTold(bench.launch(.event, at: 321)))
    bench.request(.acknowledgeEvent(1), at: 322)
    #expect(bench.run(to: 340).last == "331.0: suspend")
  }

  @Test("A stream made before the first manager takes no crossing from it: a session, live updates (behaviour 5.23)")
  func streams() {
    var bench = ended()
    bench.enterHome(from: 300)
    bench.launch(.event, managers: 0, at: 321)
    let stream = EngineBench.manager(ManagerIdentifier.streamBit | 1)
    let session = Request.holdServiceSession(ServiceSessionGoal(authorization: .always))
    let effects =
      bench.hear(.managerCreated(stream), at: 321) + bench.hear(.requested(session, by: stream), at: 321)
    #expect(!effects.contains { $0.hasSuffix("entered home") })
    #expect(isTold(bench.hear(.managerCreated(EngineBench.manager(1)), at: 322)))
  }

  @Test("A process that ends before it was told is started again for what waits")
  func endsBeforeTold() {
    var bench = ended()
    bench.enterHome(from: 300)
    bench.launch(.event, managers: 0, at: 321)
    #expect(starts(bench.endProcess(at: 322)) == ["launch org.example.walk: entered home"])
    #expect(
      starts(bench.hear(.life(.startFailed(EngineBench.app)), at: 323)) == ["launch org.example.walk: entered home"])
  }

  @Test("After the person ended it, an app is started or not as the policy says (cases SP-7, behaviour 3.14)")
  func forceQuit() {
    for relaunches in [true, false] {
      var bench = suspended(policy: .with { $0.relaunchesAfterForceQuit = relaunches })
      #expect(bench.command(.forceQuit, at: 199) == ["terminate by force", "store life quit"])
      bench.endProcess(at: 200)
      #expect(starts(bench.enterHome(from: 300)).isEmpty == !relaunches)
      #expect(isTold(bench.launch(.person, at: 400)), "once the person opens it, it hears")
      bench.endProcess(at: 500)
      #expect(
        starts(bench.fix(at: 600, east: 1_000) + bench.fix(at: 630, east: 1_000)).count == 1, "and is started again")
    }
  }

  @Test("What the store holds of the person's end counts after a start of the machine (cases SP-7)")
  func restoredForceQuit() {
    var bench = ended(policy: .with { $0.relaunchesAfterForceQuit = false })
    var life = StoredAppLife()
    life.wasForceQuit = true
    bench.hear(.life(.restored(.installed, grant: .always, life)), at: 250)
    #expect(starts(bench.enterHome(from: 300)) == [])
  }

  @Test("With background refresh off, for the app or for all, nobody is woken or started (behaviour 3.11; seed 004)")
  func backgroundRefresh() {
    for app in [EngineBench.app, nil] {
      var asleep = suspended()
      #expect(
        asleep.hear(.life(.backgroundRefreshSwitched(app, isOn: false)), at: 150) == (app == nil ? [] : ["store life"]))
      let effects = asleep.enterHome(from: 300)
      #expect(!effects.contains("resume") && !isTold(effects))
      let opened = asleep.command(.enterForeground, at: 400)
      #expect(isTold(opened) && opened.contains("client 1: refresh off"))
      #expect(
        asleep.hear(.life(.backgroundRefreshSwitched(app, isOn: true)), at: 401)
          == ["client 1: refresh on"] + (app == nil ? [] : ["store life in front"]),
        "one app's switch is its own, and kept")
      var gone = ended()
      gone.hear(.life(.backgroundRefreshSwitched(app, isOn: false)), at: 250)
      #expect(starts(gone.enterHome(from: 300)) == [])
      #expect(
        gone.launch(.person, managers: 0, at: 400).contains("client 1: began foreground without refresh"))
    }
  }

  @Test("An app's background refresh stays off while the engine does not know the app (behaviour 3.11)")
  func refreshOfForgottenApp() {
    var bench = EngineBench.supervised()
    bench.endProcess(at: 10)
    bench.hear(.appForgotten(EngineBench.app), at: 11)
    bench.hear(.life(.backgroundRefreshSwitched(EngineBench.app, isOn: false)), at: 12)
    bench.launch(.person, at: 20)
    #expect(bench.engine.lifeStanding(of: EngineBench.client)?.allowsBackgroundRefresh == false)
    bench.hear(.life(.backgroundRefreshSwitched(EngineBench.app, isOn: true)), at: 30)
    bench.endProcess(at: 40)
    bench.hear(.appForgotten(EngineBench.app), at: 41)
    bench.launch(.person, at: 50)
    #expect(bench.engine.lifeStanding(of: EngineBench.client)?.allowsBackgroundRefresh == true)
  }

  @Test("An app that ends as soon as it is started is left alone for a while, which is said once")
  func crashLoop() {
    var bench = ended()
    var effects = bench.enterHome(from: 300)
    for start in 0..<5 {
      #expect(starts(effects).count == 1, "start \(start)")
      bench.launch(.event, managers: 0, at: 322 + Double(start))
      effects = bench.endProcess(at: 322.5 + Double(start))
    }
    #expect(starts(effects) == [])
    #expect(effects.contains("note: 5 starts, held off for 300 s"))
    #expect(bench.engine.isHeldOff(EngineBench.app))
    let again = bench.hear(.life(.startFailed(EngineBench.app)), at: 330)
    #expect(starts(again) == [] && !again.contains { $0.hasPrefix("note") })
    #expect(bench.run(to: 627).last == "626.5: launch org.example.walk: entered home")
    #expect(!bench.engine.isHeldOff(EngineBench.app))
    #expect(isTold(bench.launch(.event, at: 628)))
  }

  @Test("One that cannot be started is left alone, too, which is said of it, until it is installed again")
  func cannotBeStarted() {
    var bench = ended()
    var effects = bench.enterHome(from: 300)
    for start in 0..<5 {
      #expect(starts(effects).count == 1, "try \(start)")
      effects = bench.hear(.life(.startFailed(EngineBench.app)), at: 322 + Double(start))
    }
    #expect(starts(effects) == [])
    #expect(effects.contains("note: 5 starts that failed, held off for 300 s"))
    #expect(bench.engine.isHeldOff(EngineBench.app) && bench.engine.couldNotStart(EngineBench.app))
    #expect(starts(bench.hear(.life(.installedAgain(EngineBench.app)), at: 330)).count == 1)
    #expect(!bench.engine.isHeldOff(EngineBench.app) && !bench.engine.couldNotStart(EngineBench.app))
    #expect(isTold(bench.launch(.event, at: 331)))
  }

  @Test("Installed again, an app for which nothing waits, or which runs, is not started")
  func installedAgain() {
    var idle = ended()
    #expect(starts(idle.hear(.life(.installedAgain(EngineBench.app)), at: 300)) == [])
    var running = EngineBench.supervised()
    #expect(running.hear(.life(.installedAgain(EngineBench.app)), at: 1) == [])
  }

  @Test("A start that the person ended is none of those after which an app is left alone")
  func endedByThePerson() {
    for command in [AppCommand.terminate, .forceQuit] {
      var bench = ended(policy: .with { $0.crashLoopStartsMax = 2 })
      var effects = bench.enterHome(from: 300)
      for start in 0..<5 {
        #expect(starts(effects).count == 1, "start \(start)")
        bench.launch(.event, managers: 0, at: 322 + Double(start))
        bench.command(command, at: 322.25 + Double(start))
        effects = bench.endProcess(at: 322.5 + Double(start))
      }
      #expect(!bench.engine.isHeldOff(EngineBench.app))
    }
  }

  @Test("A crash loop ends where the person opens the app")
  func crashLoopEnds() {
    var bench = ended(policy: .with { $0.crashLoopStartsMax = 1 })
    bench.enterHome(from: 300)
    bench.launch(.event, managers: 0, at: 321)
    #expect(bench.endProcess(at: 322).contains("note: 1 starts, held off for 300 s"))
    #expect(isTold(bench.launch(.person, at: 330)))
    #expect(bench.run(to: 1_000) == [])
  }

  // MARK: Significant changes

  @Test(
    "A significant change wakes a suspended app, and starts one that does not run (behaviour 4.5, 4.6; seeds 000, 001)")
  func significantChange() {
    var bench = EngineBench.supervised()
    bench.request(.startMonitoringSignificantChanges, at: 1)
    bench.fix(at: 2)
    bench.command(.enterBackground, at: 10)
    bench.run(to: 30)
    #expect(bench.appState == .suspended)
    let effects = bench.fix(at: 600, east: 800)
    #expect(effects.filter { $0 == "resume" || $0.hasPrefix("1:") } == ["resume", "1: fix 600±4"])
    bench.run(to: 700)
    bench.endProcess(at: 700)
    #expect(starts(bench.fix(at: 1_200, east: 1_600)) == ["launch org.example.walk: fix 1200±4"])
    bench.launch(.event, at: 1_201)
    #expect(bench.request(.startMonitoringSignificantChanges, at: 1_202).contains("1: fix 1200±4"))
  }

  @Test(
    "Every 15 minutes without a change the app is woken, or started, and bears it (cases SP-8, behaviour 4.4; seed 000)"
  )
  func quarterHour() {
    var bench = EngineBench.supervised(policy: .with { $0.significantChangeWakeSeconds = 900 })
    bench.request(.startMonitoringSignificantChanges, at: 1)
    bench.fix(at: 2)
    bench.command(.enterBackground, at: 10)
    let night = bench.run(to: 1_900)
    #expect(night.filter { $0.contains("resume") } == ["902.0: resume", "1802.0: resume"])
    #expect(night.filter { $0.contains("1: fix") } == ["902.0: 1: fix 2±4", "1802.0: 1: fix 2±4"])
    #expect(night.contains("912.0: suspend"))
    bench.endProcess(at: 1_950)
    #expect(starts(bench.run(to: 2_703).map { String($0.drop { $0 != ":" }.dropFirst(2)) }).count == 1)
  }

  // MARK: What is kept

  @Test("What is said to a suspended app waits, in order: fixes, a change of permission, later fixes (behaviour 2.16)")
  func order() {
    var bench = EngineBench.supervised(policy: .with { $0.suspendedFixesMax = 3 })
    bench.configure { $0.pausesAutomatically = false }
    bench.request(.startUpdatingLocation, at: 1)
    bench.fix(at: 2)
    bench.command(.enterBackground, at: 10)
    bench.run(to: 20)
    for second in [30.0, 31] { #expect(bench.fix(at: second) == []) }
    #expect(!bench.hear(.preciseChanged(EngineBench.app, false), at: 32).contains { $0.hasPrefix("1:") })
    #expect(!bench.hear(.preciseChanged(EngineBench.app, true), at: 33).contains { $0.hasPrefix("1:") })
    for second in [34.0, 35] { #expect(bench.fix(at: second) == []) }
    let said = bench.command(.enterForeground, at: 60).filter { $0.hasPrefix("1:") }
    // The precise places of before are not kept for an app that has lost full accuracy (behaviour 1.42).
    #expect(said.first == "1: authorizedAlways reduced (accuracy only)")
    #expect(said.contains("1: authorizedAlways full (accuracy only)"))
    #expect(said.last?.hasSuffix("fix 34±4, fix 35±4") == true)
  }

  @Test("The newest 1,000 fixes are kept, whatever stands between them")
  func newestFixes() {
    var bench = EngineBench.supervised(policy: .with { $0.suspendedFixesMax = 3 })
    bench.request(.startUpdatingLocation, at: 1)
    bench.fix(at: 2)
    bench.command(.enterBackground, at: 10)
    bench.run(to: 20)
    for second in [30.0, 31] { bench.fix(at: second) }
    bench.hear(.managerCreated(EngineBench.manager(2)), at: 32)
    bench.request(.requestState(.circle()), at: 32)
    for second in [34.0, 35] { bench.fix(at: second) }
    let said = bench.command(.enterForeground, at: 60).filter { $0.hasPrefix("1:") }
    #expect(said == ["1: fix 31±4", "1: home is unknown", "1: fix 34±4, fix 35±4"])
  }
}

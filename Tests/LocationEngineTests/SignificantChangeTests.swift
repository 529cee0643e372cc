import LocationEngine
import LocationModel
import Testing

@Suite("Significant changes")
struct SignificantChangeTests {
  private func monitoring(
    policy: Policy = Policy(), grant: Grant = .always, lastFix: Fix? = nil, managers: UInt64 = 1
  ) -> EngineBench {
    var bench = EngineBench(policy: policy, grant: grant, lastFix: lastFix, managers: managers)
    bench.request(.startMonitoringSignificantChanges, at: 0)
    return bench
  }

  @Test("The first event is the cached location, a repeated start gives none, stop and start a new one (behaviour 4.3)")
  func initial() {
    var bench = EngineBench(grant: .always, lastFix: .east(0, at: -3_600))
    #expect(
      bench.request(.startMonitoringSignificantChanges, at: 0)
        == ["store regions [] changes", "1: fix -3600±4", "receivers 500 m"])
    #expect(bench.request(.startMonitoringSignificantChanges, at: 1) == [])
    #expect(bench.request(.stopMonitoringSignificantChanges, at: 2) == ["store regions []", "receivers off"])
    #expect(
      bench.request(.startMonitoringSignificantChanges, at: 3)
        == ["store regions [] changes", "1: fix -3600±4", "receivers 500 m"])
  }

  @Test("Without a cached location the first that comes is the first event")
  func firstFix() {
    var bench = monitoring()
    #expect(bench.fix(at: 5) == ["1: fix 5±4", "store fix 5±4", "receivers off"])
  }

  @Test("At least 500 m from the last one told, measured from there (behaviour 4.1)")
  func distance() {
    var bench = monitoring()
    bench.fix(at: 0)
    #expect(!bench.fix(at: 400, east: 499).contains("1: fix 400±4"))
    #expect(bench.fix(at: 500, east: 501).first == "1: fix 500±4")
    #expect(!bench.fix(at: 900, east: 0.5 + 1_000).contains("1: fix 900±4"))
    #expect(bench.fix(at: 1_300, east: 1_002).first == "1: fix 1300±4")
  }

  @Test("Not more often than every five minutes, to the second (behaviour 4.1)")
  func interval() {
    var bench = monitoring()
    bench.fix(at: 0)
    var told: [Double] = []
    for second in 1...1_000 {
      if bench.fix(at: Double(second), east: Double(second) * 30).contains(where: { $0.hasPrefix("1: fix") }) {
        told.append(Double(second))
      }
    }
    #expect(told == [300, 600, 900])
  }

  @Test("A fix that may be wrong by more than it is away is no change")
  func vague() {
    var bench = monitoring()
    bench.fix(at: 0)
    #expect(!bench.fix(at: 400, east: 700, accuracy: 800).contains { $0.hasPrefix("1: fix") })
    #expect(bench.fix(at: 401, east: 900, accuracy: 800).first == "1: fix 401±800")
  }

  @Test("Filter and accuracy do not count (behaviour 4.2)")
  func settingsAreIgnored() {
    var bench = EngineBench(grant: .always)
    bench.configure {
      $0.distanceFilterMeters = 10_000
      $0.desiredAccuracy = .reduced
    }
    #expect(bench.request(.startMonitoringSignificantChanges, at: 0).last == "receivers 500 m")
    bench.fix(at: 0)
    #expect(bench.fix(at: 300, east: 600).first == "1: fix 300±4")
  }

  @Test("What standard updates of the same manager tell is not told twice; another manager is told for itself")
  func besideStandard() {
    var bench = monitoring(managers: 2)
    bench.configure { $0.pausesAutomatically = false }
    bench.request(.startUpdatingLocation, at: 0)
    bench.request(.startMonitoringSignificantChanges, at: 0, by: 2)
    #expect(bench.fix(at: 1) == ["1: fix 1±4", "2: fix 1±4", "store fix 1±4"])
    #expect(bench.fix(at: 301, east: 600).prefix(2) == ["1: fix 301±4", "2: fix 301±4"])
    #expect(bench.fix(at: 302, east: 600) == ["1: fix 302±4"])
  }

  @Test("While Using is served only in use; the return to use begins with the cached location (behaviour 1.21, 4.7)")
  func whileUsing() {
    var bench = monitoring(grant: .whenInUse)
    bench.fix(at: 0)
    bench.become(.background, at: 10)
    bench.pass(to: 15)
    #expect(bench.fix(at: 400, east: 800) == [])
    #expect(bench.become(.foreground, at: 500) == ["1: fix 400±4", "receivers 500 m"])
  }

  @Test("It may be started from the background, silently (behaviour 1.21)")
  func startedInBackground() {
    var bench = EngineBench(grant: .whenInUse, state: .background)
    #expect(bench.request(.startMonitoringSignificantChanges, at: 0) == ["store regions [] changes"])
  }

  @Test("Denied: an error at the start and when it is taken away (behaviour 1.31)", arguments: [Era.iOS8, .iOS18])
  func denied(era: Era) {
    var bench = EngineBench(policy: Policy(era: era), grant: Grant(level: .denied))
    #expect(bench.request(.startMonitoringSignificantChanges, at: 0).contains("1: failed denied"))
    bench.settings(.always, at: 1)
    #expect(bench.settings(.denied, at: 2).contains("1: failed denied"))
  }

  @Test("Before iOS 13 it took Always (behaviour 1.21, 4.7)", arguments: [Era.iOS8, .iOS10])
  func oldEras(era: Era) {
    var bench = EngineBench(policy: Policy(era: era), grant: .whenInUse)
    #expect(
      bench.request(.startMonitoringSignificantChanges, at: 0) == ["store regions [] changes", "1: failed denied"])
    #expect(bench.fix(at: 1) == [])
    #expect(bench.settings(.always, at: 2).contains("1: fix 1±4"))
  }

  @Test("Reduced: no more often than the coarse place is made, and not again where it has not moved (behaviour 1.45)")
  func reduced() {
    var bench = monitoring(grant: Grant(level: .always, isPrecise: false))
    #expect(bench.fix(at: 0).first == "1: fix 0±5000")
    var told: [Double] = []
    for second in stride(from: 10.0, through: 7_200, by: 10) {
      // Half an hour in one square, then 20 m/s, which is a square in 279 seconds.
      let east = second < 1_800 ? second / 100 : (second - 1_800) * 20
      if bench.fix(at: second, east: east).contains(where: { $0.hasPrefix("1: fix") }) { told.append(second) }
    }
    #expect(told == [2_700, 3_600, 4_500, 5_400, 6_300, 7_200])
  }

  // MARK: Receivers

  @Test("The receivers sleep: five minutes after an event, then a minute at a time, longer where nothing moves")
  func sleep() {
    var bench = monitoring()
    #expect(bench.fix(at: 0).last == "receivers off")
    #expect(bench.deadlineSeconds == 300)
    #expect(bench.pass(to: 300) == ["receivers 500 m"])
    #expect(bench.fix(at: 301) == ["store fix 301±4", "receivers off"])
    var wakes: [Double] = []
    var seconds = 301.0
    for _ in 0..<5 {
      while let deadline = bench.deadlineSeconds, bench.pass(to: deadline) == [] {}
      wakes.append(bench.seconds - seconds)
      seconds = bench.seconds
      bench.fix(at: seconds)
    }
    #expect(wakes == [120, 240, 300, 300, 300])
  }

  @Test("A look without a fix is given up after 45 seconds, and the next comes later (algorithms 1.2)")
  func givingUp() {
    var bench = monitoring()
    #expect(bench.pass(to: 45) == ["receivers off"])
    #expect(bench.deadlineSeconds == 165)
    #expect(bench.pass(to: 165) == ["receivers 500 m"])
    #expect(bench.pass(to: 210) == ["receivers off"])
    #expect(bench.deadlineSeconds == 450)
  }

  @Test("A suspended app with Always is watched for, and told when it runs again (behaviour 1.23, 2.16)")
  func suspended() {
    var bench = monitoring()
    bench.fix(at: 0)
    bench.become(.background, at: 1)
    bench.become(.suspended, at: 10)
    #expect(bench.pass(to: 300) == ["receivers 500 m"])
    #expect(
      bench.fix(at: 301, east: 2_000) == ["launch org.example.walk: fix 301±4", "store fix 301±4", "receivers off"])
    #expect(bench.become(.background, at: 400).first == "1: fix 301±4")
  }

  @Test(
    "SP-8: with the policy's wake the last location comes again without a change, else nothing does (behaviour 4.4)")
  func wake() {
    var bench = monitoring(policy: .with { $0.significantChangeWakeSeconds = 900 })
    bench.fix(at: 0)
    var told: [Double] = []
    while let deadline = bench.deadlineSeconds, deadline <= 2_000 {
      if bench.pass(to: deadline).contains("1: fix 0±4") { told.append(deadline) }
    }
    #expect(told == [900, 1_800])
    var quiet = monitoring()
    quiet.fix(at: 0)
    while let deadline = quiet.deadlineSeconds, deadline <= 2_000 {
      #expect(!quiet.pass(to: deadline).contains { $0.hasPrefix("1:") })
    }
  }

  // MARK: Where a motion sensor tells of rests

  /// On the move at so many metres a second since second 0, where it was told; the next look comes at `due`.
  private func onTheWay(metersPerSecond speed: Double) -> (bench: EngineBench, due: Double) {
    var bench = EngineBench(grant: .always, profile: .phone)
    bench.request(.startMonitoringSignificantChanges, at: 0)
    bench.hear(.motionChanged(.moving), at: 0)
    var fix = Fix.east(0, at: 0)
    fix.speedMetersPerSecond = speed
    fix.courseDegrees = 90
    bench.hear(.fixReceived(fix), at: 0)
    return (bench, bench.deadlineSeconds ?? -1)
  }

  @Test("The next look comes when somebody who goes on as before is 500 m away on a way with turns")
  func expected() {
    // 500 m, a tenth more for the turns, and one and a half times the error of 4 m.
    #expect(abs(onTheWay(metersPerSecond: 1.4).due - 556 / 1.4) < 0.01)
    #expect(onTheWay(metersPerSecond: 14).due == 300)
  }

  @Test("A red light is no time to look: what was due meanwhile is looked at when the device goes on")
  func redLight() {
    var (bench, _) = onTheWay(metersPerSecond: 14)
    bench.hear(.motionChanged(.still), at: 290)
    #expect(bench.pass(to: 310) == [])
    #expect(bench.hear(.motionChanged(.moving), at: 320) == ["receivers 500 m"])
  }

  @Test("A rest that lasts is looked at, after longer than a stop of a car")
  func stop() {
    var (bench, due) = onTheWay(metersPerSecond: 1.4)
    bench.hear(.motionChanged(.still), at: 380)
    #expect(bench.pass(to: due + 1) == [])
    #expect(bench.pass(to: 529) == [])
    #expect(bench.pass(to: 530) == ["receivers 500 m by wireless"])
  }

  @Test("Rest is no way: who rests for half a minute is expected by so much later")
  func shortRest() {
    var (bench, due) = onTheWay(metersPerSecond: 1.4)
    bench.hear(.motionChanged(.still), at: 200)
    bench.hear(.motionChanged(.moving), at: 210)
    // It came to rest 30 s before the sensor said so; the error of the last fix is reckoned with once more.
    #expect((bench.deadlineSeconds ?? 0) > due + 40 && (bench.deadlineSeconds ?? 0) < due + 90)
  }

  @Test("After a rest the device may go on by car: the next look does not wait for a walk")
  func byCar() {
    var (bench, _) = onTheWay(metersPerSecond: 1.4)
    bench.hear(.motionChanged(.still), at: 100)
    bench.pass(to: 250)
    bench.fix(at: 252, east: 130, accuracy: 38)
    bench.hear(.motionChanged(.moving), at: 1_000)
    // 370 m and a tenth, and the error of 38 m: at 0.6 m/s² up to 10 m/s.
    let expected = 1_000 + 10 / 0.6 + (370 * 1.1 + 57 - 100 / 1.2) / 10
    #expect(abs((bench.deadlineSeconds ?? 0) - expected) < 0.01)
  }

  @Test("Who comes back first passes by where the last change was told")
  func comingBack() {
    var (bench, due) = onTheWay(metersPerSecond: 1.4)
    bench.pass(to: due)
    // 400 m away, after a bend, and on the way back.
    var fix = Fix.east(400, at: due)
    fix.speedMetersPerSecond = 1.4
    fix.courseDegrees = 270
    bench.hear(.fixReceived(fix), at: due)
    // The circle of 500 m is 100 m ahead of who goes on, 695 m of who turns by 45 degrees on the way back.
    #expect((bench.deadlineSeconds ?? 0) - due > 500)
  }

  @Test("Nobody is woken for looks while the device rests where it was found")
  func quietRest() {
    var (bench, _) = onTheWay(metersPerSecond: 1.4)
    bench.hear(.motionChanged(.still), at: 30)
    #expect(bench.deadlineSeconds == nil)
  }

  // MARK: Beyond the process

  @Test("The registration outlives manager and process, and a stop ends it (behaviour 4.5, 4.6)")
  func registration() {
    var bench = monitoring()
    bench.fix(at: 1)
    #expect(!bench.hear(.clientDisconnected(EngineBench.client), at: 2).contains("store regions []"))
    bench.hear(.appForgotten(EngineBench.app), at: 3)
    let next = ClientIdentifier(2)
    bench.hear(.clientConnected(next, .complete, grant: .always, lastFix: nil), at: 4)
    bench.become(.background, at: 4)
    bench.hear(.managerCreated(EngineBench.manager(1, of: next)), at: 4)
    let start = Input.requested(.startMonitoringSignificantChanges, by: EngineBench.manager(1, of: next))
    #expect(bench.hear(start, at: 5).contains("2.1: fix 1±4"), "the pending event comes with the start")
    let stop = Input.requested(.stopMonitoringSignificantChanges, by: EngineBench.manager(1, of: next))
    #expect(bench.hear(stop, at: 6).contains("store regions []"))
  }

  /// What the next process of the app is told at its start of the service, a second after it was made.
  private func startInNextProcess(_ bench: inout EngineBench, app: AppDescription, at seconds: Double) -> [String] {
    let next = ClientIdentifier(2)
    bench.hear(.clientConnected(next, app, grant: .always, lastFix: nil), at: seconds)
    bench.become(.background, at: seconds)
    let manager = EngineBench.manager(1, of: next)
    bench.hear(.managerCreated(manager), at: seconds)
    return bench.hear(.requested(.startMonitoringSignificantChanges, by: manager), at: seconds + 1)
  }

  @Test("An installed app is started for a change, and has it at its start of the service (behaviour 4.5, 4.6)")
  func launched() {
    let app = AppDescription.complete { $0.isInstalled = true }
    var bench = EngineBench(grant: .always, app: app)
    bench.request(.startMonitoringSignificantChanges, at: 0)
    bench.fix(at: 1)
    bench.hear(.clientDisconnected(EngineBench.client), at: 2)
    bench.hear(.appForgotten(EngineBench.app), at: 3)
    #expect(bench.fix(at: 200, east: 900) == [])
    #expect(
      bench.fix(at: 400, east: 900) == [
        "store regions [] changes, 1 event waits", "launch org.example.walk: fix 400±4",
      ], "the event is stored before anything is done for it")
    #expect(bench.fix(at: 500, east: 1_900) == [])
    #expect(
      startInNextProcess(&bench, app: app, at: 501).prefix(2) == [
        "store regions [] changes, 1 event waits", "2.1: fix 500±4",
      ],
      "where the next change is measured from is stored")
  }

  @Test("An app that ends while it is suspended hears nothing more, and has the change in its next process")
  func endedWhileSuspended() {
    let app = AppDescription.complete { $0.isInstalled = true }
    var bench = EngineBench(grant: .always, app: app)
    bench.request(.startMonitoringSignificantChanges, at: 0)
    bench.fix(at: 1)
    bench.become(.suspended, at: 2)
    #expect(bench.fix(at: 400, east: 900).first == "store regions [] changes, 1 event waits")
    #expect(!bench.become(.notRunning, at: 500).contains { $0.hasPrefix("1:") })
    bench.hear(.clientDisconnected(EngineBench.client), at: 501)
    #expect(startInNextProcess(&bench, app: app, at: 502).contains("2.1: fix 400±4"))
  }

  @Test("A change that still waits when permission is back wakes a suspended app, and is not said before it runs")
  func permissionBackWhileSuspended() {
    var bench = EngineBench(grant: .always, app: .complete { $0.isInstalled = true })
    bench.request(.startMonitoringSignificantChanges, at: 0)
    bench.fix(at: 1)
    bench.become(.suspended, at: 2)
    bench.fix(at: 400, east: 900)
    bench.hear(.preciseChanged(EngineBench.app, false), at: 500)
    bench.hear(.locationServicesSwitched(on: false), at: 600)
    let back = bench.hear(.locationServicesSwitched(on: true), at: 700)
    #expect(back.filter { $0.hasPrefix("1: fix") } == [])
    #expect(back.filter { $0.hasPrefix("launch") }.count == 1)
    #expect(bench.become(.background, at: 701).filter { $0.hasPrefix("1: fix") }.count == 1)
  }

  @Test("What waited for a suspended app's answer is not said to an app that ended", arguments: [false, true])
  func endedWithFixes(isInstalled: Bool) {
    var bench = EngineBench(grant: .always, app: .complete { $0.isInstalled = isInstalled })
    bench.request(.startMonitoringSignificantChanges, at: 0)
    bench.request(.startUpdatingLocation, at: 0)
    bench.request(.requestLocation, at: 0)
    bench.fix(at: 1, accuracy: 500)
    bench.become(.background, at: 2)
    bench.become(.suspended, at: 3)
    for second in 1...5 { bench.fix(at: Double(second) * 400, east: Double(second) * 900) }
    #expect(!bench.become(.notRunning, at: 2_100).contains { $0.hasPrefix("1:") })
  }

  @Test("What was due while Always was away is not made up for when it is back (behaviour 1.21, 4.4)")
  func dueWithoutPermission() {
    var bench = EngineBench.supervised(policy: .with { $0.significantChangeWakeSeconds = 900 })
    bench.request(.startMonitoringSignificantChanges, at: 1)
    bench.fix(at: 2)
    bench.endProcess(at: 10)
    bench.settings(.whenInUse, at: 20)
    bench.settings(.always, at: 5_000)
    #expect(bench.pass(to: 5_000) == [])
    #expect(bench.deadlineSeconds.map { $0 > 5_000 } == true)
    #expect(bench.pass(to: 5_899).filter { $0.hasPrefix("launch") } == [])
    #expect(bench.pass(to: 5_900).filter { $0.hasPrefix("launch") }.count == 1)
  }

  @Test("Nothing is watched for an app that was uninstalled, and it is unknown to the engine")
  func uninstalled() {
    var bench = EngineBench(grant: .always, app: .complete { $0.isInstalled = true })
    bench.request(.startMonitoringSignificantChanges, at: 0)
    bench.fix(at: 1)
    bench.hear(.appUninstalled(EngineBench.app), at: 2)
    #expect(bench.engine.grant(of: EngineBench.app) == .always, "it has a process")
    bench.hear(.clientDisconnected(EngineBench.client), at: 3)
    #expect(bench.engine.nextDeadline != nil, "the next look for a change")
    bench.hear(.appUninstalled(EngineBench.app), at: 4)
    #expect(bench.engine.nextDeadline == nil)
    #expect(bench.engine.grant(of: EngineBench.app) == nil)
    #expect(bench.fix(at: 400, east: 900) == [])
  }

  @Test("A change that only a confirmed Always may see is held, the newest one, and asked for (behaviour 1.14)")
  func provisional() {
    var bench = EngineBench()
    bench.request(.requestAlwaysAuthorization, at: 0)
    bench.answer(.allowWhileUsing, at: 1)
    bench.request(.startMonitoringSignificantChanges, at: 2)
    bench.fix(at: 3)
    bench.become(.background, at: 5)
    bench.pass(to: 10)
    #expect(bench.fix(at: 400, east: 800) == ["prompt 2: \(AlwaysTests.confirmation)"])
    #expect(bench.fix(at: 800, east: 1_600) == [])
    #expect(bench.answer(.changeToAlways, prompt: 2, at: 900).contains("1: fix 800±4"))
  }
}

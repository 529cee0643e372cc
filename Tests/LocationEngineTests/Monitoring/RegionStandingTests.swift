import LocationEngine
import LocationModel
import Testing

@Suite("Regions: whose are watched, and who is told")
struct RegionStandingTests {
  private static let installed = AppDescription.complete { $0.isInstalled = true }
  private static let provisional = Grant(level: .always, isProvisional: true, hasRequestedAlways: true)

  /// An app that has Always, in the background, and knows that it is in its region since second 1.
  private func insideApp(
    policy: Policy = Policy(), grant: Grant = .always, app: AppDescription = RegionStandingTests.installed
  ) -> EngineBench {
    var bench = EngineBench(policy: policy, grant: grant, app: app)
    bench.monitor()
    bench.stay(from: 0, to: 1, east: 0)
    return bench
  }

  @Test("Registered without permission a region is kept, and monitoring begins with it (behaviour 1.33)")
  func withoutPermission() {
    var bench = EngineBench()
    #expect(bench.request(.startMonitoring(.circle()), at: 0) == ["store regions [home]"])
    #expect(bench.monitored.map(\.identifier) == ["home"])
    #expect(bench.stay(from: 0, to: 60, east: 0) == [])
    #expect(
      bench.said(bench.settings(.whenInUse, at: 100)) == ["1: authorizedWhenInUse full", "1: monitoring home"])
    #expect(bench.stay(from: 100, to: 150, east: 0) == ["101 1: home is inside"])
  }

  @Test("Denied: error 4, kept, and begun when permission comes (behaviour 1.31, 1.33, 5.21)")
  func denied() {
    var bench = EngineBench(grant: Grant(level: .denied), managers: 2)
    #expect(bench.monitor() == ["1: monitoring home failed regionMonitoringDenied"])
    #expect(bench.monitored.count == 1)
    #expect(bench.said(bench.settings(.whenInUse, at: 1)).contains("1: monitoring home"))
  }

  @Test("Denied while it runs: every manager hears error 4, crossings are not told, a new grant resumes (cases GC-05)")
  func deniedLater() {
    var bench = EngineBench(grant: .whenInUse, managers: 2)
    bench.monitor()
    bench.stay(from: 0, to: 5, east: 0)
    #expect(
      bench.settings(.denied, at: 5)
        == [
          "store denied", "1: denied full", "2: denied full",
          "1: monitoring home failed regionMonitoringDenied", "2: monitoring home failed regionMonitoringDenied",
        ])
    #expect(bench.stay(from: 5, to: 100, east: 400) == [])
    #expect(bench.said(bench.settings(.whenInUse, at: 100)).contains("1: monitoring home"))
    #expect(bench.stay(from: 100, to: 200, east: 400) == [], "the state is taken anew, silently")
    #expect(bench.stay(from: 200, to: 300, east: 0).contains("221 1: entered home"))
  }

  @Test("While Using is told of crossings only while in use; what happened outside of it is not told later (1.21)")
  func whileUsing() {
    var bench = insideApp(grant: .whenInUse)
    bench.become(.background, at: 2)
    bench.pass(to: 10)
    #expect(bench.receiversAreOff)
    #expect(bench.stay(from: 10, to: 100, east: 400) == [])
    bench.become(.foreground, at: 101)
    #expect(bench.stay(from: 101, to: 200, east: 400) == [])
    #expect(bench.stay(from: 200, to: 300, east: 0).contains("221 1: entered home"))
  }

  @Test("Reduced accuracy: registered and not told (behaviour 1.45)")
  func reduced() {
    var bench = EngineBench(grant: .reduced)
    #expect(bench.monitor() == ["1: monitoring home"])
    #expect(bench.receiversAreOff)
    #expect(bench.stay(from: 0, to: 60, east: 0) == [])
    #expect(bench.stay(from: 60, to: 120, east: 400) == [])
    bench.hear(.preciseChanged(EngineBench.app, true), at: 121)
    #expect(bench.stay(from: 121, to: 200, east: 0).isEmpty == false)
  }

  @Test("Eras 8 and 10: regions need Always (behaviour 1.21)", arguments: [Era.iOS8, .iOS10])
  func oldEras(era: Era) {
    var bench = EngineBench(policy: Policy(era: era), grant: .whenInUse)
    #expect(bench.monitor() == ["1: monitoring home failed regionMonitoringDenied"])
    #expect(bench.stay(from: 0, to: 60, east: 0) == [])
    #expect(
      bench.said(bench.settings(.always, at: 60))
        == ["1: authorizedAlways full", "1: monitoring home", "1: home is inside"])
  }

  // MARK: Not running, suspended

  @Test("An installed app that does not run is launched for a crossing and told when it has a manager (5.23, 1.23)")
  func launched() {
    var bench = insideApp()
    bench.hear(.clientDisconnected(EngineBench.client), at: 2)
    #expect(bench.deadlineSeconds != nil, "the receivers will wake for it")
    #expect(bench.stay(from: 2, to: 60, east: 400) == ["23 launch org.example.walk: exited home"])
    #expect(
      bench.hear(.clientConnected(ClientIdentifier(2), Self.installed, grant: .always, lastFix: nil), at: 61) == [])
    bench.become(.background, at: 61)
    let manager = EngineBench.manager(1, of: ClientIdentifier(2))
    #expect(
      bench.hear(.managerCreated(manager), at: 62)
        == [
          "2.1: authorizedAlways full (initial)", "2.1: exited home", "2.1: home is outside",
        ], "it was stored when it happened")
    #expect(bench.stay(from: 62, to: 100, east: 400) == [])
  }

  @Test("A suspended app with Always is told when it runs again; what it does not want to hear wakes nobody (5.14)")
  func suspended() {
    var bench = EngineBench(grant: .always, app: Self.installed)
    bench.monitor(.circle("home", exit: false))
    bench.monitor(.circle("work", radius: 300))
    bench.stay(from: 0, to: 1, east: 0)
    bench.become(.suspended, at: 2)
    #expect(bench.stay(from: 2, to: 60, east: 600) == ["23 launch org.example.walk: exited work"])
    #expect(bench.said(bench.become(.background, at: 61)) == ["1: exited work", "1: work is outside"])
  }

  @Test("A plain executable that does not run is not watched; its regions come back and are taken anew (3.13, 5.6)")
  func plainExecutable() {
    var bench = insideApp(app: .complete)
    #expect(bench.hear(.clientDisconnected(EngineBench.client), at: 2) == [])
    #expect(bench.deadlineSeconds == nil, "nothing wakes the receivers")
    #expect(bench.stay(from: 2, to: 60, east: 400) == [])
    bench.hear(.clientConnected(ClientIdentifier(2), .complete, grant: .always, lastFix: nil), at: 61)
    bench.become(.foreground, at: 61)
    let manager = EngineBench.manager(1, of: ClientIdentifier(2))
    bench.hear(.managerCreated(manager), at: 61)
    #expect(bench.engine.snapshot(for: ClientIdentifier(2))?.monitoredRegions.map(\.identifier) == ["home"])
    #expect(bench.stay(from: 61, to: 100, east: 400) == [])
    #expect(bench.hear(.requested(.requestState(.circle()), by: manager), at: 100) == ["2.1: home is outside"])
    #expect(bench.stay(from: 100, to: 200, east: 0) == ["121 2.1: entered home", "121 2.1: home is inside"])
  }

  @Test("After a restart of the service an installed app's regions go on where they were (behaviour 5.6)")
  func restored() {
    var registrations = Registrations()
    registrations.regions = [RegisteredRegion(region: .circle(), state: .inside)]
    registrations.monitorsVisits = true
    var bench = EngineBench(grant: .always, state: nil, managers: 0, app: .complete { $0.identifier = .init("other") })
    #expect(
      bench.hear(.appRestored(Self.installed, grant: .always, registrations: registrations), at: 0)
        == ["receivers 75 m"], "visits are finer than the region")
    #expect(bench.stay(from: 0, to: 60, east: 400) == ["21 launch org.example.walk: exited home"])
    #expect(bench.hear(.appForgotten(EngineBench.app), at: 61) == [], "somebody waits for it")
    let client = ClientIdentifier(7)
    bench.hear(.clientConnected(client, Self.installed, grant: .always, lastFix: nil), at: 62)
    bench.hear(.managerCreated(EngineBench.manager(1, of: client)), at: 62)
    #expect(
      bench.become(.background, at: 63) == [
        "7.1: exited home", "7.1: home is outside", "receivers 75 m",
      ])
  }

  @Test("What was stored before a denial is no knowledge when permission comes back")
  func restoredWhileDenied() {
    var registrations = Registrations()
    registrations.regions = [RegisteredRegion(region: .circle(), state: .inside)]
    var bench = EngineBench(state: nil, managers: 0, app: .complete { $0.identifier = .init("other") })
    bench.hear(
      .appRestored(Self.installed, grant: Grant(level: .denied), registrations: registrations), at: 0)
    bench.settings(.always, at: 10)
    #expect(bench.stay(from: 10, to: 100, east: 400) == [])
    #expect(bench.stay(from: 100, to: 200, east: 0) == ["121 launch org.example.walk: entered home"])
  }

  @Test("An app that runs and has no manager yet is not launched, and told when it makes one (behaviour 5.23)")
  func withoutManager() {
    var bench = insideApp()
    bench.hear(.managerReleased(EngineBench.manager(1)), at: 2)
    #expect(bench.stay(from: 2, to: 60, east: 400) == [])
    #expect(
      bench.said(bench.hear(.managerCreated(EngineBench.manager(2)), at: 61))
        == ["2: authorizedAlways full (initial)", "2: exited home", "2: home is outside"])
  }

  @Test("What is stored of a plain executable comes back without its state")
  func restoredPlain() {
    var registrations = Registrations()
    registrations.regions = [RegisteredRegion(region: .circle(), state: .inside)]
    var bench = EngineBench(grant: .always, state: nil, managers: 0, app: .complete { $0.identifier = .init("other") })
    bench.hear(.appRestored(.complete, grant: .always, registrations: registrations), at: 0)
    let client = ClientIdentifier(7)
    bench.hear(.clientConnected(client, .complete, grant: .always, lastFix: nil), at: 1)
    bench.hear(.managerCreated(EngineBench.manager(1, of: client)), at: 1)
    bench.become(.foreground, at: 1)
    #expect(bench.stay(from: 1, to: 60, east: 400) == [])
    #expect(bench.stay(from: 60, to: 120, east: 0).first == "81 7.1: entered home")
  }

  // MARK: Provisional Always

  /// Provisional Always in the background, out of the region since 100 and back since 400 (cases CL-08).
  private func crossedTwice() -> (bench: EngineBench, said: [String]) {
    var bench = insideApp(grant: Self.provisional, app: .complete)
    bench.become(.background, at: 2)
    bench.pass(to: 50)
    var said = bench.stay(from: 79, to: 150, east: 400)
    said += bench.stay(from: 379, to: 450, east: 0)
    return (bench, said)
  }

  @Test("Provisional Always holds what happens out of use and asks once; the newer displaces the older (1.14)")
  func provisionalHolds() {
    var (bench, said) = crossedTwice()
    #expect(said == ["100 prompt 1: provisionalConfirmation 'always' keepWhileUsing/changeToAlways"])
    #expect(
      bench.said(bench.answer(.changeToAlways, at: 500)) == ["1: entered home", "1: home is inside"])
  }

  @Test("Keep Only While Using drops what was held (behaviour 1.14)")
  func provisionalRefused() {
    var (bench, _) = crossedTwice()
    #expect(bench.said(bench.answer(.keepWhileUsing, at: 500)) == ["1: authorizedWhenInUse full"])
    #expect(bench.receiversAreOff)
  }

  @Test("What was held for too long is dropped, even when Always is confirmed (behaviour 1.14)")
  func provisionalTooOld() {
    var (bench, _) = crossedTwice()
    #expect(bench.said(bench.answer(.changeToAlways, at: 4_001)) == [])
    #expect(bench.stay(from: 4_001, to: 4_050, east: 0) == [])
  }

  @Test("In use a provisional Always is told at once, and nothing older after it (behaviour 1.13, 1.14)")
  func provisionalInUse() {
    var (bench, _) = crossedTwice()
    bench.become(.foreground, at: 451)
    #expect(bench.stay(from: 451, to: 500, east: 400).first == "472 1: exited home")
    #expect(bench.said(bench.answer(.changeToAlways, at: 501)) == [])
  }
}

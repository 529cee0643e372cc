import LocationEngine
import LocationModel
import Testing

@Suite("Live updates")
struct LiveUpdateTests {
  private func iterating(
    _ configuration: LiveUpdateConfiguration = .default, grant: Grant = .whenInUse, app: AppDescription = .complete,
    policy: Policy = Policy()
  ) -> EngineBench {
    var bench = EngineBench(policy: policy, grant: grant, app: app)
    bench.request(.startLiveUpdates(configuration), at: 0)
    return bench
  }

  @Test("Iterating starts the receivers, every fix is an element, the iterator's end stops them (behaviour 9.1)")
  func iteration() {
    var bench = EngineBench(grant: .whenInUse)
    #expect(bench.request(.startLiveUpdates(.default), at: 0) == ["receivers best"])
    #expect(bench.fix(at: 1) == ["1: live fix 1±4", "store fix 1±4"])
    #expect(bench.fix(at: 2) == ["1: live fix 2±4"])
    #expect(bench.hear(.managerReleased(EngineBench.manager(1)), at: 3) == ["receivers off"])
    #expect(bench.fix(at: 4) == [])
    #expect(bench.deadlineSeconds == nil)
  }

  @Test(
    "Navigation asks for the finest locations (behaviour 9.1)",
    arguments: [
      (LiveUpdateConfiguration.default, "best"), (.fitness, "best"), (.airborne, "best"),
      (.automotiveNavigation, "bestForNavigation"), (.otherNavigation, "bestForNavigation"),
    ])
  func configurations(configuration: LiveUpdateConfiguration, expected: String) {
    var bench = EngineBench(grant: .whenInUse)
    #expect(bench.request(.startLiveUpdates(configuration), at: 0) == ["receivers \(expected)"])
  }

  @Test("A fresh known location is the first element, an old one is not")
  func firstElement() {
    var bench = EngineBench(grant: .whenInUse, lastFix: .east(0, at: -5), managers: 2)
    #expect(bench.request(.startLiveUpdates(.default), at: 0) == ["receivers best"])
    bench.fix(at: 1)
    #expect(bench.request(.startLiveUpdates(.fitness), at: 10, by: 2) == ["2: live fix 1±4"])
  }

  // MARK: Why nothing comes

  @Test(
    "What cannot be produced is explained by one element (behaviour 9.4, 9.5)",
    arguments: [
      (Grant(level: .denied), "denied"), (Grant(level: .always, isRestricted: true), "restricted"),
    ])
  func refused(grant: Grant, expected: String) {
    var bench = EngineBench(grant: grant)
    #expect(bench.request(.startLiveUpdates(.default), at: 0) == ["1: live \(expected)"])
    #expect(bench.pass(to: 100) == [])
    #expect(bench.settings(.whenInUse, at: 101).contains("1: live \(expected)") == false)
  }

  @Test("Off for the whole device is denied, too; on again it goes on (behaviour 9.4)")
  func switchedOff() {
    var bench = iterating()
    bench.fix(at: 1)
    #expect(
      bench.hear(.locationServicesSwitched(on: false), at: 2)
        == ["1: denied full", "1: live denied, globally", "receivers off"])
    #expect(
      bench.hear(.locationServicesSwitched(on: true), at: 3)
        == ["1: authorizedWhenInUse full", "1: live fix 1±4", "receivers best"])
  }

  @Test("Out of use it says so, once, and goes on in use (behaviour 9.4)")
  func insufficientlyInUse() {
    var bench = iterating()
    bench.fix(at: 1)
    bench.become(.background, at: 10)
    #expect(bench.pass(to: 15) == ["1: live not in use", "receivers off"])
    #expect(bench.pass(to: 100) == [])
    #expect(bench.become(.foreground, at: 101) == ["receivers best"])
    #expect(bench.fix(at: 102) == ["1: live fix 102±4", "store fix 102±4"])
  }

  @Test("Without a location for 10 s, or without receivers, it is unavailable, once (behaviour 9.5)")
  func unavailable() {
    var bench = iterating()
    #expect(bench.deadlineSeconds == 10)
    #expect(bench.pass(to: 10) == ["1: live unavailable"])
    #expect(bench.pass(to: 100) == [])
    #expect(bench.fix(at: 101).first == "1: live fix 101±4")
    #expect(bench.hear(.receiversChanged(.unavailable), at: 102) == ["1: live unavailable"])
    #expect(bench.hear(.receiversChanged(.searching), at: 103) == [])
    #expect(bench.fix(at: 104).first == "1: live fix 104±4")
    bench.hear(.receiversChanged(.searching), at: 105)
    #expect(bench.pass(to: 115) == ["1: live unavailable"])
  }

  @Test("Receivers that are not for this app deny it, and serve it when they are (cases GC-01)")
  func receiversRefuse() {
    var bench = iterating()
    #expect(bench.hear(.receiversChanged(.refused), at: 1) == ["1: live denied"])
    #expect(bench.fix(at: 60).first == "1: live fix 60±4")
  }

  @Test("Reduced: the coarse location with accuracyLimited, and the next a quarter of an hour later (behaviour 9.5)")
  func reduced() {
    var bench = iterating(grant: .reduced)
    #expect(bench.fix(at: 1).first == "1: live fix 1±5000, limited")
    var told: [Double] = []
    for second in stride(from: 2.0, through: 1_900, by: 1) {
      let said = bench.fix(at: second, east: second * 20)
      if said.contains(where: { $0.hasPrefix("1: live") }) { told.append(second) }
    }
    #expect(told == [901, 1_801])
  }

  // MARK: The implicit session

  @Test("Iterating asks for While Using where nothing is decided, and says that it does (behaviour 9.22)")
  func asking() {
    var bench = EngineBench()
    #expect(
      bench.request(.startLiveUpdates(.default), at: 0)
        == ["prompt 1: first 'while using' allowOnce/allowWhileUsing/doNotAllow precise?", "1: live asking"])
    #expect(
      bench.answer(.allowWhileUsing, at: 5) == ["store whenInUse", "1: authorizedWhenInUse full", "receivers best"])
    #expect(bench.fix(at: 6).first == "1: live fix 6±4")
  }

  @Test("Don't Allow is denied, and is not asked again")
  func refusing() {
    var bench = EngineBench()
    bench.request(.startLiveUpdates(.default), at: 0)
    #expect(bench.answer(.doNotAllow, at: 5) == ["store denied", "1: denied full", "1: live denied"])
    #expect(bench.become(.background, at: 6) == [])
    #expect(bench.become(.foreground, at: 7) == [])
  }

  @Test("In the background nobody can be asked: not now, but in the foreground (behaviour 9.20)")
  func askingLater() {
    var bench = EngineBench(state: .background)
    #expect(bench.request(.startLiveUpdates(.default), at: 0) == ["1: live not in use"])
    #expect(bench.become(.foreground, at: 5).last == "1: live asking")
  }

  @Test("The end of the iteration takes the question down (behaviour 2.18)")
  func withdrawn() {
    var bench = EngineBench()
    bench.request(.startLiveUpdates(.default), at: 0)
    #expect(bench.hear(.managerReleased(EngineBench.manager(1)), at: 1) == ["withdraw prompt 1"])
  }

  @Test("Without the key nobody is asked: one line for the developer, and no location (behaviour 1.7)")
  func missingKey() {
    var bench = EngineBench(app: .complete { $0.whenInUseUsage = nil })
    #expect(
      bench.request(.startLiveUpdates(.default), at: 0) == [
        "note: requestWhenInUseAuthorization() lacks NSLocationWhenInUseUsageDescription", "1: live unavailable",
      ])
    #expect(bench.pass(to: 60) == [])
  }

  @Test("An Info.plist that demands a session of one's own gets no implicit one (behaviour 9.22)")
  func explicitSession() {
    let app = AppDescription.complete { $0.requiresExplicitServiceSession = true }
    var undecided = EngineBench(app: app)
    #expect(undecided.request(.startLiveUpdates(.default), at: 0) == ["1: live session required"])
    var allowed = EngineBench(grant: .always, app: app)
    #expect(allowed.request(.startLiveUpdates(.default), at: 0) == ["1: live session required"])
    #expect(allowed.fix(at: 1) == [])
  }

  // MARK: Rest

  @Test("The last location before a rest is stationary; movement brings more by itself (behaviour 9.3)")
  func stationary() {
    var bench = iterating()
    for second in 1...600 { bench.fix(at: Double(second)) }
    #expect(bench.fix(at: 601) == ["1: live fix 601±4, stationary", "store fix 601±4", "receivers off"])
    #expect(bench.pass(to: 661) == ["receivers best"])
    #expect(bench.fix(at: 662) == ["store fix 662±4", "receivers off"])
    bench.pass(to: 722)
    #expect(bench.fix(at: 723, east: 300).first == "1: live fix 723±4")
    #expect(bench.fix(at: 724, east: 310).first == "1: live fix 724±4")
  }

  @Test("A car may stand longer, an aircraft for ever (behaviour 2.41)")
  func activities() {
    for (configuration, limit) in [(LiveUpdateConfiguration.automotiveNavigation, 901), (.airborne, nil)] as [(_, Int?)]
    {
      var bench = iterating(configuration)
      let rest = (1...2_000).first { bench.fix(at: Double($0)).contains { $0.contains("stationary") } }
      #expect(rest == limit)
    }
  }

  @Test("A suspended app hears nothing, and how things stand when it runs again (behaviour 9.6)")
  func suspended() {
    var bench = iterating(grant: .always)
    bench.fix(at: 1)
    #expect(bench.become(.suspended, at: 2) == ["receivers off"])
    #expect(bench.settings(.denied, at: 3).filter { $0.contains("live") } == [])
    #expect(bench.become(.background, at: 4).contains("1: live denied"))
  }
}

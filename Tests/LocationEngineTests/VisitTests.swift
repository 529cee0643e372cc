import LocationEngine
import LocationModel
import Testing

@Suite("Visits")
struct VisitTests {
  private func monitoring(
    policy: Policy = Policy(), grant: Grant = .always, managers: UInt64 = 1
  ) -> EngineBench {
    var bench = EngineBench(policy: policy, grant: grant, managers: managers)
    bench.request(.startMonitoringVisits, at: 0)
    return bench
  }

  /// A fix every ten seconds where `place` says; what was said of visits.
  private func walk(
    _ bench: inout EngineBench, _ seconds: ClosedRange<Int>, accuracy: Double = 4, _ place: (Double) -> Double
  ) -> [String] {
    stride(from: seconds.lowerBound, through: seconds.upperBound, by: 10).flatMap { second in
      bench.fix(at: Double(second), east: place(Double(second)), accuracy: accuracy)
        .filter { $0.contains("visit") }.map { "\(second) \($0)" }
    }
  }

  @Test("A place gives an arrival after five minutes and a departure with both dates (behaviour 8.3, algorithms 7)")
  func arrivalAndDeparture() {
    var bench = monitoring()
    // 10 m/s for 400 s, half an hour there, and on.
    #expect(walk(&bench, 10...400) { $0 * 10 } == [])
    let there = walk(&bench, 410...2_200) { _ in 4_000 }
    // 4 km are reached in second 400; the place begins 75 m before.
    #expect(there == ["700 1: visit 400 to ?"])
    let away = walk(&bench, 2_210...2_500) { 4_000 + ($0 - 2_200) * 10 }
    // 125 m away, which is outside, since second 2220; to be back within three minutes of 2210 would have been merged.
    #expect(away == ["2390 1: visit 400 to 2210"])
  }

  @Test("Where the device was before anybody looked the arrival is unknown (behaviour 8.2)")
  func unknownArrival() {
    var bench = monitoring()
    #expect(walk(&bench, 10...900) { _ in 0 } == ["310 1: visit ? to ?"])
    #expect(walk(&bench, 910...1_300) { ($0 - 900) * 10 } == ["1090 1: visit ? to 910"])
  }

  @Test("Less than five minutes, and a slow walk, are no visit")
  func noVisit() {
    var bench = monitoring()
    #expect(walk(&bench, 10...200) { $0 * 10 } == [])
    #expect(walk(&bench, 210...400) { _ in 2_000 } == [])
    #expect(walk(&bench, 410...3_000) { 2_000 + ($0 - 400) } == [])
  }

  /// Who climbs 300 m an hour on a slope of 30 degrees comes 520 m an hour nearer to the summit: 0.14 m/s.
  @Test("Slower than a place in the time of an arrival is a stay, and it ends 200 m on (docs/monitoring-services.md)")
  func slowClimber() {
    var bench = monitoring()
    _ = walk(&bench, 10...400) { $0 * 2 }
    let told = walk(&bench, 410...5_400) { 800 + ($0 - 400) * 0.14 }
    let words = told.map { $0.hasSuffix("to ?") ? "arrived" : "left" }
    // 700 m, so that three stays of about 200 m each have ended, and a fourth goes on.
    #expect(words == ["arrived", "left", "arrived", "left", "arrived", "left", "arrived"], "\(told)")
  }

  @Test("Back within three minutes is no departure, and an hour outside is (algorithms 7)")
  func merging() {
    var bench = monitoring()
    _ = walk(&bench, 10...400) { $0 * 10 }
    #expect(walk(&bench, 410...1_000) { _ in 4_000 } == ["700 1: visit 400 to ?"])
    #expect(walk(&bench, 1_010...1_170) { _ in 4_300 } == [])
    #expect(walk(&bench, 1_180...1_500) { _ in 4_000 } == [])
    #expect(walk(&bench, 1_510...1_690) { _ in 4_300 }.first == "1680 1: visit 400 to 1500")
  }

  @Test("A single wrong fix neither ends nor prevents a stay; vague fixes say nothing")
  func outliers() {
    var bench = monitoring()
    _ = walk(&bench, 10...400) { $0 * 10 }
    #expect(walk(&bench, 410...1_000) { $0 == 600 ? 9_000 : 4_000 } == ["700 1: visit 400 to ?"])
    #expect(walk(&bench, 1_010...2_000) { $0 == 1_500 ? 9_000 : 4_000 } == [])
    var vague = monitoring()
    #expect(walk(&vague, 10...3_000, accuracy: 800) { _ in 0 } == [])
  }

  @Test("The place grows with the fixes' error: within twice it is inside (algorithms 7)")
  func vagueFixes() {
    var bench = monitoring()
    _ = walk(&bench, 10...400) { $0 * 10 }
    let said = walk(&bench, 410...900, accuracy: 65) { $0.truncatingRemainder(dividingBy: 20) == 0 ? 3_940 : 4_060 }
    #expect(said.count == 1)
  }

  @Test("The middle and the radius of 95 % of the fixes, at least 10 m (behaviour 8.5)")
  func middleAndRadius() throws {
    var bench = monitoring()
    var visits: [Visit] = []
    for second in stride(from: 10.0, through: 700, by: 10) {
      let east = second < 400 ? second * 10 : 4_000 + (second.truncatingRemainder(dividingBy: 20) == 0 ? 20 : -20)
      let input = Input.fixReceived(.east(east, at: second))
      for effect in bench.engine.handle(input, at: Instant.zero.advanced(bySeconds: second)) {
        if case .deliver(.visited(let visit), _) = effect { visits.append(visit) }
      }
    }
    let visit = try #require(visits.first)
    let middle = Geodesic.distanceMeters(from: Fix.east(4_000, at: 0).coordinate, to: visit.coordinate)
    #expect(middle < 10)
    #expect(visit.radiusMeters > 15 && visit.radiusMeters < 60)
    var still = monitoring()
    for second in stride(from: 10.0, through: 400, by: 10) {
      for effect in still.engine.handle(
        .fixReceived(.east(0, at: second)), at: Instant.zero.advanced(bySeconds: second))
      {
        if case .deliver(.visited(let visit), _) = effect { #expect(visit.radiusMeters == 10) }
      }
    }
  }

  @Test("One start turns visits on for all managers, also later ones, until any stops them (behaviour 8.1)")
  func allManagers() {
    var bench = monitoring(managers: 2)
    #expect(walk(&bench, 10...400) { _ in 0 } == ["310 1: visit ? to ?", "310 2: visit ? to ?"])
    bench.hear(.managerCreated(EngineBench.manager(3)), at: 401)
    #expect(walk(&bench, 410...700) { ($0 - 400) * 20 }.count == 3)
    #expect(bench.request(.stopMonitoringVisits, at: 701, by: 3) == ["store regions []"])
    #expect(bench.deadlineSeconds == nil)
    #expect(walk(&bench, 710...2_000) { _ in 9_000 } == [])
  }

  /// An app that registered visits in an earlier run.
  private func restored(isInstalled: Bool) -> EngineBench {
    var bench = EngineBench(grant: .always)
    bench.engine = LocationEngine()
    var registrations = Registrations()
    registrations.monitorsVisits = true
    let app = AppDescription.complete { $0.isInstalled = isInstalled }
    bench.hear(.appRestored(app, grant: .always, registrations: registrations), at: 0)
    return bench
  }

  private func launch(_ bench: inout EngineBench, isInstalled: Bool, at seconds: Double) {
    let app = AppDescription.complete { $0.isInstalled = isInstalled }
    bench.hear(.clientConnected(EngineBench.client, app, grant: .always, lastFix: nil), at: seconds)
    bench.become(.background, at: seconds)
  }

  @Test("Across launches: what was registered goes on without another start (behaviour 8.1, 8.4)")
  func relaunch() {
    var bench = restored(isInstalled: false)
    #expect(bench.fix(at: 1) == [], "a program that nobody can start is not watched for (behaviour 3.13)")
    #expect(bench.deadlineSeconds == nil)
    launch(&bench, isInstalled: false, at: 5)
    #expect(walk(&bench, 10...400) { _ in 0 } == ["310 launch org.example.walk: visit ? to ?"], "nobody hears it")
    #expect(bench.hear(.managerCreated(EngineBench.manager(1)), at: 401).last == "1: visit ? to ?")
    #expect(walk(&bench, 410...700) { ($0 - 400) * 20 }.count == 1)
  }

  @Test("An installed app is watched for while it does not run, and started (behaviour 1.23, 8.4)")
  func launched() {
    var bench = restored(isInstalled: true)
    #expect(
      walk(&bench, 10...400) { _ in 0 } == [
        "310 store regions [] visits, 1 event waits", "310 launch org.example.walk: visit ? to ?",
      ])
    launch(&bench, isInstalled: true, at: 402)
    #expect(bench.hear(.managerCreated(EngineBench.manager(1)), at: 402).last == "1: visit ? to ?")
  }

  @Test("A stay goes on where the service is started again: no second arrival, and the departure is told (8.1, 8.2)")
  func restartedDuringStay() throws {
    var first = restored(isInstalled: true)
    var stored: Registrations?
    for second in stride(from: 10.0, through: 1_000, by: 10) {
      let east = second < 100 ? -(100 - second) * 20 : 0
      let effects = first.engine.handle(
        .fixReceived(.east(east, at: second)), at: Instant.zero.advanced(bySeconds: second))
      for case .storeRegistrations(let registrations, _) in effects { stored = registrations }
    }
    var registrations = try #require(stored)
    #expect(registrations.stay?.arrival == Fix.east(0, at: 100).time)
    // Noted with the arrival in second 400, and every five minutes from then on.
    #expect(registrations.stay?.departure == Fix.east(0, at: 1_000).time)
    registrations.events = []
    var second = EngineBench(grant: .always)
    second.engine = LocationEngine()
    let app = AppDescription.complete { $0.isInstalled = true }
    second.hear(.appRestored(app, grant: .always, registrations: registrations), at: 1_000)
    #expect(walk(&second, 1_010...1_600) { _ in 5 }.filter { $0.contains("launch") } == [])
    #expect(
      walk(&second, 1_610...1_900) { ($0 - 1_600) * 20 }.filter { $0.contains("launch") }
        == ["1780 launch org.example.walk: visit 100 to 1600"], "three minutes after it was last there")
    var away = EngineBench(grant: .always)
    away.engine = LocationEngine()
    away.hear(.appRestored(app, grant: .always, registrations: registrations), at: 1_000)
    let told = walk(&away, 1_610...1_900) { _ in 9_000 }.filter { $0.contains("launch") }
    #expect(told.first == "1670 launch org.example.walk: visit 100 to 1000", "when it was last seen there")
  }

  @Test("A suspended app is told when it runs again, in order (behaviour 2.16)")
  func suspended() {
    var bench = monitoring()
    bench.become(.suspended, at: 1)
    #expect(walk(&bench, 10...400) { _ in 0 } == ["310 launch org.example.walk: visit ? to ?"])
    #expect(walk(&bench, 410...700) { ($0 - 400) * 20 }.map { $0.contains("launch") } == [true])
    #expect(
      bench.become(.background, at: 701).filter { $0.contains("visit") } == ["1: visit ? to ?", "1: visit ? to 400"])
  }

  @Test("Reduced: exact times, the coarse place (behaviour 1.45)")
  func reduced() {
    var bench = monitoring(grant: Grant(level: .always, isPrecise: false))
    for second in stride(from: 10.0, through: 400, by: 10) {
      for effect in bench.engine.handle(
        .fixReceived(.east(50, at: second)), at: Instant.zero.advanced(bySeconds: second))
      {
        guard case .deliver(.visited(let visit), _) = effect else { continue }
        #expect(visit.coordinate == Coordinate(latitude: 0.025, longitude: 0.025) || visit.radiusMeters >= 5_000)
        #expect(visit.coordinate.longitude != 50 / 111_319.490_793)
      }
    }
  }

  @Test("Denied: an error to who starts; a person who refuses later ends it silently (behaviour 1.31)")
  func denied() {
    var bench = EngineBench(grant: Grant(level: .denied))
    #expect(bench.request(.startMonitoringVisits, at: 0) == ["store regions [] visits", "1: failed denied"])
    bench.settings(.always, at: 1)
    #expect(walk(&bench, 10...400) { _ in 0 }.count == 1)
    bench.settings(.denied, at: 500)
    #expect(walk(&bench, 510...900) { _ in 9_000 } == [])
  }

  @Test("Before iOS 13 visits took Always (behaviour 1.21)")
  func oldEra() {
    var bench = EngineBench(policy: Policy(era: .iOS10), grant: .whenInUse)
    #expect(bench.request(.startMonitoringVisits, at: 0).last == "1: failed denied")
  }

  // MARK: Receivers

  @Test("The receivers look every two minutes, every five during a stay, and when it can be told that it has ended")
  func sleep() {
    var bench = monitoring()
    #expect(bench.fix(at: 1) == ["receivers off"])
    #expect(bench.deadlineSeconds == 121)
    #expect(bench.pass(to: 121) == ["receivers 75 m"])
    #expect(bench.fix(at: 122, east: 5) == ["receivers off"])
    bench.pass(to: 242)
    bench.fix(at: 243)
    bench.pass(to: 363)
    #expect(bench.fix(at: 364) == ["1: visit ? to ?", "receivers off"])
    #expect(bench.deadlineSeconds == 664)
    bench.pass(to: 664)
    #expect(bench.fix(at: 665, east: 900) == ["receivers off"])
    // A minute outside ends it.
    #expect(bench.deadlineSeconds == 725)
    #expect(bench.pass(to: 725) == ["receivers 75 m"])
    #expect(bench.fix(at: 726, east: 900) == ["1: visit ? to 364", "receivers off"])
  }

  @Test("With sleeping receivers an arrival is told within ten minutes, whenever it falls (algorithms 1.4)")
  func lateness() {
    for arrival in stride(from: 600.0, through: 720, by: 7) {
      var bench = monitoring()
      var told: Double?
      var seconds = 0.0
      while seconds < 2_400, told == nil {
        if let deadline = bench.deadlineSeconds { seconds = max(seconds, deadline) }
        bench.pass(to: seconds)
        // A cold receiver takes 28 seconds to its fix (algorithms 1.3).
        seconds += 28
        let said = bench.fix(at: seconds, east: min(seconds, arrival) * 10)
        if said.contains(where: { $0.contains("visit") }) { told = seconds }
      }
      #expect(told.map { $0 - arrival <= 600 } == true, "arrived in second \(arrival), told in \(told ?? -1)")
    }
  }
}

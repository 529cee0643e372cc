import LocationEngine
import LocationModel
import Testing

@Suite("What an installed app must not miss is kept until a callback has returned")
struct KeptEventTests {
  /// A circle of 150 m around the origin, the device 1 km east of it, the app in the foreground.
  private func watching(policy: Policy = Policy()) -> EngineBench {
    var bench = EngineBench.supervised(policy: policy)
    bench.request(.startMonitoring(.circle()), at: 1)
    bench.stay(from: 1, to: 30, east: 1_000)
    return bench
  }

  /// The numbers and events that managers were told, in order.
  private func kept(_ effects: [Effect]) -> [UInt64] {
    effects.compactMap { effect in
      if case .deliver(.kept(let number, _), _) = effect { number } else { nil }
    }
  }

  private func step(_ bench: inout EngineBench, _ input: Input, at seconds: Double) -> [Effect] {
    bench.engine.handle(input, at: Instant.zero.advanced(bySeconds: seconds))
  }

  private func fix(_ bench: inout EngineBench, at seconds: Double, east: Double) -> [Effect] {
    step(&bench, .fixReceived(.east(east, accuracy: 4, at: seconds)), at: seconds)
  }

  private func enter(_ bench: inout EngineBench, from seconds: Double) -> [Effect] {
    fix(&bench, at: seconds, east: 0) + fix(&bench, at: seconds + 21, east: 0)
  }

  private func stored(_ effects: [Effect]) -> [[UInt64]] {
    effects.compactMap { effect in
      if case .storeRegistrations(let registrations, _) = effect { registrations.events.map(\.number) } else { nil }
    }
  }

  private func acknowledge(_ number: UInt64, _ bench: inout EngineBench, at seconds: Double) -> [Effect] {
    step(&bench, .requested(.acknowledgeEvent(number), by: EngineBench.manager(1)), at: seconds)
  }

  @Test("It is stored before it is told, and forgotten with the acknowledgement")
  func acknowledged() {
    var bench = watching()
    let effects = enter(&bench, from: 100)
    let store = effects.firstIndex { if case .storeRegistrations = $0 { true } else { false } }
    let told = effects.firstIndex { if case .deliver(.kept, _) = $0 { true } else { false } }
    #expect(store != nil && told != nil && store! < told!)
    #expect(stored(effects) == [[1]] && kept(effects) == [1])
    #expect(stored(acknowledge(1, &bench, at: 122)) == [[]])
    bench.endProcess(at: 200)
    bench.launch(.person, managers: 0, at: 300)
    #expect(kept(step(&bench, .managerCreated(EngineBench.manager(1)), at: 301)) == [])
  }

  @Test("One that the person ended inside it is not: the event comes with the next start", arguments: AppCommand.ends)
  func endedByPerson(command: AppCommand) {
    var bench = watching()
    #expect(kept(enter(&bench, from: 100)) == [1])
    bench.command(command, at: 130)
    #expect(bench.endProcess(at: 131).filter { $0.hasPrefix("launch") } == [])
    bench.launch(.person, managers: 0, at: 300)
    #expect(kept(step(&bench, .managerCreated(EngineBench.manager(1)), at: 301)) == [1])
  }

  @Test("What happened while the person ended the app starts it again")
  func duringEnd() {
    var bench = watching()
    bench.command(.terminate, at: 110)
    _ = enter(&bench, from: 111)
    bench.hear(.clientDisconnected(EngineBench.client), at: 133)
    #expect(bench.hear(.life(.processEnded(EngineBench.app)), at: 134).contains { $0.hasPrefix("launch") })
  }

  @Test("An app that ended inside its callback is started for it again, and told the same event")
  func endedInCallback() {
    var bench = watching()
    _ = enter(&bench, from: 100)
    #expect(bench.endProcess(at: 122).contains("launch org.example.walk: entered home"))
    bench.launch(.event, managers: 0, at: 123)
    #expect(kept(step(&bench, .managerCreated(EngineBench.manager(1)), at: 124)) == [1])
    #expect(kept(step(&bench, .managerCreated(EngineBench.manager(2)), at: 125)) == [], "told once in a process")
  }

  @Test("Whose callback has not returned after ten seconds is killed, and told again (behaviour 3.6; seed 000)")
  func overrun() {
    var bench = watching()
    bench.command(.enterBackground, at: 40)
    bench.run(to: 60)
    #expect(bench.appState == .suspended)
    // The crossing is believed at second 121.
    _ = enter(&bench, from: 100)
    #expect(bench.appState == .background)
    #expect(bench.run(to: 140).suffix(2) == ["131.0: note: killed for an event", "131.0: kill for an event"])
    #expect(bench.endProcess(at: 132).contains("launch org.example.walk: entered home"))
    bench.launch(.event, managers: 0, at: 133)
    #expect(kept(step(&bench, .managerCreated(EngineBench.manager(1)), at: 134)) == [1])
  }

  @Test("Whose callback has returned by then is suspended (behaviour 3.6; seed 000)")
  func inTime() {
    var bench = watching()
    bench.command(.enterBackground, at: 40)
    bench.run(to: 60)
    _ = enter(&bench, from: 100)
    _ = acknowledge(1, &bench, at: 130)
    #expect(bench.run(to: 140).last == "131.0: suspend")
    #expect(bench.appState == .suspended)
  }

  @Test("A background task gives a callback more than ten seconds; at its end the app is killed all the same")
  func overrunWithTask() {
    var bench = watching()
    bench.command(.enterBackground, at: 40)
    bench.run(to: 60)
    _ = enter(&bench, from: 100)
    bench.beginTask(1, at: 125)
    #expect(!bench.run(to: 150).contains { $0.hasSuffix("kill for an event") })
    #expect(bench.endTask(1, at: 150) == ["note: killed for an event", "kill for an event"])
  }

  @Test("Another connection of the same process is told again, under the same number")
  func connectsAgain() {
    var bench = watching()
    _ = enter(&bench, from: 100)
    bench.hear(.clientDisconnected(EngineBench.client), at: 122)
    let next = ClientIdentifier(9)
    bench.hear(.clientConnected(next, .installed, grant: .always, lastFix: nil), at: 123)
    #expect(kept(step(&bench, .managerCreated(EngineBench.manager(1, of: next)), at: 124)) == [1])
  }

  @Test("Restored after a service that was killed, the app is started and told, and numbers go on")
  func restored() {
    var registrations = Registrations()
    registrations.regions = [RegisteredRegion(region: .circle(), state: .inside)]
    registrations.events = [KeptEvent(number: 7, content: .entered(.circle()))]
    registrations.nextEventNumber = 8
    var bench = EngineBench(grant: .always, state: nil, managers: 0, app: .complete { $0.identifier = .init("other") })
    bench.hear(.appRestored(.installed, grant: .always, registrations: registrations), at: 0)
    #expect(
      bench.hear(.life(.restored(.installed, grant: .always, StoredAppLife())), at: 0)
        .contains("launch org.example.walk: entered home"))
    let client = ClientIdentifier(5)
    bench.hear(.life(.launched(.installed, grant: .always, .event)), at: 1)
    bench.hear(.clientConnected(client, .installed, grant: .always, lastFix: nil), at: 2)
    #expect(kept(step(&bench, .managerCreated(EngineBench.manager(1, of: client)), at: 3)) == [7])
    #expect(kept(fix(&bench, at: 10, east: 1_000) + fix(&bench, at: 31, east: 1_000)) == [8])
  }

  @Test("After the person's force-quit a restart starts it only where the policy does (behaviour 3.14)")
  func restoredForceQuit() {
    for relaunches in [true, false] {
      var registrations = Registrations()
      registrations.events = [KeptEvent(number: 1, content: .entered(.circle()))]
      registrations.regions = [RegisteredRegion(region: .circle(), state: .inside)]
      var bench = EngineBench(
        policy: .with { $0.relaunchesAfterForceQuit = relaunches }, grant: .always, state: nil, managers: 0,
        app: .complete { $0.identifier = .init("other") })
      bench.hear(.appRestored(.installed, grant: .always, registrations: registrations), at: 0)
      var life = StoredAppLife()
      life.wasForceQuit = true
      let effects = bench.hear(.life(.restored(.installed, grant: .always, life)), at: 0)
      #expect(effects.contains { $0.hasPrefix("launch") } == relaunches)
    }
  }

  @Test("A change for which it was started outlives the service, and comes with its start of the service (4.5, 4.6)")
  func change() {
    var registrations = Registrations()
    registrations.monitorsSignificantChanges = true
    let place = Fix.east(2_000, accuracy: 30, at: 5)
    registrations.events = [KeptEvent(number: 3, content: .moved(place))]
    registrations.nextEventNumber = 4
    var bench = EngineBench(grant: .always, state: nil, managers: 0, app: .complete { $0.identifier = .init("other") })
    bench.hear(.appRestored(.installed, grant: .always, registrations: registrations), at: 0)
    #expect(
      bench.hear(.life(.restored(.installed, grant: .always, StoredAppLife())), at: 0).contains {
        $0.hasPrefix("launch org.example.walk: fix")
      })
    let client = ClientIdentifier(5)
    let manager = EngineBench.manager(1, of: client)
    bench.hear(.life(.launched(.installed, grant: .always, .event)), at: 1)
    bench.hear(.clientConnected(client, .installed, grant: .always, lastFix: nil), at: 2)
    #expect(kept(step(&bench, .managerCreated(manager), at: 3)) == [])
    #expect(kept(step(&bench, .requested(.startMonitoringSignificantChanges, by: manager), at: 4)) == [3])
    #expect(stored(step(&bench, .requested(.acknowledgeEvent(3), by: manager), at: 5)) == [[]])
  }

  @Test("A change is measured from where the app was told last, also where the service is started again (4.1, 4.5)")
  func changeAcrossRestart() throws {
    var registrations = Registrations()
    registrations.monitorsSignificantChanges = true
    registrations.lastChange = Fix.east(0, accuracy: 30, at: 5)
    for (east, isChange) in [(450.0, false), (600, true)] {
      var bench = EngineBench(
        grant: .always, state: nil, managers: 0, app: .complete { $0.identifier = .init("other") })
      bench.hear(.appRestored(.installed, grant: .always, registrations: registrations), at: 0)
      let effects = fix(&bench, at: 10, east: east)
      #expect(effects.contains { if case .launch = $0 { true } else { false } } == isChange)
      #expect(stored(effects) == (isChange ? [[1]] : []))
    }
  }

  @Test("After its end an app is started for the next change, five minutes after the last and not before (4.1)")
  func changeAfterEnd() {
    var bench = EngineBench.supervised()
    bench.request(.startMonitoringSignificantChanges, at: 1)
    bench.fix(at: 2)
    bench.hear(.clientDisconnected(EngineBench.client), at: 10)
    bench.endProcess(at: 10)
    #expect(!bench.fix(at: 200, east: 2_000).contains { $0.hasPrefix("launch") })
    #expect(bench.fix(at: 303, east: 3_000).contains("launch org.example.walk: fix 303±4"))
  }

  /// A supervised app that watches for significant changes, suspended at 15 s; it was told of a place at 2 s.
  private func suspendedForChanges(also requests: Request...) -> EngineBench {
    var bench = EngineBench.supervised()
    bench.request(.startMonitoringSignificantChanges, at: 1)
    for request in requests { bench.request(request, at: 1) }
    bench.fix(at: 2)
    bench.command(.enterBackground, at: 10)
    bench.run(to: 30)
    #expect(bench.appState == .suspended)
    return bench
  }

  @Test("A change that wakes a suspended app is on the disk before it is told, and until a callback has returned (4.5)")
  func changeWhileSuspended() {
    var bench = suspendedForChanges()
    let effects = fix(&bench, at: 600, east: 800)
    #expect(stored(effects) == [[1]])
    #expect(kept(effects) == [1])
    let isStoredFirst =
      effects.firstIndex { if case .storeRegistrations = $0 { true } else { false } } ?? .max
      < effects.firstIndex { if case .deliver(.kept, _) = $0 { true } else { false } } ?? -1
    #expect(isStoredFirst)
    #expect(stored(step(&bench, .requested(.acknowledgeEvent(1), by: EngineBench.manager(1)), at: 601)) == [[]])
  }

  @Test("Changes while nobody may wake the app come in order when it runs; the newest is the one on the disk (2.16)")
  func changesWithoutWake() {
    var bench = suspendedForChanges()
    bench.hear(.life(.backgroundRefreshSwitched(nil, isOn: false)), at: 40)
    #expect(stored(fix(&bench, at: 600, east: 800)) == [[1]])
    #expect(stored(fix(&bench, at: 1_200, east: 1_600)) == [[2]])
    let told = bench.command(.enterForeground, at: 1_300).filter { $0.hasPrefix("1: fix") }
    #expect(told == ["1: fix 600±4", "1: fix 1200±4"])
  }

  @Test("A suspended app that is killed before it hears of a change is started for it, and once where it does not ask")
  func killedWhileSuspended() {
    var bench = suspendedForChanges()
    bench.hear(.life(.backgroundRefreshSwitched(nil, isOn: false)), at: 40)
    _ = fix(&bench, at: 600, east: 800)
    bench.hear(.life(.backgroundRefreshSwitched(nil, isOn: true)), at: 601)
    bench.hear(.clientDisconnected(EngineBench.client), at: 610)
    #expect(bench.endProcess(at: 610).contains("launch org.example.walk: fix 600±4"))
    bench.hear(.life(.launched(.installed, grant: .always, .event)), at: 611)
    #expect(!bench.endProcess(at: 612).contains { $0.hasPrefix("launch") })
  }

  @Test("What standard updates of the same manager hold already is told once, as what is kept")
  func changeBesideUpdates() {
    var bench = suspendedForChanges(also: .startUpdatingLocation)
    bench.hear(.life(.backgroundRefreshSwitched(nil, isOn: false)), at: 40)
    _ = fix(&bench, at: 600, east: 800)
    let told = bench.command(.enterForeground, at: 700).filter { $0.hasPrefix("1: fix") }
    #expect(told == ["1: fix 600±4"])
  }

  @Test("A precise place that waits for a suspended app does not reach one that may see reduced ones only (1.42)")
  func coarsenedWhileSuspended() {
    var bench = suspendedForChanges()
    bench.hear(.life(.backgroundRefreshSwitched(nil, isOn: false)), at: 40)
    _ = fix(&bench, at: 600, east: 800)
    bench.hear(.preciseChanged(EngineBench.app, false), at: 650)
    let told = bench.command(.enterForeground, at: 700).filter { $0.hasPrefix("1: fix") }
    #expect(!told.contains("1: fix 600±4"))
  }

  @Test("An app that is killed inside the callback for a change is started for it again, one that did not ask is not")
  func killedInCallback() {
    for asks in [true, false] {
      var registrations = Registrations()
      registrations.monitorsSignificantChanges = true
      registrations.events = [KeptEvent(number: 3, content: .moved(Fix.east(2_000, accuracy: 30, at: 5)))]
      registrations.nextEventNumber = 4
      var bench = EngineBench(
        grant: .always, state: nil, managers: 0, app: .complete { $0.identifier = .init("other") })
      bench.hear(.appRestored(.installed, grant: .always, registrations: registrations), at: 0)
      bench.hear(.life(.restored(.installed, grant: .always, StoredAppLife())), at: 0)
      let client = ClientIdentifier(5)
      bench.hear(.life(.launched(.installed, grant: .always, .event)), at: 1)
      bench.hear(.clientConnected(client, .installed, grant: .always, lastFix: nil), at: 2)
      let manager = EngineBench.manager(1, of: client)
      bench.hear(.managerCreated(manager), at: 3)
      if asks { bench.hear(.requested(.startMonitoringSignificantChanges, by: manager), at: 4) }
      bench.hear(.clientDisconnected(client), at: 5)
      let effects = step(&bench, .life(.processEnded(AppDescription.installed.identifier)), at: 5)
      #expect(effects.contains { if case .launch = $0 { true } else { false } } == asks)
    }
  }

  @Test("What waits of a region ends with it, and the newest of each kind are kept (behaviour 5.6)")
  func bounds() {
    var bench = watching(policy: .with { $0.regionEventsHeldMax = 2 })
    _ = enter(&bench, from: 100)
    let left = fix(&bench, at: 130, east: 1_000) + fix(&bench, at: 151, east: 1_000)
    #expect(stored(left) == [[1, 2]])
    #expect(stored(enter(&bench, from: 200)) == [[2, 3]])
    #expect(
      stored(step(&bench, .requested(.stopMonitoring(regionIdentifier: "home"), by: EngineBench.manager(1)), at: 230))
        == [[]])
  }
}

extension AppCommand {
  fileprivate static var ends: [AppCommand] { [.terminate, .forceQuit] }
}

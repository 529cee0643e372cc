import LocationEngine
import LocationModel
import Testing

@Suite("Which receivers serve a wish, and how long they sleep")
struct PlannerTests {
  private func updating(
    _ wish: DesiredAccuracy, filterMeters: Double? = nil, profile: DeviceProfile = .phone
  ) -> EngineBench {
    var bench = EngineBench(grant: .always, profile: profile)
    bench.configure {
      $0.desiredAccuracy = wish
      $0.distanceFilterMeters = filterMeters
    }
    return bench
  }

  private func heard(_ effects: [String]) -> [String] { effects.filter { !$0.hasPrefix("store") } }

  @Test(
    "The cheapest that is as good as that: cell towers for kilometres, Wi-Fi from a cold start, satellites for metres",
    arguments: [
      (DesiredAccuracy.meters(3_000), "receivers 3000 m by cell"), (.reduced, "receivers reduced by cell"),
      (.meters(1_000), "receivers 1000 m by wireless"), (.meters(10), "receivers 10 m"), (.best, "receivers best"),
    ])
  func cheapest(wish: DesiredAccuracy, expected: String) {
    var bench = updating(wish)
    #expect(bench.request(.startUpdatingLocation, at: 0).last == expected)
  }

  @Test("Satellites that were just followed cost less than a scan: they serve what Wi-Fi would have")
  func hot() {
    var bench = updating(.best)
    bench.request(.startUpdatingLocation, at: 0)
    bench.fix(at: 1)
    bench.request(.stopUpdatingLocation, at: 2)
    bench.configure { $0.desiredAccuracy = .meters(1_000) }
    #expect(bench.request(.startUpdatingLocation, at: 60).last == "receivers 1000 m")
  }

  @Test("Of several wishes the finest decides, and the others are served by what it has on")
  func union() {
    var bench = EngineBench(grant: .always, managers: 2, profile: .phone)
    bench.configure { $0.desiredAccuracy = .meters(3_000) }
    bench.request(.startUpdatingLocation, at: 0)
    #expect(bench.request(.startUpdatingLocation, at: 1, by: 2) == ["receivers best"])
    #expect(bench.request(.stopUpdatingLocation, at: 2, by: 2) == ["receivers 3000 m by cell"])
  }

  @Test("For a hundred metres a receiver sleeps as long as the device is not likely to have gone so far")
  func sleep() {
    var bench = updating(.meters(100))
    bench.request(.startUpdatingLocation, at: 0)
    #expect(heard(bench.fix(at: 1)) == ["1: fix 1±4", "receivers off"])
    // 100 m less the error of 4: from rest at 0.6 m/s² the root of 2 x 96 / 0.6, less 2 s for the start.
    let expected = 1 + (2 * 96 / 0.6).squareRoot() - 2
    #expect(abs((bench.deadlineSeconds ?? 0) - expected) < 0.001)
    #expect(bench.pass(to: expected) == ["receivers 100 m"])
  }

  @Test("A distance filter lets the finest receiver sleep, and what is told is as far apart as it says")
  func filter() {
    var bench = updating(.best, filterMeters: 100)
    bench.request(.startUpdatingLocation, at: 0)
    #expect(heard(bench.fix(at: 1)) == ["1: fix 1±4", "receivers off"])
    // From rest at 0.6 m/s² the root of 2 x 100 / 0.6, less 2 s for the start.
    #expect(abs((bench.deadlineSeconds ?? 0) - (1 + (200 / 0.6).squareRoot() - 2)) < 0.001)
    #expect(bench.pass(to: 17.3) == ["receivers best"])
    // 60 m on nothing is told. 40 m are left, at 0.6 m/s² up to the 60 m / 17 s so far.
    #expect(bench.fix(at: 18, east: 60) == ["receivers off"])
    let fastest = 60 / 17.0
    let expected = fastest / 0.6 + (40 - fastest * fastest / 1.2) / fastest
    #expect(abs((bench.deadlineSeconds ?? 0) - (18 + expected - 2)) < 0.001)
  }

  @Test("A receiver of which nothing is known never sleeps between two fixes of a stream")
  func unknownReceiver() {
    var bench = updating(.meters(3_000), profile: .receiver)
    bench.request(.startUpdatingLocation, at: 0)
    #expect(heard(bench.fix(at: 1)) == ["1: fix 1±4"])
  }

  @Test("A search is not given up before a cold start can have succeeded, then Wi-Fi stands in (algorithms 1.2)")
  func giveUp() {
    var bench = updating(.best)
    bench.request(.startUpdatingLocation, at: 0)
    bench.hear(.motionChanged(.still), at: 1)
    // A cold start takes 28 s.
    #expect(bench.pass(to: 44).allSatisfy { !$0.hasPrefix("receivers") })
    #expect(bench.pass(to: 45).last == "receivers best by wireless")
    // The device goes somewhere else, so that it is worth another try.
    #expect(bench.hear(.motionChanged(.moving), at: 50) == ["receivers best"])
  }

  @Test("Wi-Fi joins a search that takes longer than a start does, where it is good enough; the search goes on")
  func help() {
    var bench = updating(.meters(100))
    bench.request(.startUpdatingLocation, at: 0)
    bench.hear(.motionChanged(.moving), at: 0)
    bench.fix(at: 1)
    #expect(bench.pass(to: 20) == ["receivers 100 m"])
    // A hot start takes 2 s, and it has 12 s more.
    #expect(bench.deadlineSeconds == 34)
    let joined = bench.engine.handle(.timePassed, at: Instant.zero.advanced(bySeconds: 34)).compactMap { effect in
      if case .setReceivers(let demand?) = effect { demand.technologies } else { nil }
    }
    #expect(joined == [[.satellite, .wireless]])
    #expect(heard(bench.fix(at: 35.5, east: 30, accuracy: 38)) == ["1: fix 35.5±38", "receivers off"])
    // It was not in vain: the next look is by satellites again.
    #expect(bench.deadlineSeconds.map { bench.pass(to: $0) } == ["receivers 100 m"])
  }

  @Test("Nobody else joins a search for the finest places")
  func noHelp() {
    var bench = updating(.best)
    bench.request(.startUpdatingLocation, at: 0)
    bench.hear(.motionChanged(.moving), at: 0)
    bench.fix(at: 1)
    #expect(bench.deadlineSeconds.map { $0 >= 21 } ?? true)
  }

  @Test("A device that stands at a light has the speed of its way, not of its stop")
  func atALight() throws {
    var bench = updating(.meters(1_000))
    bench.request(.startUpdatingLocation, at: 0)
    bench.fix(at: 1)
    // 800 m in 80 s, and now it stands: 996 m at 0.6 m/s² up to 1.6 times (800 - 8) m / 80 s.
    var standing = Fix.east(800, at: 81)
    standing.speedMetersPerSecond = 0
    bench.pass(to: try #require(bench.deadlineSeconds))
    bench.hear(.fixReceived(standing), at: 81)
    let fastest = 1.6 * 792 / 80
    let expected = 81 + fastest / 0.6 + (996 - fastest * fastest / 1.2) / fastest - 2
    #expect(abs((bench.deadlineSeconds ?? 0) - expected) < 0.01)
  }

  @Test("Who drove and rests for a moment is not indoors: satellites, as before; later they may search in vain")
  func lightsAndHouses() {
    func serves(_ bench: EngineBench) -> ReceiverTechnologies? { bench.engine.receiverDecisions.first?.technologies }
    var bench = updating(.meters(100))
    bench.request(.startUpdatingLocation, at: 0)
    bench.hear(.motionChanged(.moving), at: 0)
    bench.fix(at: 1)
    bench.fix(at: 61, east: 600)
    bench.hear(.motionChanged(.still), at: 100)
    #expect(serves(bench) == .satellite)
    bench.pass(to: 161)
    #expect(serves(bench) == .wireless)
  }

  @Test("Searches in vain of a device that rests and has no other means come ever less often (algorithms 1.2)")
  func backOff() {
    var bench = updating(.best, profile: .tracker)
    bench.request(.startUpdatingLocation, at: 0)
    bench.hear(.motionChanged(.still), at: 1)
    var begins: [Double] = []
    var seconds = 0.0
    while seconds < 3_000, let deadline = bench.deadlineSeconds {
      seconds = deadline
      for effect in bench.pass(to: seconds) where effect == "receivers best" { begins.append(seconds) }
    }
    // Each search of 45 s is followed by a pause of 60, 120, 240, 480 and 900 s.
    #expect(begins == [105, 270, 555, 1_080, 2_025, 2_970])
  }

  @Test("Whoever navigates on the move is searched for on and on")
  func navigation() {
    var bench = updating(.bestForNavigation, profile: .tracker)
    bench.request(.startUpdatingLocation, at: 0)
    bench.hear(.motionChanged(.moving), at: 1)
    var effects: [String] = []
    for second in stride(from: 10.0, to: 600, by: 10) { effects += bench.pass(to: second) }
    #expect(!effects.contains("receivers off"))
  }

  @Test("Where the only app has deferred its updates in the background, places may be handed over together (2.50)")
  func collecting() {
    func collects(_ effects: [Effect]) -> [Bool] {
      effects.compactMap { if case .setReceivers(let demand?) = $0 { demand.collects } else { nil } }
    }
    func at(_ seconds: Double) -> Instant { Instant.zero.advanced(bySeconds: seconds) }
    var bench = updating(.best)
    bench.configure { $0.allowsBackgroundUpdates = true }
    bench.request(.startUpdatingLocation, at: 0)
    bench.fix(at: 1)
    bench.become(.background, at: 2)
    let allow = Request.allowDeferredUpdates(distanceMeters: 1e6, timeoutSeconds: 600)
    #expect(collects(bench.engine.handle(.requested(allow, by: EngineBench.manager(1)), at: at(3))) == [true])
    #expect(collects(bench.engine.handle(.timePassed, at: at(604))) == [false])
  }

  @Test("What was decided can be told: for whom, until when, by what")
  func decisions() throws {
    var bench = updating(.meters(100))
    bench.request(.startUpdatingLocation, at: 0)
    bench.fix(at: 1)
    let decision = try #require(bench.engine.receiverDecisions.first)
    #expect(decision.app == EngineBench.app && decision.service == .standard && decision.accuracy == .meters(100))
    #expect(bench.deadlineSeconds.map { .at(Instant.zero.advanced(bySeconds: $0)) } == decision.look)
    bench.hear(.motionChanged(.still), at: 5)
    #expect(bench.engine.receiverDecisions.first?.look == .onMovement)
  }
}

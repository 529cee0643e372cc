import LocationEngine
import LocationModel
import Testing

@Suite("Regions: through between two fixes")
struct PassageTests {
  private let policy = Policy()

  /// A fix on the equator, east and north of the origin in metres, at a second.
  private func fix(
    at second: Double, east: Double, north: Double = 0, speed: Double? = 20, course: Double? = 90,
    accuracy: Double = 4
  ) -> WatchedFix {
    var fix = Fix.east(east, accuracy: accuracy, at: second)
    // A degree of latitude at the equator is 110 574.3 m.
    fix.coordinate.latitude = north / 110_574.3
    fix.speedMetersPerSecond = speed
    fix.speedAccuracyMetersPerSecond = speed.map { _ in 0.3 }
    fix.courseDegrees = course
    return WatchedFix(fix, at: Instant.zero.advanced(bySeconds: second), policy: policy)
  }

  /// What a circle of 300 m around the origin says of these fixes, with the second of each.
  private func changes(_ fixes: [WatchedFix]) -> [String] {
    var watch = RegionWatch(center: Fix.east(0, at: 0).coordinate, radiusMeters: 300)
    var previous: WatchedFix?
    var changes: [String] = []
    for fix in fixes {
      let change = watch.consider(fix, after: previous, policy: policy)
      if let change { changes.append("\(Int(fix.instant.seconds(since: .zero))) \(change)") }
      previous = fix
    }
    return changes
  }

  @Test("A straight way through of a hold's length is an entry and an exit, once the exit has been held")
  func through() {
    let away = (40...80).map { fix(at: Double($0), east: 400 + Double($0 - 40) * 20) }
    #expect(
      changes([fix(at: 0, east: -400)] + away) == [
        "0 determined(LocationModel.RegionState.outside)", "60 passedThrough",
      ])
  }

  @Test("Whoever turns back meanwhile has entered, and that is told once")
  func turnsBack() {
    let back = (45...80).map { fix(at: Double($0), east: 0, speed: 0) }
    #expect(
      changes([fix(at: 0, east: -400), fix(at: 40, east: 400)] + back)
        == ["0 determined(LocationModel.RegionState.outside)", "65 entered"])
  }

  @Test(
    "What could have gone around, was too short, too long ago or too near the rim proves nothing",
    arguments: [
      // No speed: any way is possible.
      (40.0, 0.0, nil),
      // Slower at both ends than the straight way needs: it was faster in between, who knows where.
      (40, 0, 5),
      // Faster than the straight way needs: a detour.
      (40, 0, 40),
      // Within the hold.
      (15, 0, 53),
      // Minutes apart.
      (200, 0, 4),
      // Near the rim.
      (40, 200, 20), (40, 400, 20),
    ] as [(Double, Double, Double?)])
  func proofless(seconds: Double, north: Double, speed: Double?) {
    let away = (0...40).map { fix(at: seconds + Double($0), east: 400 + Double($0) * 20, north: north, speed: speed) }
    let told = changes([fix(at: 0, east: -400, north: north, speed: speed)] + away)
    #expect(told == ["0 determined(LocationModel.RegionState.outside)"])
  }

  /// 800 m apart, told 824 m by the speeds with their doubt, 906 m with a tenth more. What is proved is that the way
  /// came within 270 m of the middle, the circle less its inner cushion: with errors of 2 · 10 m it strays at most
  /// √(906² - 760²) / 2 + 20 = 267 m from the straight line, with 2 · 12 m √(906² - 752²) / 2 + 24 = 277 m.
  @Test(
    "The errors of both fixes widen the way there may have been", arguments: [(10.0, true), (12, false), (20, false)])
  func errors(accuracy: Double, isTold: Bool) {
    let away = (40...80).map { fix(at: Double($0), east: 400 + Double($0 - 40) * 20, accuracy: accuracy) }
    let told = changes([fix(at: 0, east: -400, accuracy: accuracy)] + away)
    #expect(told.contains { $0.hasSuffix("passedThrough") } == isTold, "\(told)")
  }

  @Test("Courses that are unknown, or off the straight line, prove nothing", arguments: [nil, 60.0, 120, 270, 0])
  func courses(course: Double?) {
    let away = (40...80).map { fix(at: Double($0), east: 400 + Double($0 - 40) * 20, course: course) }
    #expect(
      changes([fix(at: 0, east: -400, course: course)] + away) == ["0 determined(LocationModel.RegionState.outside)"])
  }

  @Test("Through between fixes that the circle did not see is nothing to it")
  func unseen() {
    var watch = RegionWatch(center: Fix.east(0, at: 0).coordinate, radiusMeters: 300)
    let before = fix(at: 0, east: -400)
    for second in 40...100 {
      let change = watch.consider(
        fix(at: Double(second), east: 400), after: second == 40 ? before : fix(at: Double(second - 1), east: 400),
        policy: policy)
      #expect(change == (second == 40 ? .determined(.outside) : nil))
    }
  }
}

@Suite("Regions: when the receivers sleep")
struct RegionScheduleTests {
  @Test("The time to cover a distance: from a stand, while gathering speed, and beyond (algorithms 1.4)")
  func reach() {
    func seconds(_ meters: Double, _ speed: Double) -> Double {
      Reach.seconds(
        toCover: meters, speedMetersPerSecond: speed, accelerationMetersPerSquareSecond: 2.5,
        speedMetersPerSecondMax: 100)
    }
    // s = a t² / 2; 100 m/s are reached after 40 s and 2,000 m.
    #expect(abs(seconds(500, 0) - 20) < 1e-9)
    #expect(abs(seconds(2_000, 0) - 40) < 1e-9)
    #expect(abs(seconds(3_000, 0) - 50) < 1e-9)
    #expect(abs(seconds(1_000, 100) - 10) < 1e-9)
    // 10 t + 1.25 t² = 240 at t = 10.422...
    #expect(abs(seconds(240, 10) - (-10 + (100 + 4 * 1.25 * 240).squareRoot()) / 2.5) < 1e-9)
    #expect(seconds(0, 10) == 0 && seconds(-5, 0) == 0)
    // Faster than any device: it may be faster still.
    #expect(seconds(1_000, 200) < 5)
  }

  /// The bench's app with a circle so far away, after one fix; the seconds until the receivers are wanted.
  private func sleep(metersAway: Double, accuracy: Double, speed: Double?) -> (seconds: Double?, bench: EngineBench) {
    var bench = EngineBench(grant: .whenInUse)
    bench.monitor(.circle(radius: 150, east: metersAway + 150))
    var fix = Fix.east(0, accuracy: accuracy, at: 1)
    fix.speedMetersPerSecond = speed
    fix.speedAccuracyMetersPerSecond = speed.map { _ in 0 }
    bench.hear(.fixReceived(fix), at: 1)
    return (bench.receiversAreOff ? bench.deadlineSeconds.map { $0 - 1 } : nil, bench)
  }

  @Test("They sleep until 5 s after the edge can be reached, less twice the accuracy and 20 m")
  func sleeps() throws {
    // 540 - 2 * 10 - 20 = 500 m from a stand: 20 s.
    let still = try #require(sleep(metersAway: 540, accuracy: 10, speed: 0).seconds)
    #expect(abs(still - 25) < 0.1)
    // Without a speed at 100 m/s at once.
    let unknown = try #require(sleep(metersAway: 540, accuracy: 10, speed: nil).seconds)
    #expect(abs(unknown - 10) < 0.1)
    let near = try #require(sleep(metersAway: 10, accuracy: 5, speed: 0).seconds)
    #expect(near == 5)
  }

  @Test(
    "What wakes depends on the distance: satellites within 300 m, Wi-Fi within 3 km, else cell towers (algorithms 6)",
    arguments: [(250.0, "10 m"), (1_000, "100 m"), (5_000, "3000 m")])
  func accuracies(metersAway: Double, wanted: String) throws {
    var (seconds, bench) = sleep(metersAway: metersAway, accuracy: 5, speed: 0)
    let due = try #require(seconds) + 1
    #expect(bench.pass(to: due - 0.001) == [])
    #expect(bench.pass(to: due) == ["receivers \(wanted)"])
  }

  @Test("A vague fix near an edge is followed by satellites at once, and they stay on while a crossing is confirmed")
  func vague() {
    var (seconds, bench) = sleep(metersAway: 60, accuracy: 40, speed: 0)
    #expect(seconds == nil && !bench.receiversAreOff)
    bench.fix(at: 5, east: 0)
    #expect(bench.receiversAreOff)
    for second in 10...29 { bench.fix(at: Double(second), east: 210) }
    #expect(!bench.receiversAreOff)
    bench.fix(at: 30, east: 210)
    #expect(bench.receiversAreOff)
  }

  @Test("Another wish keeps them on meanwhile, and ends by itself")
  func otherWishes() {
    var bench = EngineBench(grant: .whenInUse)
    bench.monitor(.circle(radius: 150, east: 5_000))
    bench.fix(at: 1)
    #expect(bench.receiversAreOff)
    #expect(bench.request(.startUpdatingLocation, at: 2).contains("receivers best"))
    for second in 3...100 { bench.fix(at: Double(second)) }
    #expect(!bench.receiversAreOff)
    #expect(bench.request(.stopUpdatingLocation, at: 101) == ["receivers off"])
    #expect(bench.deadlineSeconds != nil)
  }
}

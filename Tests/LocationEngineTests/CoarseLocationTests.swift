import LocationModel
import Testing

@testable import LocationEngine

@Suite("Coarse locations")
struct CoarseLocationTests {
  /// What a reduced app gets for a precise fix, from an engine of its own.
  private func coarse(_ latitude: Double, _ longitude: Double, accuracy: Double? = 4) throws -> Fix {
    var engine = LocationEngine()
    let client = ClientIdentifier(1)
    let manager = ManagerIdentifier(client: client, number: 1)
    let fix = Fix(
      coordinate: Coordinate(latitude: latitude, longitude: longitude), horizontalAccuracyMeters: accuracy,
      time: Fix.start, altitudeMeters: 123, ellipsoidalAltitudeMeters: 150, verticalAccuracyMeters: 3,
      speedMetersPerSecond: 7, courseDegrees: 45, floor: 2)
    _ = engine.handle(.clientConnected(client, .complete, grant: .reduced, lastFix: nil), at: .zero)
    _ = engine.handle(.appStateChanged(EngineBench.app, .foreground), at: .zero)
    _ = engine.handle(.managerCreated(manager), at: .zero)
    _ = engine.handle(.requested(.startUpdatingLocation, by: manager), at: .zero)
    for effect in engine.handle(.fixReceived(fix), at: .zero) {
      if case .deliver(.locationsUpdated(let fixes, false), manager) = effect { return try #require(fixes.first) }
    }
    throw NothingDelivered()
  }

  private struct NothingDelivered: Error {}

  private static let corners: [(Double, Double)] = [
    (90, 0), (90, 180), (-90, 0), (-90, -180), (0, 180), (0, -180), (0, 0), (89.999, 17), (-89.999, -170),
    (51.5, 179.9999), (51.5, -179.9999), (-16.5, 180), (89.95, 100), (0.05, 0.05), (-0.05, -0.05), (45, 45),
  ]

  private func expectHolds(_ latitude: Double, _ longitude: Double) throws {
    let truth = Coordinate(latitude: latitude, longitude: longitude)
    let fix = try coarse(latitude, longitude)
    let accuracy = try #require(fix.horizontalAccuracyMeters)
    let distance = Geodesic.distanceMeters(from: truth, to: fix.coordinate)
    #expect(distance <= accuracy, "\(truth) is \(distance) m from \(fix.coordinate)")
    #expect(accuracy == 5_000)
    #expect(fix.coordinate.isValid)
  }

  @Test("The circle holds the true place, at 10,000 random places, the poles and the date line (behaviour 1.42)")
  func holdsTruth() throws {
    var generator = SeededGenerator(seed: ProofSize.seed ?? 1)
    for (latitude, longitude) in Self.corners { try expectHolds(latitude, longitude) }
    for _ in 0..<10_000 {
      try expectHolds(generator.number(in: -90...90), generator.number(in: -180...180))
    }
  }

  @Test("The precise coordinate is never among what is given, nor height, speed, course or floor (behaviour 1.42)")
  func leavesOut() throws {
    var generator = SeededGenerator(seed: ProofSize.seed ?? 2)
    for _ in 0..<1_000 {
      let (latitude, longitude) = (generator.number(in: -90...90), generator.number(in: -180...180))
      let fix = try coarse(latitude, longitude)
      #expect(fix.coordinate.latitude != latitude && fix.coordinate.longitude != longitude)
      #expect(
        fix == Fix(coordinate: fix.coordinate, horizontalAccuracyMeters: 5_000, time: Fix.start))
    }
  }

  @Test("The grid is fixed: places of one square give one value, so that repetition tells nothing (behaviour 1.42)")
  func fixedGrid() throws {
    // The square north-east of (0, 0): 0.05 degrees high, and 360 / 7200 = 0.05 degrees wide.
    let middle = Coordinate(latitude: 0.025, longitude: 0.025)
    for (latitude, longitude) in [(0.001, 0.001), (0.049, 0.001), (0.001, 0.049), (0.02, 0.03)] {
      let place = try coarse(latitude, longitude).coordinate
      #expect(abs(place.latitude - middle.latitude) < 1e-9 && abs(place.longitude - middle.longitude) < 1e-9)
    }
    #expect(try coarse(0.02, 0.03).coordinate == coarse(0.04, 0.01).coordinate)
    #expect(try coarse(0.02, 0.03).coordinate != coarse(0.06, 0.03).coordinate)
  }

  @Test("A coarse value made coarse again is itself: grid and circle do not grow from store to store")
  func idempotent() throws {
    var generator = SeededGenerator(seed: ProofSize.seed ?? 3)
    for _ in 0..<1_000 {
      let once = try coarse(generator.number(in: -90...90), generator.number(in: -180...180))
      let twice = try coarse(
        once.coordinate.latitude, once.coordinate.longitude, accuracy: once.horizontalAccuracyMeters)
      #expect(once == twice)
    }
  }

  @Test("A vague fix makes the circle wider, so that it still holds the true place (behaviour 1.42)")
  func vagueFix() throws {
    #expect(try coarse(10.01, 10.01, accuracy: 999).horizontalAccuracyMeters == 5_000)
    #expect(try coarse(10.01, 10.01, accuracy: 3_000).horizontalAccuracyMeters == 8_000)
  }

  @Test("At most four values an hour, however far the device goes (behaviour 1.43)")
  func fourAnHour() {
    var bench = EngineBench(grant: .reduced)
    bench.request(.startUpdatingLocation, at: 0)
    var delivered: [Double] = []
    for second in stride(from: 1.0, through: 7_200, by: 1) {
      let words = bench.fix(at: second, east: second * 250)
      if words.contains(where: { $0.hasPrefix("1: fix") }) { delivered.append(second) }
    }
    #expect(delivered == [1, 901, 1_801, 2_701, 3_601, 4_501, 5_401, 6_301])
  }

  @Test("A coarse value that was cached long before the start is not told a second time (behaviour 1.43)")
  func cachedOnce() {
    var bench = EngineBench(grant: .reduced)
    bench.fix(at: 1)
    #expect(bench.request(.startUpdatingLocation, at: 300) == ["1: fix 1±5000", "receivers reduced"])
    #expect(bench.fix(at: 301) == ["store fix 1±5000"])
    #expect(bench.fix(at: 901) == ["1: fix 901±5000", "store fix 901±5000"])
  }

  @Test("A manager that begins to wish for reduced after a fresh cached fix gets its first coarse one (cases CL-10)")
  func wishAfterFreshFix() {
    var bench = EngineBench(grant: .whenInUse)
    bench.fix(at: 1)
    #expect(bench.request(.startUpdatingLocation, at: 2) == ["1: fix 1±4", "receivers best"])
    bench.configure { $0.desiredAccuracy = .reduced }
    #expect(bench.fix(at: 3) == ["1: fix 1±5000", "store fix 3±4"])
  }

  @Test("A stop and start gives the same coarse value again, not a newer one (behaviour 1.43)")
  func restartTellsNothingNew() {
    var bench = EngineBench(grant: .reduced)
    bench.request(.startUpdatingLocation, at: 0)
    bench.fix(at: 1)
    bench.fix(at: 600, east: 100_000)
    bench.request(.stopUpdatingLocation, at: 601)
    #expect(bench.request(.startUpdatingLocation, at: 602) == ["1: fix 1±5000", "receivers reduced"])
    #expect(bench.fix(at: 603, east: 100_000) == [])
  }

  // MARK: On a line of the grid

  /// The coarse places of a device that stands or moves, a fix a quarter of an hour. The grid's lines at the equator
  /// are at multiples of 0.05 degrees.
  private func places(_ track: [(latitude: Double, longitude: Double)], policy: Policy = Policy()) -> [Coordinate] {
    var coarse = CoarseLocation()
    return track.enumerated().compactMap { index, place in
      let fix = Fix(
        coordinate: Coordinate(latitude: place.latitude, longitude: place.longitude), horizontalAccuracyMeters: 10,
        time: Fix.start)
      coarse.update(with: fix, at: .zero.advanced(bySeconds: Double(index) * 900), policy: policy)
      return coarse.fix?.coordinate
    }
  }

  @Test("A device that stands on a line of the grid keeps its square, though its fixes stray over the line")
  func standsOnLine() {
    // 22 m to both sides of the line, and of the corner of four squares.
    let onLine = (0..<40).map { (latitude: $0 % 2 == 0 ? 0.0498 : 0.0502, longitude: 0.02) }
    #expect(Set(places(onLine).map(\.latitude)).count == 1)
    let onCorner = (0..<40).map {
      (latitude: $0 % 2 == 0 ? 0.0498 : 0.0502, longitude: $0 % 4 < 2 ? 0.0498 : 0.0502)
    }
    #expect(Set(places(onCorner).map { "\($0)" }).count == 1)
    // The date line is a line of the grid, too.
    let onDateLine = (0..<40).map { (latitude: 0.02, longitude: $0 % 2 == 0 ? 179.9998 : -179.9998) }
    #expect(Set(places(onDateLine).map(\.longitude)).count == 1)
  }

  @Test("A device that goes on gets the next square when it is 560 m inside, and the old one only as far back")
  func crossesLine() {
    let north = [0.04, 0.0549, 0.0551, 0.0452, 0.0449]
    let latitudes = places(north.map { ($0, 0.02) }).map { ($0.latitude * 1_000).rounded() }
    #expect(latitudes == [25, 25, 75, 75, 25])
    var policy = Policy()
    policy.coarseHoldRatio = 0
    let atOnce = places([0.0498, 0.0502, 0.0498].map { ($0, 0.02) }, policy: policy)
    #expect(atOnce.map { ($0.latitude * 1_000).rounded() } == [25, 75, 25])
  }

  @Test("The circle holds the true place of a held square, too, on random walks up to the poles and the date line")
  func heldSquareHoldsTruth() {
    var generator = SeededGenerator(seed: ProofSize.seed ?? 4)
    for (latitude, longitude) in Self.corners {
      var coarse = CoarseLocation()
      var place = (latitude: latitude, longitude: longitude)
      for step in 0..<500 {
        place.latitude = min(90, max(-90, place.latitude + generator.number(in: -0.01...0.01)))
        place.longitude += generator.number(in: -0.02...0.02)
        if place.longitude > 180 { place.longitude -= 360 }
        if place.longitude < -180 { place.longitude += 360 }
        let truth = Coordinate(latitude: place.latitude, longitude: place.longitude)
        coarse.update(
          with: Fix(coordinate: truth, horizontalAccuracyMeters: 4, time: Fix.start),
          at: .zero.advanced(bySeconds: Double(step) * 900), policy: Policy())
        let distance = coarse.fix.map { Geodesic.distanceMeters(from: truth, to: $0.coordinate) } ?? .infinity
        #expect(distance <= 5_000, "\(truth)")
      }
    }
  }

  @Test("Two apps are given the same square, however they came to ask, so that no two squares tell a strip")
  func sameForAll() {
    var engine = LocationEngine()
    let clients = [ClientIdentifier(1), ClientIdentifier(2)]
    func fix(_ latitude: Double) -> Fix {
      Fix(coordinate: Coordinate(latitude: latitude, longitude: 0.02), horizontalAccuracyMeters: 4, time: Fix.start)
    }
    func start(_ index: Int, at instant: Instant) {
      let manager = ManagerIdentifier(client: clients[index], number: 1)
      var app = AppDescription.complete
      app.identifier = AppIdentifier("app\(index)")
      _ = engine.handle(.clientConnected(clients[index], app, grant: .reduced, lastFix: nil), at: instant)
      _ = engine.handle(.appStateChanged(app.identifier, .foreground), at: instant)
      _ = engine.handle(.managerCreated(manager), at: instant)
      _ = engine.handle(.requested(.startUpdatingLocation, by: manager), at: instant)
    }
    start(0, at: .zero)
    _ = engine.handle(.fixReceived(fix(0.0498)), at: .zero)
    // 90 m further, over the line: the second app would be in the northern square by itself.
    start(1, at: .zero.advanced(bySeconds: 1_000))
    var given: [Coordinate] = []
    for effect in engine.handle(.fixReceived(fix(0.0506)), at: .zero.advanced(bySeconds: 1_001)) {
      if case .deliver(.locationsUpdated(let fixes, _), _) = effect { given += fixes.map(\.coordinate) }
    }
    #expect(given.count == 2 && Set(given.map { "\($0)" }).count == 1)
  }
}

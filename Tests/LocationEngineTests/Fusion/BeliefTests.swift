import LocationModel
import Testing

@testable import LocationEngine

@Suite("Believing a fix")
struct BeliefTests {
  private let policy = Policy()
  private static let start = Coordinate(latitude: 47.5, longitude: 19.25)

  /// A fix so many metres east of the start, at a second.
  private func fix(
    _ eastMeters: Double, at second: Double, accuracyMeters: Double? = 5, source: FixSource = .satelliteReceiver
  ) -> Fix {
    Fix(
      coordinate: Geodesic.destination(from: Self.start, azimuthDegrees: 90, distanceMeters: eastMeters),
      horizontalAccuracyMeters: accuracyMeters, time: WallTime(secondsSince1970: 1_780_300_800 + second),
      source: source)
  }

  /// Metres east of the start of each believed fix; nil for each refused one.
  private func believed(_ fixes: [Fix]) -> [Double?] {
    var belief = SourceBelief()
    return fixes.map { fix in
      belief.consider(fix, policy: policy).map {
        Geodesic.distanceMeters(from: Self.start, to: $0.coordinate).rounded()
      }
    }
  }

  @Test("a teleport of a satellite receiver is refused, and what follows where the device really is, is not")
  func teleport() {
    let walk = (0..<10).map { fix(Double($0) * 1.4, at: Double($0)) }
    let jump = fix(800, at: 10)
    let onward = (11..<15).map { fix(Double($0) * 1.4, at: Double($0)) }
    let outcome = believed(walk + [jump] + onward)
    #expect(outcome[10] == nil)
    #expect(outcome.enumerated().filter { $0.offset != 10 }.allSatisfy { $0.element != nil })
  }

  @Test("the fifth fix in a row that does not fit begins a new belief: a device may really be elsewhere")
  func reopens() {
    let walk = (0..<10).map { fix(Double($0) * 1.4, at: Double($0)) }
    let elsewhere = (10..<20).map { fix(5_000 + Double($0) * 1.4, at: Double($0)) }
    let outcome = believed(walk + elsewhere)
    #expect(outcome[10..<14].allSatisfy { $0 == nil })
    #expect(outcome[14...].allSatisfy { $0 != nil })
  }

  @Test("near a pole, where north turns along the way, a straight drive loses no fix", arguments: [1, -1])
  func nearPole(hemisphere: Double) {
    let start = Coordinate(latitude: 89.97 * hemisphere, longitude: 10)
    var belief = SourceBelief()
    // 30 m/s for 400 s come within 1 km of the pole and go 8 km beyond.
    let outcome = (0..<400).map { second -> Bool in
      let place = Geodesic.destination(
        from: start, azimuthDegrees: hemisphere > 0 ? 15 : 165, distanceMeters: Double(second) * 30)
      var fix = Fix(
        coordinate: place, horizontalAccuracyMeters: 5,
        time: WallTime(secondsSince1970: 1_780_300_800 + Double(second)),
        speedMetersPerSecond: 30, source: .satelliteReceiver)
      fix.courseDegrees =
        second == 0 ? (hemisphere > 0 ? 15 : 165) : Geodesic.path(from: start, to: place).endDegrees
      return belief.consider(fix, policy: policy) != nil
    }
    #expect(outcome.allSatisfy { $0 })
  }

  @Test("a car that brakes and accelerates hard loses no fix")
  func hardDriving() {
    // 0 to 30 m/s at 4 m/s², 20 s at speed, and to a stop at 8 m/s².
    var east = 0.0
    var speed = 0.0
    let fixes = (0..<60).map { second -> Fix in
      speed = second < 20 ? min(30, speed + 4) : second < 40 ? speed : max(0, speed - 8)
      east += speed
      return fix(east, at: Double(second))
    }
    #expect(believed(fixes).allSatisfy { $0 != nil })
  }

  @Test("after a minute of silence nothing is expected: the next fix may be anywhere")
  func pause() {
    let outcome = believed([fix(0, at: 0), fix(1, at: 1), fix(90_000, at: 62)])
    #expect(outcome == [0, 1, 90_000])
  }

  @Test("good fixes of a receiver that filters itself are handed on untouched")
  func leftAlone() {
    var belief = SourceBelief()
    for second in 0..<20 {
      let given = fix(Double(second) * 10 + (second % 2 == 0 ? 2 : -2), at: Double(second))
      #expect(belief.consider(given, policy: policy) == given)
    }
  }

  @Test("a recording is taken as it stands, teleports too")
  func recording() {
    let fixes = [0.0, 5_000, 3, 800_000].enumerated().map {
      fix($0.element, at: Double($0.offset), source: .recording)
    }
    var belief = SourceBelief()
    var outcome: [Fix?] = []
    for fix in fixes { outcome.append(belief.consider(fix, policy: policy)) }
    #expect(outcome == fixes)
  }

  @Test("an accuracy that is unknown stays unknown, smoothed or not")
  func unknownAccuracy() {
    for source in [FixSource.satelliteReceiver, .network] {
      var belief = SourceBelief()
      for second in 0..<5 {
        let given = fix(Double(second), at: Double(second), accuracyMeters: nil, source: source)
        let outcome = belief.consider(given, policy: policy)
        #expect(outcome != nil)
        #expect(outcome?.horizontalAccuracyMeters == nil)
      }
    }
  }

  @Test("nothing is learned from the speed of another location service, which may be made from two places")
  func madeUpSpeed() {
    var belief = SourceBelief()
    for second in 0..<20 {
      var given = fix(0, at: Double(second), source: .locationService)
      given.speedMetersPerSecond = 50
      given.courseDegrees = 90
      #expect(belief.consider(given, policy: policy) == given)
    }
  }

  @Test("smoothing never claims less than 0.7 of the source's own error (algorithms 2.3)")
  func smoothingIsModest() throws {
    var belief = SourceBelief()
    for second in 0..<100 {
      let given = fix(0, at: Double(second), accuracyMeters: 40, source: .network)
      let considered = belief.consider(given, policy: policy)
      let outcome = try #require(considered)
      #expect(try #require(outcome.horizontalAccuracyMeters) >= 28)
    }
  }

  @Test("a fix twice at one time, and times that step back, neither trap nor stop belief")
  func oddTimes() {
    let outcome = believed([fix(0, at: 10), fix(1, at: 10), fix(2, at: 5), fix(3, at: 6)])
    #expect(outcome == [0, 1, 2, 3])
  }

  @Test("two sources at once: the better one is listened to, and nothing zigzags while both are alike")
  func choice() {
    var choice = SourceChoice()
    func accepts(_ source: FixSource, _ accuracyMeters: Double?, at second: Double) -> Bool {
      choice.accepts(
        fix(0, at: second, accuracyMeters: accuracyMeters, source: source),
        at: Instant.zero.advanced(bySeconds: second), policy: policy)
    }
    #expect(accepts(.network, 40, at: 0))
    #expect(accepts(.satelliteReceiver, 5, at: 1), "clearly better")
    #expect(!accepts(.network, 40, at: 2))
    #expect(accepts(.satelliteReceiver, 18, at: 3))
    #expect(!accepts(.network, 12, at: 4), "better, but not clearly")
    #expect(accepts(.network, 8, at: 5), "less than half of 18 m")
    #expect(!accepts(.satelliteReceiver, 6, at: 6))
    #expect(!accepts(.satelliteReceiver, nil, at: 7), "unknown is no better than anything")
    #expect(accepts(.satelliteReceiver, 30, at: 16.5), "the other was silent for more than 11 s")
  }
}

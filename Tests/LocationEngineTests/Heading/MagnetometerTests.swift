import LocationEngine
import LocationModel
import Testing

@Suite("Headings from a magnetometer")
struct MagnetometerTests {
  private static let field = MagneticField.ofTests(at: .applePark)

  private func bench(knowsPlace: Bool = true) -> EngineBench {
    var bench = EngineBench(grant: .whenInUse)
    if knowsPlace { bench.fix(.applePark, at: 0) }
    bench.request(.startUpdatingHeading, at: 1)
    return bench
  }

  private func headings(_ effects: [Effect]) -> [Heading] {
    effects.compactMap { if case .deliver(.headingUpdated(let heading), _) = $0 { heading } else { nil } }
  }

  @Test("A device held askew gives its heading, true north, the field in its axes and how far it may be off (7.3, 7.9)")
  func askew() throws {
    var bench = bench()
    let field = DeviceVector(x: -34.1550, y: -15.4423, z: -28.7315)
    let up = DeviceVector(x: 0.296198 * 9.81, y: 0.5 * 9.81, z: 0.813798 * 9.81)
    // 2026-01-01T00:00:00Z
    let time = WallTime(secondsSince1970: 1_767_225_600)
    let sample = HeadingSample(.field(microteslas: field, acceleration: up), time: time)
    let effects = bench.engine.handle(.headingSampled(sample), at: Instant.zero.advanced(bySeconds: 2))
    let heading = try #require(headings(effects).first)
    #expect(abs(heading.magneticDegrees - 75) < 0.001)
    #expect(abs((heading.trueDegrees ?? -1) - 87.7465) < 0.005)
    #expect(heading.fieldMicroteslas == field)
    // A degree of tilt is 1.8 degrees of heading at this dip; the field adds some.
    let accuracy = try #require(heading.accuracyDegrees)
    #expect(accuracy > 1.8 && accuracy < 8)
  }

  @Test("A field that is not the Earth's is a failure, told once; headings go on that cannot be believed (7.3, 7.6)")
  func interference() {
    var bench = bench()
    let clean = Self.field.seenFlat(heading: 40)
    #expect(bench.magnetometer(clean, at: 2).first?.hasPrefix("1: heading 40 true 52.7 ±") == true)
    let strong = DeviceVector(x: clean.x * 1.2, y: clean.y * 1.2, z: clean.z * 1.2)
    #expect(
      bench.magnetometer(strong, at: 3) == ["1: failed headingFailure", "1: heading 40 ±?", "1: calibration?"])
    #expect(bench.magnetometer(strong, at: 4) == [])
    #expect(bench.magnetometer(clean, at: 5).first?.hasPrefix("1: heading 40 true 52.7 ±") == true)
    // Back within five seconds: still the same disturbance.
    #expect(bench.magnetometer(strong, at: 6) == ["1: heading 40 ±?"])
    bench.magnetometer(clean, at: 7)
    bench.magnetometer(clean, at: 11)
    #expect(bench.magnetometer(strong, at: 12).first == "1: failed headingFailure")
  }

  /// Strength, dip more than expected.
  static let boundCases: [(Double, Double, Bool)] = [
    (1.14, 0.0, false), (1.16, 0, true), (0.86, 0, false), (0.84, 0, true), (1, 9.5, false), (1, 10.5, true),
    (1, -9.5, false), (1, -10.5, true),
  ]

  @Test(
    "15 % of the strength and 10 degrees of dip are the bounds (algorithms 4)",
    arguments: boundCases)
  func bounds(strength: Double, dip: Double, isDisturbed: Bool) {
    var bench = bench()
    let total = Self.field.totalNanoteslas * strength / 1_000
    let (sine, cosine) = sineAndCosineOfDegrees(Self.field.inclinationDegrees + dip)
    let effects = bench.magnetometer(DeviceVector(x: 0, y: total * cosine, z: -total * sine), at: 2)
    #expect(effects.contains("1: failed headingFailure") == isDisturbed)
    #expect(effects.contains("1: heading 0 ±?") == isDisturbed)
  }

  @Test("Where the place is not known, a field is disturbed that the Earth has nowhere")
  func unknownPlace() {
    for (microteslas, isDisturbed) in [(18.0, true), (25, false), (65, false), (80, true)] {
      var bench = bench(knowsPlace: false)
      let effects = bench.magnetometer(DeviceVector(x: 0, y: microteslas * 0.6, z: -microteslas * 0.8), at: 2)
      #expect(effects.contains("1: failed headingFailure") == isDisturbed)
    }
  }

  @Test("A manager that starts amid a disturbance hears of it, too")
  func startsDisturbed() {
    var bench = bench()
    let clean = Self.field.seenFlat(heading: 40)
    let strong = DeviceVector(x: clean.x * 1.3, y: clean.y * 1.3, z: clean.z * 1.3)
    bench.magnetometer(strong, at: 2)
    bench.hear(.managerCreated(EngineBench.manager(2)), at: 3)
    #expect(
      bench.request(.startUpdatingHeading, at: 3, by: 2) == ["2: failed headingFailure", "2: heading 40 ±?"])
  }

  @Test("A device that is shaken or falls gives no heading, since down is not known")
  func shaken() {
    var bench = bench()
    for gravity in [0.0, 7, 12.5] {
      let sample = HeadingSample(
        .field(microteslas: Self.field.seenFlat(heading: 40), acceleration: DeviceVector(x: 0, y: 0, z: gravity)),
        time: Fix.start)
      #expect(bench.hear(.headingSampled(sample), at: 2) == [])
    }
  }

  @Test("Samples of half a second are averaged on the circle: north stays north (algorithms 4)")
  func average() {
    var bench = bench()
    bench.configure { $0.headingFilterDegrees = nil }
    for (step, degrees) in [350.0, 10, 350, 10].enumerated() {
      bench.magnetometer(Self.field.seenFlat(heading: degrees), at: 2 + Double(step) * 0.1)
    }
    // Of 350, 10, 350, 10 and 0.
    #expect(
      bench.magnetometer(Self.field.seenFlat(heading: 0), at: 2.4).first?.hasPrefix("1: heading 0 true 12.7") == true)
    // A second later they count no more.
    #expect(
      bench.magnetometer(Self.field.seenFlat(heading: 90), at: 3.4).first?.hasPrefix("1: heading 90 true 102.7")
        == true)
  }

  @Test("A magnetometer without an accelerometer is taken to lie flat, and is off by what its tilt may be")
  func withoutAccelerometer() throws {
    var bench = bench()
    let sample = HeadingSample(
      .field(microteslas: Self.field.seenFlat(heading: 200), acceleration: nil), time: Fix.start)
    let effects = bench.engine.handle(.headingSampled(sample), at: Instant.zero.advanced(bySeconds: 2))
    let heading = try #require(headings(effects).first)
    #expect(abs(heading.magneticDegrees - 200) < 1e-6)
    // Ten degrees times the tangent of 60.8.
    #expect((heading.accuracyDegrees ?? 0) > 17)
  }
}

import LinuxIO
import LocationModel
import LocationProviders
import Testing

@Suite("The compass of a device that is carried along a recording")
struct TrackCompassTests {
  private func compass() -> (compass: TrackCompass, samples: Locked<[HeadingSample]>) {
    let samples = Locked<[HeadingSample]>([])
    let compass = TrackCompass()
    compass.connect { event in if case .heading(let sample) = event { samples.withLock { $0.append(sample) } } }
    return (compass, samples)
  }

  private func fix(
    _ latitude: Double, _ longitude: Double, course: Double? = nil, seconds: Double = 1_780_300_800
  ) -> Fix {
    Fix(
      coordinate: Coordinate(latitude: latitude, longitude: longitude), horizontalAccuracyMeters: 5,
      time: WallTime(secondsSince1970: seconds), courseDegrees: course)
  }

  /// The heading from magnetic north that the measured field shows, and its declination at the place.
  private func heading(_ sample: HeadingSample?, at fix: Fix) -> (magnetic: Double, total: Double)? {
    guard case .field(let field, let acceleration?) = sample?.measurement,
      let tilt = TiltCompensation(field: field, up: acceleration),
      let degrees = tilt.headingDegrees(of: HeadingOrientation.portrait.front)
    else { return nil }
    return (degrees, field.length)
  }

  @Test("The device points along the course, and its magnetometer measures the field of the place")
  func course() throws {
    let (compass, samples) = compass()
    compass.setWanted(true)
    let here = fix(37.3349, -122.0090, course: 90)
    compass.moved(to: here)
    let field = try #require(WorldMagneticModel.wmm2025.field(at: here.coordinate, time: here.time))
    let measured = try #require(heading(samples.withLock { $0.last }, at: here))
    #expect(CircleAngle.difference(measured.magnetic, 90 - field.declinationDegrees) < 1e-9)
    #expect(abs(measured.total - field.totalNanoteslas / 1_000) < 1e-9)
  }

  /// NOAA's test values of the model: 2025.0, north, east and down in nT.
  @Test(
    "Right, top and out of the screen it measures the model's published field of a place and height",
    arguments: [
      (43.0, 93.0, 65_000.0, 0.0, DeviceVector(x: 210.517066, y: 24_299.852822, z: -50_037.923998)),
      (43, 93, 65_000, 90, DeviceVector(x: -24_299.852822, y: 210.517066, z: -50_037.923998)),
      (-33, 109, 51_000, 180, DeviceVector(x: 2_090.274098, y: -21_737.778822, z: 52_710.003920)),
      (-33, 109, 51_000, 270, DeviceVector(x: 21_737.778822, y: 2_090.274098, z: 52_710.003920)),
    ])
  func published(
    latitude: Double, longitude: Double, height: Double, course: Double, nanoteslas: DeviceVector
  ) throws {
    let (compass, samples) = compass()
    compass.setWanted(true)
    var here = fix(latitude, longitude, course: course, seconds: 1_735_689_600)
    here.ellipsoidalAltitudeMeters = height
    compass.moved(to: here)
    guard case .field(let field, _) = samples.withLock({ $0.last })?.measurement else {
      Issue.record("nothing is measured")
      return
    }
    let difference = DeviceVector(
      x: field.x * 1_000 - nanoteslas.x, y: field.y * 1_000 - nanoteslas.y, z: field.z * 1_000 - nanoteslas.z)
    #expect(difference.length < 0.01, "\(field)")
  }

  @Test("Without a course it points from place to place, and where it rests it points as before")
  func places() throws {
    let (compass, samples) = compass()
    compass.setWanted(true)
    compass.moved(to: fix(50, 10))
    #expect(samples.withLock { $0.isEmpty })
    let north = fix(50.001, 10)
    compass.moved(to: north)
    let field = try #require(WorldMagneticModel.wmm2025.field(at: north.coordinate, time: north.time))
    let first = try #require(heading(samples.withLock { $0.last }, at: north))
    #expect(CircleAngle.difference(first.magnetic, -field.declinationDegrees) < 1e-6)
    compass.moved(to: fix(50.001001, 10.000001))
    #expect(samples.withLock { $0.count } == 2)
    let second = try #require(heading(samples.withLock { $0.last }, at: north))
    #expect(CircleAngle.difference(second.magnetic, first.magnetic) < 1e-4)
  }

  @Test("Nothing is measured while no heading is wanted, and a place that is none is passed over")
  func unwanted() {
    let (compass, samples) = compass()
    compass.moved(to: fix(50, 10, course: 90))
    compass.setWanted(true)
    compass.moved(to: fix(91, 10, course: 90))
    compass.moved(to: fix(.nan, 10, course: 90))
    compass.setWanted(false)
    compass.moved(to: fix(50, 10, course: 90))
    #expect(samples.withLock { $0.isEmpty })
  }

  @Test("A recording of other years is carried through the field of the model's nearest year")
  func otherYears() {
    let (compass, samples) = compass()
    compass.setWanted(true)
    // 2010-01-01 and 2040-01-01
    for seconds in [1_262_304_000.0, 2_208_988_800] { compass.moved(to: fix(50, 10, course: 0, seconds: seconds)) }
    #expect(samples.withLock { $0.count } == 2)
  }
}

import LocationEngine
import LocationModel
import Testing

@Suite("The calibration display (behaviour 7.7)")
struct HeadingCalibrationTests {
  private static let field = MagneticField.ofTests(at: .applePark)
  private static let clean = field.seenFlat(heading: 40)
  private static let strong = DeviceVector(x: clean.x * 1.2, y: clean.y * 1.2, z: clean.z * 1.2)

  private func bench() -> EngineBench {
    var bench = EngineBench(grant: .whenInUse)
    bench.fix(.applePark, at: 0)
    bench.request(.startUpdatingHeading, at: 1)
    return bench
  }

  private func asks(_ effects: [String]) -> Bool { effects.contains { $0.hasSuffix("calibration?") } }

  @Test("An app is asked at its first use of the compass, once, and without a yes nothing is shown")
  func firstUse() {
    var bench = bench()
    #expect(asks(bench.magnetometer(Self.clean, at: 2)))
    #expect(!asks(bench.magnetometer(Self.field.seenFlat(heading: 80), at: 3)))
    bench.request(.stopUpdatingHeading, at: 4)
    bench.request(.startUpdatingHeading, at: 5)
    #expect(!asks(bench.magnetometer(Self.clean, at: 6)))
  }

  @Test("A yes shows it until the compass has been calm for five seconds")
  func shown() {
    var bench = bench()
    bench.magnetometer(Self.clean, at: 2)
    #expect(bench.request(.showHeadingCalibration, at: 2) == ["show calibration"])
    #expect(bench.request(.showHeadingCalibration, at: 2) == [])
    bench.magnetometer(Self.strong, at: 4)
    #expect(!bench.magnetometer(Self.clean, at: 8).contains("hide calibration"))
    #expect(bench.magnetometer(Self.clean, at: 9).contains("hide calibration"))
  }

  @Test("It goes when the app dismisses it, stops its headings or leaves the foreground")
  func dismissed() {
    let ends: [(inout EngineBench) -> [String]] = [
      { $0.request(.dismissHeadingCalibration, at: 3) }, { $0.request(.stopUpdatingHeading, at: 3) },
      { $0.become(.background, at: 3) }, { $0.hear(.managerReleased(EngineBench.manager(1)), at: 3) },
      { $0.hear(.clientDisconnected(EngineBench.client), at: 3) },
    ]
    for end in ends {
      var bench = bench()
      bench.magnetometer(Self.clean, at: 2)
      bench.request(.showHeadingCalibration, at: 2)
      #expect(end(&bench).contains("hide calibration"))
      #expect(bench.request(.dismissHeadingCalibration, at: 4) == [])
    }
  }

  @Test("A disturbance asks again, and so does a field that has changed much in strength")
  func again() {
    var bench = bench()
    bench.magnetometer(Self.clean, at: 2)
    #expect(asks(bench.magnetometer(Self.strong, at: 3)))
    #expect(!asks(bench.magnetometer(Self.strong, at: 4)))

    var unplaced = EngineBench(grant: .whenInUse)
    unplaced.request(.startUpdatingHeading, at: 1)
    #expect(asks(unplaced.magnetometer(DeviceVector(x: 0, y: 20, z: -35), at: 2)))
    #expect(!asks(unplaced.magnetometer(DeviceVector(x: 0, y: 24, z: -40), at: 3)))
    #expect(asks(unplaced.magnetometer(DeviceVector(x: 0, y: 28, z: -44), at: 4)))
  }

  @Test("In the background nobody is asked; the question waits for the foreground")
  func background() {
    var bench = bench()
    bench.become(.background, at: 1)
    #expect(!asks(bench.magnetometer(Self.clean, at: 2)))
    bench.become(.foreground, at: 3)
    #expect(asks(bench.magnetometer(Self.clean, at: 4)))
    #expect(bench.request(.showHeadingCalibration, at: 4) == ["show calibration"])
  }

  @Test("A yes that nobody asked for shows nothing")
  func unasked() {
    var bench = bench()
    #expect(bench.request(.showHeadingCalibration, at: 2) == [])
  }
}

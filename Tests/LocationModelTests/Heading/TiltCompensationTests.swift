import LocationModel
import Testing

@Suite("Headings from a magnetometer and an accelerometer")
struct TiltCompensationTests {
  /// A device whose top edge points `heading` from magnetic north, lying flat, at a place of dip `dip`.
  private static func flat(heading: Double, dip: Double) -> (field: DeviceVector, up: DeviceVector) {
    let north = sineAndCosineOfDegrees(heading)
    let down = sineAndCosineOfDegrees(dip)
    // Seen from the device, north lies `heading` to the left of the top.
    return (
      DeviceVector(x: -50 * down.cosine * north.sine, y: 50 * down.cosine * north.cosine, z: -50 * down.sine),
      DeviceVector(x: 0, y: 0, z: 9.81)
    )
  }

  @Test("A device held askew at Apple Park points to 75 degrees magnetic, 87.7465 true (algorithms 4)")
  func askew() throws {
    let tilt = try #require(
      TiltCompensation(
        field: DeviceVector(x: -34.1550, y: -15.4423, z: -28.7315),
        up: DeviceVector(x: 0.296198, y: 0.5, z: 0.813798)))
    let heading = try #require(tilt.headingDegrees(of: HeadingOrientation.portrait.front))
    #expect(abs(heading - 75) < 0.0005)
    #expect(abs(CircleAngle.normalized(heading + 12.7465) - 87.7465) < 0.0005)
    #expect(abs(tilt.dipDegrees - 60.782) < 0.01)
  }

  @Test(
    "A device that lies flat points where its front edge points (behaviour 7.5)",
    arguments: [
      (HeadingOrientation.portrait, 0.0), (.landscapeLeft, 90), (.portraitUpsideDown, 180), (.landscapeRight, 270),
    ])
  func orientations(orientation: HeadingOrientation, offset: Double) throws {
    #expect(orientation.degreesFromTop == offset)
    for heading in stride(from: 0.0, to: 360, by: 15) {
      let device = Self.flat(heading: heading, dip: 61)
      let tilt = try #require(TiltCompensation(field: device.field, up: device.up))
      let measured = try #require(tilt.headingDegrees(of: orientation.front))
      #expect(CircleAngle.difference(measured, heading + offset) < 1e-9)
      #expect(abs(tilt.dipDegrees - 61) < 1e-9)
    }
  }

  @Test("South of the magnetic equator, where the field points up, north is north")
  func south() throws {
    let device = Self.flat(heading: 40, dip: -64)
    let tilt = try #require(TiltCompensation(field: device.field, up: device.up))
    #expect(abs(try #require(tilt.headingDegrees(of: HeadingOrientation.portrait.front)) - 40) < 1e-9)
    #expect(abs(tilt.dipDegrees + 64) < 1e-9)
  }

  @Test("Where no direction follows there is none")
  func nothing() {
    let up = DeviceVector(x: 0, y: 0, z: 1)
    let none = DeviceVector(x: 0, y: 0, z: 0)
    #expect(TiltCompensation(field: none, up: up) == nil)
    #expect(TiltCompensation(field: DeviceVector(x: 20, y: 0, z: -40), up: none) == nil)
    #expect(TiltCompensation(field: DeviceVector(x: 0, y: 0, z: -60), up: up) == nil)
    #expect(TiltCompensation(field: DeviceVector(x: .nan, y: 0, z: -60), up: up) == nil)
    #expect(TiltCompensation(field: DeviceVector(x: .infinity, y: 0, z: -60), up: up) == nil)
    // Held upright, the top edge points to the sky.
    let upright = TiltCompensation(field: DeviceVector(x: 20, y: -40, z: 0), up: DeviceVector(x: 0, y: 1, z: 0))
    #expect(upright?.headingDegrees(of: HeadingOrientation.portrait.front) == nil)
    #expect(upright?.headingDegrees(of: HeadingOrientation.landscapeLeft.front) != nil)
  }
}

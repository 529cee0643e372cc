import CoreLocation
import CoreLocationTesting
import Testing

/// The field's reports about headings.
@Suite("Cases: headings")
struct HeadingCases {
  @Test("SP-2: without a location no true heading; with one, magnetic north less the declination is true 0, and valid")
  func trueNorth() throws {
    let device = SimulatedDevice(permission: .whenInUse, at: CaseApp.home)
    let app = device.launch { _ in CaseApp { $0.startUpdatingHeading() } }
    device.point(magneticDegrees: 355)
    let blind = try #require(app.headings.last)
    #expect(blind.trueHeading == -1 && blind.magneticHeading == 355 && blind.headingAccuracy >= 0)

    app.manager.startUpdatingLocation()
    device.advance(by: .seconds(2))
    let seeing = try #require(app.headings.last)
    let declination = (seeing.trueHeading - seeing.magneticHeading + 360).truncatingRemainder(dividingBy: 360)
    // In Hungary the needle pointed 4 to 6 degrees east of north in 2026.
    #expect((4...6).contains(declination))
    device.point(magneticDegrees: 90)
    device.point(magneticDegrees: 360 - declination)
    let north = try #require(app.headings.last)
    #expect(north.trueHeading >= 0 && north.headingAccuracy >= 0)
    #expect(min(north.trueHeading, 360 - north.trueHeading) < 1e-9)
  }
}

import CoreLocation
import CoreLocationTesting
import Testing

/// Where a test has the device point, as an app is told.
@Suite("The compass of a simulated device")
struct CompassTests {
  private func device(_ begin: @escaping (CLLocationManager) -> Void = { $0.startUpdatingHeading() }) -> (
    SimulatedDevice, CaseApp
  ) {
    let device = SimulatedDevice(permission: .whenInUse, at: CaseApp.home)
    let app = device.launch { _ in CaseApp(begin) }
    app.forget()
    return (device, app)
  }

  @Test("An app that begins to listen hears where the device points already, and again after a stop (7.8)")
  func begins() {
    let (device, app) = device { _ in }
    device.point(magneticDegrees: 90)
    device.advance(by: .seconds(5))
    #expect(app.lines == [])
    for _ in 0..<2 {
      app.manager.startUpdatingHeading()
      device.advance(by: .zero)
      app.manager.stopUpdatingHeading()
    }
    #expect(app.lines == ["5 heading 90", "5 heading 90"])
  }

  @Test("Pointed from true north the app reads that, once it may know the place")
  func trueNorth() throws {
    let (device, app) = device {
      $0.startUpdatingHeading()
      $0.startUpdatingLocation()
    }
    device.advance(by: .seconds(2))
    for degrees in [0.0, 45, 359] {
      device.point(trueDegrees: degrees)
      let heading = try #require(app.headings.last)
      let off = abs(heading.trueHeading - degrees)
      #expect(min(off, 360 - off) < 1e-9 && abs(heading.magneticHeading - degrees) > 3)
    }
  }

  @Test("Pointing ahead, it turns with the journey, and stays while the device rests")
  func ahead() {
    let (device, app) = device {
      $0.startUpdatingHeading()
      $0.startUpdatingLocation()
    }
    device.pointAhead()
    device.advance(by: .seconds(5))
    #expect(app.headings.isEmpty, "it has not gone anywhere")
    device.play(
      Journey(from: CaseApp.home).move(meters: 100, courseDegrees: 90, metersPerSecond: 5).stay(for: .seconds(60))
        .move(meters: 100, courseDegrees: 180, metersPerSecond: 5).stay(for: .seconds(60)))
    #expect(app.headings.map { Int($0.trueHeading.rounded()) } == [90, 180])
    // The journey begins at 5 s. In Hungary the needle pointed 4 to 6 degrees east of north in 2026.
    #expect(app.headings.allSatisfy { (4...6).contains($0.trueHeading - $0.magneticHeading) })
    #expect(app.lines.filter { $0.contains("heading") }.map { $0.prefix { $0 != " " } } == ["5", "85"])
  }

  @Test("Something magnetic is headingFailure once, and a heading that says that it is none; then all is well (7.6)")
  func interference() throws {
    for place in [nil, CaseApp.home, CLLocationCoordinate2D(latitude: 0, longitude: 100)] {
      for degrees in [0.0, 90, 180, 270] {
        let device = SimulatedDevice(permission: .whenInUse, at: place)
        let app = device.launch { _ in
          CaseApp {
            $0.startUpdatingHeading()
            $0.startUpdatingLocation()
          }
        }
        device.point(magneticDegrees: degrees)
        device.advance(by: .seconds(5))
        app.forget()
        device.hasMagneticInterference = true
        #expect(app.events.first == "failed 3" && app.events.count == 2)
        let disturbed = try #require(app.headings.last)
        #expect(disturbed.headingAccuracy < 0 && disturbed.trueHeading < 0 && disturbed.x > 50)
        device.hasMagneticInterference = false
        let calm = try #require(app.headings.last)
        #expect(calm.headingAccuracy == 10 && calm.magneticHeading == degrees)
        device.advance(by: .seconds(5))
        device.hasMagneticInterference = true
        #expect(app.events.count { $0 == "failed 3" } == 2)
      }
    }
  }

  @Test("A device without a compass tells nothing, and one that gets it back begins again (7.6)")
  func noCompass() {
    let (device, app) = device()
    device.point(magneticDegrees: 10)
    #expect(app.headings.count == 1 && device.hasCompass)
    device.hasCompass = false
    #expect(!device.run { CLLocationManager.headingAvailable() })
    device.hasMagneticInterference = true
    device.hasMagneticInterference = false
    #expect(app.headings.count == 1)
    device.hasCompass = true
    device.point(magneticDegrees: 20)
    #expect(device.run { CLLocationManager.headingAvailable() } && app.headings.count == 2)
  }
}

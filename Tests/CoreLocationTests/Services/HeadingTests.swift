import CoreLocation
import CoreLocationTesting
import LocationModel
import Testing

/// Writes down what it hears.
private final class Walker: CLLocationManagerDelegate {
  var headings: [CLHeading] = []
  var calls: [String] = []
  var wantsCalibration = false

  func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
    headings.append(newHeading)
    // During the call the property is already the newest (behaviour 2.6, for headings alike).
    calls.append(manager.heading === newHeading ? "heading" : "another heading")
  }
  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    calls.append("failed \((error as? CLError)?.code.rawValue ?? -1)")
  }
  func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool {
    calls.append("calibration?")
    return wantsCalibration
  }
}

@Suite("Headings as an app hears them")
struct HeadingTests {
  @Test("A heading comes with Core Location's sentinels, and the property is nil until then (behaviour 7.1, 7.10)")
  func heading() throws {
    let device = SimulatedDevice()
    try device.run {
      let walker = Walker()
      let manager = CLLocationManager()
      manager.delegate = walker
      device.hasCompass = false
      #expect(!CLLocationManager.headingAvailable())
      device.hasCompass = true
      #expect(CLLocationManager.headingAvailable())
      #expect(manager.heading == nil)
      manager.startUpdatingHeading()
      device.point(magneticDegrees: 0, accuracyDegrees: 5)
      #expect(walker.calls == ["heading", "calibration?"])
      let heading = try #require(walker.headings.first)
      #expect(heading.magneticHeading == 0 && heading.trueHeading == -1 && heading.headingAccuracy == 5)
      #expect(heading.x == 0 && heading.y == 0 && heading.z == 0)
      #expect(heading.timestamp.timeIntervalSince1970 == 1_780_300_800)
      manager.stopUpdatingHeading()
      device.point(magneticDegrees: 90)
      #expect(walker.headings.count == 1)
      #expect(manager.heading === heading)
      device.hasCompass = false
      #expect(!CLLocationManager.headingAvailable())
    }
  }

  @Test("Filter and orientation reach the service; face up, face down and unknown change nothing (behaviour 7.4, 7.5)")
  func settings() {
    let device = SimulatedDevice()
    device.run {
      let walker = Walker()
      let manager = CLLocationManager()
      manager.delegate = walker
      #expect(manager.headingFilter == 1 && manager.headingOrientation == .portrait)
      manager.headingFilter = 10
      manager.headingOrientation = .landscapeLeft
      for ignored in [CLDeviceOrientation.unknown, .faceUp, .faceDown] { manager.headingOrientation = ignored }
      #expect(manager.headingOrientation == .landscapeLeft)
      manager.startUpdatingHeading()
      for degrees in [300.0, 305, 310, 311] { device.point(magneticDegrees: degrees) }
      #expect(walker.headings.map(\.magneticHeading) == [30, 40])
      manager.headingFilter = kCLHeadingFilterNone
      device.point(magneticDegrees: 311)
      device.point(magneticDegrees: 311)
      #expect(walker.headings.map(\.magneticHeading) == [30, 40, 41, 41])
    }
  }

  @Test("A disturbed magnetometer is headingFailure, and headings that are invalid (behaviour 7.3, 7.6, 7.9)")
  func interference() throws {
    let device = SimulatedDevice()
    try device.run {
      let walker = Walker()
      let manager = CLLocationManager()
      manager.delegate = walker
      manager.startUpdatingHeading()
      let field = DeviceVector(x: 0, y: 90, z: -120)
      let up = DeviceVector(x: 0, y: 0, z: 9.81)
      device.measure(
        HeadingSample(
          .field(microteslas: field, acceleration: up), time: WallTime(secondsSince1970: 1_780_300_800)))
      #expect(walker.calls == ["failed 3", "heading", "calibration?"])
      let heading = try #require(walker.headings.first)
      #expect(heading.headingAccuracy < 0 && heading.trueHeading < 0)
      #expect(heading.x == 0 && heading.y == 90 && heading.z == -120)
    }
  }

  @Test("A delegate that says yes has the calibration shown, and the app takes it down (behaviour 7.7)")
  func calibration() {
    let device = SimulatedDevice()
    device.run {
      let walker = Walker()
      walker.wantsCalibration = true
      let manager = CLLocationManager()
      manager.delegate = walker
      manager.startUpdatingHeading()
      device.point(magneticDegrees: 10)
      #expect(device.notices.lines.contains { $0.contains("calibrate the compass") })
      manager.dismissHeadingCalibrationDisplay()
      device.point(magneticDegrees: 20)
      #expect(walker.calls.filter { $0 == "calibration?" }.count == 1)
    }
  }
}

import CoreLocation
import CoreLocationTesting
import XCTest

// Client code of point 3: a test case, which is no NSObject on Linux, is the delegate itself. XCTest, because that is
// what has to conform.
final class TestCaseDelegateTests: XCTestCase, CLLocationManagerDelegate {
  private var received: [CLLocation] = []

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    received += locations
  }

  func testATestCaseMayBeADelegate() {
    let delegate: any CLLocationManagerDelegate = self
    let device = SimulatedDevice()
    delegate.locationManager(
      device.run { CLLocationManager() }, didUpdateLocations: [CLLocation(latitude: 1, longitude: 2)])
    XCTAssertEqual(received.map(\.coordinate.longitude), [2])
  }
}

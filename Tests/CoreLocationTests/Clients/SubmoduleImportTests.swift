import CoreLocation.CLError
import CoreLocation.CLGeocoder
import CoreLocation.CLHeading
import CoreLocation.CLLocation
import CoreLocation.CLLocationManager
import CoreLocation.CLLocationManagerDelegate
import CoreLocation.CLRegion
import CoreLocation.CLVisit
import Testing

import struct CoreLocation.CLLocationCoordinate2D

// Client code of point 2: this file imports the module by its submodules alone.

private final class SubmoduleDelegate: NSObject, CLLocationManagerDelegate {
  func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {}
}

@Suite("Clients 2: imports of submodules")
struct SubmoduleImportTests {
  @Test("a submodule's import brings the whole module")
  func names() {
    let location = CLLocation(latitude: 1, longitude: 2)
    let region: CLRegion = CLCircularRegion(center: location.coordinate, radius: 1, identifier: "a")
    #expect(region.identifier == "a")
    #expect(CLError(.denied).code == .denied)
    #expect(CLHeading().headingAccuracy < 0)
    #expect(SubmoduleDelegate() as Any is any CLLocationManagerDelegate)
    #expect(CLLocationCoordinate2D().latitude == 0)
  }
}

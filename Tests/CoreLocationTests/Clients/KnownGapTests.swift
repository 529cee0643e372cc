import CoreLocation
import Testing

// Point 10: what a module in Swift alone cannot do as Objective-C does. These tests hold the differences still, so that
// docs/compatibility.md stays true.

private class Base: CLLocationManagerDelegate {}

private final class Derived: Base {
  var updates = 0

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    updates += 1
  }
}

private final class Overriding: CLLocationManagerDelegate {
  var updates = 0

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    updates += 1
  }
}

private final class NearMiss: CLLocationManagerDelegate {
  var updates = 0

  func locationManager(_ manager: CLLocationManager, didUpdateLocation locations: [CLLocation]) {
    updates += 1
  }
}

@Suite("Clients 10: known gaps", .onSimulatedDevice)
struct KnownGapTests {
  private func update(_ delegate: any CLLocationManagerDelegate) {
    delegate.locationManager(CLLocationManager(), didUpdateLocations: [CLLocation(latitude: 1, longitude: 2)])
  }

  @Test("a method that only a subclass of the conforming class has is not called")
  func subclassOfConformer() {
    let derived = Derived()
    update(derived)
    #expect(derived.updates == 0)
    let overriding = Overriding()
    update(overriding)
    #expect(overriding.updates == 1)
  }

  @Test("a number that is no status gives nil")
  func closedEnum() {
    #expect(CLAuthorizationStatus(rawValue: 5) == nil)
    #expect(CLAuthorizationStatus(rawValue: 4) == .authorizedWhenInUse)
  }

  @Test("a method whose name is nearly right is not called")
  func nearMiss() {
    let delegate = NearMiss()
    update(delegate)
    #expect(delegate.updates == 0)
  }
}

@preconcurrency import CoreLocation
import Testing

// Client code of point 9: view models on the main actor that are the manager's delegate, in the three ways that Swift 6
// allows.

@MainActor
private final class PreconcurrencyModel: NSObject, @preconcurrency CLLocationManagerDelegate {
  var status = CLAuthorizationStatus.notDetermined
  var locations: [CLLocation] = []

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    self.locations = locations
  }
}

@MainActor
private final class NonisolatedModel: NSObject, CLLocationManagerDelegate {
  var last: CLLocation?

  nonisolated func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    guard let newest = locations.last else { return }
    MainActor.assumeIsolated { last = newest }
  }
}

@MainActor
private final class TaskModel: NSObject, CLLocationManagerDelegate {
  var last: CLLocation?

  nonisolated func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    Task { @MainActor in last = locations.last }
  }
}

@Suite("Clients 9: delegates on the main actor", .onSimulatedDevice)
@MainActor
struct MainActorClientTests {
  @Test("delegates on the main actor are called on it")
  func delegates() {
    let manager = CLLocationManager()
    let location = CLLocation(latitude: 1, longitude: 2)
    let preconcurrency = PreconcurrencyModel()
    let nonisolated = NonisolatedModel()
    for delegate in [preconcurrency, nonisolated, TaskModel()] as [any CLLocationManagerDelegate] {
      delegate.locationManager(manager, didUpdateLocations: [location])
    }
    #expect(preconcurrency.locations.first === location)
    #expect(nonisolated.last === location)
  }

  @Test("locations travel between actors")
  func sending() async {
    let location = CLLocation(latitude: 1, longitude: 2)
    let latitude = await Task.detached { location.coordinate.latitude }.value
    #expect(latitude == 1)
  }
}

import CoreLocation

/// Which neighbourhood the device is in: to a kilometre, and again after each half kilometre. The receivers that this
/// needs are cheaper than those for a street address.
final class StandardUpdates: NSObject, CLLocationManagerDelegate {
  private var manager: CLLocationManager?
  private let sink: (CLLocation) -> Void

  /// - Parameter sink: is given each location that is fresh enough.
  init(_ sink: @escaping (CLLocation) -> Void) {
    self.sink = sink
  }

  /// Makes the manager when it is first needed; nothing is asked and nothing runs before.
  func start() {
    let manager = manager ?? CLLocationManager()
    self.manager = manager
    manager.delegate = self
    manager.desiredAccuracy = kCLLocationAccuracyKilometer
    manager.distanceFilter = 500
    if manager.authorizationStatus == .notDetermined { manager.requestWhenInUseAuthorization() }
    manager.startUpdatingLocation()
  }

  func stop() { manager?.stopUpdatingLocation() }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    if let location = RecentLocation.last(of: locations) { sink(location) }
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    print("No location: \(error.localizedDescription)")
  }
}

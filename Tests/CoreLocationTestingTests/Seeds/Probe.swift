import CoreLocation
import CoreLocationTesting

/// An app that does what a test tells it, and keeps what it hears.
final class Probe: NSObject, CLLocationManagerDelegate {
  let launch: SimulatedLaunch
  let manager = CLLocationManager()
  private(set) var locations: [CLLocation] = []
  private(set) var failures: [CLError.Code] = []
  private(set) var statuses: [CLAuthorizationStatus] = []

  init(_ launch: SimulatedLaunch, _ begin: (Probe) -> Void = { _ in }) {
    self.launch = launch
    super.init()
    manager.delegate = self
    manager.pausesLocationUpdatesAutomatically = false
    begin(self)
  }

  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    statuses.append(manager.authorizationStatus)
  }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    self.locations += locations
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    if let error = error as? CLError { failures.append(error.code) }
  }
}

extension ProductTests {
  /// Eleven kilometres north of home.
  static let farAway = CLLocationCoordinate2D(latitude: 47.6, longitude: 19.2)
}

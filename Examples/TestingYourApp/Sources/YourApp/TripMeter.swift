import CoreLocation

/// Measures how far the person has gone.
public final class TripMeter: NSObject, CLLocationManagerDelegate {
  public private(set) var meters = 0.0
  public private(set) var isRefused = false
  private let manager = CLLocationManager()
  private var last: CLLocation?

  public override init() {
    super.init()
    manager.delegate = self
    manager.distanceFilter = 10
  }

  public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    switch manager.authorizationStatus {
    case .notDetermined: manager.requestWhenInUseAuthorization()
    case .authorizedWhenInUse, .authorizedAlways: manager.startUpdatingLocation()
    default: isRefused = true
    }
  }

  public func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    for location in locations where Date().timeIntervalSince(location.timestamp) < 10 {
      if let last { meters += location.distance(from: last) }
      last = location
    }
  }

  public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {}
}

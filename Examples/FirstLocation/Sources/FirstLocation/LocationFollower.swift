import CoreLocation

/// Follows the device to within half a kilometre or so and prints where it is.
final class LocationFollower: NSObject, CLLocationManagerDelegate {
  /// The first event after a start is often an old one that the system still remembered.
  private static let ageLimitSeconds: TimeInterval = 15

  private let manager = CLLocationManager()

  override init() {
    super.init()
    manager.delegate = self
    manager.desiredAccuracy = kCLLocationAccuracyKilometer
    manager.distanceFilter = 500
  }

  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    switch manager.authorizationStatus {
    case .notDetermined:
      print("Asking for permission.")
      manager.requestWhenInUseAuthorization()
    case .authorizedWhenInUse, .authorizedAlways:
      print("Permission granted.")
      manager.startUpdatingLocation()
    case .denied, .restricted:
      print("Permission denied.")
      manager.stopUpdatingLocation()
    @unknown default:
      print("A permission this program does not know: \(manager.authorizationStatus.rawValue).")
    }
  }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    for location in locations where -location.timestamp.timeIntervalSinceNow < Self.ageLimitSeconds {
      let coordinate = location.coordinate
      let place = String(format: "latitude %.5f, longitude %.5f", coordinate.latitude, coordinate.longitude)
      let quality = String(format: "within %.0f m, %.1f m/s", location.horizontalAccuracy, location.speed)
      print("\(timeOfDay(location.timestamp))  \(place), \(quality)")
    }
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: Error) {
    // Apple: this error can be ignored, since the service goes on trying and a location may follow.
    if (error as? CLError)?.code == .locationUnknown {
      print("No location just now; waiting for the next.")
    } else {
      print("No location: \(error.localizedDescription)")
    }
  }

  private func timeOfDay(_ date: Date) -> String {
    let formatter = DateFormatter()
    formatter.dateFormat = "HH:mm:ss"
    return formatter.string(from: date)
  }
}

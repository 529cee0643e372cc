import CoreLocation

/// That the device has gone far, without a receiver that is always on. An app that has ended is started for it, and has
/// to call `start()` again to hear it.
final class SignificantChanges: NSObject, CLLocationManagerDelegate {
  private var manager: CLLocationManager?
  private let sink: (CLLocation) -> Void

  init(_ sink: @escaping (CLLocation) -> Void) {
    self.sink = sink
  }

  /// - Returns: false where the device has no such service.
  @discardableResult
  func start() -> Bool {
    guard CLLocationManager.significantLocationChangeMonitoringAvailable() else { return false }
    let manager = manager ?? CLLocationManager()
    self.manager = manager
    manager.delegate = self
    if manager.authorizationStatus == .notDetermined { manager.requestAlwaysAuthorization() }
    manager.startMonitoringSignificantLocationChanges()
    return true
  }

  func stop() { manager?.stopMonitoringSignificantLocationChanges() }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    if let location = RecentLocation.last(of: locations) { sink(location) }
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    print("No location: \(error.localizedDescription)")
  }
}

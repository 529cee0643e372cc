import CoreLocation

/// Notes when the person leaves home, also while the app does not run.
public final class HomeWatch: NSObject, CLLocationManagerDelegate {
  public private(set) var notes: [String] = []
  private let manager = CLLocationManager()

  public override init() {
    super.init()
    manager.delegate = self
  }

  /// The person says where home is. The system remembers it over every end of the app.
  public func watch(_ home: CLLocationCoordinate2D) {
    manager.startMonitoring(for: CLCircularRegion(center: home, radius: 150, identifier: "home"))
  }

  public func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
    notes.append("left \(region.identifier)")
  }
}

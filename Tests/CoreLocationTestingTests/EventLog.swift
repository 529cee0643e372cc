import CoreLocation
import CoreLocationTesting

/// A delegate that writes down what it hears, each line with the simulated second.
final class EventLog: NSObject, CLLocationManagerDelegate {
  private let device: SimulatedDevice
  private(set) var lines: [String] = []
  private(set) var locations: [CLLocation] = []
  /// For each delivery, whether the manager's `location` was the newest delivered one at that moment.
  private(set) var managerAgreed: [Bool] = []

  init(_ device: SimulatedDevice) {
    self.device = device
  }

  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    let accuracy = manager.accuracyAuthorization == .fullAccuracy ? "" : ", reduced"
    note("authorization \(manager.authorizationStatus.word)\(accuracy)")
  }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    self.locations += locations
    managerAgreed.append(manager.location === locations.last)
    note(locations.count == 1 ? "location" : "\(locations.count) locations")
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    note("failed \((error as NSError).code)")
  }

  func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
    note("monitoring \(region.identifier)")
  }

  func locationManager(_ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion) {
    let word =
      switch state {
      case .unknown: "unknown"
      case .inside: "inside"
      case .outside: "outside"
      }
    note("\(word) \(region.identifier)")
  }

  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    note("entered \(region.identifier)")
  }

  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
    note("exited \(region.identifier)")
  }

  func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
  ) {
    note("failed \((error as NSError).code) \(region?.identifier ?? "nil")")
  }

  private func note(_ event: String) {
    lines.append("\(Int(device.seconds.rounded())) \(event)")
  }

  func forget() {
    lines = []
    locations = []
  }
}

/// An app as most are: one manager and its delegate.
struct SmallApp {
  let manager: CLLocationManager
  let log: EventLog

  init(on device: SimulatedDevice) {
    let log = EventLog(device)
    self.log = log
    manager = device.run {
      let manager = CLLocationManager()
      manager.delegate = log
      return manager
    }
  }
}

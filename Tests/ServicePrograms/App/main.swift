import AppLifecycle
import CoreLocation

// service-app [always] [again] [settings]: asks for permission, follows the device, and prints a line for all that it
// hears.
//
//   always    asks for Always once it may use locations while in use
//   again     starts a second time after its first failure
//   settings  opens its settings as soon as it is denied

/// Hears everything and prints it.
final class Teller: NSObject, CLLocationManagerDelegate {
  private let manager = CLLocationManager()
  private var asksForAlways = CommandLine.arguments.contains("always")
  private var startsAgain = CommandLine.arguments.contains("again")

  override init() {
    super.init()
    manager.delegate = self
  }

  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    let accuracy = manager.accuracyAuthorization == .fullAccuracy ? "full" : "reduced"
    tell("status \(Self.name(of: manager.authorizationStatus)) \(accuracy)")
    switch manager.authorizationStatus {
    case .notDetermined: manager.requestWhenInUseAuthorization()
    case .authorizedWhenInUse:
      manager.startUpdatingLocation()
      if asksForAlways { manager.requestAlwaysAuthorization() }
      asksForAlways = false
    case .denied where CommandLine.arguments.contains("settings"): openSettings()
    default: manager.startUpdatingLocation()
    }
  }

  private func openSettings() {
    MainActor.assumeIsolated {
      guard let settings = URL(string: UIApplication.openSettingsURLString) else { return }
      UIApplication.shared.open(settings) { isOpen in
        print("settings \(isOpen)")
        fflush(nil)
      }
    }
  }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    for location in locations {
      tell("fix \(location.coordinate.latitude) ±\(Int(location.horizontalAccuracy.rounded()))")
    }
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    tell("failed \((error as? CLError)?.code.rawValue ?? -1)")
    guard startsAgain else { return }
    startsAgain = false
    manager.stopUpdatingLocation()
    manager.startUpdatingLocation()
  }

  private static func name(of status: CLAuthorizationStatus) -> String {
    switch status {
    case .notDetermined: "notDetermined"
    case .restricted: "restricted"
    case .denied: "denied"
    case .authorizedAlways: "authorizedAlways"
    case .authorizedWhenInUse: "authorizedWhenInUse"
    @unknown default: "unknown"
    }
  }

  private func tell(_ line: String) {
    print(line)
    fflush(nil)
  }
}

let teller = Teller()
RunLoop.main.run()

import AppLifecycle
import BackgroundTracking
import CoreLocation

/// An app of a simulated day.
@MainActor
protocol TrackerApp: UIApplicationDelegate {
  var model: LocationShareModel { get }
}

/// The tracker, kept running by tasks or by a session.
final class RestingTracker: UIResponder, TrackerApp {
  let model: LocationShareModel
  private let tracker: LocationTracker

  init(model: LocationShareModel, keeper: any BackgroundKeeping, clock: any Clock<Duration>) {
    self.model = model
    tracker = LocationTracker(model: model, keeper: keeper, clock: clock)
    super.init()
  }

  required init() { preconditionFailure("a day makes its apps itself") }

  func applicationDidBecomeActive(_ application: UIApplication) { tracker.start() }
}

/// Updates without a rest, or significant changes: nothing to wait for.
final class PlainTracker: UIResponder, TrackerApp, @preconcurrency CLLocationManagerDelegate {
  enum Service {
    case updates
    case significantChanges
  }

  let model: LocationShareModel
  private let manager = CLLocationManager()

  init(model: LocationShareModel, service: Service) {
    self.model = model
    super.init()
    manager.delegate = self
    switch service {
    case .updates:
      manager.desiredAccuracy = kCLLocationAccuracyBestForNavigation
      manager.pausesLocationUpdatesAutomatically = false
      manager.allowsBackgroundLocationUpdates = true
      manager.startUpdatingLocation()
    case .significantChanges: manager.startMonitoringSignificantLocationChanges()
    }
  }

  required init() { preconditionFailure("a day makes its apps itself") }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    model.add(locations)
  }
}

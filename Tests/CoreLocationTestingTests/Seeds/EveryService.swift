import CoreLocation
import CoreLocationTesting

/// One service alone on a device that stays at home for a while, with a beacon, and drives away: whether it is served.
///
/// Each has a device of its own, since what one service is told could be taken for another's.
enum EveryService: String, CaseIterable {
  case updates, oneLocation, significantChanges, regions, visits, ranging

  /// Those that watch for something to happen, and may start or wake an app.
  static let watching: Set<EveryService> = [.significantChanges, .regions, .visits]

  private static let beacon = UUID(uuid: (7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

  private func begin(_ manager: CLLocationManager) {
    switch self {
    case .updates: manager.startUpdatingLocation()
    case .oneLocation: manager.requestLocation()
    case .significantChanges: manager.startMonitoringSignificantLocationChanges()
    case .regions:
      manager.startMonitoring(for: CLCircularRegion(center: ProductTests.home, radius: 150, identifier: "home"))
    case .visits: manager.startMonitoringVisits()
    case .ranging: manager.startRangingBeacons(satisfying: CLBeaconIdentityConstraint(uuid: Self.beacon))
    }
  }

  /// - Parameter isAway: the app is left and suspended before anything happens; what it heard until then does not
  ///   count.
  func isServed(_ permission: SimulatedPermission, era: SimulatedEra, isAway: Bool = false) -> Bool {
    let device = SimulatedDevice(permission: permission, era: era, at: ProductTests.home)
    device.addBeacon(Self.beacon, major: 1, minor: 1, at: ProductTests.home, packetsPerSecond: 1)
    let listener = device.launch { _ in
      ServiceListener { if !isAway || Self.watching.contains(self) { begin($0) } }
    }
    if isAway {
      device.advance(by: .seconds(60))
      device.moveToBackground()
      device.advance(by: .seconds(30))
      listener.isServed = false
      device.run { if !Self.watching.contains(self) { begin(listener.manager) } }
    }
    device.play(Journey(from: ProductTests.home).stay(for: .seconds(900)).drive(to: ProductTests.farAway))
    return listener.isServed
  }
}

private final class ServiceListener: NSObject, CLLocationManagerDelegate {
  let manager = CLLocationManager()
  var isServed = false

  init(_ begin: (CLLocationManager) -> Void) {
    super.init()
    manager.delegate = self
    begin(manager)
  }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) { isServed = true }
  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {}
  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) { isServed = true }
  func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) { isServed = true }

  func locationManager(
    _ manager: CLLocationManager, didRange beacons: [CLBeacon], satisfying constraint: CLBeaconIdentityConstraint
  ) {
    if !beacons.isEmpty { isServed = true }
  }
}

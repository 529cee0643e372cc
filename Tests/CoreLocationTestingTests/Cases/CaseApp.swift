import CoreLocation
import CoreLocationTesting

/// An app that writes down what it hears, each line with the second of the device's clock.
final class CaseApp: NSObject, CLLocationManagerDelegate {
  static let home = CLLocationCoordinate2D(latitude: 47.5, longitude: 19.2)
  /// When devices start, unless a test says otherwise.
  static let start = Date(timeIntervalSince1970: 1_780_300_800)

  let manager = CLLocationManager()
  /// What it heard before it was made.
  private(set) var linesInInitializer: [String] = []
  /// What the manager knew when the app started.
  private(set) var locationAtStart: CLLocation?
  private(set) var lines: [String] = []
  private(set) var locations: [CLLocation] = []
  private(set) var headings: [CLHeading] = []
  private(set) var beacons: [[CLBeacon]] = []
  /// For each delivery, whether the manager's `location` was the newest delivered one at that moment.
  private(set) var managerAgreed: [Bool] = []
  /// The threads on which it was called.
  private(set) var threads: Set<ObjectIdentifier> = []

  init(_ begin: (CLLocationManager) -> Void = { _ in }) {
    super.init()
    locationAtStart = manager.location
    manager.delegate = self
    begin(manager)
    linesInInitializer = lines
  }

  func forget() {
    lines = []
    locations = []
    beacons = []
  }

  /// The lines without their seconds.
  var events: [String] { lines.map { $0.split(separator: " ").dropFirst().joined(separator: " ") } }

  /// The second of the first line that ends so.
  func second(of event: String) -> Int? {
    lines.first { $0.hasSuffix(" \(event)") }.flatMap { Int($0.prefix { $0 != " " }) }
  }

  private func note(_ event: String) {
    threads.insert(ObjectIdentifier(Thread.current))
    lines.append("\(Int(Date().timeIntervalSince(Self.start).rounded())) \(event)")
  }

  // MARK: CLLocationManagerDelegate

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

  func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) { note("paused") }
  func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) { note("resumed") }

  func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
    note("monitoring \(region.identifier)")
  }

  func locationManager(_ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion) {
    note("\(state == .inside ? "inside" : state == .outside ? "outside" : "unknown") \(region.identifier)")
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

  func locationManager(
    _ manager: CLLocationManager, didRange beacons: [CLBeacon], satisfying beaconConstraint: CLBeaconIdentityConstraint
  ) {
    self.beacons.append(beacons)
    note("ranged \(beacons.map { $0.proximity == .unknown ? "unknown" : "\($0.minor)" }.joined(separator: ", "))")
  }

  func locationManager(
    _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint, error: any Error
  ) {
    note("failed \((error as NSError).code) ranging")
  }

  func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
    headings.append(newHeading)
    note("heading \(Int(newHeading.magneticHeading.rounded()))")
  }
}

extension CLAuthorizationStatus {
  var word: String {
    switch self {
    case .notDetermined: "notDetermined"
    case .restricted: "restricted"
    case .denied: "denied"
    case .authorizedAlways: "always"
    case .authorizedWhenInUse: "whenInUse"
    }
  }
}

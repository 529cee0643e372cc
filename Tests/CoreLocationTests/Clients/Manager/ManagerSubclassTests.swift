import CoreLocation
import Testing

// Client code of point 5, for the manager: the members that apps override most.

private final class MockLocationManager: CLLocationManager {
  var calls: [String] = []
  private var status = CLAuthorizationStatus.notDetermined
  private var regions: Set<CLRegion> = []
  private weak var ownDelegate: (any CLLocationManagerDelegate)?

  override init() {
    super.init()
  }

  override var delegate: (any CLLocationManagerDelegate)? {
    get { ownDelegate }
    set { ownDelegate = newValue }
  }

  /// One client adds a setter.
  override var authorizationStatus: CLAuthorizationStatus {
    get { status }
    set { status = newValue }
  }

  override var location: CLLocation? { CLLocation(latitude: 1, longitude: 2) }
  override var monitoredRegions: Set<CLRegion> { regions }
  override var allowsBackgroundLocationUpdates: Bool {
    get { true }
    set { calls.append("background \(newValue)") }
  }

  override func requestWhenInUseAuthorization() {
    status = .authorizedWhenInUse
    delegate?.locationManagerDidChangeAuthorization?(self)
  }
  override func requestAlwaysAuthorization() { calls.append("always") }
  override func startUpdatingLocation() {
    delegate?.locationManager?(self, didUpdateLocations: [CLLocation(latitude: 3, longitude: 4)])
  }
  override func stopUpdatingLocation() { calls.append("stop") }
  override func requestLocation() { calls.append("request") }
  override func startMonitoring(for region: CLRegion) { regions.insert(region) }
  override func stopMonitoring(for region: CLRegion) { regions.remove(region) }

  override class func locationServicesEnabled() -> Bool { true }
  override class func isMonitoringAvailable(for regionClass: AnyClass) -> Bool { regionClass == CLCircularRegion.self }
}

private final class Recorder: NSObject, CLLocationManagerDelegate {
  var latitudes: [Double] = []
  var statuses: [CLAuthorizationStatus] = []

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    latitudes += locations.map(\.coordinate.latitude)
  }
  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    statuses.append(manager.authorizationStatus)
  }
}

@Suite("Clients 5: subclasses of the manager", .onSimulatedDevice)
struct ManagerSubclassTests {
  @Test("a mock manager drives its delegate")
  func mock() {
    let mock = MockLocationManager()
    let recorder = Recorder()
    let manager: CLLocationManager = mock
    manager.delegate = recorder
    manager.requestWhenInUseAuthorization()
    manager.startUpdatingLocation()
    manager.stopUpdatingLocation()
    manager.allowsBackgroundLocationUpdates = true
    #expect(recorder.statuses == [.authorizedWhenInUse] && recorder.latitudes == [3])
    #expect(mock.calls == ["stop", "background true"])
    #expect(manager.location?.coordinate.longitude == 2)
    manager.startMonitoring(
      for: CLCircularRegion(center: CLLocationCoordinate2D(), radius: 1, identifier: "home"))
    #expect(manager.monitoredRegions.map(\.identifier) == ["home"])
    #expect(MockLocationManager.isMonitoringAvailable(for: CLCircularRegion.self))
    #expect(type(of: manager).locationServicesEnabled())
  }
}

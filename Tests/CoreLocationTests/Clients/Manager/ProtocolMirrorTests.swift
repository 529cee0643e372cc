import CoreLocation
import Testing

// Client code of point 7: apps mirror the manager in a protocol of their own and declare that it conforms. Each
// signature has to be Apple's to the letter.

private protocol LocationManaging: AnyObject {
  var delegate: (any CLLocationManagerDelegate)? { get set }
  var desiredAccuracy: CLLocationAccuracy { get set }
  var distanceFilter: CLLocationDistance { get set }
  var activityType: CLActivityType { get set }
  var allowsBackgroundLocationUpdates: Bool { get set }
  var pausesLocationUpdatesAutomatically: Bool { get set }
  var showsBackgroundLocationIndicator: Bool { get set }
  var headingFilter: CLLocationDegrees { get set }
  var headingOrientation: CLDeviceOrientation { get set }
  var location: CLLocation? { get }
  var heading: CLHeading? { get }
  var authorizationStatus: CLAuthorizationStatus { get }
  var accuracyAuthorization: CLAccuracyAuthorization { get }
  var monitoredRegions: Set<CLRegion> { get }
  var rangedBeaconConstraints: Set<CLBeaconIdentityConstraint> { get }
  var maximumRegionMonitoringDistance: CLLocationDistance { get }

  func requestWhenInUseAuthorization()
  func requestAlwaysAuthorization()
  func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String)
  func requestTemporaryFullAccuracyAuthorization(
    withPurposeKey purposeKey: String, completion: (@Sendable ((any Error)?) -> Void)?)
  func startUpdatingLocation()
  func stopUpdatingLocation()
  func requestLocation()
  func startUpdatingHeading()
  func stopUpdatingHeading()
  func dismissHeadingCalibrationDisplay()
  func startMonitoringSignificantLocationChanges()
  func stopMonitoringSignificantLocationChanges()
  func startMonitoringVisits()
  func stopMonitoringVisits()
  func startMonitoring(for region: CLRegion)
  func stopMonitoring(for region: CLRegion)
  func requestState(for region: CLRegion)
  func startRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint)
  func stopRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint)

  static func locationServicesEnabled() -> Bool
  static func headingAvailable() -> Bool
  static func significantLocationChangeMonitoringAvailable() -> Bool
  static func isMonitoringAvailable(for regionClass: AnyClass) -> Bool
  static func isRangingAvailable() -> Bool
}

extension CLLocationManager: LocationManaging {}

private protocol LocationDescribing {
  var coordinate: CLLocationCoordinate2D { get }
  var timestamp: Date { get }
  func distance(from location: CLLocation) -> CLLocationDistance
}

extension CLLocation: LocationDescribing {}

@Suite("Clients 7: protocol mirrors", .onSimulatedDevice)
struct ProtocolMirrorTests {
  @Test("the manager conforms to a mirror of itself")
  func mirror() {
    let manager: any LocationManaging = CLLocationManager()
    manager.desiredAccuracy = kCLLocationAccuracyKilometer
    #expect(manager.desiredAccuracy == kCLLocationAccuracyKilometer)
    let location: any LocationDescribing = CLLocation(latitude: 1, longitude: 2)
    #expect(location.coordinate.longitude == 2)
  }
}

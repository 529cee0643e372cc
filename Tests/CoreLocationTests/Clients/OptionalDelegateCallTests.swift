import CoreLocation
import Testing

// Client code of point 1: look-alikes of the manager call their delegate as if its methods were Objective-C's optional
// ones.

/// A stand-in for the location manager as apps' tests have it.
private final class MockManager {
  weak var delegate: (any CLLocationManagerDelegate)?
  let manager = CLLocationManager()

  func simulate(_ locations: [CLLocation]) {
    delegate?.locationManager?(manager, didUpdateLocations: locations)
  }

  func simulateEverythingElse(region: CLRegion, constraint: CLBeaconIdentityConstraint) {
    delegate?.locationManagerDidChangeAuthorization?(manager)
    delegate?.locationManagerDidPauseLocationUpdates?(manager)
    delegate?.locationManagerDidResumeLocationUpdates?(manager)
    delegate?.locationManager?(manager, didFailWithError: CLError(.denied))
    delegate?.locationManager?(manager, didUpdateHeading: CLHeading())
    delegate?.locationManager?(manager, didDetermineState: .inside, for: region)
    delegate?.locationManager?(manager, didEnterRegion: region)
    delegate?.locationManager?(manager, didExitRegion: region)
    delegate?.locationManager?(manager, didStartMonitoringFor: region)
    delegate?.locationManager?(manager, monitoringDidFailFor: nil, withError: CLError(.regionMonitoringFailure))
    delegate?.locationManager?(manager, didRange: [], satisfying: constraint)
    delegate?.locationManager?(manager, didFailRangingFor: constraint, error: CLError(.rangingFailure))
    delegate?.locationManager?(manager, didFinishDeferredUpdatesWithError: nil)
    delegate?.locationManager?(manager, didVisit: CLVisit())
  }

  var wantsCalibration: Bool {
    delegate?.locationManagerShouldDisplayHeadingCalibration?(manager) ?? false
  }
}

private final class Listener: CLLocationManagerDelegate {
  var calls: [String] = []

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    calls.append("locations \(locations.count)")
  }
  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) { calls.append("authorization") }
  func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) { calls.append("pause") }
  func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) { calls.append("resume") }
  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) { calls.append("error") }
  func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
    calls.append("heading")
  }
  func locationManager(_ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion) {
    calls.append("state")
  }
  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) { calls.append("enter") }
  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) { calls.append("exit") }
  func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
    calls.append("start")
  }
  func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
  ) {
    calls.append("monitoring failed")
  }
  func locationManager(
    _ manager: CLLocationManager, didRange beacons: [CLBeacon], satisfying constraint: CLBeaconIdentityConstraint
  ) {
    calls.append("range")
  }
  func locationManager(
    _ manager: CLLocationManager, didFailRangingFor constraint: CLBeaconIdentityConstraint, error: any Error
  ) {
    calls.append("ranging failed")
  }
  func locationManager(_ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?) {
    calls.append("deferred")
  }
  func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) { calls.append("visit") }
  func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool { true }
}

/// Many delegates have a property of their own named `locationManager`.
private final class OwnProperty: NSObject, CLLocationManagerDelegate {
  let locationManager: CLLocationManager? = CLLocationManager()
  var hasOwnManager: Bool {
    guard let locationManager else { return false }
    return type(of: locationManager) == CLLocationManager.self
  }
}

@Suite("Clients 1: optional calls of a delegate", .onSimulatedDevice)
struct OptionalDelegateCallTests {
  @Test("a call with a question mark reaches the delegate's method")
  func optionalCalls() {
    let mock = MockManager()
    let listener = Listener()
    mock.delegate = listener
    mock.simulate([CLLocation(latitude: 1, longitude: 2)])
    mock.simulateEverythingElse(
      region: CLCircularRegion(center: CLLocationCoordinate2D(), radius: 1, identifier: "a"),
      constraint: CLBeaconIdentityConstraint(uuid: UUID()))
    #expect(
      listener.calls == [
        "locations 1", "authorization", "pause", "resume", "error", "heading", "state", "enter", "exit", "start",
        "monitoring failed", "range", "ranging failed", "deferred", "visit",
      ])
    #expect(mock.wantsCalibration)
  }

  @Test("a delegate that is gone is not called")
  func goneDelegate() {
    let mock = MockManager()
    mock.simulate([CLLocation(latitude: 1, longitude: 2)])
    #expect(!mock.wantsCalibration)
  }

  @Test("a delegate's own property named locationManager is that property")
  func ownProperty() {
    #expect(OwnProperty().hasOwnManager)
  }
}

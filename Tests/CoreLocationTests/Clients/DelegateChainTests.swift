@testable import CoreLocation
import Testing

// Point 11: old and new clients both work without knowing which of the methods a delegate implements.

private final class LegacyDelegate: CLLocationManagerDelegate {
  var calls: [String] = []

  func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus) {
    calls.append("status \(status.rawValue)")
  }
  func locationManager(
    _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation, from oldLocation: CLLocation
  ) {
    calls.append("\(newLocation.coordinate.latitude) from \(oldLocation.coordinate.latitude)")
  }
  func locationManager(
    _ manager: CLLocationManager, didRangeBeacons beacons: [CLBeacon], in region: CLBeaconRegion
  ) {
    calls.append("\(beacons.count) in \(region.identifier)")
  }
  func locationManager(
    _ manager: CLLocationManager, rangingBeaconsDidFailFor region: CLBeaconRegion, withError error: any Error
  ) {
    calls.append("failed in \(region.identifier)")
  }
}

private final class BothAges: CLLocationManagerDelegate {
  var calls: [String] = []

  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) { calls.append("new") }
  func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus) {
    calls.append("old")
  }
}

private final class Bystander: CLLocationManagerDelegate {}

private final class RangingManager: CLLocationManager {
  static let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

  override var authorizationStatus: CLAuthorizationStatus { .authorizedWhenInUse }

  @available(*, deprecated)
  override var rangedRegions: Set<CLRegion> {
    [
      CLBeaconRegion(uuid: Self.uuid, major: 1, identifier: "one"),
      CLBeaconRegion(uuid: Self.uuid, major: 1, identifier: "another"),
      CLBeaconRegion(uuid: Self.uuid, major: 2, identifier: "other"),
    ]
  }
}

@Suite("Clients 11: newer methods call older ones", .onSimulatedDevice)
struct DelegateChainTests {
  private let manager = RangingManager()
  private let delegate = LegacyDelegate()

  @Test("a change of authorization reaches the older method (behaviour 1.27)")
  func authorization() {
    delegate.locationManagerDidChangeAuthorization(manager)
    #expect(delegate.calls == ["status 4"])
  }

  @Test("a change of accuracy alone does not reach the older method (behaviour 1.27)")
  func accuracyAlone() {
    manager.isDeliveringAccuracyChangeAlone = true
    delegate.locationManagerDidChangeAuthorization(manager)
    #expect(delegate.calls.isEmpty)
  }

  @Test("of both methods only the newer one is called (behaviour 1.28)")
  func bothMethods() {
    let both = BothAges()
    both.locationManagerDidChangeAuthorization(manager)
    #expect(both.calls == ["new"])
  }

  @Test("locations reach the older method one by one, the first from itself (behaviour 2.8)")
  func locations() {
    let locations = [1.0, 2, 3].map { CLLocation(latitude: $0, longitude: 0) }
    delegate.locationManager(manager, didUpdateLocations: [locations[0]])
    manager.previousLocationForLegacyDelegates = locations[0]
    delegate.locationManager(manager, didUpdateLocations: Array(locations.dropFirst()))
    #expect(delegate.calls == ["1.0 from 1.0", "2.0 from 1.0", "3.0 from 2.0"])
  }

  @Test("beacons reach the older method for the regions that are ranged, by identifier")
  func beacons() {
    let constraint = CLBeaconIdentityConstraint(uuid: RangingManager.uuid, major: 1)
    delegate.locationManager(manager, didRange: [CLBeacon()], satisfying: constraint)
    delegate.locationManager(manager, didFailRangingFor: constraint, error: CLError(.rangingFailure))
    #expect(delegate.calls == ["1 in another", "1 in one", "failed in another", "failed in one"])
  }

  @Test("beacons of a constraint without a region have no older method")
  func beaconsWithoutRegion() {
    let constraint = CLBeaconIdentityConstraint(uuid: RangingManager.uuid)
    delegate.locationManager(manager, didRange: [CLBeacon()], satisfying: constraint)
    #expect(delegate.calls.isEmpty)
  }

  @Test("a delegate without methods is no obstacle, and shows no calibration (behaviour 7.7)")
  func bystander() {
    let bystander = Bystander()
    bystander.locationManager(manager, didUpdateLocations: [CLLocation(latitude: 1, longitude: 2)])
    bystander.locationManagerDidChangeAuthorization(manager)
    bystander.locationManager(manager, didFailWithError: CLError(.locationUnknown))
    #expect(!bystander.locationManagerShouldDisplayHeadingCalibration(manager))
  }

  @Test("an error that nobody hears is named on standard error (behaviour 2.15)")
  func unheardError() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      Bystander().locationManager(CLLocationManager(), didFailWithError: CLError(.denied))
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let lines = text.split(separator: "\n").filter { $0.contains("didFailWithError") }
    #expect(lines.count == 1)
    #expect(lines.first?.contains("Bystander does not implement locationManager(_:didFailWithError:)") == true)
  }

  @Test("an unheard outcome of requestLocation ends the program (behaviour 2.34)")
  func unheardAnswer() async {
    await #expect(processExitsWith: .failure) {
      let manager = CLLocationManager()
      manager.isDeliveringAnswer = true
      Bystander().locationManager(manager, didFailWithError: CLError(.locationUnknown))
    }
  }
}

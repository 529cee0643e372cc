import CoreLocation

/// Greets the person in the shop, and says what is near: each shelf has a beacon.
public final class ShopGuide: NSObject, CLLocationManagerDelegate {
  public private(set) var greetings = 0
  public private(set) var isInShop = false
  public private(set) var nearestShelf: CLBeaconMinorValue?
  private let manager = CLLocationManager()
  private let shelves: CLBeaconIdentityConstraint

  public init(shop: UUID) {
    shelves = CLBeaconIdentityConstraint(uuid: shop)
    super.init()
    manager.delegate = self
    manager.startMonitoring(for: CLBeaconRegion(beaconIdentityConstraint: shelves, identifier: "shop"))
  }

  public func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    greetings += 1
    isInShop = true
    manager.startRangingBeacons(satisfying: shelves)
  }

  public func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
    isInShop = false
    nearestShelf = nil
    manager.stopRangingBeacons(satisfying: shelves)
  }

  public func locationManager(
    _ manager: CLLocationManager, didRange beacons: [CLBeacon], satisfying beaconConstraint: CLBeaconIdentityConstraint
  ) {
    nearestShelf = beacons.first { $0.proximity == .immediate || $0.proximity == .near }?.minor.uint16Value
  }
}

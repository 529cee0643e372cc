/// Stands in for the location manager until the real one takes this file's place.
open class CLLocationManager: NSObject {
  var isDeliveringAccuracyChangeAlone = false
  var isDeliveringAnswer = false
  var previousLocationForLegacyDelegates: CLLocation?

  open weak var delegate: (any CLLocationManagerDelegate)?

  open var authorizationStatus: CLAuthorizationStatus { .notDetermined }

  @available(*, deprecated, message: "Use the property authorizationStatus")
  open class func authorizationStatus() -> CLAuthorizationStatus { .notDetermined }

  open class func locationServicesEnabled() -> Bool { false }

  @available(*, deprecated, renamed: "rangedBeaconConstraints")
  open var rangedRegions: Set<CLRegion> { [] }
}

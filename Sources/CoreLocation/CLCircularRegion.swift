import LocationModel

/// A circle on the ground.
open class CLCircularRegion: CLRegion {
  private let storedCenter: CLLocationCoordinate2D
  private let storedRadius: CLLocationDistance

  /// `radius` is in metres. It is kept as given; monitoring refuses one beyond
  /// `CLLocationManager.maximumRegionMonitoringDistance` (behaviour 5.19).
  public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
    storedCenter = center
    storedRadius = radius
    super.init(identifier: identifier)
  }

  open var center: CLLocationCoordinate2D { storedCenter }

  /// Metres.
  open var radius: CLLocationDistance { storedRadius }

  /// Whether the coordinate lies in the circle, its edge included, by the distance of `CLLocation.distance(from:)`
  /// (behaviour 10.10). False where the coordinate or the centre is not valid.
  open func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
    let place = Coordinate(coordinate)
    let middle = Coordinate(center)
    guard place.isValid, middle.isValid else { return false }
    return Geodesic.distanceMeters(from: middle, to: place) <= radius
  }

  open override var description: String {
    "\(Swift.type(of: self)) (identifier:'\(identifier)', center:\(center.textInAngleBrackets), "
      + String(format: "radius:%.2fm)", radius)
  }

  // MARK: NSCopying, NSSecureCoding

  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = CLCircularRegion(center: center, radius: radius, identifier: identifier)
    copy.takeFlags(from: self)
    return copy
  }

  public required init?(coder: NSCoder) {
    guard let center = coder.decodeCoordinate(forKey: "center"),
      let radius = coder.decodeNumber(forKey: "radius")
    else { return nil }
    storedCenter = center
    storedRadius = radius
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encodeCoordinate(storedCenter, forKey: "center")
    coder.encodeNumber(storedRadius, forKey: "radius")
  }
}

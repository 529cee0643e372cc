/// What people call a place: its address and the names around it.
open class CLPlacemark: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// Immutable after it is made, which is what makes a placemark safe to send.
  package struct Values {
    package var location: CLLocation?
    package var region: CLRegion?
    package var timeZone: TimeZone?
    package var addressDictionary: [AnyHashable: Any]?
    package var texts: [Text: String] = [:]
    package var areasOfInterest: [String]?

    package init() {}

    /// The names of a place; each is also its key in archives.
    package enum Text: String, CaseIterable {
      case name, thoroughfare, subThoroughfare, locality, subLocality, administrativeArea
      case subAdministrativeArea, postalCode, isoCountryCode, country, inlandWater, ocean
    }
  }

  private let values: Values

  package init(values: Values) {
    var own = values
    own.region = values.region?.copy() as? CLRegion
    self.values = own
    super.init()
  }

  /// The same place again.
  public init(placemark: CLPlacemark) {
    values = placemark.values
    super.init()
  }

  open var location: CLLocation? { values.location }

  /// The area of the place; each call gives a region of its own.
  open var region: CLRegion? { values.region?.copy() as? CLRegion }

  open var timeZone: TimeZone? { values.timeZone }

  @available(*, deprecated, message: "Use the single properties")
  open var addressDictionary: [AnyHashable: Any]? { values.addressDictionary }

  open var name: String? { values.texts[.name] }

  /// Street.
  open var thoroughfare: String? { values.texts[.thoroughfare] }

  /// House number.
  open var subThoroughfare: String? { values.texts[.subThoroughfare] }

  /// City.
  open var locality: String? { values.texts[.locality] }

  /// Quarter.
  open var subLocality: String? { values.texts[.subLocality] }

  /// State or province.
  open var administrativeArea: String? { values.texts[.administrativeArea] }

  /// County.
  open var subAdministrativeArea: String? { values.texts[.subAdministrativeArea] }

  open var postalCode: String? { values.texts[.postalCode] }

  open var isoCountryCode: String? { values.texts[.isoCountryCode] }

  open var country: String? { values.texts[.country] }

  open var inlandWater: String? { values.texts[.inlandWater] }

  open var ocean: String? { values.texts[.ocean] }

  open var areasOfInterest: [String]? { values.areasOfInterest }

  open override var description: String {
    let parts: [String?] = [
      name, subThoroughfare, thoroughfare, subLocality, locality, subAdministrativeArea,
      administrativeArea, postalCode, country,
    ]
    let address = parts.compactMap { $0 }.joined(separator: ", ")
    guard let location else { return address }
    let place = location.coordinate.textInAngleBrackets
    return address + " @ " + place + String(format: " +/- %.2fm", location.horizontalAccuracy)
  }

  // MARK: NSCopying, NSSecureCoding

  /// The same object: a placemark never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open class var supportsSecureCoding: Bool { true }

  /// Nil where a value is of another type.
  public required init?(coder: NSCoder) {
    guard let values = Values(coder: coder) else { return nil }
    self.values = values
    super.init()
  }

  open func encode(with coder: NSCoder) {
    values.encode(with: coder)
  }
}

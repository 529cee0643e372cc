import LocationModel

/// A stay at a place.
open class CLVisit: NSObject, NSCopying, NSSecureCoding {
  private let storedCoordinate: CLLocationCoordinate2D
  private let storedHorizontalAccuracy: CLLocationAccuracy
  private let storedArrivalDate: Date
  private let storedDepartureDate: Date

  /// A visit of which nothing is known: no valid coordinate, accuracy -1, both dates unknown. For subclasses.
  public override init() {
    storedCoordinate = kCLLocationCoordinate2DInvalid
    storedHorizontalAccuracy = -1
    storedArrivalDate = .distantPast
    storedDepartureDate = .distantFuture
    super.init()
  }

  /// Nil dates are unknown: `distantPast` for the arrival, `distantFuture` for the departure (behaviour 8.2).
  package init(
    coordinate: CLLocationCoordinate2D, horizontalAccuracy: CLLocationAccuracy, arrivalDate: Date?,
    departureDate: Date?
  ) {
    storedCoordinate = coordinate
    storedHorizontalAccuracy = horizontalAccuracy
    storedArrivalDate = arrivalDate ?? .distantPast
    storedDepartureDate = departureDate ?? .distantFuture
    super.init()
  }

  convenience init(_ visit: Visit) {
    self.init(
      coordinate: CLLocationCoordinate2D(visit.coordinate), horizontalAccuracy: visit.radiusMeters,
      arrivalDate: visit.arrival.map { Date($0) }, departureDate: visit.departure.map { Date($0) })
  }

  /// `distantPast` where the arrival is unknown (behaviour 8.2).
  open var arrivalDate: Date { storedArrivalDate }

  /// `distantFuture` while the device is still there (behaviour 8.2).
  open var departureDate: Date { storedDepartureDate }

  /// The middle of the place (behaviour 8.5).
  open var coordinate: CLLocationCoordinate2D { storedCoordinate }

  /// Estimated radius of the place in metres (behaviour 8.5).
  open var horizontalAccuracy: CLLocationAccuracy { storedHorizontalAccuracy }

  open override var description: String {
    coordinate.textInAngleBrackets + String(format: " +/- %.2fm", horizontalAccuracy)
      + " (\(Self.describe(arrivalDate)) to \(Self.describe(departureDate)))"
  }

  private static func describe(_ date: Date) -> String {
    date == .distantPast || date == .distantFuture ? "unknown" : "\(date)"
  }

  // MARK: NSCopying, NSSecureCoding

  /// The same object: a visit never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open class var supportsSecureCoding: Bool { true }

  /// Nil where a value is missing or of another type.
  public required init?(coder: NSCoder) {
    guard let coordinate = coder.decodeCoordinate(forKey: "coordinate"),
      let horizontalAccuracy = coder.decodeNumber(forKey: "horizontalAccuracy"),
      let arrivalDate = coder.decodeDate(forKey: "arrivalDate"),
      let departureDate = coder.decodeDate(forKey: "departureDate")
    else { return nil }
    storedCoordinate = coordinate
    storedHorizontalAccuracy = horizontalAccuracy
    storedArrivalDate = arrivalDate
    storedDepartureDate = departureDate
    super.init()
  }

  open func encode(with coder: NSCoder) {
    coder.encodeCoordinate(storedCoordinate, forKey: "coordinate")
    coder.encodeNumber(storedHorizontalAccuracy, forKey: "horizontalAccuracy")
    coder.encodeDate(storedArrivalDate, forKey: "arrivalDate")
    coder.encodeDate(storedDepartureDate, forKey: "departureDate")
  }
}

/// A beacon as it was last heard.
open class CLBeacon: NSObject, NSCopying, NSSecureCoding {
  private struct Values {
    var uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    var major: CLBeaconMajorValue = 0
    var minor: CLBeaconMinorValue = 0
    var proximity = CLProximity.unknown
    var accuracy: CLLocationAccuracy = -1
    var rssi = 0
    var timestamp: Date
  }

  private let values: Values

  /// A beacon of which nothing is known: all numbers 0, proximity unknown, accuracy -1. For subclasses.
  public override init() {
    values = Values(timestamp: Date())
    super.init()
  }

  package init(
    uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue, proximity: CLProximity,
    accuracy: CLLocationAccuracy, rssi: Int, timestamp: Date
  ) {
    values = Values(
      uuid: uuid, major: major, minor: minor, proximity: proximity, accuracy: accuracy, rssi: rssi,
      timestamp: timestamp)
    super.init()
  }

  open var uuid: UUID { values.uuid }

  @available(*, deprecated, renamed: "uuid")
  open var proximityUUID: UUID { uuid }

  open var major: NSNumber { NSNumber(value: values.major) }

  open var minor: NSNumber { NSNumber(value: values.minor) }

  open var proximity: CLProximity { values.proximity }

  /// One-sigma error in metres, to rank beacons of equal proximity; negative where the distance is unknown
  /// (behaviour 6.8).
  open var accuracy: CLLocationAccuracy { values.accuracy }

  /// Mean signal strength in decibels since the beacon was last reported; 0 where no packet came (behaviour 6.10).
  open var rssi: Int { values.rssi }

  /// When the beacon was heard.
  open var timestamp: Date { values.timestamp }

  open override var description: String {
    "uuid \(uuid), major \(major), minor \(minor), proximity \(proximity), "
      + String(format: "accuracy +/- %.2fm", accuracy) + ", rssi \(rssi), timestamp \(timestamp)"
  }

  // MARK: NSCopying, NSSecureCoding

  /// The same object: a sighting never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open class var supportsSecureCoding: Bool { true }

  /// Nil where a value is missing, of another type or out of range.
  public required init?(coder: NSCoder) {
    guard let uuid = coder.decodeUUID(forKey: "uuid"),
      case .some(.some(let major)) = coder.decodeBeaconNumber(forKey: "major"),
      case .some(.some(let minor)) = coder.decodeBeaconNumber(forKey: "minor"),
      let proximity = coder.decodeWholeNumber(forKey: "proximity").flatMap(
        CLProximity.init(rawValue:)),
      let accuracy = coder.decodeNumber(forKey: "accuracy"),
      let rssi = coder.decodeWholeNumber(forKey: "rssi"),
      let timestamp = coder.decodeDate(forKey: "timestamp")
    else { return nil }
    values = Values(
      uuid: uuid, major: major, minor: minor, proximity: proximity, accuracy: accuracy, rssi: rssi,
      timestamp: timestamp)
    super.init()
  }

  open func encode(with coder: NSCoder) {
    coder.encodeText(values.uuid.uuidString, forKey: "uuid")
    coder.encodeNumber(Int(values.major), forKey: "major")
    coder.encodeNumber(Int(values.minor), forKey: "minor")
    coder.encodeNumber(values.proximity.rawValue, forKey: "proximity")
    coder.encodeNumber(values.accuracy, forKey: "accuracy")
    coder.encodeNumber(values.rssi, forKey: "rssi")
    coder.encodeDate(values.timestamp, forKey: "timestamp")
  }
}

import LocationModel

/// Which beacons are meant: a UUID, and a major and minor number or any (behaviour 6.1).
///
/// Two constraints are equal if they mean the same beacons (behaviour 6.13).
open class CLBeaconIdentityConstraint: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let storedUUID: UUID
  private let storedMajor: CLBeaconMajorValue?
  private let storedMinor: CLBeaconMinorValue?

  /// All beacons of this UUID.
  public init(uuid: UUID) {
    storedUUID = uuid
    storedMajor = nil
    storedMinor = nil
    super.init()
  }

  /// All beacons of this UUID and major number.
  public init(uuid: UUID, major: CLBeaconMajorValue) {
    storedUUID = uuid
    storedMajor = major
    storedMinor = nil
    super.init()
  }

  /// The beacons of this UUID, major and minor number.
  public init(uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue) {
    storedUUID = uuid
    storedMajor = major
    storedMinor = minor
    super.init()
  }

  init(uuid: UUID, anyOrMajor major: CLBeaconMajorValue?, anyOrMinor minor: CLBeaconMinorValue?) {
    storedUUID = uuid
    storedMajor = major
    storedMinor = minor
    super.init()
  }

  open var uuid: UUID { storedUUID }

  /// Nil means any.
  public var major: UInt16? { storedMajor }

  /// Nil means any.
  public var minor: UInt16? { storedMinor }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CLBeaconIdentityConstraint else { return false }
    return uuid == other.uuid && major == other.major && minor == other.minor
  }

  open override var hash: Int {
    BeaconConstraint(self).hashValue
  }

  open override var description: String {
    "uuid \(uuid), major \(Self.describe(major)), minor \(Self.describe(minor))"
  }

  static func describe(_ number: UInt16?) -> String {
    number.map(String.init) ?? "any"
  }

  // MARK: NSCopying, NSSecureCoding

  /// The same object: a constraint never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open class var supportsSecureCoding: Bool { true }

  /// Nil where the UUID is missing or a value is of another type or out of range.
  public required init?(coder: NSCoder) {
    guard let uuid = coder.decodeUUID(forKey: "uuid"),
      let major = coder.decodeBeaconNumber(forKey: "major"),
      let minor = coder.decodeBeaconNumber(forKey: "minor")
    else { return nil }
    storedUUID = uuid
    storedMajor = major
    storedMinor = minor
    super.init()
  }

  open func encode(with coder: NSCoder) {
    coder.encodeText(storedUUID.uuidString, forKey: "uuid")
    if let storedMajor { coder.encodeNumber(Int(storedMajor), forKey: "major") }
    if let storedMinor { coder.encodeNumber(Int(storedMinor), forKey: "minor") }
  }
}

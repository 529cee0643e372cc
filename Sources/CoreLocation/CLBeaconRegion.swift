import LocationModel

/// The neighbourhood of beacons: inside while one of them is heard.
open class CLBeaconRegion: CLRegion {
  private let storedConstraint: CLBeaconIdentityConstraint

  /// Whether the state is told each time the screen turns on inside (behaviour 6.4). False unless set.
  open var notifyEntryStateOnDisplay = false

  public init(uuid: UUID, identifier: String) {
    storedConstraint = CLBeaconIdentityConstraint(uuid: uuid)
    super.init(identifier: identifier)
  }

  public init(uuid: UUID, major: CLBeaconMajorValue, identifier: String) {
    storedConstraint = CLBeaconIdentityConstraint(uuid: uuid, major: major)
    super.init(identifier: identifier)
  }

  public init(
    uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue, identifier: String
  ) {
    storedConstraint = CLBeaconIdentityConstraint(uuid: uuid, major: major, minor: minor)
    super.init(identifier: identifier)
  }

  public init(beaconIdentityConstraint: CLBeaconIdentityConstraint, identifier: String) {
    storedConstraint = beaconIdentityConstraint
    super.init(identifier: identifier)
  }

  @available(*, deprecated, renamed: "init(uuid:identifier:)")
  public init(proximityUUID: UUID, identifier: String) {
    storedConstraint = CLBeaconIdentityConstraint(uuid: proximityUUID)
    super.init(identifier: identifier)
  }

  @available(*, deprecated, renamed: "init(uuid:major:identifier:)")
  public init(proximityUUID: UUID, major: CLBeaconMajorValue, identifier: String) {
    storedConstraint = CLBeaconIdentityConstraint(uuid: proximityUUID, major: major)
    super.init(identifier: identifier)
  }

  @available(*, deprecated, renamed: "init(uuid:major:minor:identifier:)")
  public init(
    proximityUUID: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue, identifier: String
  ) {
    storedConstraint = CLBeaconIdentityConstraint(uuid: proximityUUID, major: major, minor: minor)
    super.init(identifier: identifier)
  }

  open var beaconIdentityConstraint: CLBeaconIdentityConstraint { storedConstraint }

  open var uuid: UUID { storedConstraint.uuid }

  @available(*, deprecated, renamed: "uuid")
  open var proximityUUID: UUID { uuid }

  /// Nil means any.
  open var major: NSNumber? { storedConstraint.major.map { NSNumber(value: $0) } }

  /// Nil means any.
  open var minor: NSNumber? { storedConstraint.minor.map { NSNumber(value: $0) } }

  open override var description: String {
    let major = CLBeaconIdentityConstraint.describe(storedConstraint.major)
    let minor = CLBeaconIdentityConstraint.describe(storedConstraint.minor)
    return "\(Swift.type(of: self)) (identifier:'\(identifier)', uuid:\(uuid), major:\(major), minor:\(minor))"
  }

  // MARK: NSCopying, NSSecureCoding

  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = CLBeaconRegion(
      beaconIdentityConstraint: beaconIdentityConstraint, identifier: identifier)
    copy.takeFlags(from: self)
    copy.notifyEntryStateOnDisplay = notifyEntryStateOnDisplay
    return copy
  }

  public required init?(coder: NSCoder) {
    guard
      case .some(.some(let constraint)) = coder.decodeOptionalObject(
        of: CLBeaconIdentityConstraint.self, forKey: "beaconIdentityConstraint"),
      let notifyEntryStateOnDisplay = coder.decodeFlag(forKey: "notifyEntryStateOnDisplay")
    else { return nil }
    storedConstraint = constraint
    super.init(coder: coder)
    self.notifyEntryStateOnDisplay = notifyEntryStateOnDisplay
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(storedConstraint, forKey: "beaconIdentityConstraint")
    coder.encodeFlag(notifyEntryStateOnDisplay, forKey: "notifyEntryStateOnDisplay")
  }

  // MARK: Advertising

  /// Power at one metre that is advertised where the caller gives none or one that does not fit a signed byte.
  ///
  /// Apple takes the device's own calibration (behaviour 6.15), which a Linux adapter cannot be asked for. This is
  /// what common beacons advertise, such as the recorded one in algorithms 8: -59 dBm.
  static let defaultMeasuredPowerDecibels: Int8 = -59

  /// What a Bluetooth peripheral advertises to be this beacon: under `kCBAdvDataAppleBeaconKey` the 21 bytes UUID,
  /// major, minor (both big-endian, 0 where any is meant) and power in dBm at one metre (algorithms 8).
  ///
  /// - Parameter measuredPower: nil for `defaultMeasuredPowerDecibels`.
  open func peripheralData(withMeasuredPower measuredPower: NSNumber?) -> NSMutableDictionary {
    let power = measuredPower.flatMap { Int8(exactly: $0) } ?? Self.defaultMeasuredPowerDecibels
    let halves = uuid.halves
    let beacon = BeaconIdentity(
      uuidHigh: halves.high, uuidLow: halves.low, major: storedConstraint.major ?? 0,
      minor: storedConstraint.minor ?? 0)
    let bytes = BeaconFrame(beacon, measuredPower: power).manufacturerData.dropFirst(BeaconFrame.prefix.count)
    return NSMutableDictionary(dictionary: ["kCBAdvDataAppleBeaconKey": NSData(data: Data(bytes))])
  }
}

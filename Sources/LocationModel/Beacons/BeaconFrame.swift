/// What an iBeacon advertises: who it is, and how strong it is one metre away (algorithms 8).
///
/// The bytes are those of the manufacturer data of Apple's company identifier, which itself is not among them: 02 15,
/// the UUID, major and minor with the high byte first, and the power as a signed byte.
package struct BeaconFrame: Hashable, Sendable {
  package var beacon: BeaconIdentity
  /// Signal strength at one metre, in dBm.
  package var measuredPower: Int8

  package init(_ beacon: BeaconIdentity, measuredPower: Int8) {
    self.beacon = beacon
    self.measuredPower = measuredPower
  }

  /// The company whose manufacturer data an iBeacon's is, as the Bluetooth SIG numbers them: Apple's.
  package static let companyIdentifier: UInt16 = 0x004C

  /// The kind of Apple's data, and how many bytes follow.
  package static let prefix: [UInt8] = [0x02, 0x15]

  private static let byteCount = 23

  /// Nil for what is no iBeacon's frame: another kind of Apple's data, too short or too long.
  package init?(manufacturerData bytes: some Collection<UInt8>) {
    guard bytes.count == Self.byteCount, bytes.starts(with: Self.prefix) else { return nil }
    var rest = bytes.dropFirst(Self.prefix.count).makeIterator()
    func number<Number: FixedWidthInteger>(_ zero: Number) -> Number {
      var number = zero
      for _ in 0..<(Number.bitWidth / 8) { number = number << 8 | Number(truncatingIfNeeded: rest.next() ?? 0) }
      return number
    }
    let high = number(UInt64(0))
    let low = number(UInt64(0))
    let major = number(UInt16(0))
    let minor = number(UInt16(0))
    beacon = BeaconIdentity(uuidHigh: high, uuidLow: low, major: major, minor: minor)
    measuredPower = Int8(truncatingIfNeeded: rest.next() ?? 0)
  }

  package var manufacturerData: [UInt8] { Self.prefix + identityBytes + [UInt8(bitPattern: measuredPower)] }

  /// What is advertised behind the prefix, the power apart.
  private var identityBytes: [UInt8] {
    Self.bytes(beacon.uuidHigh) + Self.bytes(beacon.uuidLow) + Self.bytes(beacon.major) + Self.bytes(beacon.minor)
  }

  private static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    stride(from: Number.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// What every frame of such a beacon begins with: a minor number alone cannot be said, since the major is before it.
  package static func prefix(of constraint: BeaconConstraint) -> [UInt8] {
    var start = prefix + bytes(constraint.uuidHigh) + bytes(constraint.uuidLow)
    guard let major = constraint.major else { return start }
    start += bytes(major)
    if let minor = constraint.minor { start += bytes(minor) }
    return start
  }
}

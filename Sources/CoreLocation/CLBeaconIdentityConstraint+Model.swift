import LocationModel

extension CLBeaconIdentityConstraint {
  package convenience init(_ constraint: BeaconConstraint) {
    self.init(
      uuid: UUID(high: constraint.uuidHigh, low: constraint.uuidLow), anyOrMajor: constraint.major,
      anyOrMinor: constraint.minor)
  }
}

extension BeaconConstraint {
  package init(_ constraint: CLBeaconIdentityConstraint) {
    let halves = constraint.uuid.halves
    self.init(
      uuidHigh: halves.high, uuidLow: halves.low, major: constraint.major, minor: constraint.minor)
  }
}

extension CLMonitor.BeaconIdentityCondition {
  init(_ constraint: BeaconConstraint) {
    let uuid = UUID(high: constraint.uuidHigh, low: constraint.uuidLow)
    switch (constraint.major, constraint.minor) {
    case (let major?, let minor?): self.init(uuid: uuid, major: major, minor: minor)
    case (let major?, nil): self.init(uuid: uuid, major: major)
    // A minor alone is no identity.
    case (nil, _): self.init(uuid: uuid)
    }
  }
}

extension BeaconConstraint {
  init(_ condition: CLMonitor.BeaconIdentityCondition) {
    let halves = condition.uuid.halves
    self.init(uuidHigh: halves.high, uuidLow: halves.low, major: condition.major, minor: condition.minor)
  }
}

extension UUID {
  /// The UUID of these 128 bits, as it is written.
  init(high: UInt64, low: UInt64) {
    var bytes = Self.zeroBytes
    withUnsafeMutableBytes(of: &bytes) { buffer in
      buffer.storeBytes(of: high.bigEndian, toByteOffset: 0, as: UInt64.self)
      buffer.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
    }
    self.init(uuid: bytes)
  }

  /// The 128 bits as they are written, first half and second half.
  package var halves: (high: UInt64, low: UInt64) {
    withUnsafeBytes(of: uuid) { buffer in
      (
        UInt64(bigEndian: buffer.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
        UInt64(bigEndian: buffer.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      )
    }
  }

  private static let zeroBytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
}

import LocationModel

// The values of monitors on the socket and in the service's store, field by field in the order of their declaration.

/// The highest bit of the state says that a beacon follows: what was stored before there were any reads as it is.
extension ConditionEvent: WireValue {
  private static let beaconBit: UInt8 = 0x80

  package init(from reader: inout WireReader) throws(WireError) {
    let identifier: String = try reader.get()
    let byte: UInt8 = try reader.getNumber()
    guard let state = ConditionState(rawValue: UInt(byte & ~Self.beaconBit)) else {
      throw WireError("\(byte) is no state of a condition")
    }
    self.init(identifier: identifier, state: state, time: try reader.get(), diagnostics: try reader.get())
    if byte & Self.beaconBit != 0 { refinement = try reader.get(BeaconConstraint.self) }
  }

  package func write(to writer: inout WireWriter) {
    writer.put(identifier)
    writer.putNumber(UInt8(truncatingIfNeeded: state.rawValue) | (refinement == nil ? 0 : Self.beaconBit))
    writer.put(time)
    writer.put(diagnostics)
    if let refinement { writer.put(refinement) }
  }
}

extension StoredCondition: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self.init(
      identifier: try reader.get(), shape: try reader.get(), record: try reader.get(), pending: try reader.get())
  }

  package func write(to writer: inout WireWriter) {
    writer.put(identifier)
    writer.put(shape)
    writer.put(record)
    writer.put(pending)
  }
}

extension StoredMonitor: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self.init(name: try reader.get(), conditions: try reader.get())
  }

  package func write(to writer: inout WireWriter) {
    writer.put(name)
    writer.put(conditions)
  }
}

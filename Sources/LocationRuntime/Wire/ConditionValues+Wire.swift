import LocationModel

// The values of monitors on the socket and in the service's store, field by field in the order of their declaration.

extension ConditionState: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    let byte: UInt8 = try reader.getNumber()
    guard let state = Self(rawValue: UInt(byte)) else { throw WireError("\(byte) is no state of a condition") }
    self = state
  }

  package func write(to writer: inout WireWriter) {
    writer.putNumber(UInt8(truncatingIfNeeded: rawValue))
  }
}

extension ConditionEvent: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self.init(
      identifier: try reader.get(), state: try reader.get(), time: try reader.get(), diagnostics: try reader.get(),
      refinement: try reader.get())
  }

  package func write(to writer: inout WireWriter) {
    writer.put(identifier)
    writer.put(state)
    writer.put(time)
    writer.put(diagnostics)
    writer.put(refinement)
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

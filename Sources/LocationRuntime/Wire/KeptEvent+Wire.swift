import LocationModel

// Kept events in the service's store, field by field in the order of their declaration.

extension KeptEvent: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self.init(number: try reader.getNumber(), content: try reader.get())
  }

  package func write(to writer: inout WireWriter) {
    writer.putNumber(number)
    writer.put(content)
  }
}

extension KeptEvent.Content: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    let kind: UInt8 = try reader.getNumber()
    switch kind {
    case 0: self = .entered(try reader.get())
    case 1: self = .exited(try reader.get())
    case 2: self = .visited(try reader.get())
    case 3: self = .moved(try reader.get())
    default: throw WireError("\(kind) is no kind of a kept event")
    }
  }

  package func write(to writer: inout WireWriter) {
    switch self {
    case .entered(let region):
      writer.putNumber(UInt8(0))
      writer.put(region)
    case .exited(let region):
      writer.putNumber(UInt8(1))
      writer.put(region)
    case .visited(let visit):
      writer.putNumber(UInt8(2))
      writer.put(visit)
    case .moved(let fix):
      writer.putNumber(UInt8(3))
      writer.put(fix)
    }
  }
}

import LocationEngine
import LocationModel

/// What an app is told of its life, as a number and what belongs to it. Instants are nanoseconds of the machine's
/// CLOCK_BOOTTIME, which is the service's clock and its apps': one that was frozen reads them right.
extension LifeEvent: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    let kind: UInt8 = try reader.getNumber()
    switch kind {
    case 0: self = .began(try reader.get())
    case 1: self = .enteredForeground
    case 2: self = .enteredBackground
    case 3: self = .willBeSuspended
    case 4: self = .willTerminate
    case 5: self = .backgroundTaskExpired(try reader.getNumber())
    case 6: self = .backgroundTimeChanged(ends: try reader.get())
    case 7: self = .backgroundRefreshChanged(isOn: try reader.get())
    default: throw WireError("\(kind) is no event of an app's life")
    }
  }

  package func write(to writer: inout WireWriter) {
    switch self {
    case .began(let standing):
      writer.putNumber(UInt8(0))
      writer.put(standing)
    case .enteredForeground: writer.putNumber(UInt8(1))
    case .enteredBackground: writer.putNumber(UInt8(2))
    case .willBeSuspended: writer.putNumber(UInt8(3))
    case .willTerminate: writer.putNumber(UInt8(4))
    case .backgroundTaskExpired(let number):
      writer.putNumber(UInt8(5))
      writer.putNumber(number)
    case .backgroundTimeChanged(let ends):
      writer.putNumber(UInt8(6))
      writer.put(ends)
    case .backgroundRefreshChanged(let isOn):
      writer.putNumber(UInt8(7))
      writer.put(isOn)
    }
  }
}

extension LifeStanding: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self.init(
      state: try reader.get(), cause: try reader.get(), backgroundTimeEnds: try reader.get(),
      allowsBackgroundRefresh: try reader.get())
  }

  package func write(to writer: inout WireWriter) {
    writer.put(state)
    writer.put(cause)
    writer.put(backgroundTimeEnds)
    writer.put(allowsBackgroundRefresh)
  }
}

extension LaunchCause: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    let byte: UInt8 = try reader.getNumber()
    switch byte {
    case 0: self = .person
    case 1: self = .event
    default: throw WireError("\(byte) is no cause of a launch")
    }
  }

  package func write(to writer: inout WireWriter) {
    writer.putNumber(UInt8(self == .person ? 0 : 1))
  }
}

extension Instant: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self.init(nanoseconds: try reader.getNumber())
  }

  package func write(to writer: inout WireWriter) {
    writer.putNumber(nanoseconds)
  }
}

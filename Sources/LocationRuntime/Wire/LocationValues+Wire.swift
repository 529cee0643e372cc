import LocationModel

// The values of LocationModel on the socket, field by field in the order of their declaration.

extension WallTime: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self.init(nanosecondsSince1970: try reader.getNumber())
  }

  package func write(to writer: inout WireWriter) {
    writer.putNumber(nanosecondsSince1970)
  }
}

extension Coordinate: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self.init(latitude: try reader.get(), longitude: try reader.get())
  }

  package func write(to writer: inout WireWriter) {
    writer.put(latitude)
    writer.put(longitude)
  }
}

/// The place and the time, a mask of what else is known, then that. By hand, since every delivered fix passes here.
extension Fix: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self.init(coordinate: try reader.get(), horizontalAccuracyMeters: nil, time: try reader.get())
    let mask: UInt16 = try reader.getNumber()
    func value(_ bit: UInt16) throws(WireError) -> Double? { mask & bit != 0 ? try reader.get(Double.self) : nil }
    horizontalAccuracyMeters = try value(1)
    altitudeMeters = try value(2)
    ellipsoidalAltitudeMeters = try value(4)
    verticalAccuracyMeters = try value(8)
    speedMetersPerSecond = try value(16)
    speedAccuracyMetersPerSecond = try value(32)
    courseDegrees = try value(64)
    courseAccuracyDegrees = try value(128)
    if mask & 256 != 0 { floor = Int(try reader.getNumber(Int64.self)) }
    isSimulated = mask & 512 != 0
    isFromAccessory = mask & 1_024 != 0
    let number: UInt8 = try reader.getNumber()
    guard let source = FixSource(rawValue: number) else { throw WireError("\(number) is no source of fixes") }
    self.source = source
  }

  package func write(to writer: inout WireWriter) {
    writer.put(coordinate)
    writer.put(time)
    let values: [8 of Double?] = [
      horizontalAccuracyMeters, altitudeMeters, ellipsoidalAltitudeMeters, verticalAccuracyMeters,
      speedMetersPerSecond, speedAccuracyMetersPerSecond, courseDegrees, courseAccuracyDegrees,
    ]
    var mask: UInt16 = 0
    for bit in values.indices where values[bit] != nil { mask |= 1 << UInt16(bit) }
    if floor != nil { mask |= 256 }
    if isSimulated { mask |= 512 }
    if isFromAccessory { mask |= 1_024 }
    writer.putNumber(mask)
    for bit in values.indices { if let value = values[bit] { writer.put(value) } }
    if let floor { writer.putNumber(Int64(floor)) }
    writer.putNumber(source.rawValue)
  }
}

extension BeaconConstraint: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self.init(
      uuidHigh: try reader.getNumber(), uuidLow: try reader.getNumber(), major: try reader.get(),
      minor: try reader.get())
  }

  package func write(to writer: inout WireWriter) {
    writer.putNumber(uuidHigh)
    writer.putNumber(uuidLow)
    writer.put(major)
    writer.put(minor)
  }
}

extension BeaconIdentity: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self.init(
      uuidHigh: try reader.getNumber(), uuidLow: try reader.getNumber(), major: try reader.getNumber(),
      minor: try reader.getNumber())
  }

  package func write(to writer: inout WireWriter) {
    writer.putNumber(uuidHigh)
    writer.putNumber(uuidLow)
    writer.putNumber(major)
    writer.putNumber(minor)
  }
}

extension Proximity: WireValue {}

extension BeaconSighting: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self.init(
      beacon: try reader.get(), proximity: try reader.get(), accuracyMeters: try reader.get(),
      signalDecibels: try reader.get(Int64?.self).map { Int($0) }, time: try reader.get())
  }

  package func write(to writer: inout WireWriter) {
    writer.put(beacon)
    writer.put(proximity)
    writer.put(accuracyMeters)
    writer.put(signalDecibels.map { Int64($0) })
    writer.put(time)
  }
}

extension Region.Shape: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    let kind: UInt8 = try reader.getNumber()
    switch kind {
    case 0: self = .circle(center: try reader.get(), radiusMeters: try reader.get())
    case 1: self = .beacons(try reader.get())
    default: throw WireError("expected a region's shape 0 or 1, found \(kind)")
    }
  }

  package func write(to writer: inout WireWriter) {
    switch self {
    case .circle(let center, let radiusMeters):
      writer.putNumber(UInt8(0))
      writer.put(center)
      writer.put(radiusMeters)
    case .beacons(let constraint):
      writer.putNumber(UInt8(1))
      writer.put(constraint)
    }
  }
}

extension Region: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self.init(
      identifier: try reader.get(), shape: try reader.get(), notifiesOnEntry: try reader.get(),
      notifiesOnExit: try reader.get(), notifiesEntryStateOnDisplay: try reader.get(),
      marginMeters: try reader.get())
  }

  package func write(to writer: inout WireWriter) {
    writer.put(identifier)
    writer.put(shape)
    writer.put(notifiesOnEntry)
    writer.put(notifiesOnExit)
    writer.put(notifiesEntryStateOnDisplay)
    writer.put(marginMeters)
  }
}

extension Visit: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self.init(
      coordinate: try reader.get(), radiusMeters: try reader.get(), arrival: try reader.get(),
      departure: try reader.get())
  }

  package func write(to writer: inout WireWriter) {
    writer.put(coordinate)
    writer.put(radiusMeters)
    writer.put(arrival)
    writer.put(departure)
  }
}

extension HeadingOrientation: WireValue {}

extension DeviceVector: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self.init(x: try reader.get(), y: try reader.get(), z: try reader.get())
  }

  package func write(to writer: inout WireWriter) {
    writer.put(x)
    writer.put(y)
    writer.put(z)
  }
}

extension Heading: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self.init(
      magneticDegrees: try reader.get(), trueDegrees: try reader.get(), accuracyDegrees: try reader.get(),
      fieldMicroteslas: try reader.get(), time: try reader.get())
  }

  package func write(to writer: inout WireWriter) {
    writer.put(magneticDegrees)
    writer.put(trueDegrees)
    writer.put(accuracyDegrees)
    writer.put(fieldMicroteslas)
    writer.put(time)
  }
}

extension ServiceDiagnostics: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self.init(rawValue: try reader.getNumber())
  }

  package func write(to writer: inout WireWriter) {
    writer.putNumber(rawValue)
  }
}

extension RegionState: WireValue {}
extension LocationError: WireValue {}
extension ActivityType: WireValue {}

extension DesiredAccuracy: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    let kind: UInt8 = try reader.getNumber()
    switch kind {
    case 0: self = .bestForNavigation
    case 1: self = .best
    case 2: self = .meters(try reader.get())
    case 3: self = .reduced
    default: throw WireError("expected an accuracy 0 to 3, found \(kind)")
    }
  }

  package func write(to writer: inout WireWriter) {
    switch self {
    case .bestForNavigation: writer.putNumber(UInt8(0))
    case .best: writer.putNumber(UInt8(1))
    case .meters(let meters):
      writer.putNumber(UInt8(2))
      writer.put(meters)
    case .reduced: writer.putNumber(UInt8(3))
    }
  }
}

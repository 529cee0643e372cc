import CExpat
import LocationModel

extension GPXState {
  /// A value's element has ended: reads it into the point.
  mutating func endField() {
    XML_SetCharacterDataHandler(parser, nil)
    let ended = field
    field = .none
    text[min(textCount, Self.textLengthMax)] = 0
    let bytes = UnsafePointer(text)
    let fits = textCount <= Self.textLengthMax
    if ended == .time {
      point.time = fits ? InternetTime.parse(terminated: bytes) : nil
      guard point.time == nil else { return }
      let isOutOfRange = fits && InternetTime.isOutOfRange(terminated: bytes)
      complain(
        isOutOfRange ? \.timesOutOfRange : \.malformedTimes, line: line, found: GPXName.excerpt(bytes))
      return
    }
    guard fits, let value = DecimalNumber.parse(terminated: bytes) else {
      complain(\.malformedValues, line: line, found: GPXName.excerpt(bytes))
      return
    }
    set(ended, to: value)
  }

  /// A speed, course or accuracy of -1 is Core Location's mark of "invalid" (behaviour 10.3, 10.6), which stands in
  /// files that apps wrote: the value is absent. A vertical accuracy of 0 or less takes the height with it at the
  /// point's end, and a negative horizontal one says that the place is invalid: the point is left out (behaviour 10.4).
  /// What cannot be (`ValueLimits`) is absent and counted.
  private mutating func set(_ field: Field, to value: Double) {
    switch field {
    case .none, .time: break
    case .elevation: point.elevationMeters = checked(value, in: ValueLimits.heightMeters)
    case .geoidHeight: point.geoidHeightMeters = checked(value, in: ValueLimits.geoidHeightMeters)
    case .speed: point.speedMetersPerSecond = unlessMarked(value, in: ValueLimits.speedMetersPerSecond)
    case .speedAccuracy:
      point.speedAccuracyMetersPerSecond = unlessMarked(value, in: ValueLimits.speedMetersPerSecond)
    case .course:
      let course = unlessMarked(value, in: ValueLimits.courseDegrees)
      point.courseDegrees = course == 360 ? 0 : course
    case .courseAccuracy: point.courseAccuracyDegrees = unlessMarked(value, in: ValueLimits.courseAccuracyDegrees)
    case .horizontalAccuracy:
      if value < 0 {
        pointFault = "hAcc \(value), which marks an invalid place"
      } else {
        point.horizontalAccuracyMeters = checked(value, in: ValueLimits.horizontalAccuracyMeters)
      }
    case .verticalAccuracy:
      point.verticalAccuracyMeters = value <= 0 ? value : checked(value, in: ValueLimits.verticalAccuracyMeters)
    }
  }

  /// The value, or nil where it cannot be, which is counted.
  private mutating func checked(_ value: Double, in range: ClosedRange<Double>) -> Double? {
    if range.contains(value) { return value }
    let bytes = UnsafePointer(text)
    complain(\.malformedValues, line: line, found: GPXName.excerpt(bytes))
    return nil
  }

  private mutating func unlessMarked(_ value: Double, in range: ClosedRange<Double>) -> Double? {
    value == -1 ? nil : checked(value, in: range)
  }
}

/// The attributes of one element as expat has them: names and values in turn, then nil.
struct GPXAttributes {
  let elementName: UnsafePointer<UInt8>
  let list: UnsafeMutablePointer<UnsafePointer<CChar>?>?

  /// The value of the attribute `l` + `second` + `third`, within +-`limit` degrees; nil if missing or malformed.
  @inline(__always)
  func coordinate(_ second: UInt8, _ third: UInt8, limit: Double) -> Double? {
    guard var next = list else { return nil }
    while let name = next[0] {
      let bytes = UnsafeRawPointer(name).assumingMemoryBound(to: UInt8.self)
      if bytes[0] == UInt8(ascii: "l"), bytes[1] == second, bytes[2] == third, bytes[3] == 0 {
        guard let text = next[1] else { return nil }
        let value = DecimalNumber.parse(
          terminated: UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self), acceptsComma: true)
        guard let value, value.magnitude <= limit else { return nil }
        return value
      }
      next += 2
    }
    return nil
  }

  /// What a person should read about an attribute that has no readable value.
  func fault(_ wanted: StaticString) -> String {
    guard var next = list else { return "no \(wanted)" }
    while let name = next[0] {
      if GPXName.equals(UnsafeRawPointer(name).assumingMemoryBound(to: UInt8.self), wanted) {
        let text = next[1].map { GPXName.excerpt(UnsafeRawPointer($0).assumingMemoryBound(to: UInt8.self)) }
        return "\(wanted)=\"\(text ?? "")\""
      }
      next += 2
    }
    return "no \(wanted)"
  }
}

/// Names and texts as expat has them: UTF-8 that ends with a zero byte.
enum GPXName {
  /// What follows the prefix: any prefix and any namespace is taken, as files in the field have them.
  @inline(__always)
  static func local(_ name: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    var cursor = name
    while cursor[0] != 0 {
      if cursor[0] == UInt8(ascii: ":") { return cursor + 1 }
      cursor += 1
    }
    return name
  }

  @inline(__always)
  static func equals(_ name: UnsafePointer<UInt8>, _ wanted: StaticString) -> Bool {
    let other = wanted.utf8Start
    for index in 0..<wanted.utf8CodeUnitCount where name[index] != other[index] { return false }
    return name[wanted.utf8CodeUnitCount] == 0
  }

  /// Whether the bytes before `end` are `wanted`; there must be as many.
  @inline(__always)
  static func endsWith(_ end: UnsafePointer<UInt8>, _ wanted: StaticString) -> Bool {
    let start = end - wanted.utf8CodeUnitCount
    let other = wanted.utf8Start
    for index in 0..<wanted.utf8CodeUnitCount where start[index] != other[index] { return false }
    return true
  }

  /// At most 40 characters, so that a message stays a line; what could steer a terminal becomes a dot.
  static func excerpt(_ text: UnsafePointer<UInt8>) -> String {
    var bytes: [UInt8] = []
    while bytes.count < 160, text[bytes.count] != 0 { bytes.append(text[bytes.count]) }
    let trimmed = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    let safe = String(trimmed.unicodeScalars.map { isPlain($0) ? Character($0) : "." })
    return safe.count > 40 ? safe.prefix(39) + "…" : safe
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }
}

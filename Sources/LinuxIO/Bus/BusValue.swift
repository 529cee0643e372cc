/// A value as it travels on the bus. File descriptors are not among them.
package indirect enum BusValue: Hashable, Sendable {
  case byte(UInt8)
  case boolean(Bool)
  case int16(Int16)
  case uint16(UInt16)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  case string(String)
  case objectPath(String)
  case signature(String)
  /// The signature of its elements stands with it, since an empty array has none to show.
  case array(of: String, [BusValue])
  case structure([BusValue])
  case entry(key: BusValue, value: BusValue)
  case variant(BusValue)

  /// `a{sv}`, in the order of the keys.
  package static func dictionary(_ values: [String: BusValue]) -> BusValue {
    .array(
      of: "{sv}",
      values.sorted { $0.key < $1.key }.map { .entry(key: .string($0.key), value: .variant($0.value)) })
  }

  package var signature: String {
    switch self {
    case .byte: "y"
    case .boolean: "b"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .objectPath: "o"
    case .signature: "g"
    case .array(let element, _): "a" + element
    case .structure(let fields): "(" + fields.map(\.signature).joined() + ")"
    case .entry(let key, let value): "{" + key.signature + value.signature + "}"
    case .variant: "v"
    }
  }

  // MARK: Looking inside; nil where the value is of another kind

  package var text: String? {
    switch self {
    case .string(let text), .objectPath(let text): text
    default: nil
    }
  }

  package var double: Double? {
    if case .double(let number) = self { number } else { nil }
  }

  package var unsigned: UInt64? {
    switch self {
    case .byte(let number): UInt64(number)
    case .uint16(let number): UInt64(number)
    case .uint32(let number): UInt64(number)
    case .uint64(let number): number
    default: nil
    }
  }

  package var boolean: Bool? {
    if case .boolean(let flag) = self { flag } else { nil }
  }

  package var fields: [BusValue]? {
    if case .structure(let fields) = self { fields } else { nil }
  }

  /// The values of an array whose keys are texts, out of their variants. The last of equal keys counts.
  package var dictionary: [String: BusValue]? {
    guard case .array(_, let elements) = self else { return nil }
    var values: [String: BusValue] = [:]
    for element in elements {
      guard case .entry(let key, let value) = element, let name = key.text else { return nil }
      values[name] = value.outOfVariant
    }
    return values
  }

  package var outOfVariant: BusValue {
    if case .variant(let value) = self { value } else { self }
  }
}

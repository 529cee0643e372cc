import CSystemd

/// Reading and writing the values of libsystemd's messages.
///
/// Only functions without variable arguments are used; libsystemd itself checks every message that comes in, so that
/// texts are UTF-8 and containers are no more than 64 deep.
package enum BusMessageValues {
  /// All values from the message's beginning.
  package static func read(_ message: OpaquePointer) throws(BusError) -> [BusValue] {
    try check(sd_bus_message_rewind(message, 1), "sd_bus_message_rewind")
    return try readAll(message)
  }

  package static func append(_ values: [BusValue], to message: OpaquePointer) throws(BusError) {
    for value in values { try append(value, to: message) }
  }

  // MARK: Reading

  private static func readAll(_ message: OpaquePointer) throws(BusError) -> [BusValue] {
    var values: [BusValue] = []
    while let value = try readNext(message) { values.append(value) }
    return values
  }

  /// Nil at the end of the message or of the container.
  private static func readNext(_ message: OpaquePointer) throws(BusError) -> BusValue? {
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    let kind = sd_bus_message_peek_type(message, &type, &contents)
    try check(kind, "sd_bus_message_peek_type")
    guard kind > 0 else { return nil }
    switch UInt8(bitPattern: type) {
    case UInt8(ascii: "a"), UInt8(ascii: "r"), UInt8(ascii: "e"), UInt8(ascii: "v"):
      let inside = contents.map { String(cString: $0) } ?? ""
      return try readContainer(message, type: type, contents: inside)
    default:
      return try readBasic(message, type: type)
    }
  }

  private static func readContainer(
    _ message: OpaquePointer, type: CChar, contents: String
  ) throws(BusError) -> BusValue {
    try check(sd_bus_message_enter_container(message, type, contents), "sd_bus_message_enter_container")
    let values = try readAll(message)
    try check(sd_bus_message_exit_container(message), "sd_bus_message_exit_container")
    switch UInt8(bitPattern: type) {
    case UInt8(ascii: "a"): return .array(of: contents, values)
    case UInt8(ascii: "r"): return .structure(values)
    case UInt8(ascii: "e") where values.count == 2: return .entry(key: values[0], value: values[1])
    case UInt8(ascii: "v") where values.count == 1: return .variant(values[0])
    default: throw malformed
    }
  }

  private static func readBasic(_ message: OpaquePointer, type: CChar) throws(BusError) -> BusValue {
    switch UInt8(bitPattern: type) {
    case UInt8(ascii: "y"): .byte(try number(message, type, UInt8(0)))
    // libsystemd gives a boolean as a C int.
    case UInt8(ascii: "b"): .boolean(try number(message, type, Int32(0)) != 0)
    case UInt8(ascii: "n"): .int16(try number(message, type, Int16(0)))
    case UInt8(ascii: "q"): .uint16(try number(message, type, UInt16(0)))
    case UInt8(ascii: "i"): .int32(try number(message, type, Int32(0)))
    case UInt8(ascii: "u"): .uint32(try number(message, type, UInt32(0)))
    case UInt8(ascii: "x"): .int64(try number(message, type, Int64(0)))
    case UInt8(ascii: "t"): .uint64(try number(message, type, UInt64(0)))
    case UInt8(ascii: "d"): .double(try number(message, type, Double(0)))
    case UInt8(ascii: "s"): .string(try text(message, type))
    case UInt8(ascii: "o"): .objectPath(try text(message, type))
    case UInt8(ascii: "g"): .signature(try text(message, type))
    default: throw malformed
    }
  }

  private static func number<Number: BitwiseCopyable>(
    _ message: OpaquePointer, _ type: CChar, _ zero: Number
  ) throws(BusError) -> Number {
    var number = zero
    try check(sd_bus_message_read_basic(message, type, &number), "sd_bus_message_read_basic")
    return number
  }

  private static func text(_ message: OpaquePointer, _ type: CChar) throws(BusError) -> String {
    var text: UnsafePointer<CChar>?
    try check(sd_bus_message_read_basic(message, type, &text), "sd_bus_message_read_basic")
    guard let text else { throw malformed }
    return String(cString: text)
  }

  // MARK: Writing

  private static func append(_ value: BusValue, to message: OpaquePointer) throws(BusError) {
    switch value {
    case .byte(let number): try append(number, "y", to: message)
    case .boolean(let flag): try append(Int32(flag ? 1 : 0), "b", to: message)
    case .int16(let number): try append(number, "n", to: message)
    case .uint16(let number): try append(number, "q", to: message)
    case .int32(let number): try append(number, "i", to: message)
    case .uint32(let number): try append(number, "u", to: message)
    case .int64(let number): try append(number, "x", to: message)
    case .uint64(let number): try append(number, "t", to: message)
    case .double(let number): try append(number, "d", to: message)
    case .string(let text): try append(text: text, "s", to: message)
    case .objectPath(let text): try append(text: text, "o", to: message)
    case .signature(let text): try append(text: text, "g", to: message)
    case .array(let element, let values): try append(values, in: "a", element, to: message)
    case .structure(let fields): try append(fields, in: "r", fields.map(\.signature).joined(), to: message)
    case .entry(let key, let value): try append([key, value], in: "e", key.signature + value.signature, to: message)
    case .variant(let inner): try append([inner], in: "v", inner.signature, to: message)
    }
  }

  private static func append<Number: BitwiseCopyable>(
    _ number: Number, _ type: Unicode.Scalar, to message: OpaquePointer
  )
    throws(BusError)
  {
    var number = number
    try check(sd_bus_message_append_basic(message, CChar(type.value), &number), "sd_bus_message_append_basic")
  }

  private static func append(text: String, _ type: Unicode.Scalar, to message: OpaquePointer) throws(BusError) {
    // The zero byte ends a text of C, and none may stand in a text of the bus.
    guard !text.utf8.contains(0) else {
      throw BusError(name: BusError.invalidArguments, text: "a text with a zero byte")
    }
    let result = text.withCString { sd_bus_message_append_basic(message, CChar(type.value), $0) }
    try check(result, "sd_bus_message_append_basic")
  }

  private static func append(
    _ values: [BusValue], in type: Unicode.Scalar, _ contents: String, to message: OpaquePointer
  ) throws(BusError) {
    let kind = CChar(type.value)
    try check(sd_bus_message_open_container(message, kind, contents), "sd_bus_message_open_container")
    try append(values, to: message)
    try check(sd_bus_message_close_container(message), "sd_bus_message_close_container")
  }

  private static func check(_ result: Int32, _ operation: String) throws(BusError) {
    guard result >= 0 else { throw BusError(operation, result: result) }
  }

  private static var malformed: BusError {
    BusError(name: BusError.invalidArguments, text: "a message of another form than expected")
  }
}

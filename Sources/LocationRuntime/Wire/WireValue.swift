/// A value that crosses the socket (docs/protocol.md). Numbers are little-endian.
///
/// Reading never traps, whatever the bytes are: what is not such a value is a `WireError`.
package protocol WireValue {
  init(from reader: inout WireReader) throws(WireError)
  func write(to writer: inout WireWriter)
}

/// Bytes that are not what the protocol says.
package struct WireError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Such as "expected a region's shape 0 or 1, found 7".
  package var description: String

  package init(_ description: String) {
    self.description = description
  }
}

/// Puts values one after another.
package struct WireWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func put(_ value: some WireValue) {
    value.write(to: &self)
  }

  @inline(__always)
  package mutating func putNumber<Number: FixedWidthInteger>(_ number: Number) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  package mutating func put(raw: some Sequence<UInt8>) {
    bytes.append(contentsOf: raw)
  }

  mutating func overwrite(at position: Int, with number: UInt32) {
    withUnsafeBytes(of: number.littleEndian) { source in
      for (offset, byte) in source.enumerated() { bytes[position + offset] = byte }
    }
  }
}

/// Takes values off, in the order in which they were put.
package struct WireReader {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  package init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  package var remainingCount: Int { bytes.endIndex - position }

  package mutating func get<Value: WireValue>(_ type: Value.Type = Value.self) throws(WireError) -> Value {
    try Value(from: &self)
  }

  package mutating func getNumber<Number: FixedWidthInteger>(
    _ type: Number.Type = Number.self
  ) throws(WireError) -> Number {
    let size = MemoryLayout<Number>.size
    guard remainingCount >= size else { throw tooShort(size) }
    var number = Number.zero
    withUnsafeMutableBytes(of: &number) { target in
      bytes.withUnsafeBytes { source in
        let start = position - bytes.startIndex
        target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[start..<(start + size)]))
      }
    }
    position += size
    return Number(littleEndian: number)
  }

  package mutating func getBytes(_ count: Int) throws(WireError) -> ArraySlice<UInt8> {
    guard count >= 0, remainingCount >= count else { throw tooShort(count) }
    defer { position += count }
    return bytes[position..<(position + count)]
  }

  /// The last value must end where the message does.
  package func finish() throws(WireError) {
    guard remainingCount == 0 else { throw WireError("\(remainingCount) bytes follow the end of the message") }
  }

  private func tooShort(_ size: Int) -> WireError {
    WireError("the message ends \(size - remainingCount) bytes too early")
  }
}

// MARK: Values of the language

extension FixedWidthInteger where Self: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self = try reader.getNumber()
  }

  package func write(to writer: inout WireWriter) {
    writer.putNumber(self)
  }
}

extension UInt8: WireValue {}
extension UInt16: WireValue {}
extension UInt32: WireValue {}
extension UInt64: WireValue {}
extension Int64: WireValue {}

extension Bool: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    let byte: UInt8 = try reader.getNumber()
    guard byte <= 1 else { throw WireError("expected 0 or 1, found \(byte)") }
    self = byte == 1
  }

  package func write(to writer: inout WireWriter) {
    writer.putNumber(UInt8(self ? 1 : 0))
  }
}

/// Any bit pattern: who needs a finite number looks for himself.
extension Double: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self = Double(bitPattern: try reader.getNumber())
  }

  package func write(to writer: inout WireWriter) {
    writer.putNumber(bitPattern)
  }
}

/// A length of 32 bits and that many bytes of UTF-8; bytes that are none are repaired.
extension String: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    let count: UInt32 = try reader.getNumber()
    self = String(decoding: try reader.getBytes(Int(count)), as: UTF8.self)
  }

  package func write(to writer: inout WireWriter) {
    writer.putNumber(UInt32(utf8.count))
    writer.put(raw: utf8)
  }
}

extension Optional: WireValue where Wrapped: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self = try reader.get(Bool.self) ? try reader.get(Wrapped.self) : nil
  }

  package func write(to writer: inout WireWriter) {
    writer.put(self != nil)
    if let self { writer.put(self) }
  }
}

/// A count of 32 bits and the elements. An element takes a byte at least, so that a count of lies ends at once.
extension Array: WireValue where Element: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    let count: UInt32 = try reader.getNumber()
    guard Int(count) <= reader.remainingCount else {
      throw WireError("\(count) elements cannot be in \(reader.remainingCount) bytes")
    }
    self = []
    for _ in 0..<count { append(try reader.get()) }
  }

  package func write(to writer: inout WireWriter) {
    writer.putNumber(UInt32(count))
    for element in self { writer.put(element) }
  }
}

extension RawRepresentable where Self: WireValue, RawValue == Int {
  /// Small enumerations travel as a byte.
  package init(from reader: inout WireReader) throws(WireError) {
    let byte: UInt8 = try reader.getNumber()
    guard let value = Self(rawValue: Int(byte)) else { throw WireError("\(byte) is no \(Self.self)") }
    self = value
  }

  package func write(to writer: inout WireWriter) {
    writer.putNumber(UInt8(truncatingIfNeeded: rawValue))
  }
}

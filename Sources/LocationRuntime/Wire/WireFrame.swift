/// One message on a stream: its length in 32 bits, then so many bytes (docs/protocol.md).
package enum WireFrame {
  /// What a client may send at most. The longest honest message is a greeting with the texts of an Info.plist.
  package static let clientBytesMax = 65_536
  /// What the service may send at most: the thousand fixes kept for a suspended app take a tenth of it.
  package static let serverBytesMax = 1_048_576

  /// The bytes of a message, its length in front.
  package static func encode(_ message: some WireValue) -> [UInt8] {
    var writer = WireWriter()
    writer.putNumber(UInt32(0))
    writer.put(message)
    writer.overwrite(at: 0, with: UInt32(writer.bytes.count - 4))
    return writer.bytes
  }
}

/// Cuts a stream into messages, however it arrives. What it holds is bounded by the longest message.
package struct FrameReader {
  private let bytesMax: Int
  private var buffer: [UInt8] = []
  private var start = 0

  package init(bytesMax: Int) {
    self.bytesMax = bytesMax
  }

  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    if start > 0 {
      buffer.removeFirst(start)
      start = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// The bytes of the next whole message; nil where more has to come.
  ///
  /// - Throws: a length of nothing, or beyond the bound: the stream cannot be read on.
  package mutating func next() throws(WireError) -> ArraySlice<UInt8>? {
    guard buffer.count - start >= 4 else { return nil }
    var reader = WireReader(buffer[start..<(start + 4)])
    let count = Int(try reader.getNumber(UInt32.self))
    guard count > 0, count <= bytesMax else {
      throw WireError("a message of \(count) bytes; 1 to \(bytesMax) are allowed")
    }
    guard buffer.count - start >= 4 + count else { return nil }
    let end = start + 4 + count
    defer { start = end }
    return buffer[(start + 4)..<end]
  }

  /// Reads a whole message.
  package static func decode<Message: WireValue>(
    _ bytes: ArraySlice<UInt8>, as type: Message.Type = Message.self
  ) throws(WireError) -> Message {
    var reader = WireReader(bytes)
    let message = try reader.get(Message.self)
    try reader.finish()
    return message
  }
}

import LocationEngine
import LocationModel
import LocationRuntime
import LocationService
import Testing

@Suite("Messages on the socket")
struct WireTests {
  private func read<Message: WireValue>(_ bytes: [UInt8], as type: Message.Type) throws -> Message? {
    var frames = FrameReader(bytesMax: WireFrame.serverBytesMax)
    bytes.withUnsafeBytes { frames.append($0) }
    return try frames.next().map { try FrameReader.decode($0, as: type) }
  }

  @Test("Whatever is said is heard, from both sides")
  func roundTrips() throws {
    var random = RandomMessages(seed: 1)
    for _ in 0..<4_000 {
      let message = random.clientMessage()
      #expect(try read(WireFrame.encode(message), as: ClientMessage.self) == message)
      let answer = random.serverMessage()
      #expect(try read(WireFrame.encode(answer), as: ServerMessage.self) == answer)
    }
  }

  @Test("A message that was cut short, or has something behind it, is refused as a whole")
  func truncation() throws {
    var random = RandomMessages(seed: 2)
    for _ in 0..<300 {
      let bytes = WireFrame.encode(random.serverMessage()).dropFirst(4)
      for count in 0..<bytes.count {
        #expect(throws: WireError.self) { try FrameReader.decode(bytes.prefix(count), as: ServerMessage.self) }
      }
      #expect(throws: WireError.self) { try FrameReader.decode(bytes + [0], as: ServerMessage.self) }
    }
  }

  @Test("Bytes that nobody meant end in a message or an error, and never the program")
  func noise() {
    var random = RandomMessages(seed: 3)
    var understoodCount = 0
    for _ in 0..<20_000 {
      var bytes = random.bytes(random.number(1...60))
      bytes[0] = UInt8(random.number(0...11))
      if (try? FrameReader.decode(bytes[...], as: ClientMessage.self)) != nil { understoodCount += 1 }
      if (try? FrameReader.decode(bytes[...], as: ServerMessage.self)) != nil { understoodCount += 1 }
      // A right message with a wrong byte.
      var message = WireFrame.encode(random.clientMessage())
      message[random.number(0...(message.count - 1))] ^= UInt8(1 << random.number(0...7))
      if (try? read(message, as: ClientMessage.self)) != nil { understoodCount += 1 }
    }
    // Some of it happens to be right, else the noise would not reach beyond the first byte.
    #expect(understoodCount > 100)
  }

  @Test("A stream is cut into the same messages wherever it is split")
  func splits() throws {
    var random = RandomMessages(seed: 4)
    let messages = (0..<50).map { _ in random.clientMessage() }
    let stream = messages.flatMap { WireFrame.encode($0) }
    for pieceSize in [1, 2, 3, 5, 64, stream.count] {
      var frames = FrameReader(bytesMax: WireFrame.clientBytesMax)
      var heard: [ClientMessage] = []
      for start in stride(from: 0, to: stream.count, by: pieceSize) {
        Array(stream[start..<min(start + pieceSize, stream.count)]).withUnsafeBytes { frames.append($0) }
        while let frame = try frames.next() { heard.append(try FrameReader.decode(frame)) }
      }
      #expect(heard == messages)
    }
  }

  @Test(
    "A length of nothing, or beyond the bound, ends the stream before it takes memory",
    arguments: [0, 65_537, 4_294_967_295])
  func lengths(_ length: UInt32) {
    var frames = FrameReader(bytesMax: WireFrame.clientBytesMax)
    var writer = WireWriter()
    writer.putNumber(length)
    writer.bytes.withUnsafeBytes { frames.append($0) }
    #expect(throws: WireError.self) { try frames.next() }
  }

  @Test("A count of elements that cannot be there is refused before anything is made of it")
  func lyingCounts() {
    var writer = WireWriter()
    writer.putNumber(UInt8(3))
    writer.putNumber(UInt64(1))
    writer.putNumber(UInt8(1))
    writer.putNumber(UInt32.max)
    #expect(throws: WireError.self) { try FrameReader.decode(writer.bytes[...], as: ServerMessage.self) }
  }
}

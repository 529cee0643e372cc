import Foundation
import LocationEngine
import LocationModel
import LocationRuntime
import Testing

/// docs/protocol.md tells the truth: its example is what both sides say and understand.
@Suite("The protocol's description")
struct ProtocolDocumentTests {
  /// The bytes of each block, by who says them, in the order of the text.
  private static func blocks(of speaker: String) throws -> [[UInt8]] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("docs/protocol.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    return text.components(separatedBy: "```bytes \(speaker)\n").dropFirst().map { rest in
      let block = rest.components(separatedBy: "```")[0]
      return block.split(separator: "\n").flatMap { line in
        // The remark begins after two spaces.
        line.components(separatedBy: "  ")[0].split(separator: " ").compactMap { UInt8($0, radix: 16) }
      }
    }
  }

  @Test("A client's messages in the example are those that the service understands, byte by byte")
  func client() throws {
    let messages: [ClientMessage] = [
      .hello(version: wireProtocolVersion, .tool), .request(.startUpdatingLocation, manager: 7),
    ]
    #expect(try Self.blocks(of: "client") == messages.map { WireFrame.encode($0) })
  }

  @Test("The service's messages in the example are those that a client understands, byte by byte")
  func service() throws {
    // Noon of 31 January 2026 is 20,484 days and a half after the beginning of 1970.
    let noon = WallTime(nanosecondsSince1970: (20_484 * 86_400 + 43_200) * 1_000_000_000)
    let fix = Fix(
      coordinate: Coordinate(latitude: 47.5, longitude: 19.25), horizontalAccuracyMeters: 4, time: noon,
      source: .satelliteReceiver)
    let messages: [ServerMessage] = [.toolGreeting, .event(.locationsUpdated([fix], isAnswer: false), manager: 7)]
    let blocks = try Self.blocks(of: "service")
    #expect(blocks == messages.map { WireFrame.encode($0) })
    for (bytes, message) in zip(blocks, messages) {
      #expect(try FrameReader.decode(bytes.dropFirst(4), as: ServerMessage.self) == message)
    }
  }

  @Test("The limits in the text are those in force")
  func limits() {
    #expect(wireProtocolVersion == 1)
    #expect(WireFrame.clientBytesMax == 65_536)
    #expect(WireFrame.serverBytesMax == 1_048_576)
  }
}

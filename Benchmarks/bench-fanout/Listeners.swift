import Glibc
import LinuxIO
import LocationEngine
import LocationModel
import LocationRuntime

/// One client of a service, as far as the benchmark's thread has to do with it.
protocol FanoutClient: AnyObject {
  var descriptor: Int32 { get }
  /// Messages saying that locations were left out.
  var droppedCount: Int { get }
  /// Gives the tenth of a second of each location in what has come.
  func hear(_ bytes: UnsafeRawBufferPointer, _ location: (Int64) -> Void)
}

/// A client of corelocationd, which speaks through the package's own encoder.
final class WireClient: FanoutClient {
  /// The pipe that the service sends through, as it does to the library's clients.
  let descriptor: Int32
  private let socket: Int32
  private(set) var droppedCount = 0
  private var frames = FrameReader(bytesMax: WireFrame.serverBytesMax)

  init?(path: String) {
    guard let descriptor = try? Syscalls.connectLocally(to: path) else { return nil }
    socket = descriptor
    var app = AppDescription(identifier: AppIdentifier("bench-fanout"))
    app.whenInUseUsage = "To measure."
    let messages: [ClientMessage] = [
      .hello(version: wireProtocolVersion, .app(app)), .takesPipe, .addManager(1),
      .request(.requestWhenInUseAuthorization, manager: 1), .request(.startUpdatingLocation, manager: 1),
    ]
    let bytes = messages.flatMap { WireFrame.encode($0) }
    guard bytes.withUnsafeBytes({ send(descriptor, $0.baseAddress, $0.count, 0) }) == bytes.count,
      let pipe = Self.pipe(through: descriptor)
    else { return nil }
    self.descriptor = pipe
  }

  deinit {
    close(descriptor)
    close(socket)
  }

  /// Waits for the pipe, which comes with a message behind the greeting; what came before it says nothing of locations.
  private static func pipe(through socket: Int32) -> Int32? {
    var one = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    var bytes = [UInt8](repeating: 0, count: 4_096)
    while poll(&one, 1, 5_000) == 1 {
      var file: Int32?
      let count = bytes.withUnsafeMutableBytes { try? Syscalls.receive(socket, into: $0, file: &file) }
      if let file { return file }
      guard let count, count > 0 else { return nil }
    }
    return nil
  }

  func hear(_ bytes: UnsafeRawBufferPointer, _ location: (Int64) -> Void) {
    frames.append(bytes)
    while let frame = try? frames.next() {
      switch try? FrameReader.decode(frame, as: ServerMessage.self) {
      case .event(.locationsUpdated(let fixes, _), _):
        for fix in fixes { location((fix.time.nanosecondsSince1970 + 50_000_000) / 100_000_000) }
      case .locationsDropped(let count): droppedCount += Int(count)
      case .refusal(let reason): print("bench-fanout: refused: \(reason)")
      default: break
      }
    }
  }
}

/// A client of gpsd, which reads its JSON reports.
final class GPSDClient: FanoutClient {
  let descriptor: Int32
  let droppedCount = 0
  private var line: [UInt8] = []

  init?(port: UInt16) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    let watch = Array("?WATCH={\"enable\":true,\"json\":true};\n".utf8)
    guard result == 0, watch.withUnsafeBytes({ send(descriptor, $0.baseAddress, $0.count, 0) }) > 0 else { return nil }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  deinit { close(descriptor) }

  func hear(_ bytes: UnsafeRawBufferPointer, _ location: (Int64) -> Void) {
    var rest = bytes[...]
    while let end = rest.firstIndex(of: 10) {
      line.append(contentsOf: rest[..<end])
      rest = rest[(end + 1)...]
      if let tenth = Self.tenth(ofReport: line) { location(tenth) }
      line.removeAll(keepingCapacity: true)
    }
    line.append(contentsOf: rest)
  }

  private static func position(of word: [UInt8], in bytes: UnsafeRawBufferPointer) -> Int? {
    guard bytes.count >= word.count else { return nil }
    return (0...(bytes.count - word.count)).first { start in
      word.indices.allSatisfy { bytes[start + $0] == word[$0] }
    }
  }

  /// Of `{"class":"TPV",...,"time":"2020-01-31T23:59:59.100Z",...}`.
  private static func tenth(ofReport line: [UInt8]) -> Int64? {
    line.withUnsafeBytes { bytes -> Int64? in
      guard position(of: Array("\"class\":\"TPV\"".utf8), in: bytes) != nil,
        let text = position(of: Array("\"time\":\"".utf8), in: bytes).map({ $0 + 8 }), text + 24 <= bytes.count
      else { return nil }
      func number(_ at: Int, _ count: Int) -> Int32 {
        (at..<(at + count)).reduce(0) { $0 * 10 + Int32(bytes[text + $1]) - 48 }
      }
      var parts = tm()
      parts.tm_year = number(0, 4) - 1900
      parts.tm_mon = number(5, 2) - 1
      parts.tm_mday = number(8, 2)
      parts.tm_hour = number(11, 2)
      parts.tm_min = number(14, 2)
      parts.tm_sec = number(17, 2)
      return Int64(timegm(&parts)) * 10 + Int64(number(20, 1))
    }
  }
}

import Foundation
import Glibc
import LinuxIO
import LocationEngine
import LocationModel
import LocationRuntime
import LocationService
import Testing

@Suite("A client that takes a pipe (decision 0014)", .timeLimit(.minutes(1)))
struct PipedClientTests {
  private static let name = "org.example.walk"

  @Test("hears everything after the greeting through it, in order, and why the connection ends")
  func hearsThroughPipe() async throws {
    let bench = try DaemonBench()
    try bench.decide(Grant(level: .whenInUse), for: Self.name)
    bench.expect(Self.name)
    let client = try RawClient(path: bench.socketPath, takesPipe: true)
    try client.sayHello()
    try client.say(.takesPipe, .addManager(1), .request(.startUpdatingLocation, manager: 1))
    while let message = await client.heard.next(), message != .pipe {}
    #expect(client.hasPipe)
    while let demand = await bench.receiver.demands.next(), demand == nil {}
    for east in 0..<100 { bench.receiver.give(Fix.east(Double(east))) }
    var longitudes: [Double] = []
    while longitudes.count < 100, let message = await client.heard.next() {
      if case .event(.locationsUpdated(let fixes, _), 1) = message { longitudes += fixes.map(\.coordinate.longitude) }
    }
    #expect(longitudes == (0..<100).map { Fix.east(Double($0)).coordinate.longitude })
    bench.stop()
    var last: ServerMessage?
    while let message = await client.heard.next() { last = message }
    #expect(last == .refusal("the service stops"))
  }

  @Test("and is no app's hears through the socket, as before")
  func tool() async throws {
    let bench = try DaemonBench()
    bench.expect("corelocation")
    let tool = try RawClient(path: bench.socketPath, takesPipe: true)
    try tool.sayHello(.tool)
    try tool.say(.takesPipe)
    #expect(try await tool.ask(.condition(app: nil)) != nil)
    #expect(!tool.hasPipe)
  }

  @Test("asks anew, and for none, where the pipe did not reach it")
  func lostPipe() async throws {
    let folder = DaemonBench.Folder()
    let path = folder.path + "/socket"
    let listener = try Syscalls.listen(at: path, mode: 0o600, tellsSenders: false)
    defer { Syscalls.close(listener) }
    let connection = DaemonBench.connection(to: path, log: Lines())
    defer { connection.close() }
    let manager = connection.addManager { _ in }
    defer { connection.removeManager(manager) }
    let first = try await Self.words(of: listener, answer: .pipe)
    #expect(Array(first.prefix(2).dropFirst()) == [.takesPipe])
    let second = try await Self.words(of: listener, answer: nil)
    #expect(!second.contains(.takesPipe))
    #expect(second.contains(.addManager(manager.number)))
  }

  /// What the next caller says first: its hello and two words more.
  private static func words(of listener: Int32, answer: ServerMessage?) async throws -> [ClientMessage] {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try hear(listener, answer) })
      }
    }
  }

  private static func hear(_ listener: Int32, _ answer: ServerMessage?) throws -> [ClientMessage] {
    func wait(_ file: Int32) throws {
      var one = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
      try #require(poll(&one, 1, 20_000) == 1)
    }
    try wait(listener)
    let client = try #require(try Syscalls.accept(listener))
    defer { Syscalls.close(client) }
    var frames = FrameReader(bytesMax: WireFrame.clientBytesMax)
    var words: [ClientMessage] = []
    var bytes = [UInt8](repeating: 0, count: 4_096)
    while !words.contains(where: { if case .addManager = $0 { true } else { false } }) {
      try wait(client)
      let count = recv(client, &bytes, bytes.count, 0)
      try #require(count > 0)
      bytes.withUnsafeBytes { frames.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      while let frame = try frames.next() { words.append(try FrameReader.decode(frame)) }
    }
    if let answer {
      let frame = WireFrame.encode(answer)
      #expect(frame.withUnsafeBytes { Glibc.send(client, $0.baseAddress, $0.count, 0) } == frame.count)
      try wait(client)
      // The end, since it cannot hear anything any more.
      while recv(client, &bytes, bytes.count, 0) > 0 {}
    }
    return words
  }
}

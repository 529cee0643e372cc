import Foundation
import Glibc
import LinuxIO
import LocationEngine
import LocationModel
import LocationRuntime
import XCTest

/// What clients do to the real service, and that it harms nobody else. Blocks, so XCTest.
final class HostileClientTests: XCTestCase {
  /// An honest app that listens on a thread of its own while others misbehave.
  private final class Witness: @unchecked Sendable {
    private let probe: WireProbe
    private let receiver: PipeReceiver
    private let isEnding = Locked(false)
    private let done = DispatchSemaphore(value: 0)
    /// Seconds from the write to the hearing, for each tenth of a second.
    private let latencies = Locked<[Int64: Double]>([:])
    private let startedAt: Int64

    init(_ daemon: RunningDaemon) throws {
      receiver = daemon.receiver
      probe = try WireProbe.app(daemon.socketPath, .requestWhenInUseAuthorization, .startUpdatingLocation)
      receiver.feed()
      guard let first = probe.nextFix(secondsMax: 20) else { throw RunningDaemon.Failure(description: "no location") }
      startedAt = Self.tenth(first) + 1
      Thread { [self] in
        while !isEnding.withLock({ $0 }) {
          guard let fix = probe.nextFix(secondsMax: 1) else { continue }
          let now = DispatchTime.now().uptimeNanoseconds
          if let told = receiver.told.withLock({ $0[Self.tenth(fix)] }) {
            latencies.withLock { $0[Self.tenth(fix)] = Double(now - told) / 1e9 }
          }
        }
        done.signal()
      }.start()
    }

    private static func tenth(_ fix: Fix) -> Int64 { (fix.time.nanosecondsSince1970 + 50_000_000) / 100_000_000 }

    /// Every location was heard, and soon.
    func expectUnharmed(secondsMax: Double, file: StaticString = #filePath, line: UInt = #line) {
      receiver.stopFeeding()
      let told = receiver.told.withLock { $0.keys.filter { $0 >= startedAt } }
      // The last ones are still on their way.
      _ = waitUntil(secondsMax: 5) { latencies.withLock { heard in told.allSatisfy { heard[$0] != nil } } }
      isEnding.withLock { $0 = true }
      done.wait()
      let heard = latencies.withLock { $0 }
      XCTAssertGreaterThan(told.count, 3, file: file, line: line)
      let missed = told.filter { heard[$0] == nil }
      XCTAssertTrue(missed.isEmpty, "\(missed.count) of \(told.count) missed", file: file, line: line)
      XCTAssertLessThan(heard.values.max() ?? .infinity, secondsMax, file: file, line: line)
      XCTAssertFalse(probe.hasEnded, file: file, line: line)
    }
  }

  // MARK: Malformed frames

  /// Bytes that no honest client sends, often after some that one would. Commands that happen to be right are left out:
  /// this user may switch Location Services off for the witness.
  private func malformed(_ random: inout RandomMessages) -> [UInt8] {
    while true {
      let bytes = anyBytes(&random)
      if !holdsCommand(bytes) { return bytes }
    }
  }

  private func holdsCommand(_ bytes: [UInt8]) -> Bool {
    var frames = FrameReader(bytesMax: WireFrame.clientBytesMax)
    bytes.withUnsafeBytes { frames.append($0) }
    while let frame = try? frames.next() {
      if case .command = try? FrameReader.decode(frame, as: ClientMessage.self) { return true }
    }
    return false
  }

  private func anyBytes(_ random: inout RandomMessages) -> [UInt8] {
    var bytes: [UInt8] = []
    if random.flag() {
      var app = AppDescription(identifier: AppIdentifier("forged"))
      app.whenInUseUsage = random.text()
      bytes += WireFrame.encode(ClientMessage.hello(version: wireProtocolVersion, random.flag() ? .tool : .app(app)))
      if random.flag() { bytes += WireFrame.encode(ClientMessage.addManager(1)) }
    }
    switch random.number(0...5) {
    case 0:
      var message = WireFrame.encode(random.clientMessage())
      message[random.number(0...(message.count - 1))] ^= UInt8(1 << random.number(0...7))
      bytes += message
    case 1: bytes += random.bytes(random.number(1...60))
    case 2: bytes += [255, 255, 255, UInt8(random.number(0...255))]
    case 3: bytes += [0, 0, 0, 0]
    case 4:
      var message = WireFrame.encode(random.clientMessage())
      message.removeLast(random.number(1...(message.count - 1)))
      bytes += message
    default:
      let body = random.bytes(random.number(1...200))
      withUnsafeBytes(of: UInt32(body.count).littleEndian) { bytes += $0 }
      bytes += body
    }
    return bytes
  }

  func testMalformedFramesNeitherCrashNorLeakAndHarmNobody() throws {
    let count = TestPrograms.isFull ? 100_000 : 2_000
    let daemon = try RunningDaemon(permissions: #"{"*": "always"}"#)
    try daemon.start()
    let witness = try Witness(daemon)
    var random = RandomMessages(seed: 7)
    // At each quarter: a leak grows in all of them.
    var memory: [Int] = []
    var filesMax = 0
    for number in 1...count {
      let probe = try connect(daemon)
      probe.say(bytes: malformed(&random))
      if number % 50 == 0 { _ = probe.next(secondsMax: 0.02) }
      if number % 1_000 == 0 { filesMax = max(filesMax, try daemon.openFiles().count) }
      if number % (count / 4) == 0 { memory.append(try daemon.memoryKilobytes()) }
    }
    if !TestPrograms.hasOtherDaemon { XCTAssertLessThan(memory[3] - memory[0], 4_096, "\(memory) kB") }
    // Who has left takes no files, and of those who call no more than may be looked at have any.
    XCTAssertLessThan(filesMax, 1_000)
    XCTAssertFalse(daemon.log.contains("No file is left"))
    witness.expectUnharmed(secondsMax: 0.5)
    XCTAssertTrue(waitUntil(secondsMax: 20) { (try? self.connectionCount(daemon)) ?? 99 <= 3 })
    daemon.stop()
    print("daemon: \(count) malformed frames; \(memory) kB after each quarter of them, \(filesMax) files at most")
  }

  /// The service may have more callers than it takes at once.
  private func connect(_ daemon: RunningDaemon) throws -> WireProbe {
    for _ in 0..<2_000 {
      if let probe = try? WireProbe(daemon.socketPath) { return probe }
      usleep(1_000)
    }
    do {
      return try WireProbe(daemon.socketPath)
    } catch {
      throw RunningDaemon.Failure(
        description: "\(error); runs: \(daemon.isRunning) \(daemon.isRunning ? "" : "\(daemon.waitForEnd())"); "
          + String(daemon.log.suffix(1_500)))
    }
  }

  private func connectionCount(_ daemon: RunningDaemon) throws -> Int {
    try daemon.openFiles().count { $0.hasPrefix("socket:") }
  }

  // MARK: Many

  func testAThousandClientsComeAskAndLeaveAndNothingOfThemStays() throws {
    _ = Syscalls.raiseOpenFilesLimit()
    let daemon = try RunningDaemon()
    try daemon.start()
    // The first client of all opens what stays open.
    XCTAssertNotNil(try WireProbe.tool(daemon.socketPath).ask(.apps))
    // Until those who have asked so far are gone.
    var earlier = 0
    XCTAssertTrue(
      waitUntil(secondsMax: 20) {
        defer { earlier = (try? connectionCount(daemon)) ?? 0 }
        usleep(300_000)
        return (try? connectionCount(daemon)) == earlier
      })
    daemon.receiver.feed()
    let filesBefore = try kindsOfFiles(of: daemon)
    let before = try daemon.memoryKilobytes("RssAnon")
    let count = TestPrograms.isFull ? 1_000 : 150
    var memory: [Int] = []
    for _ in 0..<2 {
      try autoreleasepool {
        let clients = try (0..<count).map { _ in
          let probe = try connect(daemon)
          probe.say(bytes: try Self.appWords())
          return probe
        }
        for client in clients { XCTAssertNotNil(client.nextFix(secondsMax: 60)) }
      }
      // The receiver is let go with the last of them.
      XCTAssertTrue(waitUntil(secondsMax: 30) { (try? kindsOfFiles(of: daemon)) == filesBefore }, daemon.log)
      _ = waitUntil(secondsMax: 15) { (try? daemon.memoryKilobytes("RssAnon") < before + 1_024) == true }
      memory.append(try daemon.memoryKilobytes("RssAnon"))
    }
    if !TestPrograms.hasOtherDaemon {
      XCTAssertLessThan((memory.max() ?? 0) - before, 3_072, "\(before) kB became \(memory) kB")
    }
    daemon.stop()
    print("daemon: anonymous memory \(before) kB, after \(count) clients each time \(memory) kB; the same files")
  }

  private func kindsOfFiles(of daemon: RunningDaemon) throws -> [String] {
    // A thread of Dispatch's ends when it likes, and the files that it waits with are the process's own.
    try daemon.openFiles().sorted().map { String($0.prefix { $0 != ":" }) }.filter { $0 != "anon_inode" }
  }

  private static func appWords() throws -> [UInt8] {
    var app = AppDescription(identifier: AppIdentifier("forged"))
    app.whenInUseUsage = "To show where you are."
    let messages: [ClientMessage] = [
      .hello(version: wireProtocolVersion, .app(app)), .addManager(1),
      .request(.requestWhenInUseAuthorization, manager: 1), .request(.startUpdatingLocation, manager: 1),
    ]
    return messages.flatMap { WireFrame.encode($0) }
  }

  private func autoreleasepool(_ body: () throws -> Void) rethrows { try body() }

  // MARK: Slow, dead, flooding

  func testOneThatNeverReadsOneThatFloodsAndOneThatSaysNothingHarmNobody() throws {
    let daemon = try RunningDaemon()
    try daemon.start()
    let deaf = try WireProbe.app(daemon.socketPath, .requestWhenInUseAuthorization, .startUpdatingLocation)
    let dumb = try WireProbe(daemon.socketPath)
    let dumbSince = Date()
    let witness = try Witness(daemon)
    let before = try daemon.memoryKilobytes("RssAnon")
    let isEnding = Locked(false)
    let done = DispatchSemaphore(value: 0)
    let flood = try WireProbe.app(daemon.socketPath)
    let floodWords = Locked(
      (0..<200).flatMap { _ in
        WireFrame.encode(ClientMessage.request(.configure(ManagerConfiguration()), manager: 1))
      })
    nonisolated(unsafe) let flooding = flood
    Thread {
      let bytes = floodWords.withLock { $0 }
      while !isEnding.withLock({ $0 }), flooding.say(bytes: bytes) {}
      done.signal()
    }.start()
    XCTAssertTrue(dumb.ends(secondsMax: 15), "one that says nothing is still there")
    XCTAssertGreaterThan(Date().timeIntervalSince(dumbSince), 8)
    isEnding.withLock { $0 = true }
    done.wait()
    XCTAssertLessThan(try daemon.memoryKilobytes("RssAnon") - before, 4_096)
    witness.expectUnharmed(secondsMax: 0.5)
    XCTAssertFalse(deaf.hasEnded)
    daemon.stop()
  }

  func testOneThatIgnoresWhatMustNotBeLostHasToGo() throws {
    let daemon = try RunningDaemon()
    try daemon.start()
    let witness = try Witness(daemon)
    // Each question has an answer, and none of them is read.
    let deaf = try WireProbe.tool(daemon.socketPath)
    let question = WireFrame.encode(ClientMessage.command(.status, number: 1))
    let bytes = (0..<100).flatMap { _ in question }
    for _ in 0..<100 where !deaf.say(bytes: bytes) { break }
    XCTAssertTrue(waitUntil(secondsMax: 20) { daemon.log.contains("has not read 256 messages") }, daemon.log)
    witness.expectUnharmed(secondsMax: 0.5)
    daemon.stop()
  }

  func testWithoutFilesForMoreItAcceptsAgainWhenOneLeaves() throws {
    try TestPrograms.require("/usr/bin/prlimit")
    let daemon = try RunningDaemon()
    try daemon.start(below: ["/usr/bin/prlimit", "--nofile=96:96"])
    var clients: [WireProbe] = []
    var waiting: WireProbe?
    for _ in 0..<100 where waiting == nil {
      let client = try WireProbe.app(daemon.socketPath)
      if client.next(secondsMax: 0.5) == nil { waiting = client } else { clients.append(client) }
    }
    let last = try XCTUnwrap(waiting, "\(clients.count) clients and still room")
    XCTAssertTrue(daemon.log.contains("No file is left"), daemon.log)
    XCTAssertFalse(last.hasEnded)
    XCTAssertTrue(clients.contains { !$0.hasEnded })
    // It does not spin meanwhile.
    let seconds = try Self.processorSeconds(clients[0])
    usleep(500_000)
    XCTAssertLessThan(try Self.processorSeconds(clients[0]) - seconds, 0.1)
    clients.removeFirst(4)
    XCTAssertNotNil(last.next(secondsMax: 10), "nobody was let in: \(daemon.log)")
    clients.removeAll()
    daemon.stop()
  }

  private static func processorSeconds(_ client: WireProbe) throws -> Double {
    var clock = clockid_t()
    var time = timespec()
    clock_getcpuclockid(try Syscalls.peerCredentials(client.descriptor).processNumber, &clock)
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

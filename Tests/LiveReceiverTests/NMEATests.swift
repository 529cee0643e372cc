import Foundation
import Glibc
import LinuxIO
import LocationModel
import LocationProviders
import LocationRuntime
import XCTest

/// Receivers that speak NMEA 0183 over a serial port, a pipe or a network. XCTest, since these tests block.
final class NMEATests: XCTestCase {
  private let demand = ReceiverDemand(accuracy: .best)
  private var folder = ""

  override func setUpWithError() throws {
    var template = Array("/tmp/corelocation-tests-XXXXXX".utf8CString)
    try XCTSkipIf(mkdtemp(&template) == nil, "no folder can be made")
    folder = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
  }

  override func tearDown() {
    try? FileManager.default.removeItem(atPath: folder)
  }

  func testASerialReceiverIsUnpluggedAndPluggedInAgain() throws {
    // As udev does: a name that comes and goes, for a device whose own name may change.
    let path = folder + "/receiver"
    let provider = LiveSource.device(path: path, clock: LiveClock.shared)
    let recorder = Recorder(provider)
    provider.setDemand(demand)
    try recorder.wait("the absence", seconds: 2) { $0.unavailableCount == 1 }
    XCTAssertEqual(provider.currentStatus.phase, .absent)
    XCTAssertEqual(recorder.current.notices, ["\(path) is not there."])

    for round in 1...2 {
      let before = recorder.current.fixes.count
      let port = try FakeSerialPort()
      let receiver = FakeReceiver { port.send($0) }
      XCTAssertEqual(symlink(port.path, path), 0)
      try recorder.wait("fixes after plugging in, round \(round)", seconds: 3) { $0.fixes.count >= before + 10 }
      XCTAssertEqual(provider.currentStatus.phase, .fixing)
      XCTAssertEqual(recorder.current.unavailableCount, round)
      unlink(path)
      receiver.stop()
      port.unplug()
      try recorder.wait("the loss", seconds: 1) { $0.unavailableCount == round + 1 }
      XCTAssertEqual(provider.currentStatus.phase, .lost)
      // Each receiver for itself: the next may begin within the same tenth of a second.
      check(Array(recorder.current.fixes[before...]))
    }
    provider.setDemand(nil)
  }

  /// The 10 Hz receiver's places; every moment once, in order.
  private func check(_ fixes: [Fix]) {
    for fix in fixes {
      XCTAssertEqual(fix.coordinate.longitude, 19.2, accuracy: 1e-7)
      XCTAssertEqual(fix.coordinate.latitude, 47.5, accuracy: 0.1)
      XCTAssertEqual(fix.altitudeMeters, 100)
      XCTAssertEqual(fix.ellipsoidalAltitudeMeters, 140)
    }
    XCTAssertEqual(Set(fixes.map(\.time)).count, fixes.count)
    XCTAssertEqual(fixes.map(\.time).sorted(), fixes.map(\.time))
  }

  func testTheSpeedIsFoundByListening() throws {
    // 115200 is the fourth that is tried. The receiver's bytes are garbled at any other speed.
    let port = try FakeSerialPort()
    let receiver = FakeReceiver { bytes in
      port.send(port.speedCode == speed_t(B115200) ? bytes : bytes.map { $0 ^ 0xA5 &+ 0x11 })
    }
    defer { receiver.stop() }
    let provider = LiveSource.device(path: port.path, clock: LiveClock.shared)
    let recorder = Recorder(provider)
    provider.setDemand(demand)
    // Three wrong speeds: 512 bytes of garbage or 2.2 s each.
    try recorder.wait("fixes at the right speed", seconds: 8) { $0.fixes.count >= 5 }
    XCTAssertEqual(provider.currentStatus.speedBaud, 115_200)
    // Wanted again, it begins with the speed that it knows.
    provider.setDemand(nil)
    let before = recorder.current.fixes.count
    provider.setDemand(demand)
    try recorder.wait("fixes at once", seconds: 3) { $0.fixes.count >= before + 3 }
    XCTAssertEqual(provider.currentStatus.speedBaud, 115_200)
    provider.setDemand(nil)
  }

  func testABusyPortIsNamedWithItsHolder() throws {
    let port = try FakeSerialPort()
    let receiver = FakeReceiver { port.send($0) }
    defer { receiver.stop() }
    let holder = try StartedProcess(["/bin/sleep", "60"], input: port.path)
    let provider = LiveSource.device(path: port.path, clock: LiveClock.shared)
    let recorder = Recorder(provider)
    provider.setDemand(demand)
    try recorder.wait("the refusal", seconds: 3) { $0.unavailableCount == 1 }
    XCTAssertEqual(
      recorder.current.notices, ["\(port.path) is in use by sleep (process \(holder.identifier))."])
    holder.kill()
    try recorder.wait("fixes when the port is free", seconds: 3) { $0.fixes.count >= 3 }
    provider.setDemand(nil)
  }

  func testSentencesOverTCPGoOnAfterTheServerWasLost() throws {
    var server = try FakeServer()
    let current = Locked<FakeServer?>(server)
    let receiver = FakeReceiver { bytes in
      current.withLock { $0 }?.send(String(decoding: bytes, as: UTF8.self))
    }
    defer { receiver.stop() }
    let provider = LiveSource.tcp(host: "127.0.0.1", port: server.port, clock: LiveClock.shared)
    let recorder = Recorder(provider)
    provider.setDemand(demand)
    try recorder.wait("fixes", seconds: 3) { $0.fixes.count >= 5 }
    server.stop()
    try recorder.wait("the loss", seconds: 2) { $0.unavailableCount == 1 }
    let before = recorder.current.fixes.count
    server = try FakeServer(port: server.port)
    current.withLock { $0 = server }
    try recorder.wait("fixes again", seconds: 3) { $0.fixes.count >= before + 5 }
    XCTAssertEqual(recorder.current.unavailableCount, 1)
    provider.setDemand(nil)
    server.closed.wait("the end of the connection", seconds: 1)
    server.stop()
  }

  func testSentencesInDatagramsWithoutLineEnds() throws {
    let number = try freePort(SOCK_DGRAM)
    let provider = LiveSource.udp(port: number, clock: LiveClock.shared)
    let recorder = Recorder(provider)
    provider.setDemand(demand)
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(descriptor) }
    let receiver = FakeReceiver { bytes in
      for line in bytes.split(separator: 0x0A) { sendDatagram(Array(line.dropLast()), descriptor, port: number) }
    }
    defer { receiver.stop() }
    try recorder.wait("fixes", seconds: 3) { $0.fixes.count >= 10 }
    check(recorder.current.fixes)
    provider.setDemand(nil)
  }

  func testALinkIsFollowedToADeviceThatComesLater() throws {
    // A link of the person's own in one folder, and in another the name that udev makes and takes away.
    let devices = folder + "/devices"
    let path = folder + "/receiver"
    XCTAssertEqual(mkdir(devices, 0o700), 0)
    XCTAssertEqual(symlink("devices/port", path), 0)
    let provider = LiveSource.device(path: path, clock: LiveClock.shared)
    let recorder = Recorder(provider)
    provider.setDemand(demand)
    try recorder.wait("the absence", seconds: 5) { $0.unavailableCount == 1 }
    let port = try FakeSerialPort()
    let receiver = FakeReceiver { port.send($0) }
    defer { receiver.stop() }
    XCTAssertEqual(symlink(port.path, devices + "/port"), 0)
    try recorder.wait("fixes after plugging in", seconds: 10) { $0.fixes.count >= 3 }
    provider.setDemand(nil)
  }

  func testWhatAStrangerSendsClosesNoDatagramPort() throws {
    let number = try freePort(SOCK_DGRAM)
    let provider = LiveSource.udp(port: number, clock: LiveClock.shared)
    let recorder = Recorder(provider)
    provider.setDemand(demand)
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(descriptor) }
    try recorder.wait("the open port", seconds: 5) { _ in provider.currentStatus.isOpen }
    sendDatagram(Array(#"{"class":"VERSION","release":"3.22"}"#.utf8), descriptor, port: number)
    let junk = [UInt8](repeating: 0xA5, count: 16_000)
    for _ in 0..<200 { sendDatagram(junk, descriptor, port: number) }
    let receiver = FakeReceiver { bytes in sendDatagram(bytes, descriptor, port: number) }
    defer { receiver.stop() }
    try recorder.wait("fixes", seconds: 10) { $0.fixes.count >= 5 }
    XCTAssertEqual(recorder.current.unavailableCount, 0, "\(recorder.current.notices)")
    XCTAssertEqual(recorder.current.notices, [])
    provider.setDemand(nil)
  }

  func testADatagramPortThatSomebodyHasIsNamedAndTakenWhenItIsFree() throws {
    let (descriptor, number) = try boundDatagramPort()
    let provider = LiveSource.udp(port: number, clock: LiveClock.shared)
    let recorder = Recorder(provider)
    provider.setDemand(demand)
    try recorder.wait("the refusal", seconds: 5) { $0.unavailableCount == 1 }
    let notice = recorder.current.notices.first ?? ""
    XCTAssertTrue(notice.hasPrefix("UDP port \(number) is in use by "), notice)
    XCTAssertTrue(notice.hasSuffix("(process \(getpid()))."), notice)
    close(descriptor)
    try recorder.wait("the open port", seconds: 10) { _ in provider.currentStatus.isOpen }
    provider.setDemand(nil)
  }

  func testADeviceThatIsNoPortIsCalledNone() throws {
    let provider = LiveSource.device(path: "/dev/null", clock: LiveClock.shared)
    let recorder = Recorder(provider)
    provider.setDemand(demand)
    try recorder.wait("the refusal", seconds: 5) { $0.unavailableCount == 1 }
    XCTAssertEqual(recorder.current.notices, ["/dev/null is no serial port."])
    XCTAssertEqual(provider.currentStatus.obstacle, .noPort)
    provider.setDemand(nil)
  }

  func testAPipeWhoseWritersComeAndGo() throws {
    let path = folder + "/pipe"
    XCTAssertEqual(mkfifo(path, 0o600), 0)
    let provider = LiveSource.device(path: path, clock: LiveClock.shared)
    let recorder = Recorder(provider)
    provider.setDemand(demand)
    for round in 1...2 {
      let writer = open(path, O_RDWR | O_NONBLOCK)
      let receiver = FakeReceiver { bytes in _ = bytes.withUnsafeBytes { write(writer, $0.baseAddress, $0.count) } }
      let before = recorder.current.fixes.count
      try recorder.wait("fixes of writer \(round)", seconds: 3) { $0.fixes.count >= before + 5 }
      receiver.stop()
      close(writer)
    }
    XCTAssertEqual(recorder.current.unavailableCount, 0)
    provider.setDemand(nil)
  }

  func testNothingIsOpenWhileNothingIsWanted() throws {
    let port = try FakeSerialPort()
    let receiver = FakeReceiver { port.send($0) }
    defer { receiver.stop() }
    let provider = LiveSource.device(path: port.path, clock: LiveClock.shared)
    let recorder = Recorder(provider)
    XCTAssertFalse(isOpenHere(port.path))
    provider.setDemand(demand)
    try recorder.wait("a fix", seconds: 3) { !$0.fixes.isEmpty }
    XCTAssertTrue(isOpenHere(port.path))
    provider.setDemand(nil)
    let deadline = Date().addingTimeInterval(1)
    while isOpenHere(port.path) && Date() < deadline { sched_yield() }
    XCTAssertFalse(isOpenHere(port.path), "closed within a second")
    XCTAssertEqual(provider.currentStatus.phase, .idle)
  }

  /// A system call that waits gives up the processor, and so does a thread that has done what it was woken for.
  func testNoThreadIsWokenWhileNothingIsWanted() throws {
    try XCTSkipIf(dlsym(nil, "__tsan_init") != nil, "the thread sanitizer has a thread of its own")
    let port = try FakeSerialPort()
    let receiver = FakeReceiver { port.send($0) }
    let provider = LiveSource.device(path: port.path, clock: LiveClock.shared)
    let recorder = Recorder(provider)
    provider.setDemand(demand)
    try recorder.wait("a fix", seconds: 3) { !$0.fixes.isEmpty }
    receiver.stop()
    provider.setDemand(nil)
    let deadline = Date().addingTimeInterval(1)
    while isOpenHere(port.path) && Date() < deadline { sched_yield() }
    pass(seconds: 0.2)
    let before = switchesOfOtherThreads()
    pass(seconds: 2.2)
    let after = switchesOfOtherThreads()
    // Dispatch's own manager looks at its workers every second, and an idle worker once whether it may end. Something
    // that is done every second would also wake the worker that does it.
    let woken = before.filter { (after[$0.key] ?? $0.value) - $0.value > 1 }
    XCTAssertLessThanOrEqual(woken.count, 1, "threads \(woken.keys) were woken")
    XCTAssertFalse(before.isEmpty)
  }

  /// Waits for what never comes, on this thread alone: XCTest's own waiting wakes others.
  private func pass(seconds: Double) {
    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + seconds)
  }

  /// How often each thread but the caller's has run and waited again.
  private func switchesOfOtherThreads() -> [String: Int] {
    let folder = "/proc/self/task"
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")) ?? ""
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    var switches: [String: Int] = [:]
    for thread in threads where !own.hasSuffix("/\(thread)") {
      let lines = (try? String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8)) ?? ""
      let line = lines.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
      switches[thread] = line.flatMap { Int($0.split(separator: "\t").last ?? "") }
    }
    return switches
  }

  /// Whether this process has the file open.
  private func isOpenHere(_ path: String) -> Bool {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return names.contains {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
    }
  }
}

private func sendDatagram(_ bytes: [UInt8], _ descriptor: Int32, port: UInt16) {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  _ = withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      sendto(descriptor, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
}

import Foundation
import LocationModel
import LocationProviders
import LocationRuntime
import XCTest

/// gpsd: the real one, and a made-up one for what the real one does not do. XCTest, since these tests block.
final class GPSDTests: XCTestCase {
  private let demand = ReceiverDemand(accuracy: .best)
  private static let greeting = #"{"class":"VERSION","release":"3.22","proto_major":3,"proto_minor":14}"# + "\r\n"
  private static let devices =
    #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/x","activated":"x"}]}"# + "\r\n"

  private static func report(_ second: Int, mode: Int = 3) -> String {
    #"{"class":"TPV","device":"/dev/x","mode":\#(mode),"lat":47.5,"lon":19.2,"eph":3,"time":"2026-06-05T10:15:"#
      + String(format: "%02d.000Z\"}\r\n", second)
  }

  func testFixesGoOnAfterGPSDWasKilledAndStartedAgain() throws {
    let port = try FakeSerialPort()
    let receiver = FakeReceiver { port.send($0) }
    defer { receiver.stop() }
    let number = try freePort()
    var daemon = try RealGPSD.start(port: number, device: port.path)
    let provider = LiveSource.gpsd(host: "127.0.0.1", port: number, clock: LiveClock.shared)
    let recorder = Recorder(provider)
    provider.setDemand(demand)
    try recorder.wait("20 fixes", seconds: 15) { $0.fixes.count >= 20 }
    let status = provider.currentStatus
    XCTAssertEqual(status.phase, .fixing)
    XCTAssertEqual(status.devices, [port.path])
    XCTAssertEqual(status.sender?.hasPrefix("gpsd 3."), true)
    check(recorder.current.fixes)

    let unavailableBefore = recorder.current.unavailableCount
    daemon.kill()
    try recorder.wait("the loss", seconds: 3) { $0.unavailableCount == unavailableBefore + 1 }
    XCTAssertEqual(provider.currentStatus.phase, .lost)
    let countBefore = recorder.current.fixes.count
    daemon = try RealGPSD.start(port: number, device: port.path)
    let restarted = Date()
    try recorder.wait("fixes again", seconds: 10) { $0.fixes.count >= countBefore + 5 }
    let first = recorder.current.fixes[countBefore]
    // A second at most until the next attempt; gpsd itself needs about 1.4 s from its start to its first fix.
    XCTAssertLessThan(first.time.secondsSince1970 - restarted.timeIntervalSince1970, 4)
    XCTAssertEqual(recorder.current.unavailableCount, unavailableBefore + 1, "a loss is told once")
    provider.setDemand(nil)
    daemon.kill()
  }

  /// Places of the fake receiver, moving north only; one fix a moment.
  private func check(_ fixes: [Fix]) {
    for fix in fixes {
      XCTAssertEqual(fix.coordinate.longitude, 19.2, accuracy: 1e-7)
      let thousandths = (fix.coordinate.latitude - 47.5) * 60_000
      XCTAssertEqual(thousandths, thousandths.rounded(), accuracy: 0.01)
      XCTAssertFalse(fix.isSimulated)
    }
    // Once gpsd knows the receiver's cycle.
    let later = fixes.suffix(10)
    XCTAssertEqual(Set(later.map(\.time)).count, later.count)
    for fix in later {
      XCTAssertEqual(try XCTUnwrap(fix.altitudeMeters), 100, accuracy: 0.01)
      XCTAssertEqual(try XCTUnwrap(fix.speedMetersPerSecond), 3.6 * 1852 / 3600, accuracy: 0.01)
    }
  }

  func testTheConversationAndItsEndWithinASecondOfTheLastDemand() throws {
    let asked = Occurrence()
    let server = try FakeServer(greeting: Self.greeting) { server, text in
      guard text.hasPrefix("?WATCH={\"enable\":true,\"json\":true};") else { return }
      asked.happen()
      server.send(Self.devices + Self.report(1) + Self.report(2, mode: 1))
    }
    defer { server.stop() }
    let provider = LiveSource.gpsd(host: "127.0.0.1", port: server.port, clock: LiveClock.shared)
    let recorder = Recorder(provider)
    XCTAssertEqual(server.acceptedCount, 0, "nothing is opened before it is wanted")
    provider.setDemand(demand)
    asked.wait("the watch", seconds: 2)
    try recorder.wait("a fix, then none", seconds: 2) { $0.states == [.searching, .searching] && $0.fixes.count == 1 }
    XCTAssertEqual(provider.currentStatus.phase, .searching)
    // A made-up date, which the machine's clock contradicts: the fix is stamped with its arrival (design 5).
    let stamp = try XCTUnwrap(recorder.current.fixes.first).time.secondsSince1970
    XCTAssertEqual(stamp, Date().timeIntervalSince1970, accuracy: 5)
    provider.setDemand(nil)
    server.closed.wait("the end of the connection", seconds: 1)
    XCTAssertEqual(server.acceptedCount, 1)
    XCTAssertEqual(recorder.current.unavailableCount, 0)
  }

  func testAnotherMajorVersionAndWhatIsNoGPSDAreSaidInASentence() throws {
    let greetings = [
      (#"{"class":"VERSION","release":"9.0","proto_major":4}"# + "\n", "speaks version 4"),
      ("SSH-2.0-OpenSSH_9.2\r\n", "does not speak gpsd's protocol"),
    ]
    for (greeting, expected) in greetings {
      let server = try FakeServer(greeting: greeting)
      let provider = LiveSource.gpsd(host: "127.0.0.1", port: server.port, clock: LiveClock.shared)
      let recorder = Recorder(provider)
      provider.setDemand(demand)
      try recorder.wait("the refusal", seconds: 3) { $0.unavailableCount == 1 && $0.notices.count == 1 }
      XCTAssertTrue(recorder.current.notices[0].contains(expected), recorder.current.notices[0])
      XCTAssertEqual(provider.currentStatus.phase, .absent)
      provider.setDemand(nil)
      server.stop()
    }
  }

  func testGPSDThatComesLateIsFoundWithinASecondAndAHalf() throws {
    let number = try freePort()
    let provider = LiveSource.gpsd(host: "localhost", port: number, clock: LiveClock.shared)
    let recorder = Recorder(provider)
    provider.setDemand(demand)
    try recorder.wait("the absence", seconds: 3) { $0.unavailableCount == 1 }
    let server = try FakeServer(greeting: Self.greeting, port: number) { server, _ in server.send(Self.report(1)) }
    defer { server.stop() }
    server.accepted.wait("the next attempt", seconds: 1.5)
    try recorder.wait("a fix", seconds: 2) { $0.fixes.count == 1 }
    XCTAssertEqual(recorder.current.unavailableCount, 1)
    XCTAssertEqual(recorder.current.notices.count, 1)
    provider.setDemand(nil)
  }
}

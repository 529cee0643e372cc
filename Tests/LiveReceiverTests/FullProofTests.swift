import Foundation
import LinuxIO
import LocationModel
import LocationProviders
import LocationRuntime
import XCTest

/// What takes minutes, since gpsd itself waits a minute: with CORELOCATION_PROOF=full only.
final class FullProofTests: XCTestCase {
  private let demand = ReceiverDemand(accuracy: .best)

  override func setUpWithError() throws {
    try XCTSkipIf(
      ProcessInfo.processInfo.environment["CORELOCATION_PROOF"] != "full",
      "takes minutes; CORELOCATION_PROOF=full runs it")
  }

  /// Lets the seconds pass that gpsd, or an absence, is to last.
  private func pass(seconds: Double) {
    let never = expectation(description: "time passes")
    never.isInverted = true
    wait(for: [never], timeout: seconds)
  }

  func testGPSDPowersTheReceiverDownAMinuteAfterTheLastDemand() throws {
    let port = try FakeSerialPort()
    let receiver = FakeReceiver { port.send($0) }
    defer { receiver.stop() }
    let number = try freePort()
    let daemon = try RealGPSD.start(port: number, device: port.path, pollsAlways: false)
    let provider = LiveSource.gpsd(host: "127.0.0.1", port: number, clock: LiveClock.shared)
    let recorder = Recorder(provider)
    provider.setDemand(demand)
    try recorder.wait("fixes", seconds: 15) { $0.fixes.count >= 10 }
    XCTAssertEqual(DeviceHolder.find(path: port.path)?.processIdentifier, daemon.identifier)
    provider.setDemand(nil)
    // gpsd closes a receiver 60 s after its last client has gone.
    pass(seconds: 65)
    XCTAssertNil(DeviceHolder.find(path: port.path), "gpsd has the receiver open still")
    let before = recorder.current.fixes.count
    provider.setDemand(demand)
    try recorder.wait("fixes when they are wanted again", seconds: 10) { $0.fixes.count >= before + 10 }
    provider.setDemand(nil)
    daemon.kill()
  }

  func testFixesComeWithinTwoSecondsOfAGPSDThatWasAwayForNinety() throws {
    let port = try FakeSerialPort()
    let receiver = FakeReceiver { port.send($0) }
    defer { receiver.stop() }
    let number = try freePort()
    var daemon = try RealGPSD.start(port: number, device: port.path)
    let provider = LiveSource.gpsd(host: "127.0.0.1", port: number, clock: LiveClock.shared)
    let recorder = Recorder(provider)
    provider.setDemand(demand)
    try recorder.wait("fixes", seconds: 15) { $0.fixes.count >= 10 }
    daemon.kill()
    try recorder.wait("the loss", seconds: 3) { $0.states.last == .unavailable }
    pass(seconds: 90)
    let before = recorder.current.fixes.count
    let losses = recorder.current.unavailableCount
    daemon = try RealGPSD.start(port: number, device: port.path)
    let started = Date()
    try recorder.wait("fixes again", seconds: 10) { $0.fixes.count > before }
    // gpsd needs about 1.4 s from its start to its first report: 2 s after it is back are 3.4 s after its start.
    XCTAssertLessThan(Date().timeIntervalSince(started), 3.4)
    XCTAssertEqual(recorder.current.unavailableCount, losses)
    provider.setDemand(nil)
    daemon.kill()
  }
}

import Foundation
import Glibc
import LocationModel
import LocationProviders
import LocationRuntime
import XCTest

/// `auto`: gpsd before a serial receiver, and the better one as soon as it comes. XCTest, since these tests block.
final class AutomaticTests: XCTestCase {
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

  /// 48 degrees north: not where the serial receiver is.
  private func startGPSD(port: UInt16) throws -> FakeServer {
    let greeting = #"{"class":"VERSION","release":"3.22","proto_major":3,"proto_minor":14}"# + "\n"
    return try FakeServer(greeting: greeting, port: port) { server, _ in
      server.send(#"{"class":"DEVICES","devices":[{"path":"/dev/x"}]}"# + "\n")
      server.send(#"{"class":"TPV","device":"/dev/x","mode":3,"lat":48,"lon":20,"eph":3}"# + "\n")
    }
  }

  func testEachSourceTakesOverFromAWorseOneAndGivesWayToABetterOne() throws {
    var places = AutomaticProvider.Places()
    places.gpsdHost = "127.0.0.1"
    places.gpsdPort = try freePort()
    places.deviceFolder = folder
    let provider = AutomaticProvider(clock: LiveClock.shared, places: places)
    let recorder = Recorder(provider)
    provider.setDemand(demand)
    try recorder.wait("the absence of both", seconds: 2) { $0.unavailableCount == 1 && $0.notices.count == 1 }
    XCTAssertTrue(recorder.current.notices[0].contains("there is no serial receiver (\(folder)/gps*"))
    XCTAssertEqual(provider.currentStatus.phase, .absent)

    let port = try FakeSerialPort()
    let receiver = FakeReceiver { port.send($0) }
    defer { receiver.stop() }
    XCTAssertEqual(symlink(port.path, folder + "/ttyUSB0"), 0)
    try recorder.wait("serial fixes", seconds: 4) { $0.fixes.last?.coordinate.longitude == 19.2 }
    XCTAssertEqual(provider.currentStatus.name, folder + "/ttyUSB0")

    let server = try startGPSD(port: places.gpsdPort)
    try recorder.wait("gpsd's fix", seconds: 3) { $0.fixes.last?.coordinate.latitude == 48 }
    XCTAssertEqual(provider.currentStatus.sender, "gpsd 3.22")

    server.stop()
    let before = recorder.current.fixes.count
    try recorder.wait("serial fixes again", seconds: 4) { $0.fixes.count >= before + 3 }
    XCTAssertEqual(recorder.current.fixes.last?.coordinate.longitude, 19.2)

    port.unplug()
    unlink(folder + "/ttyUSB0")
    try recorder.wait("the loss of both", seconds: 3) { $0.unavailableCount == 2 }
    provider.setDemand(nil)
  }

  func testAPortThatIsNoReceiverMakesRoomForTheNext() throws {
    var places = AutomaticProvider.Places()
    places.gpsdHost = "127.0.0.1"
    places.gpsdPort = try freePort()
    places.deviceFolder = folder
    let taken = try FakeSerialPort()
    let holder = try StartedProcess(["/bin/sleep", "60"], input: taken.path)
    let port = try FakeSerialPort()
    let receiver = FakeReceiver { port.send($0) }
    defer { receiver.stop() }
    XCTAssertEqual(symlink(taken.path, folder + "/ttyACM0"), 0)
    XCTAssertEqual(symlink(port.path, folder + "/ttyUSB0"), 0)
    let provider = AutomaticProvider(clock: LiveClock.shared, places: places)
    let recorder = Recorder(provider)
    provider.setDemand(demand)
    try recorder.wait("fixes of the second port", seconds: 4) { $0.fixes.count >= 3 }
    XCTAssertEqual(provider.currentStatus.name, folder + "/ttyUSB0")
    provider.setDemand(nil)
    holder.kill()
  }
}

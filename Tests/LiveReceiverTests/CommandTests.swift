import Foundation
import Glibc
import LocationModel
import XCTest

/// Receivers as a person meets them: through the built command line. XCTest, since these tests block.
final class CommandTests: XCTestCase {
  private var folder = ""

  override func setUpWithError() throws {
    var template = Array("/tmp/corelocation-tests-XXXXXX".utf8CString)
    try XCTSkipIf(mkdtemp(&template) == nil, "no folder can be made")
    folder = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
  }

  override func tearDown() {
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The built command, ending by itself after 10 s at the latest: its status and the locations that it printed.
  private func follow(_ source: String, input: String = "/dev/null", count: Int) throws -> (Int32, [[String: Any]]) {
    let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let command = tests.deletingLastPathComponent().appendingPathComponent("corelocation").path
    let output = folder + "/output"
    let process = try StartedProcess(
      [command, "follow", "--source", source, "--json", "--count", String(count), "--duration", "10"],
      input: input, output: output,
      variables: ["CORELOCATION_AUTHORIZATION": "whenInUse", "XDG_STATE_HOME": folder])
    let status = process.waitForStatus()
    let lines = try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n")
    let events = try lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
    return (status, events.compactMap { $0?["locations"] as? [[String: Any]] }.flatMap { $0 })
  }

  private func check(_ locations: [[String: Any]], count: Int) {
    XCTAssertEqual(locations.count, count)
    for location in locations {
      XCTAssertEqual(try XCTUnwrap(location["longitude"] as? Double), 19.2, accuracy: 1e-7)
      XCTAssertEqual(location["isSimulatedBySoftware"] as? Bool, false)
    }
  }

  func testFollowsASerialReceiver() throws {
    let port = try FakeSerialPort()
    let receiver = FakeReceiver { port.send($0) }
    defer { receiver.stop() }
    let (status, locations) = try follow("nmea:\(port.path)", count: 5)
    XCTAssertEqual(status, 0)
    check(locations, count: 5)
  }

  func testFollowsGPSD() throws {
    let port = try FakeSerialPort()
    let receiver = FakeReceiver { port.send($0) }
    defer { receiver.stop() }
    let number = try freePort()
    let daemon = try RealGPSD.start(port: number, device: port.path)
    defer { daemon.kill() }
    let (status, locations) = try follow("gpsd:127.0.0.1:\(number)", count: 5)
    XCTAssertEqual(status, 0)
    check(locations, count: 5)
  }

  func testEndsWithStandardInput() throws {
    let input = folder + "/input"
    try FakeReceiver.epoch(0, at: Date()).write(toFile: input, atomically: false, encoding: .utf8)
    let (status, locations) = try follow("nmea:-", input: input, count: 100)
    XCTAssertEqual(status, 0)
    check(locations, count: 1)
  }
}

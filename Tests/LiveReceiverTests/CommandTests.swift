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

  /// Where the policy leaves no receiver on, also none on a wire.
  func testFollowHearsTheAirplaneSwitch() throws {
    let port = try FakeSerialPort()
    let receiver = FakeReceiver { port.send($0) }
    defer { receiver.stop() }
    let policy = folder + "/policy.json"
    try #"{"wiredReceiversInAirplaneMode": false}"#.write(toFile: policy, atomically: false, encoding: .utf8)
    let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let command = tests.deletingLastPathComponent().appendingPathComponent("corelocation").path
    let variables = [
      "CORELOCATION_AUTHORIZATION": "whenInUse", "XDG_STATE_HOME": folder, "CORELOCATION_POLICY": policy,
    ]
    let output = folder + "/events"
    XCTAssertEqual(mkfifo(output, 0o600), 0)
    let events = open(output, O_RDWR | O_CLOEXEC)
    defer { close(events) }
    let process = try StartedProcess(
      [command, "follow", "--source", "nmea:\(port.path)", "--json"], output: output, variables: variables)
    defer { process.kill() }
    func turn(_ state: String) throws {
      XCTAssertEqual(try StartedProcess([command, "airplane", state], variables: variables).waitForStatus(), 0)
    }
    try waitForLine("didUpdateLocations", from: events)
    try turn("on")
    try waitForLine(#""name":"locationUnknown""#, from: events)
    try turn("off")
    try waitForLine("didUpdateLocations", from: events)
  }

  /// Reads on until a line has these words.
  private func waitForLine(_ words: String, from file: Int32) throws {
    var line: [UInt8] = []
    while true {
      var wait = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
      var byte: UInt8 = 0
      guard poll(&wait, 1, 10_000) == 1, read(file, &byte, 1) == 1 else {
        return XCTFail("no line with \(words) came in 10 s")
      }
      if byte != UInt8(ascii: "\n") {
        line.append(byte)
      } else if String(decoding: line, as: UTF8.self).contains(words) {
        return
      } else {
        line = []
      }
    }
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

  /// The built command with standard input from a file of these bytes: its status and what it printed.
  private func run(_ arguments: [String], input text: String) throws -> (status: Int32, output: String) {
    let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let command = tests.deletingLastPathComponent().appendingPathComponent("corelocation").path
    let (input, output) = (folder + "/input", folder + "/output")
    try text.write(toFile: input, atomically: false, encoding: .utf8)
    unlink(output)
    let process = try StartedProcess([command] + arguments, input: input, output: output)
    return (process.waitForStatus(), try String(contentsOfFile: output, encoding: .utf8))
  }

  /// The status is that of an empty file, and that of a file without a position (not 4, "not in time").
  func testStandardInputWithoutAPositionFailsLikeSuchAFile() throws {
    let noFix = FakeReceiver.sentence("GPRMC,101500.00,V,,,,,,,050625,,,N")
    for text in ["", "hello\n", noFix] {
      for arguments in [
        ["follow", "--source", "nmea:-"], ["follow", "--source", "nmea:-", "--speed", "max"],
        ["locate", "--source", "nmea:-", "--timeout", "3600"], ["follow", "--source", "nmea:\(folder)/input"],
        ["locate", "--source", "nmea:\(folder)/input", "--timeout", "3600"],
      ] {
        XCTAssertEqual(try run(arguments, input: text).status, 1, "\(arguments) of \(text)")
      }
    }
  }

  /// An hour's patience for a better location ends with the source.
  func testTheLocationOfASourceThatHasEndedIsGivenAtOnce() throws {
    let text = FakeReceiver.epoch(0, at: Date(timeIntervalSince1970: 1_780_300_800))
    for source in ["nmea:-", "nmea:\(folder)/input"] {
      let (status, output) = try run(["locate", "--source", source, "--timeout", "3600"], input: text)
      XCTAssertEqual(status, 0, output)
      XCTAssertTrue(output.contains("47.5"), output)
    }
  }

  func testSentencesFromStandardInputArePlayedWhereAPaceIsSaid() throws {
    let text = (0..<3).map { FakeReceiver.epoch($0, at: Date(timeIntervalSince1970: 1_780_300_800 + Double($0))) }
    let played = try run(["follow", "--source", "nmea:-", "--speed", "max", "--json"], input: text.joined())
    XCTAssertEqual(played.status, 0, played.output)
    let file = try run(
      ["follow", "--source", "nmea:\(folder)/input", "--speed", "max", "--json"], input: text.joined())
    XCTAssertEqual(played.output, file.output)
    XCTAssertEqual(played.output.split(separator: "\n").count, 4, played.output)
  }

  func testEndsWithStandardInput() throws {
    let input = folder + "/input"
    try FakeReceiver.epoch(0, at: Date()).write(toFile: input, atomically: false, encoding: .utf8)
    let (status, locations) = try follow("nmea:-", input: input, count: 100)
    XCTAssertEqual(status, 0)
    check(locations, count: 1)
  }
}

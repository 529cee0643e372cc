import Foundation
import Glibc
import LocationModel
import XCTest

/// `corelocation doctor` on machines in several states of health. XCTest, since these tests block.
final class DoctorTests: XCTestCase {
  private var folder = ""

  override func setUpWithError() throws {
    var template = Array("/tmp/corelocation-tests-XXXXXX".utf8CString)
    try XCTSkipIf(mkdtemp(&template) == nil, "no folder can be made")
    folder = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
  }

  override func tearDown() {
    try? FileManager.default.removeItem(atPath: folder)
  }

  private struct Answer {
    var status: Int32
    /// By check.
    var lines: [String: (mark: String, text: String, cure: String?)]
    var output: String
  }

  private func command(_ arguments: [String], authorization: String = "whenInUse", output: String) throws -> Int32 {
    let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let command = tests.deletingLastPathComponent().appendingPathComponent("corelocation").path
    return try StartedProcess(
      [command] + arguments, output: output,
      variables: ["CORELOCATION_AUTHORIZATION": authorization, "XDG_STATE_HOME": folder]
    ).waitForStatus()
  }

  private func doctor(_ source: String, authorization: String = "whenInUse", waitSeconds: Int = 10) throws -> Answer {
    let output = folder + "/output"
    unlink(output)
    let status = try command(
      ["doctor", "--source", source, "--json", "--wait", String(waitSeconds)], authorization: authorization,
      output: output)
    let text = try String(contentsOfFile: output, encoding: .utf8)
    var answer = Answer(status: status, lines: [:], output: text)
    for line in text.split(separator: "\n") {
      let object = try XCTUnwrap(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let check = try XCTUnwrap(object["check"] as? String)
      let mark = try XCTUnwrap(object["mark"] as? String)
      answer.lines[check] = (mark, try XCTUnwrap(object["text"] as? String), object["cure"] as? String)
    }
    return answer
  }

  func testARealGPSDWithAReceiverIsWellAndNoPlaceIsPrinted() throws {
    let port = try FakeSerialPort()
    let receiver = FakeReceiver { port.send($0) }
    defer { receiver.stop() }
    let number = try freePort()
    let daemon = try RealGPSD.start(port: number, device: port.path)
    defer { daemon.kill() }
    let answer = try doctor("gpsd:127.0.0.1:\(number)")
    XCTAssertEqual(answer.status, 0, answer.output)
    XCTAssertEqual(answer.lines["gpsd"]?.mark, "ok")
    XCTAssertEqual(answer.lines["gpsd"]?.text.contains("(gpsd 3."), true, answer.output)
    XCTAssertEqual(answer.lines["gpsd"]?.text.contains(port.path), true, answer.output)
    XCTAssertEqual(answer.lines["fix"]?.mark, "ok")
    XCTAssertEqual(answer.lines["clock"]?.mark, "ok", answer.output)
    // The receiver's place: 47.5 degrees north, 19.2 east.
    XCTAssertFalse(answer.output.contains("47.5") || answer.output.contains("19.2"), answer.output)
  }

  func testASerialReceiverIsWell() throws {
    let port = try FakeSerialPort()
    let receiver = FakeReceiver { port.send($0) }
    defer { receiver.stop() }
    let answer = try doctor("nmea:\(port.path)")
    XCTAssertEqual(answer.status, 0, answer.output)
    XCTAssertEqual(answer.lines["serial"]?.text, "\(port.path) speaks NMEA 0183 at 9600 baud.")
    // The receiver's GSA sentences name eight satellites in use.
    XCTAssertEqual(answer.lines["satellites"]?.text.contains("8 used (GPS 1 2 3 4 5 6 7 8)"), true, answer.output)
  }

  func testNoGPSDIsTheCause() throws {
    let answer = try doctor("gpsd:127.0.0.1:\(try freePort())", waitSeconds: 1)
    XCTAssertEqual(answer.status, 4)
    XCTAssertEqual(answer.lines["gpsd"]?.mark, "cause")
    XCTAssertEqual(answer.lines["gpsd"]?.text.contains("Connection refused"), true, answer.output)
    XCTAssertEqual(answer.lines["gpsd"]?.cure?.contains("--source gpsd:localhost;"), true, answer.output)
  }

  func testASilentPortAndAGarbledOneAreToldApart() throws {
    let port = try FakeSerialPort()
    let silent = try doctor("nmea:\(port.path)", waitSeconds: 1)
    XCTAssertEqual(silent.status, 4)
    XCTAssertEqual(silent.lines["serial"]?.mark, "cause")
    XCTAssertEqual(silent.lines["serial"]?.text, "\(port.path) says nothing.")
    XCTAssertEqual(silent.lines["serial"]?.cure?.contains("has power"), true, silent.output)
    let receiver = FakeReceiver { port.send($0.map { $0 ^ 0xA5 }) }
    defer { receiver.stop() }
    let garbled = try doctor("nmea:\(port.path)", waitSeconds: 1)
    XCTAssertEqual(garbled.status, 4)
    XCTAssertEqual(garbled.lines["serial"]?.mark, "cause")
    XCTAssertEqual(
      garbled.lines["serial"]?.text,
      "\(port.path) sends bytes that are not NMEA 0183, at any speed that was tried.")
    XCTAssertEqual(garbled.lines["serial"]?.cure?.contains("needs gpsd"), true, garbled.output)
  }

  func testAServerThatSpeaksSomethingElseIsNotCalledSilent() throws {
    let server = try FakeServer(greeting: "SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n")
    defer { server.stop() }
    let answer = try doctor("tcp:127.0.0.1:\(server.port)", waitSeconds: 1)
    XCTAssertEqual(answer.lines["receiver"]?.mark, "cause")
    XCTAssertEqual(answer.lines["receiver"]?.text.contains("not NMEA 0183"), true, answer.output)
    let held = try doctor("gpsd:127.0.0.1:\(server.port)", waitSeconds: 1)
    XCTAssertEqual(held.lines["gpsd"]?.text.contains("does not speak gpsd's protocol"), true, held.output)
    XCTAssertEqual(held.lines["gpsd"]?.cure?.contains("sport = :\(server.port)"), true, held.output)
    let silent = try FakeServer()
    defer { silent.stop() }
    let answers = try doctor("gpsd:127.0.0.1:\(silent.port)", waitSeconds: 1)
    XCTAssertEqual(answers.lines["gpsd"]?.text.contains("says nothing"), true, answers.output)
    XCTAssertEqual(answers.lines["gpsd"]?.cure?.contains("sport = :\(silent.port)"), true, answers.output)
  }

  func testAFileThatIsNotThereIsTheCause() throws {
    for source in ["nmea:\(folder)/none", "gpx:\(folder)/none"] {
      let answer = try doctor(source, waitSeconds: 1)
      XCTAssertEqual(answer.status, 4)
      XCTAssertEqual(answer.lines["receiver"]?.text, "\(source): there is no such file.")
      XCTAssertEqual(answer.lines["receiver"]?.cure?.contains("look at the path"), true)
    }
  }

  func testTheHolderOfABusyPortIsNamed() throws {
    let port = try FakeSerialPort()
    let holder = try StartedProcess(["/bin/sleep", "60"], input: port.path)
    defer { holder.kill() }
    let answer = try doctor("nmea:\(port.path)", waitSeconds: 1)
    XCTAssertEqual(answer.status, 4)
    XCTAssertEqual(answer.lines["serial"]?.mark, "cause")
    XCTAssertEqual(answer.lines["serial"]?.text, "\(port.path) is in use by sleep (process \(holder.identifier)).")
    XCTAssertEqual(answer.lines["serial"]?.cure?.contains("kill \(holder.identifier)"), true)
  }

  func testADeviceThatIsNoPortHasNoHolder() throws {
    let answer = try doctor("nmea:/dev/null", waitSeconds: 1)
    XCTAssertEqual(answer.status, 4)
    XCTAssertEqual(answer.lines["serial"]?.mark, "cause")
    XCTAssertEqual(answer.lines["serial"]?.text, "/dev/null is no serial port.")
  }

  func testAPortForDatagramsThatSomebodyHasIsNamedWithItsHolder() throws {
    let (descriptor, number) = try boundDatagramPort()
    defer { close(descriptor) }
    let answer = try doctor("udp:\(number)", waitSeconds: 1)
    XCTAssertEqual(answer.lines["receiver"]?.mark, "cause")
    XCTAssertEqual(answer.lines["receiver"]?.text.hasSuffix("(process \(getpid()))."), true, answer.output)
    XCTAssertEqual(answer.lines["receiver"]?.cure?.contains("another port"), true, answer.output)
  }

  func testAReceiverOfOtherShipsPlacesIsToldFromOneWithoutSky() throws {
    let port = try FakeSerialPort()
    let sentence = "!" + FakeReceiver.sentence("AIVDM,1,1,,B,177KQJ5000G?tO`K>RA1wUbN0TKH,0").dropFirst()
    let receiver = FakeReceiver { _ in port.send(Array(sentence.utf8)) }
    defer { receiver.stop() }
    let answer = try doctor("nmea:\(port.path)", waitSeconds: 3)
    XCTAssertEqual(answer.status, 4)
    XCTAssertEqual(answer.lines["fix"]?.text.contains("other ships are (AIS)"), true, answer.output)
  }

  func testARefusedPermissionIsTheCauseThoughTheReceiverIsWell() throws {
    let port = try FakeSerialPort()
    let receiver = FakeReceiver { port.send($0) }
    defer { receiver.stop() }
    let answer = try doctor("nmea:\(port.path)", authorization: "denied")
    XCTAssertEqual(answer.status, 4)
    XCTAssertEqual(answer.lines["permission"]?.mark, "cause")
    XCTAssertEqual(answer.lines["fix"]?.mark, "look")
    XCTAssertEqual(answer.lines["fix"]?.text.contains("; the app gets none."), true, answer.output)
  }

  func testAirplaneModeKeepsTheRadiosOffAndLeavesTheWiredReceiversOn() throws {
    let port = try FakeSerialPort()
    let receiver = FakeReceiver { port.send($0) }
    defer { receiver.stop() }
    XCTAssertEqual(try command(["airplane", "on"], output: "/dev/null"), 0)
    let wired = try doctor("nmea:\(port.path)")
    XCTAssertEqual(wired.status, 0, wired.output)
    XCTAssertEqual(wired.lines["airplaneMode"]?.mark, "look")
    let radio = try doctor("geoclue:")
    XCTAssertEqual(radio.status, 4, radio.output)
    XCTAssertEqual(radio.lines["airplaneMode"]?.mark, "cause")
    XCTAssertEqual(radio.lines["airplaneMode"]?.cure, "corelocation airplane off")
    let output = folder + "/located"
    XCTAssertEqual(
      try command(["locate", "--source", "geoclue:", "--json", "--timeout", "1"], output: output), 4)
    let events = try String(contentsOfFile: output, encoding: .utf8)
    XCTAssertTrue(events.contains(#""name":"locationUnknown""#), events)
    XCTAssertFalse(events.contains("denied"), events)
    XCTAssertEqual(try command(["airplane", "off"], output: "/dev/null"), 0)
    XCTAssertEqual(try doctor("nmea:\(port.path)").lines["airplaneMode"]?.mark, "ok")
    XCTAssertEqual(try command(["airplane", "maybe"], output: "/dev/null"), 2)
    XCTAssertEqual(try command(["doctor", "--wait", "never"], output: "/dev/null"), 2)
  }
}

import Foundation
import LocationModel
import LocationProviders
import LocationRuntime
import XCTest

/// The cases NM of receivers in the field as live streams: the same bytes that are replayed elsewhere, over a
/// pseudo-terminal, a network, and the real gpsd, with the machine's clock where the case needs it. XCTest, since these
/// tests block.
final class LiveCaseTests: XCTestCase {
  private let demand = ReceiverDemand(accuracy: .best)

  /// A receiver at a server's port: its provider, on a clock that stands still at `time` until it is moved.
  private struct Line {
    var server: FakeServer
    var clock: VirtualClock
    var provider: StreamProvider
    var recorder: Recorder

    /// The silence after a cycle, by which its end is known.
    func pass(seconds: Double) {
      let end = clock.now.advanced(bySeconds: seconds)
      while clock.ringNext(until: end) {}
    }
  }

  private func line(at time: String) throws -> Line {
    let server = try FakeServer()
    let clock = VirtualClock(wallStart: WallTime(secondsSince1970: seconds(time)))
    let provider = LiveSource.tcp(host: "127.0.0.1", port: server.port, clock: clock)
    let line = Line(server: server, clock: clock, provider: provider, recorder: Recorder(provider))
    provider.setDemand(demand)
    server.accepted.wait("the client", seconds: 2)
    return line
  }

  private func seconds(_ time: String) -> Double {
    let formatter = ISO8601DateFormatter()
    guard let date = formatter.date(from: time) else {
      XCTFail("\(time) is no time")
      return 0
    }
    return date.timeIntervalSince1970
  }

  private func sentences(_ bodies: String...) -> String { bodies.map(FakeReceiver.sentence).joined() }

  private func fixes(_ line: Line, _ count: Int) throws -> [Fix] {
    try line.recorder.wait("\(count) fixes", seconds: 3) {
      line.pass(seconds: 0.1)
      return $0.fixes.count >= count
    }
    return line.recorder.current.fixes
  }

  // MARK: NM-01

  func testADateFromBeforeAWeekRolloverIsMovedToTheMachinesEpochCaseNM01() throws {
    let line = try line(at: "2026-04-08T12:00:00Z")
    defer { line.server.stop() }
    line.server.send("$GPRMC,120000.00,A,4730.0000,N,01912.0000,E,0.0,0.0,230806,,,A*59\r\n")
    let fix = try XCTUnwrap(try fixes(line, 1).first)
    XCTAssertEqual(fix.time.secondsSince1970, seconds("2026-04-08T12:00:00Z"))
    let difference = try XCTUnwrap(line.provider.currentStatus.clockDifferenceSeconds)
    XCTAssertLessThan(abs(difference), 1)
  }

  func testAMachineThatThinksItIs1970DoesNotTakeTheReceiversTimeBackCaseNM01() throws {
    let line = try line(at: "1970-01-01T00:01:00Z")
    defer { line.server.stop() }
    line.server.send("$GPRMC,120000.00,A,4730.0000,N,01912.0000,E,0.0,0.0,230806,,,A*59\r\n")
    _ = try fixes(line, 1)
    // 1024 weeks later is the first such date after the floor, and half a century from the machine's: its clock is
    // wrong, and is told of.
    let difference = try XCTUnwrap(line.provider.currentStatus.clockDifferenceSeconds)
    XCTAssertEqual(difference, seconds("2026-04-08T12:00:00Z") - 60, accuracy: 1)
  }

  // MARK: NM-03

  func testASentenceWithoutADateAfterMidnightIsOfTheNewDayCaseNM03() throws {
    let line = try line(at: "2026-03-31T23:59:59Z")
    defer { line.server.stop() }
    line.server.send(
      sentences(
        "GPRMC,235959.50,A,4730.0000,N,01912.0000,E,0.0,0.0,310326,,,A",
        "GPGGA,000000.50,4730.0000,N,01912.0000,E,1,08,1.0,100.0,M,40.0,M,,"))
    let start = seconds("2026-03-31T23:59:59Z")
    XCTAssertEqual(try fixes(line, 2).map { $0.time.secondsSince1970 - start }, [0.5, 1.5])
  }

  func testATimeBeforeMidnightThatIsHeardAfterItIsOfTheOldDayCaseNM03() throws {
    let line = try line(at: "2026-04-01T00:00:01Z")
    defer { line.server.stop() }
    line.server.send(sentences("GPGGA,235959.50,4730.0000,N,01912.0000,E,1,08,1.0,100.0,M,40.0,M,,"))
    let fix = try XCTUnwrap(try fixes(line, 1).first)
    XCTAssertEqual(fix.time.secondsSince1970, seconds("2026-03-31T23:59:59Z") + 0.5)
  }

  // MARK: NM-04

  private static let withoutFix =
    "$GPRMC,,V,,,,,,,,,,N*53\r\n$GPRMC,101500.00,V,,,,,,,050625,,,N*7C\r\n"
    + "$GPGGA,101500.00,,,,,0,00,99.99,,,,,,*63\r\n"
  private static let withFix = "$GPRMC,101503.00,A,4730.0030,N,01912.0000,E,,,050625,,,A*54\r\n"

  func testEmptyFieldsAreNoPlaceAtZeroCaseNM04() throws {
    let line = try line(at: "2026-06-05T10:15:00Z")
    defer { line.server.stop() }
    line.server.send(Self.withoutFix)
    try line.recorder.wait("a receiver that searches", seconds: 3) {
      line.pass(seconds: 0.1)
      return $0.states == [.searching]
    }
    XCTAssertTrue(line.recorder.current.fixes.isEmpty)
    line.server.send(Self.withFix)
    let fix = try XCTUnwrap(try fixes(line, 1).first)
    XCTAssertEqual(fix.coordinate.latitude, 47.50005, accuracy: 1e-9)
    XCTAssertNil(fix.speedMetersPerSecond)
    XCTAssertNil(fix.courseDegrees)
    // On the equator at Greenwich somebody may be.
    line.server.send(sentences("GPRMC,101504.00,A,0000.0000,N,00000.0000,E,0.0,,050625,,,A"))
    XCTAssertEqual(try fixes(line, 2)[1].coordinate, Coordinate(latitude: 0, longitude: 0))
  }

  func testEmptyFieldsOverASerialPortAndThroughTheRealGPSDCaseNM04() throws {
    let serial = try FakeSerialPort()
    let direct = LiveSource.device(path: serial.path, clock: LiveClock.shared)
    let fed = try FakeSerialPort()
    let number = try freePort()
    let daemon = try RealGPSD.start(port: number, device: fed.path, onlyListens: true)
    defer { daemon.kill() }
    let throughGPSD = LiveSource.gpsd(host: "127.0.0.1", port: number, clock: LiveClock.shared)
    for (provider, port) in [(direct, serial), (throughGPSD, fed)] {
      let recorder = Recorder(provider)
      provider.setDemand(demand)
      try recorder.wait("the connection", seconds: 5) { _ in provider.currentStatus.isOpen }
      let silent = FakeLog(Data(Self.withoutFix.utf8), port)
      try recorder.wait("a receiver that searches", seconds: 10) { $0.states.last == .searching }
      silent.stop()
      XCTAssertTrue(recorder.current.fixes.isEmpty, "\(recorder.current.fixes)")
      let seconds = (3...30).map { String(format: "GPRMC,1015%02d.00,A,4730.0030,N,01912.0000,E,,,050625,,,A", $0) }
      let speaking = FakeLog(Data(seconds.map(FakeReceiver.sentence).joined().utf8), port)
      try recorder.wait("a fix", seconds: 10) { !$0.fixes.isEmpty }
      speaking.stop()
      for fix in recorder.current.fixes {
        XCTAssertEqual(fix.coordinate.latitude, 47.50005, accuracy: 1e-7)
        XCTAssertEqual(fix.coordinate.longitude, 19.2, accuracy: 1e-7)
      }
      provider.setDemand(nil)
    }
  }

  // MARK: NM-07

  func testSentencesInPiecesWithAnyLineEndAndACutOneCaseNM07() throws {
    let pieces = [
      "$GPRMC,101500.00,A,4730.0000,N,0", "1912.0000,E,3.2,90.0,050625,,,A*6C\r",
      "\n$GPRMC,10$GPRMC,101501,A,4730.0010,N,01912.0000,E,3.2,90.0,050625,,,A*42\r",
    ]
    let line = try line(at: "2026-06-05T10:15:00Z")
    defer { line.server.stop() }
    line.server.send(pieces[0])
    try line.recorder.wait("the first piece", seconds: 2) { _ in line.provider.currentStatus.foreignByteCount > 0 }
    line.pass(seconds: 1)
    XCTAssertTrue(line.recorder.current.fixes.isEmpty, "half a sentence gives nothing")
    line.server.send(pieces[1])
    _ = try fixes(line, 1)
    line.server.send(pieces[2])
    let fixes = try fixes(line, 2)
    XCTAssertEqual(fixes.map { Int(($0.coordinate.latitude * 60_000).rounded()) - 2_850_000 }, [0, 1])
    XCTAssertEqual(line.provider.currentStatus.malformedCount, 1, "the cut one")
  }

  func testSentencesInPiecesOverASerialPortCaseNM07() throws {
    let port = try FakeSerialPort()
    let provider = LiveSource.device(path: port.path, clock: LiveClock.shared)
    let recorder = Recorder(provider)
    provider.setDemand(demand)
    try recorder.wait("the connection", seconds: 5) { _ in provider.currentStatus.isOpen }
    port.send(Array("$GPRMC,101500.00,A,4730.0000,N,0".utf8))
    try recorder.wait("the first piece", seconds: 2) { _ in provider.currentStatus.foreignByteCount > 0 }
    port.send(Array("1912.0000,E,3.2,90.0,050625,,,A*6C\r".utf8))
    try recorder.wait("the first fix", seconds: 2) { $0.fixes.count == 1 }
    port.send(Array("\n$GPRMC,10$GPRMC,101501,A,4730.0010,N,01912.0000,E,3.2,90.0,050625,,,A*42\r".utf8))
    try recorder.wait("the second fix", seconds: 2) { $0.fixes.count == 2 }
    provider.setDemand(nil)
  }

  // MARK: NM-08

  func testEveryMemberOfAReportIsOptionalCaseNM08() throws {
    let reports = [
      #"{"class":"TPV","mode":1}"#, #"{"class":"SKY"}"#, #"{"class":"NEWS","x":[1,{"y":null}]}"#,
      #"{"class":"TPV","mode":3,"lat":47.5,"lon":19.2,"altMSL":101.5,"time":"2025-06-05T10:15:00.000Z","eph":3.1,"#
        + #""epv":6.0}"#,
      #"{"class":"TPV","mode":2,"lat":NaN,"lon":null,"time":"2025-06-05T10:15:01.000Z"}"#, #"{"class":"TPV","mo"#,
    ]
    let greeting = #"{"class":"VERSION","release":"3.22","proto_major":3,"proto_minor":14}"# + "\r\n"
    let server = try FakeServer(greeting: greeting) { server, _ in server.send(reports.joined(separator: "\r\n")) }
    defer { server.stop() }
    let provider = LiveSource.gpsd(host: "127.0.0.1", port: server.port, clock: LiveClock.shared)
    let recorder = Recorder(provider)
    provider.setDemand(demand)
    try recorder.wait("a fix, and none after it", seconds: 3) { $0.fixes.count == 1 && $0.states.count >= 2 }
    let fix = try XCTUnwrap(recorder.current.fixes.first)
    XCTAssertEqual(fix.altitudeMeters, 101.5)
    XCTAssertGreaterThan(try XCTUnwrap(fix.verticalAccuracyMeters), 0)
    XCTAssertNil(fix.speedMetersPerSecond)
    XCTAssertEqual(recorder.current.states, [.searching, .searching])
    provider.setDemand(nil)
  }
}

import LocationModel
import LocationProviders
import LocationRuntime
import XCTest

/// What is said of sources that are open and give nothing. Their time is a virtual one, so that ten seconds of silence
/// take none. XCTest, since these tests block.
final class SilenceTests: XCTestCase {
  private let demand = ReceiverDemand(accuracy: .best)
  private let clock = VirtualClock(wallStart: WallTime(secondsSince1970: 1_780_300_800))
  private static let greeting = #"{"class":"VERSION","release":"3.22","proto_major":3,"proto_minor":14}"# + "\r\n"

  private static func devices(_ paths: String...) -> String {
    let list = paths.map { #"{"class":"DEVICE","path":"\#($0)","activated":"x"}"# }.joined(separator: ",")
    return #"{"class":"DEVICES","devices":[\#(list)]}"# + "\r\n"
  }

  private func pass(seconds: Double) {
    let end = clock.now.advanced(bySeconds: seconds)
    while clock.ringNext(until: end) {}
  }

  private func tcp(_ server: FakeServer) -> (StreamProvider, Recorder) {
    let provider = LiveSource.tcp(host: "127.0.0.1", port: server.port, clock: clock)
    return (provider, Recorder(provider))
  }

  private func gpsd(_ server: FakeServer) -> (StreamProvider, Recorder) {
    let provider = LiveSource.gpsd(host: "127.0.0.1", port: server.port, clock: clock)
    return (provider, Recorder(provider))
  }

  func testAServerThatNeverSpokeSaysNothing() throws {
    let server = try FakeServer()
    defer { server.stop() }
    let (provider, recorder) = tcp(server)
    provider.setDemand(demand)
    try recorder.wait("the open connection", seconds: 2) { _ in provider.currentStatus.isOpen }
    try recorder.wait("the silence", seconds: 2) {
      pass(seconds: 11)
      return $0.unavailableCount == 1
    }
    XCTAssertEqual(recorder.current.notices, ["the receiver at 127.0.0.1:\(server.port) says nothing."])
    XCTAssertEqual(provider.currentStatus.obstacle, .silent)
    provider.setDemand(nil)
  }

  func testAReceiverThatStopsHasFallenSilentAndIsHeardAgain() throws {
    let server = try FakeServer(greeting: FakeReceiver.epoch(0, at: Date()))
    defer { server.stop() }
    let (provider, recorder) = tcp(server)
    provider.setDemand(demand)
    try recorder.wait("the receiver's first word", seconds: 2) { $0.states.contains(.searching) }
    // First the pause that ends its epoch, then the silence.
    try recorder.wait("the silence", seconds: 2) {
      pass(seconds: 11)
      return $0.unavailableCount == 1
    }
    XCTAssertEqual(recorder.current.notices, ["the receiver at 127.0.0.1:\(server.port) has fallen silent."])
    XCTAssertEqual(provider.currentStatus.obstacle, .fellSilent)
    let before = recorder.current.states.count
    server.send(FakeReceiver.epoch(1, at: Date()))
    try recorder.wait("the receiver again", seconds: 2) { $0.states.dropFirst(before).contains(.searching) }
    XCTAssertNil(provider.currentStatus.obstacle)
    provider.setDemand(nil)
  }

  func testGPSDWithoutAReceiverIsToldAtOnceAndIsWaitedForWhenOneComes() throws {
    let server = try FakeServer(greeting: Self.greeting) { server, _ in server.send(Self.devices()) }
    defer { server.stop() }
    let (provider, recorder) = gpsd(server)
    provider.setDemand(demand)
    // No time passes.
    try recorder.wait("that there is no receiver", seconds: 2) { $0.unavailableCount == 1 }
    XCTAssertEqual(recorder.current.notices, ["gpsd at 127.0.0.1:\(server.port) has no receiver."])
    XCTAssertEqual(provider.currentStatus.phase, .absent)
    server.send(
      #"{"class":"DEVICE","path":"/dev/x","activated":"x"}"# + "\n"
        + #"{"class":"TPV","device":"/dev/x","mode":1}"# + "\n")
    try recorder.wait("a receiver that searches", seconds: 2) { $0.states.last == .searching }
    XCTAssertEqual(server.acceptedCount, 1)
    provider.setDemand(nil)
  }

  func testGPSDThatHearsNothingFromItsReceiverNamesIt() throws {
    let server = try FakeServer(greeting: Self.greeting) { server, _ in
      server.send(Self.devices() + #"{"class":"DEVICE","path":"/dev/x","activated":"x"}"# + "\n")
    }
    defer { server.stop() }
    let (provider, recorder) = gpsd(server)
    provider.setDemand(demand)
    try recorder.wait("that there was no receiver", seconds: 2) { $0.unavailableCount == 1 }
    try recorder.wait("the silence of the one that came", seconds: 2) {
      pass(seconds: 11)
      return $0.notices.count == 2
    }
    XCTAssertEqual(recorder.current.notices[1], "gpsd at 127.0.0.1:\(server.port) hears nothing from /dev/x.")
    XCTAssertEqual(recorder.current.unavailableCount, 1, "a loss is told once")
    provider.setDemand(nil)
  }

  func testNamesThatWouldRewriteATerminalAreSaidWithoutThat() throws {
    let greeting = Self.greeting.replacingOccurrences(
      of: "3.22", with: #"\u001b[2J"# + String(repeating: "x", count: 900))
    let server = try FakeServer(greeting: greeting) { server, _ in
      let path = #""path":"/dev/\u001b[31mx\u0007\n""#
      server.send(
        #"{"class":"DEVICES","devices":[{"class":"DEVICE",\#(path),"activated":"x"}]}"# + "\n"
          + #"{"class":"DEVICE",\#(path),"activated":0}"# + "\n")
    }
    defer { server.stop() }
    let (provider, recorder) = gpsd(server)
    provider.setDemand(demand)
    try recorder.wait("the loss", seconds: 2) { $0.notices.count == 1 }
    XCTAssertEqual(
      recorder.current.notices, ["gpsd at 127.0.0.1:\(server.port) has lost its receiver /dev/[31mx."])
    let sender = try XCTUnwrap(provider.currentStatus.sender)
    XCTAssertTrue(sender.hasPrefix("gpsd [2Jxxx") && sender.count < 300, sender)
    provider.setDemand(nil)
  }

  func testWhatSpeaksTheOtherProtocolIsNamed() throws {
    let daemon = try FakeServer(greeting: Self.greeting)
    defer { daemon.stop() }
    let (sentences, sentencesRecorder) = tcp(daemon)
    sentences.setDemand(demand)
    try sentencesRecorder.wait("the refusal", seconds: 2) { $0.notices.count == 1 }
    XCTAssertTrue(sentencesRecorder.current.notices[0].contains("speaks gpsd's protocol and not NMEA 0183"))
    XCTAssertEqual(sentences.currentStatus.obstacle, .speaksGPSD)
    sentences.setDemand(nil)

    let receiver = try FakeServer(greeting: FakeReceiver.epoch(0, at: Date()))
    defer { receiver.stop() }
    let (provider, recorder) = gpsd(receiver)
    provider.setDemand(demand)
    try recorder.wait("the refusal", seconds: 2) { $0.notices.count == 1 }
    XCTAssertTrue(recorder.current.notices[0].contains("speaks NMEA 0183 and not gpsd's protocol"))
    XCTAssertEqual(provider.currentStatus.obstacle, .speaksSentences)
    provider.setDemand(nil)
  }

  func testWhoSendsOnAndOnWithoutASentenceIsLeft() throws {
    for greeting in ["", Self.greeting] {
      let server = try FakeServer(greeting: greeting)
      defer { server.stop() }
      let (provider, recorder) = greeting.isEmpty ? tcp(server) : gpsd(server)
      provider.setDemand(demand)
      server.accepted.wait("the client", seconds: 2)
      server.send(String(repeating: "x", count: 2 << 20))
      try recorder.wait("the end of patience", seconds: 5) { $0.unavailableCount == 1 }
      XCTAssertEqual(recorder.current.notices.first?.hasSuffix(", and no end of it."), true)
      XCTAssertEqual(provider.currentStatus.obstacle, .foreign)
      provider.setDemand(nil)
    }
  }

  func testSentencesBetweenMegabytesOfNoiseAreHeardOn() throws {
    let server = try FakeServer()
    defer { server.stop() }
    let (provider, recorder) = tcp(server)
    provider.setDemand(demand)
    server.accepted.wait("the client", seconds: 2)
    for number in 0..<4 {
      let date = Date(timeIntervalSince1970: 1_780_300_800 + Double(number))
      server.send(String(repeating: "x", count: 900_000) + FakeReceiver.epoch(number, at: date))
    }
    server.send(FakeReceiver.sentence("GPRMC,101500.00,V,,,,,,,050625,,,N"))
    try recorder.wait("the last sentence", seconds: 5) { $0.fixes.count >= 4 }
    XCTAssertEqual(recorder.current.unavailableCount, 0)
    provider.setDemand(nil)
  }
}

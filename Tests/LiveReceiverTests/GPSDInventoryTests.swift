import Foundation
import XCTest

@testable import LocationProviders

/// Whether this machine has a GNSS receiver, for apps that require one. XCTest, since these tests block.
final class GPSDInventoryTests: XCTestCase {
  private static let greeting = #"{"class":"VERSION","release":"3.22","proto_major":3,"proto_minor":14}"# + "\r\n"

  func testRealGPSDNamesItsReceiverWithoutSwitchingItOn() throws {
    let serial = try FakeSerialPort()
    let number = try freePort()
    let daemon = try RealGPSD.start(port: number, device: serial.path, pollsAlways: false)
    let end = Date(timeIntervalSinceNow: 30)
    var hasReceiver = false
    // It takes a moment until it listens.
    while !hasReceiver && Date() < end { hasReceiver = GPSDInventory.hasReceiver(port: number) }
    XCTAssertTrue(hasReceiver)
    daemon.kill()
    XCTAssertFalse(GPSDInventory.hasReceiver(port: number), "nobody answers")
  }

  func testGPSDWithoutReceiverIsNone() throws {
    let server = try FakeServer(greeting: Self.greeting) { server, _ in
      server.send(#"{"class":"DEVICES","devices":[]}"# + "\r\n")
    }
    XCTAssertFalse(GPSDInventory.hasReceiver(port: server.port))
  }

  func testServerThatIsNoGPSDIsNone() throws {
    let silent = try FakeServer()
    XCTAssertFalse(GPSDInventory.hasReceiver(port: silent.port))
    let other = try FakeServer(greeting: "220 mail.example.org\r\n") { server, _ in server.send("500 what?\r\n") }
    XCTAssertFalse(GPSDInventory.hasReceiver(port: other.port))
  }

  func testWhatStandsForAReceiverCountsAsOne() throws {
    for text in ["gpsd:localhost", "nmea:/dev/ttyACM0", "tcp:a:1", "udp:1", "gpx:a.gpx", "fixed:1,2"] {
      XCTAssertTrue(try SourceSpecification(text).hasSatelliteReceiver, text)
    }
    for text in ["geoclue:", "portal:"] {
      XCTAssertFalse(try SourceSpecification(text).hasSatelliteReceiver, text)
    }
  }
}

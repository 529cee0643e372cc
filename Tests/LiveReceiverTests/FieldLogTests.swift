import Foundation
import LinuxIO
import LocationModel
import LocationProviders
import LocationRuntime
import XCTest

/// Recordings from the field through the real gpsd, and through a serial port without it, against the positions that
/// gpsd's authors expect of them. The recordings are not part of the project: CORELOCATION_FIELD_DATA names them.
final class FieldLogTests: XCTestCase {
  private let demand = ReceiverDemand(accuracy: .best)
  private static let logs = ["gpsd-neo-m8n.log", "gpsd-bu353s4.log", "gpsd-ublox-zed-f9p-nmea.log"]

  private struct Place: Hashable {
    var latitude: Int
    var longitude: Int

    /// To 1e-7 degrees.
    init(_ latitude: Double, _ longitude: Double) {
      self.latitude = Int((latitude * 1e7).rounded())
      self.longitude = Int((longitude * 1e7).rounded())
    }

    func isNear(_ other: Place) -> Bool {
      abs(latitude - other.latitude) <= 1 && abs(longitude - other.longitude) <= 1
    }
  }

  private func folder() throws -> String {
    guard let folder = ProcessInfo.processInfo.environment["CORELOCATION_FIELD_DATA"], !folder.isEmpty else {
      print("SKIPPED: CORELOCATION_FIELD_DATA is not set.")
      throw XCTSkip("CORELOCATION_FIELD_DATA is not set")
    }
    return folder
  }

  private func expectedPlaces(_ log: String, in folder: String) throws -> [Place] {
    let text = try String(contentsOfFile: "\(folder)/expected/\(log).tpv.jsonl", encoding: .utf8)
    return try text.split(separator: "\n").compactMap { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      guard let latitude = object?["lat"] as? Double, let longitude = object?["lon"] as? Double else { return nil }
      return Place(latitude, longitude)
    }
  }

  /// Plays the lines of a log into a serial port, the next batch when the last has been read.
  private func play(_ log: String, in folder: String, into port: FakeSerialPort) throws -> FakeLog {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(log)"))
    let lines = bytes.split(separator: 0x0A).filter { $0.first == UInt8(ascii: "$") }.map { Array($0) + [0x0A] }
    return FakeLog(lines, port)
  }

  func testThroughGPSD() throws {
    let folder = try folder()
    for log in Self.logs {
      let port = try FakeSerialPort()
      let number = try freePort()
      let daemon = try RealGPSD.start(port: number, device: port.path)
      defer { daemon.kill() }
      try check(LiveSource.gpsd(host: "127.0.0.1", port: number, clock: LiveClock.shared), log, folder, port)
    }
  }

  func testThroughASerialPort() throws {
    let folder = try folder()
    for log in Self.logs {
      let port = try FakeSerialPort()
      try check(LiveSource.device(path: port.path, clock: LiveClock.shared), log, folder, port)
    }
  }

  private func check(_ provider: StreamProvider, _ log: String, _ folder: String, _ port: FakeSerialPort) throws {
    let expected = try expectedPlaces(log, in: folder)
    let recorder = Recorder(provider)
    provider.setDemand(demand)
    let feed = try play(log, in: folder, into: port)
    defer { feed.stop() }
    // The log goes round and round, as receivers do; gpsd is not there from its first line on.
    let distinct = Set(expected).count
    try recorder.wait("the places of \(log)", seconds: 20) { $0.fixes.count >= min(distinct, 20) }
    for fix in recorder.current.fixes {
      let place = Place(fix.coordinate.latitude, fix.coordinate.longitude)
      XCTAssertTrue(
        expected.contains { $0.isNear(place) }, "\(log): \(fix.coordinate) is none of the \(distinct) expected")
    }
    provider.setDemand(nil)
  }
}

/// Sends the lines of a log, ten every 20 ms, round and round.
final class FakeLog: @unchecked Sendable {
  private let queue = DispatchQueue(label: "tests.log")
  private let timer: any DispatchSourceTimer

  init(_ lines: [[UInt8]], _ port: FakeSerialPort) {
    var position = 0
    timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now(), repeating: .milliseconds(20))
    timer.setEventHandler {
      for _ in 0..<10 {
        port.send(lines[position % lines.count])
        position += 1
      }
    }
    timer.activate()
  }

  func stop() {
    timer.cancel()
    queue.sync {}
  }

  deinit { timer.cancel() }
}

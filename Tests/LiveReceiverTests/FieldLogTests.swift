import Foundation
import LinuxIO
import LocationModel
import LocationProviders
import LocationRuntime
import XCTest

/// Recordings from the field through the real gpsd, and through a serial port without it, against the positions that
/// gpsd's authors expect of them. The recordings are not part of the project: CORELOCATION_FIELD_DATA names them.
///
/// All NMEA logs go through both, faster than they were recorded: a log takes five seconds at most.
final class FieldLogTests: XCTestCase {
  private let demand = ReceiverDemand(accuracy: .best)

  private struct Place: Hashable {
    var latitude: Int
    var longitude: Int

    /// To 1e-7 degrees.
    init(_ latitude: Double, _ longitude: Double) {
      self.latitude = Int((latitude * 1e7).rounded())
      self.longitude = Int((longitude * 1e7).rounded())
    }

    /// This one and those a last digit away.
    var neighbours: [Place] {
      var places: [Place] = []
      for latitudeStep in -1...1 {
        for longitudeStep in -1...1 {
          var place = self
          place.latitude += latitudeStep
          place.longitude += longitudeStep
          places.append(place)
        }
      }
      return places
    }

    func isIn(_ places: Set<Place>) -> Bool { neighbours.contains { places.contains($0) } }
  }

  private func folder() throws -> String {
    guard let folder = ProcessInfo.processInfo.environment["CORELOCATION_FIELD_DATA"], !folder.isEmpty else {
      print("SKIPPED: CORELOCATION_FIELD_DATA is not set.")
      throw XCTSkip("CORELOCATION_FIELD_DATA is not set")
    }
    return folder
  }

  private func logs(in folder: String) throws -> [String] {
    let manifest = try String(contentsOfFile: "\(folder)/MANIFEST.tsv", encoding: .utf8)
    return manifest.split(separator: "\n").dropFirst().compactMap { line in
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
      return columns.count > 1 && columns[1] == "nmea" ? String(columns[0]) : nil
    }
  }

  private func expectedPlaces(_ log: String, in folder: String) throws -> Set<Place> {
    let text = try String(contentsOfFile: "\(folder)/expected/\(log).tpv.jsonl", encoding: .utf8)
    return Set(
      try text.split(separator: "\n").compactMap { line in
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        guard let latitude = object?["lat"] as? Double, let longitude = object?["lon"] as? Double else { return nil }
        return Place(latitude, longitude)
      })
  }

  func testThroughGPSD() throws {
    let folder = try folder()
    for log in try logs(in: folder) {
      let port = try FakeSerialPort()
      let number = try freePort()
      let daemon = try RealGPSD.start(port: number, device: port.path, onlyListens: true)
      defer { daemon.kill() }
      let provider = LiveSource.gpsd(host: "127.0.0.1", port: number, clock: LiveClock.shared)
      // Its one place without a time gives way to the timed one beside it, 12 cm away.
      let missingMax = log == "gpsd-april6_2019.log" ? 1 : 0
      try check(provider, log, folder, port, missingMax: missingMax, addedMax: Self.addedByGPSD(log))
    }
  }

  /// Places that the installed gpsd tells and its authors' list lacks, at most: what it makes of a log that begins anew
  /// before it has learned the receiver's cycle.
  private static func addedByGPSD(_ log: String) -> Int {
    switch log {
    case "gpsd-humminbird-M37.log", "signalk-gps.log": 2
    default: 0
    }
  }

  /// As `addedByGPSD`, told without it.
  private static func added(_ log: String) -> Int {
    switch log {
    // Two epochs that gpsd passes over before it has learned the cycle.
    case "gpsd-humminbird-M37.log", "signalk-gps.log": 2
    // gpsd takes fixes whose GGA counts 0 satellites for none. Their quality says that they are.
    case "gpsd-hemi.log": 15
    // Every RMC has a wrong checksum, so that gpsd has no date and joins epochs.
    case "truth-mtv-span-reference.nmea": 81
    default: 0
    }
  }

  func testThroughASerialPort() throws {
    let folder = try folder()
    // SiRF's binary protocol, which gpsd alone understands.
    for log in try logs(in: folder) where log != "gpsd-bu303-moving.log" {
      let port = try FakeSerialPort()
      try check(
        LiveSource.device(path: port.path, clock: LiveClock.shared), log, folder, port, addedMax: Self.added(log))
    }
  }

  private func check(
    _ provider: StreamProvider, _ log: String, _ folder: String, _ port: FakeSerialPort, missingMax: Int = 0,
    addedMax: Int
  ) throws {
    let expected = try expectedPlaces(log, in: folder)
    let recorder = Recorder(provider)
    provider.setDemand(demand)
    defer { provider.setDemand(nil) }
    try recorder.wait("the connection", seconds: 5) { _ in provider.currentStatus.isOpen }
    let feed = FakeLog(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(log)")), port)
    defer { feed.stop() }
    // One log's two places are of one moment: RMC writes it with a digit less than GGA, and the finer one is told.
    let missingMax = log == "gpsd-tcp-torture.log" ? 1 : missingMax
    // The log goes round and round, as receivers do; gpsd is not there from its first line on.
    try? recorder.wait("the places of \(log)", seconds: 30) { record in
      let heard = places(record)
      return expected.count { !$0.isIn(heard) } <= missingMax
    }
    let heard = places(recorder.current)
    let missing = expected.filter { !$0.isIn(heard) }
    let added = heard.filter { !$0.isIn(expected) }
    XCTAssertLessThanOrEqual(missing.count, missingMax, "\(log): of \(expected.count) places")
    XCTAssertLessThanOrEqual(added.count, addedMax, "\(log): of \(heard.count) places")
  }

  private func places(_ record: Recorder.Record) -> Set<Place> {
    Set(record.fixes.map { Place($0.coordinate.latitude, $0.coordinate.longitude) })
  }
}

/// Sends a log line by line, the whole in five seconds or in steps of ten lines every 20 ms, round and round.
final class FakeLog: @unchecked Sendable {
  private let queue = DispatchQueue(label: "tests.log")
  private let timer: any DispatchSourceTimer

  /// Lines that begin with # are those of whoever collected it, and "|" stands for a pause of the line in a log that
  /// says so there.
  init(_ log: Data, _ port: FakeSerialPort) {
    let hasPauses = log.range(of: Data("# Delay-Cookie: |".utf8)) != nil
    let lines = log.split(separator: 0x0A).filter { $0.first != UInt8(ascii: "#") }.map { line in
      line.filter { !hasPauses || $0 != UInt8(ascii: "|") } + [0x0A]
    }
    let step = max(10, lines.count / 250)
    var position = 0
    timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now(), repeating: .milliseconds(20))
    timer.setEventHandler {
      for _ in 0..<step {
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

import CoreLocation
import CoreLocationTesting
import LinuxIO
import Testing

/// Recordings that a test plays: their faults, and what receivers make of them.
@Suite("A recorded journey")
struct RecordedJourneyTests {
  private func journey(_ points: String) throws -> Journey {
    let path = NSTemporaryDirectory() + "journey-\(UUID().uuidString).gpx"
    defer { unlink(path) }
    try "<gpx version=\"1.1\"><trk><trkseg>\n\(points)</trkseg></trk></gpx>".write(
      toFile: path, atomically: true, encoding: .utf8)
    return try Journey(contentsOf: path)
  }

  private func point(_ second: Int, latitude: Double = 47.5) -> String {
    "<trkpt lat=\"\(latitude)\" lon=\"19.2\"><time>2026-01-01T00:00:\(String(format: "%02d", second))Z</time></trkpt>\n"
  }

  @Test("What is wrong with a recording is told by the journey, and in the log of the device that goes on it")
  func faults() throws {
    let outOfRange = try journey(point(0) + point(1, latitude: 95) + point(2, latitude: 96))
    let backwards = try journey((0..<30).reversed().map { point($0) }.joined())
    let sound = try journey(point(0) + point(1))
    #expect(sound.notices.isEmpty)
    for (journey, complaint) in [
      (outOfRange, ":3: 2 points without a readable place, left out"),
      (backwards, "29 points not later than the one before, played 1 ms after it"),
    ] {
      #expect(journey.notices.count == 1 && journey.notices.contains { $0.contains(complaint) })
      let device = SimulatedDevice(permission: .whenInUse)
      device.setOut(on: journey)
      #expect(device.log.contains { $0.contains("  the recording is faulty: ") && $0.contains(complaint) })
    }
  }

  @Test("Reception makes recorded fixes worse, never better than they were recorded")
  func reception() throws {
    let journey = try journey((0..<40).map { point($0) }.joined())
    func heard(_ reception: SimulatedReception, seed: UInt64? = nil) -> [CLLocation] {
      let device = SimulatedDevice(permission: .whenInUse, noiseSeed: seed)
      device.reception = reception
      let trip = device.launch { _ in Trip() }
      device.play(journey)
      return trip.locations
    }
    // A GPX track without accuracies is taken for a phone's in the open: 5 m.
    for (reception, meters) in [
      (SimulatedReception.open, 5.0), (.urban, 12), (.indoors, 18), (.within(meters: 300), 300),
      (.within(meters: 2), 5),
    ] {
      let locations = heard(reception)
      #expect(locations.count == 40 && Set(locations.map(\.horizontalAccuracy)) == [meters])
      #expect(locations.allSatisfy { $0.coordinate.latitude == 47.5 }, "without a seed the place is exact")
    }
    let home = CLLocation(latitude: 47.5, longitude: 19.2)
    #expect(heard(.open, seed: 1).allSatisfy { $0.distance(from: home) < 0.01 }, "its own errors are in it")
    let erring = heard(.within(meters: 300), seed: 1).map { $0.distance(from: home) }
    #expect(erring.contains { $0 > 20 } && erring.allSatisfy { $0 < 1_200 })
    #expect(heard(.none).isEmpty)
  }
}

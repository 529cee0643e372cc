import CoreLocation
import CoreLocationTesting
import Testing

/// Legs that say which way the device points (`CLHeading`, behaviour 7).
@Suite("A journey's headings")
struct HeadingJourneyTests {
  private static let home = CaseApp.home

  /// An app that hears headings, two seconds after it was started: true north is known then (7.1).
  private func device(headingFilter: CLLocationDegrees = kCLHeadingFilterNone) -> (SimulatedDevice, CaseApp) {
    let device = SimulatedDevice(permission: .whenInUse, at: Self.home)
    let app = device.launch { _ in
      CaseApp {
        $0.headingFilter = headingFilter
        $0.startUpdatingLocation()
        $0.startUpdatingHeading()
      }
    }
    device.advance(by: .seconds(2))
    return (device, app)
  }

  private func degrees(_ app: CaseApp) -> [Int] { app.headings.map { Int($0.trueHeading.rounded()) % 360 } }

  /// When each heading was told, in tenths of a second since the app has known where it is.
  private func tenths(_ app: CaseApp) -> [Int] {
    app.headings.map { Int((($0.timestamp.timeIntervalSince(CaseApp.start) - 2) * 10).rounded()) }
  }

  @Test("A device that lies still is turned by a quarter, and the app is told by its headingFilter (7.4)")
  func turnedLyingStill() {
    let (device, app) = device(headingFilter: 14.5)
    device.play(
      Journey(from: Self.home).stay(for: .seconds(5), headingDegrees: 0).turn(toDegrees: 90, over: .seconds(9))
        .stay(for: .seconds(5)))
    // Ten degrees a second, measured ten times a second, are measured degree by degree: 14.5 are reached with the 15th.
    #expect(degrees(app) == [0, 15, 30, 45, 60, 75, 90])
    #expect(tenths(app) == [0, 65, 80, 95, 110, 125, 140])
    #expect(app.headings.allSatisfy { $0.headingAccuracy >= 10 })
    #expect(app.locations.allSatisfy { $0.course < 0 && $0.speed == 0 }, "it goes nowhere")
    #expect(device.log.contains { $0.hasSuffix("  the device points where its journey says") })
  }

  @Test("Carried sideways it points where the leg says and goes where the leg goes, and keeps pointing there at rest")
  func sideways() {
    let (device, app) = device()
    device.play(
      Journey(from: Self.home).move(meters: 20, courseDegrees: 0, metersPerSecond: 2, headingDegrees: 270)
        .stay(for: .seconds(5)).move(meters: 20, courseDegrees: 90, metersPerSecond: 2))
    #expect(degrees(app) == [270, 90], "a leg without a heading points where it goes")
    #expect(tenths(app) == [0, 150])
    // It sets out at 2 s and is found once a second from the next on; it rests from 12 s to 17 s, and from 27 s on.
    #expect(
      app.locations.filter { $0.speed > 0 }.map { Int($0.course.rounded()) }
        == Array(repeating: 0, count: 9) + Array(repeating: 90, count: 10))
  }

  @Test("A turn takes the shorter way, clockwise where both are as long, and one of no time is made at once")
  func ways() {
    func turned(from: Double, to: Double, over seconds: Int = 2) -> [Int] {
      let (device, app) = device()
      device.play(
        Journey(from: Self.home).stay(for: .seconds(1), headingDegrees: from)
          .turn(toDegrees: to, over: .seconds(seconds)).stay(for: .seconds(1)))
      return degrees(app)
    }
    // 20 degrees in 2 s, one in each tenth of a second.
    #expect(turned(from: 350, to: 370) == (350...359).map { $0 } + (0...10).map { $0 })
    #expect(turned(from: 10, to: -10) == (0...10).reversed().map { $0 } + (350...359).reversed().map { $0 })
    #expect(turned(from: 270, to: 90) == (0...20).map { (270 + 9 * $0) % 360 })
    #expect(turned(from: 0, to: 90, over: 0) == [0, 90])
  }

  @Test("A turn begins where the leg before went; where nobody has said so, its end is what is known")
  func beginnings() {
    let (device, app) = device()
    device.play(
      Journey(from: Self.home).move(meters: 10, courseDegrees: 180, metersPerSecond: 10)
        .turn(toDegrees: 170, over: .seconds(1)))
    #expect(degrees(app) == (170...180).reversed().map { $0 })
    let (other, heard) = self.device()
    other.play(Journey(from: Self.home).turn(toDegrees: 90, over: .seconds(2)).stay(for: .seconds(1)))
    #expect(degrees(heard) == [90] && tenths(heard) == [20])
  }

  @Test("What was said last holds: point takes over from the journey, and the next journey with headings from it")
  func latest() {
    let (device, app) = device()
    device.setOut(on: Journey(from: Self.home).stay(for: .seconds(60), headingDegrees: 10))
    device.advance(by: .seconds(5))
    device.point(trueDegrees: 20, accuracyDegrees: 30)
    device.advance(by: .seconds(5))
    device.setOut(on: Journey(from: Self.home).stay(for: .seconds(60)))
    device.advance(by: .seconds(5))
    device.setOut(on: Journey(from: Self.home).stay(for: .seconds(60), headingDegrees: 40))
    device.advance(by: .zero)
    #expect(degrees(app) == [10, 20, 40])
    #expect(app.headings.map { Int($0.headingAccuracy) } == [10, 30, 30], "as the compass was said to be last")
  }

  @Test("Legs follow a recording, which says nothing of headings: it is gone on from its end")
  func afterRecording() throws {
    let path = NSTemporaryDirectory() + "journey-\(UUID().uuidString).gpx"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let points = [0, 10].map { second in
      "<trkpt lat=\"47.5\" lon=\"19.2\"><time>2026-01-01T00:00:\(second == 0 ? "00" : "10")Z</time></trkpt>"
    }
    try "<gpx version=\"1.1\"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>".write(
      toFile: path, atomically: true, encoding: .utf8)
    let journey = try Journey(contentsOf: path).move(meters: 100, courseDegrees: 0, metersPerSecond: 10)
      .stay(for: .seconds(5), headingDegrees: 45)
    #expect(journey.duration == .seconds(25))
    let (device, app) = device()
    app.forget()
    device.play(journey)
    // Two recorded fixes, at 0 and 10 s, and one for each of the 15 seconds after them.
    #expect(app.locations.count == 17 && degrees(app).last == 45)
    let start = CLLocation(latitude: 47.5, longitude: 19.2)
    #expect(abs((app.locations.last?.distance(from: start) ?? 0) - 100) < 0.01)
    #expect(app.locations.dropFirst(2).prefix(9).allSatisfy { $0.speed == 10 && $0.course == 0 })
  }
}

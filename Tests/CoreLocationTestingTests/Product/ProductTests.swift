import CoreLocation
import CoreLocationTesting
import LinuxIO
import Testing

/// The public device, as an app's tests use it.
@Suite("A device in a box")
struct ProductTests {
  static let home = CLLocationCoordinate2D(latitude: 47.5, longitude: 19.2)
  static let station = CLLocationCoordinate2D(latitude: 47.51, longitude: 19.2)

  @Test("A journey reaches a delegate app: once a second, moving, at the device's own time of day")
  func delegateApp() throws {
    let device = SimulatedDevice(permission: .whenInUse, at: Self.home)
    let trip = device.launch { _ in Trip() }
    device.play(Journey(from: Self.home).stay(for: .seconds(10)).walk(to: Self.station))
    // 1,111.9 m at 1.4 m/s, and ten seconds: a fix for each whole second after the first.
    #expect(trip.locations.count == 804)
    let last = try #require(trip.locations.last)
    #expect(last.distance(from: CLLocation(latitude: 47.51, longitude: 19.2)) < 1.5)
    #expect(last.speed == 1.4)
    #expect(trip.agesSeconds.allSatisfy { $0 == 0 }, "Date() is the device's")
  }

  @Test("The person answers when the test says so, and the app hears what it would hear")
  func person() throws {
    let device = SimulatedDevice(at: Self.home)
    device.person.willAnswer(.allowWhileUsing, after: .seconds(3))
    let trip = device.launch { _ in Trip(asks: true) }
    try device.advance(within: .seconds(10), until: "the first location has come") { !trip.locations.isEmpty }
    #expect(device.elapsed == .seconds(4), "answered at 3 s, found at the next whole second")
    device.person.chooses(.denied)
    #expect(trip.failures == [.denied])
  }

  @Test("A failed expectation tells the sentence and all that has happened")
  func expectation() throws {
    let device = SimulatedDevice(permission: .whenInUse, at: Self.home)
    _ = device.launch { _ in Trip() }
    device.advance(by: .seconds(1))
    let failure = try #require(throws: SimulationFailure.self) {
      try device.expect("The app has found the station") { false }
    }
    let text = "\(failure)"
    #expect(text.contains("The app has found the station"))
    #expect(text.contains("2026-06-01T08:00:00.000Z  the person opens the app"))
    #expect(text.contains("2026-06-01T08:00:01.000Z  the app hears didUpdateLocations 47.50000, 19.20000 within 5 m"))
  }

  @Test("A recording is played at its own pace, and one that cannot be read is named with what is wrong")
  func recording() throws {
    let path = try writeTrack(seconds: [0, 5, 10, 70])
    defer { unlink(path) }
    let device = SimulatedDevice(permission: .whenInUse)
    let trip = device.launch { _ in Trip() }
    device.play(try Journey(contentsOf: path))
    #expect(device.elapsed == .seconds(70))
    #expect(trip.heardAt == [0, 5, 10, 70])
    let failure = try #require(throws: SimulationFailure.self) { try Journey(contentsOf: "/nowhere/track.gpx") }
    #expect("\(failure)".contains("/nowhere/track.gpx"))
  }

  private func writeTrack(seconds: [Int]) throws -> String {
    let points = seconds.map { second in
      "<trkpt lat=\"47.5\" lon=\"19.2\"><time>2026-01-01T00:\(String(format: "%02d:%02d", second / 60, second % 60))Z"
        + "</time></trkpt>"
    }
    let path = NSTemporaryDirectory() + "journey-\(UUID().uuidString).gpx"
    let text = "<gpx version=\"1.1\"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  @Test("Parallel devices each have their own time of day, and code outside has the machine's", arguments: 0..<50)
  func ownDates(_ number: Int) async throws {
    let start = Date(timeIntervalSince1970: Double(number) * 86_400)
    let device = SimulatedDevice(permission: .whenInUse, startingAt: start)
    try await device.run {
      #expect(Date() == start)
      await Task.yield()
      try await device.advance(by: .seconds(7))
      #expect(Date().timeIntervalSince(start) == 7)
      let inTask = await Task { Date() }.value
      #expect(inTask.timeIntervalSince(start) == 7)
    }
    #expect(Date().timeIntervalSince1970 > 1_700_000_000)
  }

  @Test("The same seed errs the same, another one otherwise, and as much as the accuracy says")
  func noise() {
    func errors(_ seed: UInt64) -> [Double] {
      let device = SimulatedDevice(permission: .whenInUse, at: Self.home, noiseSeed: seed)
      let trip = device.launch { _ in Trip() }
      device.advance(by: .seconds(20_000))
      let home = CLLocation(latitude: Self.home.latitude, longitude: Self.home.longitude)
      return trip.locations.map { $0.distance(from: home) }
    }
    let first = errors(1)
    #expect(first == errors(1) && first != errors(2))
    let within = Double(first.count { $0 <= 5 }) / Double(first.count)
    // A wander of a minute leaves about 330 independent samples of 20,000: 68 % within 2.6 % a deviation.
    #expect((0.60...0.76).contains(within))
  }
}

/// An app that follows where it is.
final class Trip: NSObject, CLLocationManagerDelegate {
  let manager = CLLocationManager()
  private(set) var locations: [CLLocation] = []
  private(set) var agesSeconds: [Double] = []
  private(set) var heardAt: [Double] = []
  private(set) var failures: [CLError.Code] = []
  private let startedAt = Date()

  init(asks: Bool = false) {
    super.init()
    manager.delegate = self
    manager.pausesLocationUpdatesAutomatically = false
    if asks { manager.requestWhenInUseAuthorization() }
    manager.startUpdatingLocation()
  }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    self.locations += locations
    agesSeconds += locations.map { Date().timeIntervalSince($0.timestamp) }
    heardAt.append(Date().timeIntervalSince(startedAt))
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    if let error = error as? CLError { failures.append(error.code) }
  }
}

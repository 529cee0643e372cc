import CoreLocation
import CoreLocationTesting
import Testing

/// The field's reports about locations.
@Suite("Cases: locations")
struct LocationCases {
  @Test("CL-02: whoever makes a manager and whoever starts it, its callbacks come on the thread that moves time")
  func threads() async {
    // Runs `body` on a thread of its own.
    func elsewhere(_ body: @escaping @Sendable () -> Void) async {
      await withCheckedContinuation { done in
        Thread {
          body()
          done.resume()
        }.start()
      }
    }
    let device = SimulatedDevice(permission: .whenInUse, at: CaseApp.home)
    nonisolated(unsafe) var made: CaseApp?
    await elsewhere { made = device.run { CaseApp() } }
    await elsewhere { made?.manager.startUpdatingLocation() }
    let app = made
    #expect(app?.lines == [], "nothing comes while time stands still")
    let mover = { () -> ObjectIdentifier in
      device.advance(by: .seconds(3))
      return ObjectIdentifier(Thread.current)
    }()
    #expect(app?.threads == [mover])
    #expect(app?.locations.count == 3)
  }

  @Test("CL-03: a remembered location comes first with its own time, and a newer one replaces it, if a vaguer one")
  func rememberedLocation() throws {
    let remembered = CLLocation(
      coordinate: CLLocationCoordinate2D(latitude: 47, longitude: 19), altitude: 0, horizontalAccuracy: 2,
      verticalAccuracy: -1, timestamp: CaseApp.start.addingTimeInterval(-3_600))
    let device = SimulatedDevice(permission: .whenInUse, at: CaseApp.home, lastLocation: remembered)
    device.reception = .within(meters: 4)
    let app = device.launch { _ in CaseApp { $0.startUpdatingLocation() } }
    device.advance(by: .seconds(1))
    #expect(app.lines == ["0 authorization whenInUse", "0 location", "1 location"])
    #expect(app.locations.map { $0.timestamp.timeIntervalSince(CaseApp.start) } == [-3_600, 1])
    #expect(app.locations.map(\.horizontalAccuracy) == [2, 4])
    #expect(app.manager.location === app.locations.last)
    device.terminate()
    device.launchAgain()
    let next = try #require(device.app(as: CaseApp.self))
    #expect(next.locationAtStart?.horizontalAccuracy == 4)
  }

  @Test("CL-10: with Precise off one coarse location comes early, around the truth, and at most one more in 10 min")
  func reducedAccuracy() throws {
    let device = SimulatedDevice(permission: .whenInUse, at: CaseApp.home)
    device.person.setsPrecise(false)
    let app = device.launch { _ in
      CaseApp {
        $0.desiredAccuracy = kCLLocationAccuracyBest
        $0.startUpdatingLocation()
      }
    }
    device.play(Journey(from: CaseApp.home).move(meters: 7_800, courseDegrees: 0, metersPerSecond: 13))
    #expect(app.lines.first == "0 authorization whenInUse, reduced")
    #expect(app.second(of: "location").map { $0 <= 10 } == true)
    #expect((1...2).contains(app.locations.count))
    let coarse = try #require(app.locations.first)
    #expect(coarse.horizontalAccuracy >= 1_000)
    let truth = CLLocation(latitude: CaseApp.home.latitude, longitude: CaseApp.home.longitude)
    #expect(coarse.distance(from: truth) <= coarse.horizontalAccuracy && coarse.distance(from: truth) > 20)
    #expect(coarse.speed == -1 && coarse.course == -1 && coarse.verticalAccuracy == -1)
  }

  // MARK: requestLocation

  /// A device that finds its place to 65 m, and an app that is ready to ask for it.
  private func vague(_ desiredAccuracy: CLLocationAccuracy = kCLLocationAccuracyBest) -> (SimulatedDevice, CaseApp) {
    let device = SimulatedDevice(permission: .whenInUse, at: CaseApp.home)
    device.reception = .within(meters: 65)
    let app = device.launch { _ in CaseApp { $0.desiredAccuracy = desiredAccuracy } }
    app.forget()
    return (device, app)
  }

  @Test("CL-11: one location asked for is waited for until it is good enough, or 10 s: then the newest of the best")
  func requestTimesOut() {
    let (device, app) = vague()
    device.setOut(on: Journey(from: CaseApp.home).move(meters: 600, courseDegrees: 0, metersPerSecond: 10))
    app.manager.requestLocation()
    device.advance(by: .seconds(60))
    #expect(app.lines == ["10 location"])
    // The tenth is on its way when the time is up.
    #expect(app.locations.first.map { $0.timestamp >= CaseApp.start.addingTimeInterval(9) } == true)
    #expect(!device.isReceiverOn, "the service stops itself")
  }

  @Test("CL-11: one that is good enough answers at once")
  func requestIsMet() {
    let (device, app) = vague(100)
    app.manager.requestLocation()
    device.advance(by: .seconds(60))
    #expect(app.lines == ["1 location"])
  }

  @Test("CL-11: without a signal the request fails once, with locationUnknown")
  func requestWithoutSignal() {
    let (device, app) = vague()
    device.reception = .none
    app.manager.requestLocation()
    device.advance(by: .seconds(60))
    #expect(app.lines == ["10 failed 0"])
  }

  @Test("CL-11: a start takes the place of a request without a word, and a stop ends one")
  func requestIsReplaced() {
    let (device, app) = vague()
    app.manager.requestLocation()
    device.advance(by: .seconds(2))
    app.manager.startUpdatingLocation()
    device.advance(by: .seconds(20))
    // First what the device knows already (2.4).
    #expect(app.lines == (2...22).map { "\($0) location" })
    app.manager.stopUpdatingLocation()
    app.forget()
    app.manager.requestLocation()
    app.manager.stopUpdatingLocation()
    device.advance(by: .seconds(20))
    #expect(app.lines == [])
  }

  @Test("CL-11: a request while updates run adds no callback")
  func requestWhileUpdating() {
    let (device, app) = vague()
    app.manager.startUpdatingLocation()
    app.manager.requestLocation()
    device.advance(by: .seconds(15))
    #expect(app.lines == (1...15).map { "\($0) location" })
  }

  // MARK: Values

  @Test("SP-1: during a delivery the manager's location is the newest delivered one")
  func managerAgrees() {
    let device = SimulatedDevice(permission: .whenInUse, at: CaseApp.home)
    let app = device.launch { _ in CaseApp { $0.startUpdatingLocation() } }
    device.play(Journey(from: CaseApp.home).move(meters: 50, courseDegrees: 90, metersPerSecond: 10))
    #expect(app.managerAgreed == [true, true, true, true, true])
  }

  @Test("SP-3: distances are those of the ellipsoid, to the millimetre")
  func distance() {
    let start = CLLocation(latitude: 51.1269942, longitude: 16.851781)
    let end = CLLocation(latitude: 52.232855, longitude: 20.9211114)
    #expect(abs(start.distance(from: end) - 307_123.687) < 0.001)
  }
}

import CoreLocation
import CoreLocationTesting
import LocationEngine
import LocationModel
import Testing

/// The field's reports about deliveries (cases A and SP-1), each on a whole simulated device.
@Suite("Cases: deliveries")
struct DeliveryCases {
  private let place = (latitude: 47.5, longitude: 19.2)

  @Test(
    "CL-03: a cached fix comes first with its own time; a newer one replaces it, whatever its accuracy"
  )
  func cacheIsReplacedByTime() throws {
    let start = SimulatedDevice.usualStart
    let cached = Fix(
      coordinate: Coordinate(latitude: 47, longitude: 19), horizontalAccuracyMeters: 2,
      time: start.advanced(bySeconds: -3_600))
    let device = SimulatedDevice(grant: Grant(level: .whenInUse), lastFix: cached)
    let app = SmallApp(on: device)
    app.manager.startUpdatingLocation()
    device.settle()
    device.receive(forSeconds: 1) { _ in (47.5, 19.2, 4) }

    #expect(app.log.lines == ["0 authorization whenInUse", "0 location", "1 location"])
    let startDate = Date(timeIntervalSince1970: start.secondsSince1970)
    #expect(app.log.locations.map { $0.timestamp.timeIntervalSince(startDate) } == [-3_600, 1])
    #expect(app.manager.location === app.log.locations.last)

    device.terminate()
    device.launch()
    #expect(device.run { CLLocationManager() }.location?.coordinate.latitude == 47.5)
  }

  @Test(
    "CL-10: reduced accuracy gives one coarse location early, with the truth inside its circle"
  )
  func reducedAccuracyIsCoarseAndRare() throws {
    let device = SimulatedDevice(grant: Grant(level: .whenInUse, isPrecise: false))
    let app = SmallApp(on: device)
    app.manager.desiredAccuracy = kCLLocationAccuracyBest
    app.manager.startUpdatingLocation()
    // North at 13 m/s: 0.000117 degrees of latitude a second.
    device.receive(forSeconds: 600) { second in (47.5 + 0.000117 * second, 19.2, 5) }

    #expect(app.log.lines.count { $0.hasSuffix(" location") } == 1)
    let coarse = try #require(app.log.locations.first)
    #expect(coarse.horizontalAccuracy >= 1_000)
    let truth = CLLocation(latitude: 47.5 + 0.000117, longitude: 19.2)
    #expect(coarse.distance(from: truth) <= coarse.horizontalAccuracy)
    #expect(coarse.coordinate.latitude != truth.coordinate.latitude)
    #expect(coarse.speed == -1 && coarse.course == -1 && coarse.verticalAccuracy == -1)
  }

  /// A device whose receiver finds the place to 65 m once a second.
  private func vagueDevice(desiredAccuracy: Double) -> (SimulatedDevice, SmallApp) {
    let device = SimulatedDevice(grant: Grant(level: .whenInUse))
    let app = SmallApp(on: device)
    app.manager.desiredAccuracy = desiredAccuracy
    device.settle()
    app.log.forget()
    return (device, app)
  }

  @Test("CL-11: requestLocation waits for the desired accuracy and at about 10 s gives the newest of the best")
  func requestLocationTimesOutWithBest() {
    let (device, app) = vagueDevice(desiredAccuracy: kCLLocationAccuracyBest)
    app.manager.requestLocation()
    device.receive(forSeconds: 60) { second in (47.5 + second / 1_000, 19.2, 65) }
    #expect(app.log.lines == ["10 location"])
    #expect(device.receiver.demand == nil, "the service stops itself")
  }

  @Test("CL-11: requestLocation is answered by the first fix that is good enough")
  func requestLocationMeetsAccuracy() {
    let (device, app) = vagueDevice(desiredAccuracy: 100)
    app.manager.requestLocation()
    device.receive(forSeconds: 60) { _ in (47.5, 19.2, 65) }
    #expect(app.log.lines == ["1 location"])
  }

  @Test("CL-11: without a signal requestLocation fails once with locationUnknown")
  func requestLocationWithoutSignal() {
    let (device, app) = vagueDevice(desiredAccuracy: kCLLocationAccuracyBest)
    app.manager.requestLocation()
    device.advance(toSecond: 60)
    #expect(app.log.lines == ["10 failed 0"])
  }

  @Test("CL-11: a start takes the place of a one-time request without a word")
  func startCancelsRequest() {
    let (device, app) = vagueDevice(desiredAccuracy: kCLLocationAccuracyBest)
    app.manager.requestLocation()
    device.advance(toSecond: 2)
    app.manager.startUpdatingLocation()
    device.receive(forSeconds: 20) { _ in (47.5, 19.2, 65) }
    #expect(app.log.lines == (3...22).map { "\($0) location" })
  }

  @Test("CL-11: requestLocation while updates run adds no callback")
  func requestWhileUpdatingDoesNothing() {
    let (device, app) = vagueDevice(desiredAccuracy: kCLLocationAccuracyBest)
    app.manager.startUpdatingLocation()
    app.manager.requestLocation()
    device.receive(forSeconds: 15) { _ in (47.5, 19.2, 65) }
    #expect(app.log.lines == (1...15).map { "\($0) location" })
  }

  @Test("CL-11: a stop cancels a one-time request without a word (2.33)")
  func stopCancelsRequest() {
    let (device, app) = vagueDevice(desiredAccuracy: kCLLocationAccuracyBest)
    app.manager.requestLocation()
    app.manager.stopUpdatingLocation()
    device.receive(forSeconds: 20) { _ in (47.5, 19.2, 5) }
    #expect(app.log.lines == [])
  }

  @Test("SP-1: during a delivery the manager's location is the newest delivered one")
  func locationAgreesDuringDelivery() {
    let device = SimulatedDevice(grant: Grant(level: .whenInUse))
    let app = SmallApp(on: device)
    app.manager.startUpdatingLocation()
    device.receive(forSeconds: 5) { second in (47.5 + second / 1_000, 19.2, 5) }
    #expect(app.log.managerAgreed == [true, true, true, true, true])
  }

  @Test("2.16: what a suspended app missed arrives as one array when it runs again, oldest first")
  func suspendedAppGetsArray() {
    let device = SimulatedDevice(grant: Grant(level: .always, hasRequestedAlways: true))
    let app = SmallApp(on: device)
    app.manager.startUpdatingLocation()
    device.settle()
    let listener = device.connectListener(named: "org.example.other")
    device.moveToBackground()
    device.suspend()
    app.log.forget()
    device.receive(forSeconds: 3) { second in (47.5 + second / 1_000, 19.2, 5) }
    #expect(app.log.lines == [])
    device.moveToForeground()
    device.settle()
    #expect(app.log.lines == ["3 3 locations"])
    #expect(app.log.locations.map(\.coordinate.latitude) == [47.501, 47.502, 47.503])
    withExtendedLifetime(listener) {}
  }

  @Test("2.17: two managers of one app have their own filters")
  func managersAreIndependent() {
    let device = SimulatedDevice(grant: Grant(level: .whenInUse))
    let every = SmallApp(on: device)
    let far = SmallApp(on: device)
    far.manager.distanceFilter = 100
    every.manager.startUpdatingLocation()
    far.manager.startUpdatingLocation()
    // 0.0005 degrees of latitude are 55.6 m: every second step passes 100 m.
    device.receive(forSeconds: 5) { second in (47.5 + 0.0005 * second, 19.2, 5) }
    #expect(every.log.locations.count == 5)
    #expect(far.log.locations.map(\.coordinate.latitude) == [47.5005, 47.5015, 47.5025])
  }

  @Test("A released manager stops its updates and takes its prompt down (2.18)")
  func releaseStopsAndWithdraws() {
    let device = SimulatedDevice(grant: Grant(level: .whenInUse))
    var app: SmallApp? = SmallApp(on: device)
    app?.manager.startUpdatingLocation()
    #expect(device.receiver.demand != nil)
    app = nil
    #expect(device.receiver.demand == nil)

    let fresh = SimulatedDevice()
    app = SmallApp(on: fresh)
    app?.manager.requestWhenInUseAuthorization()
    #expect(fresh.person.openPrompts.count == 1)
    app = nil
    #expect(fresh.person.openPrompts.isEmpty)
  }
}

import CoreLocation
import CoreLocationTesting
import Testing

/// Beacons that a test places, as an app hears them on its way.
@Suite("Beacons around a simulated device")
struct BeaconWayTests {
  private static let shop = UUID(uuid: (7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  private static let constraint = CLBeaconIdentityConstraint(uuid: shop)

  /// So many metres north of home.
  private static func north(_ meters: Double) -> CLLocationCoordinate2D {
    Journey(from: CaseApp.home).move(meters: meters, courseDegrees: 0, metersPerSecond: 1).end
  }

  private func ranging(noiseSeed: UInt64? = nil) -> (SimulatedDevice, CaseApp) {
    let device = SimulatedDevice(permission: .whenInUse, at: CaseApp.home, noiseSeed: noiseSeed)
    let app = device.launch { _ in CaseApp { $0.startRangingBeacons(satisfying: Self.constraint) } }
    app.forget()
    return (device, app)
  }

  @Test("A beacon at one metre has its measured power, at ten 20 dB less, and the nearest comes first (6.6)")
  func distances() throws {
    let (device, app) = ranging()
    device.addBeacon(Self.shop, major: 1, minor: 10, at: Self.north(10))
    device.addBeacon(Self.shop, major: 1, minor: 1, at: Self.north(1))
    device.addBeacon(UUID(), major: 1, minor: 2, at: Self.north(2))
    device.advance(by: .seconds(1))
    let beacons = try #require(app.beacons.last)
    #expect(beacons.map(\.minor) == [1, 10] && beacons.map(\.rssi) == [-59, -79])
    #expect(beacons.map(\.proximity) == [.near, .far] && abs(beacons[0].accuracy - 1) < 0.05)
  }

  @Test("Driving past one it is heard within 63 m, weakly at first, at its strongest beside it, and then no more")
  func drivingPast() throws {
    let (device, app) = ranging()
    device.addBeacon(Self.shop, major: 1, minor: 1, at: Self.north(5_000))
    device.play(Journey(from: CaseApp.home).move(meters: 10_000, courseDegrees: 0, metersPerSecond: 14))
    let heard = app.beacons.enumerated().filter { !$0.element.isEmpty }
    // 14 m/s: 4,937 m after 353 s and 5,063 m after 362 s; a beacon is listed for 10 s after its last packet.
    #expect(heard.first.map { (352...354).contains($0.offset + 1) } == true)
    #expect(heard.last.map { (370...373).contains($0.offset + 1) } == true)
    let loud = heard.filter { $0.element[0].rssi < 0 }
    let nearest = try #require(loud.max { $0.element[0].rssi < $1.element[0].rssi })
    #expect((356...358).contains(nearest.offset + 1))
  }

  @Test("Its signals fade with a seed, the same with the same seed and whoever listened before")
  func fading() {
    func signals(_ seed: UInt64?, listensFrom second: Int = 0) -> [Int] {
      let device = SimulatedDevice(permission: .whenInUse, at: CaseApp.home, noiseSeed: seed)
      let app = device.launch { _ in CaseApp() }
      device.addBeacon(Self.shop, major: 1, minor: 1, at: Self.north(3), packetsPerSecond: 1)
      device.advance(by: .seconds(second))
      app.manager.startRangingBeacons(satisfying: Self.constraint)
      device.advance(by: .seconds(1_000 - second))
      return app.beacons.compactMap { $0.first?.rssi }
    }
    let first = signals(1)
    #expect(first == signals(1) && first != signals(2))
    #expect(first.suffix(900) == signals(1, listensFrom: 50).suffix(900))
    #expect(Set(signals(nil)) == [-69])
    let mean = Double(first.reduce(0, +)) / Double(first.count)
    let deviation = (first.reduce(0) { $0 + pow(Double($1) - mean, 2) } / Double(first.count)).squareRoot()
    // 1,000 samples of 4 dB: the mean within 0.13 dB a deviation, the deviation within 0.09 dB.
    #expect(abs(mean + 68.5) < 0.6 && (3.6...4.4).contains(deviation))
  }

  @Test("It is silent, speaks again, is carried away and is taken away")
  func lifeOfABeacon() {
    let (device, app) = ranging()
    let beacon = device.addBeacon(Self.shop, major: 1, minor: 1, at: CaseApp.home)
    device.advance(by: .seconds(5))
    #expect(app.beacons.last?.count == 1 && beacon.isSending)
    for (silence, sound): (() -> Void, () -> Void) in [
      ({ beacon.isSending = false }, { beacon.isSending = true }),
      ({ beacon.move(to: Self.north(100)) }, { beacon.move(to: CaseApp.home) }),
      ({ device.put(at: Self.north(100)) }, { device.put(at: CaseApp.home) }),
    ] {
      silence()
      device.advance(by: .seconds(11))
      #expect(app.beacons.last?.isEmpty == true)
      sound()
      device.advance(by: .seconds(1))
      #expect(app.beacons.last?.count == 1)
    }
    beacon.remove()
    beacon.isSending = true
    device.advance(by: .seconds(11))
    #expect(app.beacons.last?.isEmpty == true && !beacon.isSending && beacon.place == nil)
    for line in [
      "the beacon 1/1 is silent", "the beacon 1/1 sends", "the beacon 1/1 is taken away", "didRange no beacon",
    ] {
      #expect(device.log.contains { $0.hasSuffix(line) }, "\(line)")
    }
    #expect(device.log.contains { $0.contains("the app hears didRange 1/1 immediate at 0.0 m") })
  }

  @Test("Bluetooth that is off, kept from the service or not there stops ranging, and says which (6.12)")
  func bluetooth() {
    let (device, app) = ranging()
    device.addBeacon(Self.shop, major: 1, minor: 1, at: CaseApp.home)
    #expect(device.bluetooth == .on)
    for (bluetooth, code) in [(SimulatedBluetooth.off, 16), (.unauthorized, 17), (.absent, 16)] {
      app.forget()
      device.bluetooth = bluetooth
      device.advance(by: .seconds(15))
      #expect(app.events == ["failed \(code) ranging"] && device.bluetooth == bluetooth)
      #expect(device.run { CLLocationManager.isRangingAvailable() } == (bluetooth != .absent))
      device.bluetooth = .on
      device.advance(by: .seconds(2))
      #expect(app.beacons.last?.count == 1)
    }
    app.forget()
    device.person.switchesAirplaneMode(on: true)
    device.advance(by: .seconds(15))
    #expect(app.events == ["failed 16 ranging"])
  }

  @Test("Where Bluetooth goes a region is not left: nobody knows; back on, silence of 30 s is an exit (6.3)")
  func regionWithoutBluetooth() {
    let device = SimulatedDevice(permission: .whenInUse, at: CaseApp.home)
    let app = device.launch { _ in
      CaseApp { $0.startMonitoring(for: CLBeaconRegion(uuid: Self.shop, identifier: "shop")) }
    }
    device.advance(by: .seconds(5))
    let beacon = device.addBeacon(Self.shop, major: 1, minor: 1, at: CaseApp.home)
    device.advance(by: .seconds(5))
    #expect(app.events.last == "inside shop")
    device.bluetooth = .off
    beacon.remove()
    device.advance(by: .seconds(3_600))
    #expect(app.second(of: "exited shop") == nil)
    device.bluetooth = .on
    device.advance(by: .seconds(60))
    #expect(app.second(of: "exited shop") == 3_640)
  }

  @Test("Each look at the display tells of a region that asks for it, as long as the device is inside (6.4)")
  func display() {
    let device = SimulatedDevice(permission: .whenInUse, at: CaseApp.home)
    let app = device.launch { _ in
      CaseApp {
        let region = CLBeaconRegion(uuid: Self.shop, identifier: "shop")
        region.notifyEntryStateOnDisplay = true
        region.notifyOnEntry = false
        $0.startMonitoring(for: region)
      }
    }
    device.advance(by: .seconds(5))
    device.person.turnsDisplayOn()
    let beacon = device.addBeacon(Self.shop, major: 1, minor: 1, at: CaseApp.home)
    device.advance(by: .seconds(5))
    app.forget()
    device.person.turnsDisplayOn()
    device.person.turnsDisplayOn()
    #expect(app.lines == ["10 inside shop", "10 inside shop"])
    beacon.isSending = false
    device.advance(by: .seconds(60))
    app.forget()
    device.person.turnsDisplayOn()
    #expect(app.lines == [])
  }

  @Test("A beacon starts an app that has ended: within the five minutes between two looks of the radio")
  func startsApp() throws {
    let device = SimulatedDevice(permission: .always, at: CaseApp.home)
    device.launch { launch in
      CaseApp {
        guard !launch.isForLocation else { return }
        $0.startMonitoring(for: CLBeaconRegion(uuid: Self.shop, identifier: "shop"))
      }
    }
    device.advance(by: .seconds(5))
    device.terminate()
    device.advance(by: .seconds(60))
    device.addBeacon(Self.shop, major: 1, minor: 1, at: Self.north(3))
    try device.advance(within: .seconds(300), until: "the app is started") { device.eventLaunchCount == 1 }
    #expect(device.app(as: CaseApp.self)?.events.contains("entered shop") == true)
  }

  @Test("Tasks of beacons, too: a monitor's condition, with the beacon that satisfied it (9.37)")
  func monitor() async throws {
    let device = SimulatedDevice(permission: .always, at: CaseApp.home)
    try await device.run {
      device.launch { _ in NSObject() }
      let session = CLServiceSession(authorization: .always)
      let monitor = await CLMonitor("shops")
      await monitor.add(CLMonitor.BeaconIdentityCondition(uuid: Self.shop), identifier: "shop")
      let reader = Task {
        var events: [CLMonitor.Event] = []
        for try await event in await monitor.events {
          events.append(event)
          if event.state == .unsatisfied, events.count > 1 { break }
        }
        return events
      }
      try await device.listening(1)
      device.addBeacon(Self.shop, major: 3, minor: 4, at: Self.north(30))
      try await device.play(
        Journey(from: CaseApp.home).walk(to: Self.north(60)).walk(to: Self.north(400)).stay(for: .seconds(60)))
      let events = try await reader.value
      let beacon = events.first { $0.state == .satisfied }?.refinement as? CLMonitor.BeaconIdentityCondition
      #expect(beacon?.major == 3 && beacon?.minor == 4)
      #expect(events.last?.state == .unsatisfied)
      withExtendedLifetime(session) {}
    }
  }

  @Test("Nothing rings for beacons out of reach of a device that rests, nor while nobody listens")
  func silence() {
    let device = SimulatedDevice(permission: .whenInUse, at: CaseApp.home)
    let app = device.launch { _ in
      CaseApp { $0.startMonitoring(for: CLBeaconRegion(uuid: Self.shop, identifier: "shop")) }
    }
    device.advance(by: .seconds(60))
    device.addBeacon(Self.shop, major: 1, minor: 1, at: Self.north(10_000))
    #expect(device.host.clock.nextDeadline == nil)
    device.put(at: Self.north(10_000))
    #expect(device.host.clock.nextDeadline != nil)
    app.manager.stopMonitoring(for: CLBeaconRegion(uuid: Self.shop, identifier: "shop"))
    device.advance(by: .zero)
    #expect(device.host.clock.nextDeadline == nil)
  }
}

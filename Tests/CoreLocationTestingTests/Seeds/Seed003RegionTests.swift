import CoreLocation
import CoreLocationTesting
import LocationEngine
import Testing

@Suite("seed 003: regions, beacons, and updates that are deferred until a certain distance")
struct Seed003RegionTests {
  private static let shop = UUID(uuid: (5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

  private static func circle(_ identifier: String = "station") -> CLCircularRegion {
    CLCircularRegion(center: ProductTests.station, radius: 150, identifier: identifier)
  }

  /// 1.1 km there, four minutes, and back.
  private static let thereAndBack = Journey(from: ProductTests.home).drive(to: ProductTests.station)
    .stay(for: .seconds(240)).drive(to: ProductTests.home).stay(for: .seconds(240))

  // MARK: Regions

  @Test("A region that monitoring was started for is told when it is entered and left; after a stop it is not (003)")
  func startAndStop() {
    let device = SimulatedDevice(permission: .whenInUse, at: ProductTests.home)
    let app = device.launch { _ in CaseApp { $0.startMonitoring(for: Self.circle()) } }
    device.advance(by: .seconds(10))
    #expect(app.manager.monitoredRegions.map(\.identifier) == ["station"])
    app.forget()
    device.play(Self.thereAndBack)
    #expect(app.events == ["entered station", "inside station", "exited station", "outside station"])
    app.manager.stopMonitoring(for: Self.circle())
    device.advance(by: .seconds(1))
    app.forget()
    device.play(Self.thereAndBack)
    #expect(app.events == [] && app.manager.monitoredRegions.isEmpty && !device.isReceiverOn)
  }

  @Test("Up to twenty regions an app, circles and beacons together; the next one fails, and a stop makes room (003)")
  func twenty() {
    let device = SimulatedDevice(permission: .whenInUse, at: ProductTests.home)
    let app = device.launch { _ in CaseApp() }
    device.run {
      for number in 1...10 {
        app.manager.startMonitoring(for: Self.circle("circle \(number)"))
        app.manager.startMonitoring(for: CLBeaconRegion(uuid: UUID(), identifier: "beacon \(number)"))
      }
    }
    device.advance(by: .seconds(5))
    #expect(app.manager.monitoredRegions.count == 20 && !app.events.contains { $0.hasPrefix("failed") })
    app.forget()
    app.manager.startMonitoring(for: Self.circle("another"))
    device.advance(by: .seconds(5))
    #expect(app.events == ["failed \(CLError.Code.regionMonitoringFailure.rawValue) another"])
    #expect(app.manager.monitoredRegions.count == 20)
    app.manager.stopMonitoring(for: Self.circle("circle 1"))
    app.forget()
    app.manager.startMonitoring(for: Self.circle("another"))
    device.advance(by: .seconds(5))
    #expect(app.events.contains("monitoring another") && app.manager.monitoredRegions.count == 20)
  }

  @Test("Where there is an error it is told by monitoringDidFail instead, and no crossing is (003)")
  func failure() {
    let device = SimulatedDevice(permission: .denied, at: ProductTests.home)
    let app = device.launch { _ in CaseApp { $0.startMonitoring(for: Self.circle()) } }
    device.play(Self.thereAndBack)
    #expect(app.events == ["authorization denied", "failed \(CLError.Code.regionMonitoringDenied.rawValue) station"])
  }

  @Test("Without a network a device of cell towers tells of no crossing, and does once the network is back (003)")
  func needsNetwork() {
    let profile = DeviceProfile(name: "towers", technologies: .cell, hasMotionSensor: false)
    for isAirplane in [false, true] {
      let (device, app) = travelled(SimulatedProfile(profile: profile), isAirplane: isAirplane)
      #expect(app.events.contains("entered town") == !isAirplane)
      device.person.switchesAirplaneMode(on: false)
      device.advance(by: .seconds(600))
      #expect(app.events.count { $0 == "entered town" } == 1)
    }
  }

  @Test("With satellites crossings are told without a network, too, unlike what the seed says of phones (003)")
  func satellitesNeedNone() {
    for profile in [SimulatedProfile.phone, .tracker, .receiver] {
      let (_, app) = travelled(profile, isAirplane: true)
      #expect(app.events.count { $0 == "entered town" } == 1)
    }
  }

  /// A device that has gone into the middle of a large region, and has been there for twenty minutes.
  private func travelled(_ profile: SimulatedProfile, isAirplane: Bool) -> (SimulatedDevice, CaseApp) {
    let device = SimulatedDevice(permission: .always, at: ProductTests.home, profile: profile)
    let app = device.launch { _ in
      CaseApp {
        $0.startMonitoring(for: CLCircularRegion(center: ProductTests.farAway, radius: 4_000, identifier: "town"))
      }
    }
    device.advance(by: .seconds(60))
    if isAirplane { device.person.switchesAirplaneMode(on: true) }
    device.play(Journey(from: ProductTests.home).drive(to: ProductTests.farAway).stay(for: .seconds(1_200)))
    return (device, app)
  }

  // MARK: Beacons

  @Test("Beacons are ranged by a region that identifies them, and told with it; others are not, nor after a stop (003)")
  @available(*, deprecated)
  func ranging() throws {
    let device = SimulatedDevice(permission: .whenInUse, at: ProductTests.home)
    device.addBeacon(Self.shop, major: 1, minor: 7, at: ProductTests.home)
    device.addBeacon(Self.shop, major: 2, minor: 8, at: ProductTests.home)
    device.addBeacon(UUID(), major: 1, minor: 9, at: ProductTests.home)
    let region = CLBeaconRegion(uuid: Self.shop, major: 1, identifier: "shop")
    let ranger = device.launch { _ in Ranger(region) }
    device.advance(by: .seconds(30))
    #expect((28...30).contains(ranger.told.count), "once a second")
    #expect(ranger.told.allSatisfy { $0.region == "shop" && ($0.minors == [7] || $0.minors == []) })
    #expect(ranger.told.last?.minors == [7])
    ranger.manager.stopRangingBeacons(in: region)
    let count = ranger.told.count
    device.advance(by: .seconds(30))
    #expect(ranger.told.count == count)
  }

  // MARK: Deferral

  @Test("In the background a hiker's locations come together after each 500 m, or each two minutes; none is lost (003)")
  @available(*, deprecated)
  func deferral() {
    for (meters, seconds, expected) in [
      (500.0, CLTimeIntervalMax, 500), (CLLocationDistanceMax, 120, 120),
    ] {
      let device = SimulatedDevice(
        AppInfo(hasLocationBackgroundMode: true), permission: .whenInUse, at: ProductTests.home)
      let hiker = device.launch { _ in Hiker(meters: meters, seconds: seconds) }
      device.setOut(on: Journey(from: ProductTests.home).move(meters: 1_600, courseDegrees: 0, metersPerSecond: 1))
      device.advance(by: .seconds(10))
      #expect(hiker.rows == Array(repeating: 1, count: 10), "nothing is deferred in the foreground (2.54)")
      device.moveToBackground()
      device.advance(by: .seconds(1_590))
      let rows = hiker.rows.dropFirst(10)
      let batches = rows.filter { $0 > 1 }
      #expect(batches.count == 1_600 / expected && hiker.errors.isEmpty)
      // The first has come since the call, less the ten that were told; a location that is found at the moment when the
      // time is over comes alone, before the app has deferred again.
      #expect(batches.dropFirst().allSatisfy { abs($0 - expected) <= 1 }, "\(rows)")
      #expect(rows.count - batches.count <= batches.count + 4)
      #expect(hiker.times == hiker.times.sorted() && Set(hiker.times).count == hiker.times.count)
      #expect(zip(hiker.times, hiker.times.dropFirst()).allSatisfy { $1.timeIntervalSince($0) == 1 })
    }
  }
}

/// Ranges as apps did up to iOS 12.
@available(*, deprecated)
private final class Ranger: NSObject, CLLocationManagerDelegate {
  let manager = CLLocationManager()
  private(set) var told: [(region: String, minors: [Int])] = []

  init(_ region: CLBeaconRegion) {
    super.init()
    manager.delegate = self
    manager.startRangingBeacons(in: region)
  }

  func locationManager(
    _ manager: CLLocationManager, didRangeBeacons beacons: [CLBeacon], in region: CLBeaconRegion
  ) {
    told.append((region.identifier, beacons.map(\.minor.intValue)))
  }
}

/// The seed's listing: whenever locations come, and none are deferred, the next ones are.
@available(*, deprecated)
private final class Hiker: NSObject, CLLocationManagerDelegate {
  private let manager = CLLocationManager()
  private let meters: CLLocationDistance
  private let seconds: TimeInterval
  private var defersUpdates = false
  /// How many locations came at a time.
  private(set) var rows: [Int] = []
  private(set) var times: [Date] = []
  private(set) var errors: [any Error] = []

  init(meters: CLLocationDistance, seconds: TimeInterval) {
    self.meters = meters
    self.seconds = seconds
    super.init()
    manager.delegate = self
    manager.pausesLocationUpdatesAutomatically = false
    manager.allowsBackgroundLocationUpdates = true
    manager.startUpdatingLocation()
  }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    rows.append(locations.count)
    times += locations.map(\.timestamp)
    guard !defersUpdates else { return }
    manager.allowDeferredLocationUpdates(untilTraveled: meters, timeout: seconds)
    defersUpdates = true
  }

  func locationManager(_ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?) {
    defersUpdates = false
    if let error { errors.append(error) }
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) { errors.append(error) }
}

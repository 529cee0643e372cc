import CoreLocation
import CoreLocationTesting
import Testing

/// Listening for beacons costs 30 mW (algorithms 1.3), for as long as the radio listens and no longer.
@Suite("What beacons cost a simulated device")
struct BeaconEnergyTests {
  private static let shop = UUID(uuid: (7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  private static let constraint = CLBeaconIdentityConstraint(uuid: shop)
  private static let watts = 0.030

  private func ranging(profile: SimulatedProfile = .receiver) -> (SimulatedDevice, CaseApp) {
    let device = SimulatedDevice(permission: .whenInUse, at: CaseApp.home, profile: profile)
    let app = device.launch { _ in CaseApp { $0.startRangingBeacons(satisfying: Self.constraint) } }
    return (device, app)
  }

  @Test("Ranging listens all the time, whether or not there is a beacon; until it is stopped")
  func whileRanging() {
    let (device, app) = ranging()
    device.advance(by: .seconds(100))
    #expect(abs(device.energyJoules - 100 * Self.watts) < 1e-9)
    device.addBeacon(Self.shop, major: 1, minor: 1, at: CaseApp.home)
    device.advance(by: .seconds(100))
    #expect(abs(device.energyJoules - 200 * Self.watts) < 1e-9 && app.beacons.last?.count == 1)
    app.manager.stopRangingBeacons(satisfying: Self.constraint)
    device.advance(by: .seconds(100))
    #expect(abs(device.energyJoules - 200 * Self.watts) < 1e-9)
  }

  @Test("What is switched off costs nothing, and goes on where it comes back")
  func switchedOff() {
    let (device, _) = ranging()
    device.advance(by: .seconds(10))
    device.bluetooth = .off
    device.advance(by: .seconds(1_000))
    #expect(abs(device.energyJoules - 10 * Self.watts) < 1e-9)
    device.bluetooth = .on
    device.advance(by: .seconds(10))
    #expect(abs(device.energyJoules - 20 * Self.watts) < 1e-9)
  }

  @Test("For a region of an app in the background it listens 10 s in 5 minutes (AltBeacon); the log says for whom")
  func inBackground() throws {
    let device = SimulatedDevice(permission: .always, at: CaseApp.home, profile: .phone)
    device.launch { _ in
      CaseApp { $0.startMonitoring(for: CLBeaconRegion(uuid: Self.shop, identifier: "shop")) }
    }
    device.advance(by: .seconds(5))
    #expect(abs(device.energyJoules - 5 * Self.watts) < 1e-9)
    device.moveToBackground()
    // 5 s in the foreground, and looks of 10 s at 5, 305, 605 and 905 s.
    device.advance(by: .seconds(995))
    #expect(abs(device.energyJoules - 45 * Self.watts) < 1e-9)
    let told = device.log.filter { $0.contains("Bluetooth ") }.map { $0.drop { $0 != " " }.dropFirst(2) }
    #expect(told.first == "Bluetooth listens for beacons; regions of beacons on", "\(told)")
    #expect(told.dropFirst().first == "Bluetooth rests; regions of beacons off for 290 s: it listens now and then")
    #expect(told.count == 8)
  }

  @Test("A device without Bluetooth hears no beacons, and the app is told so (behaviour 5.22)")
  func without() {
    let (device, app) = ranging(profile: .tracker)
    device.addBeacon(Self.shop, major: 1, minor: 1, at: CaseApp.home)
    device.advance(by: .seconds(100))
    #expect(device.bluetooth == .absent && app.beacons.isEmpty && device.energyJoules == 0)
    #expect(!device.run { CLLocationManager.isRangingAvailable() })
  }
}

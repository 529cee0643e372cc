import CoreLocation
import CoreLocationTesting
import Testing

/// The field's reports about beacons.
@Suite("Cases: beacons")
struct BeaconCases {
  private static let first = UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  private static let second = UUID(uuid: (2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

  private func launched(_ begin: @escaping (CLLocationManager) -> Void) -> (SimulatedDevice, CaseApp) {
    let device = SimulatedDevice(permission: .whenInUse, at: CaseApp.home)
    let app = device.launch { _ in CaseApp(begin) }
    device.advance(by: .seconds(10))
    app.forget()
    return (device, app)
  }

  @Test("RB-04: a region of a known name replaces the one before, also where its beacons are others")
  func sameName() {
    let (device, app) = launched {
      $0.startMonitoring(for: CLBeaconRegion(uuid: Self.first, identifier: "door"))
      $0.startMonitoring(for: CLBeaconRegion(uuid: Self.second, identifier: "door"))
    }
    #expect(app.manager.monitoredRegions.map { ($0 as? CLBeaconRegion)?.uuid } == [Self.second])
    let old = device.addBeacon(Self.first, major: 1, minor: 1, at: CaseApp.home)
    device.advance(by: .seconds(60))
    #expect(app.lines == [])
    old.remove()
    device.addBeacon(Self.second, major: 1, minor: 1, at: CaseApp.home)
    device.advance(by: .seconds(1))
    #expect(app.lines == ["70 entered door", "70 inside door"])
  }

  @Test(
    "RB-07: entered at once, left 30 s after the last packet and not in a gap of 12 s; ranged every second meanwhile")
  func gap() {
    let constraint = CLBeaconIdentityConstraint(uuid: Self.first)
    let (device, app) = launched {
      $0.startMonitoring(for: CLBeaconRegion(beaconIdentityConstraint: constraint, identifier: "shop"))
      $0.startRangingBeacons(satisfying: constraint)
    }
    // Sends at 10 to 30 and 42 to 50 s.
    let beacon = device.addBeacon(Self.first, major: 1, minor: 7, at: CaseApp.home, packetsPerSecond: 1)
    device.advance(by: .seconds(20))
    beacon.isSending = false
    device.advance(by: .seconds(12))
    beacon.isSending = true
    device.advance(by: .seconds(8))
    beacon.isSending = false
    device.advance(by: .seconds(60))
    let crossings = app.lines.filter { !$0.contains("ranged") }
    #expect(crossings == ["10 entered shop", "10 inside shop", "80 exited shop", "80 outside shop"])
    let ranged = app.lines.filter { $0.contains("ranged") }
    #expect(ranged.count == 100 && ranged.first == "11 ranged 7" && ranged.last == "110 ranged ")
    let silent = app.beacons.flatMap { $0 }.filter { $0.proximity == .unknown }
    #expect(!silent.isEmpty && silent.allSatisfy { $0.accuracy == -1 && $0.rssi == 0 })
  }

  @Test(
    "SP-4: a region is left 30 s after the last packet, whether its beacons are ranged or not",
    arguments: [false, true])
  func exitWhileRanging(isRanged: Bool) {
    let constraint = CLBeaconIdentityConstraint(uuid: Self.first)
    let (device, app) = launched {
      $0.startMonitoring(for: CLBeaconRegion(beaconIdentityConstraint: constraint, identifier: "shop"))
      if isRanged { $0.startRangingBeacons(satisfying: constraint) }
    }
    let beacon = device.addBeacon(Self.first, major: 1, minor: 7, at: CaseApp.home)
    device.advance(by: .seconds(20))
    beacon.isSending = false
    device.advance(by: .seconds(60))
    #expect(app.second(of: "entered shop") == 10 && app.second(of: "exited shop") == 60)
    #expect(app.lines.contains { $0.contains("ranged") } == isRanged)
  }
}

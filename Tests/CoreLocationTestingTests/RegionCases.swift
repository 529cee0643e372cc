import CoreLocation
import CoreLocationTesting
import LocationEngine
import Testing

/// Regions over denials and launches, on a whole simulated device. The field's reports are in `CircleCases`.
@Suite("Regions on a simulated device")
struct RegionCases {
  /// 47.5 N, 19.2 E; a degree of latitude there is 111.2 km.
  private static let home = CLLocationCoordinate2D(latitude: 47.5, longitude: 19.2)

  private static func circle(_ identifier: String = "home", radius: CLLocationDistance = 150) -> CLCircularRegion {
    CLCircularRegion(center: home, radius: radius, identifier: identifier)
  }

  /// A fix a second at so many metres north of home.
  private func stay(_ device: SimulatedDevice, seconds: Int, metersNorth: Double) {
    device.receive(forSeconds: seconds) { _ in (47.5 + metersNorth / 111_200, 19.2, 5) }
  }

  @Test("GC-05: after denial no crossing is told and the state is unknown; a new grant resumes")
  func denial() {
    let device = SimulatedDevice(grant: Grant(level: .whenInUse))
    let other = device.connectListener(named: "org.example.other")
    let app = SmallApp(on: device)
    app.manager.startMonitoring(for: Self.circle())
    stay(device, seconds: 5, metersNorth: 0)
    app.log.forget()
    device.chooseInSettings(.denied)
    device.settle()
    #expect(app.log.lines == ["5 authorization denied", "5 failed 4 home"])
    app.log.forget()
    stay(device, seconds: 60, metersNorth: 500)
    app.manager.requestState(for: Self.circle())
    device.settle()
    #expect(app.log.lines == ["65 unknown home"])
    app.log.forget()
    device.chooseInSettings(.whenInUse)
    stay(device, seconds: 60, metersNorth: 500)
    #expect(app.log.lines == ["65 authorization whenInUse", "65 monitoring home"])
    app.log.forget()
    stay(device, seconds: 60, metersNorth: 0)
    #expect(app.log.lines == ["146 entered home", "146 inside home"])
    withExtendedLifetime(other) {}
  }

  // MARK: Beyond the process

  @Test("Regions come back with the next launch of the app, and any manager stops them (behaviour 5.6)")
  func nextLaunch() {
    let device = SimulatedDevice(grant: Grant(level: .always))
    var app: SmallApp? = SmallApp(on: device)
    app?.manager.startMonitoring(for: Self.circle())
    device.settle()
    app = nil
    device.terminate()
    device.launch()
    let next = SmallApp(on: device)
    #expect(next.manager.monitoredRegions.map(\.identifier) == ["home"])
    next.manager.stopMonitoring(for: Self.circle())
    device.settle()
    #expect(next.manager.monitoredRegions.isEmpty)
  }

  @Test("Without Bluetooth the device can do circles, up to the policy's radius, and no beacons (behaviour 5.19, 5.22)")
  func capabilities() {
    let device = SimulatedDevice()
    device.bluetooth = .absent
    device.run {
      #expect(CLLocationManager.isMonitoringAvailable(for: CLCircularRegion.self))
      #expect(!CLLocationManager.isMonitoringAvailable(for: CLBeaconRegion.self))
      #expect(CLLocationManager().maximumRegionMonitoringDistance == 1_000_000)
    }
  }
}

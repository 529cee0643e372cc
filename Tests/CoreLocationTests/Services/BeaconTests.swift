import CoreLocation
import CoreLocationTesting
import LocationEngine
import LocationModel
import Testing

/// Writes down what it hears, by the newer methods.
private class Visitor: CLLocationManagerDelegate {
  var calls: [String] = []
  var beacons: [CLBeacon] = []

  func locationManager(
    _ manager: CLLocationManager, didRange beacons: [CLBeacon], satisfying beaconConstraint: CLBeaconIdentityConstraint
  ) {
    self.beacons = beacons
    calls.append("\(beacons.count) of \(beaconConstraint.major.map(String.init) ?? "any")")
  }
  func locationManager(
    _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint, error: any Error
  ) {
    calls.append("failed \((error as? CLError)?.code.rawValue ?? -1)")
  }
  func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
    calls.append("monitoring \(region.identifier)")
  }
  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    calls.append("entered \(region.identifier) \((region as? CLBeaconRegion)?.major?.intValue ?? -1)")
  }
  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
    calls.append("exited \(region.identifier)")
  }
  func locationManager(_ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion) {
    calls.append("\(region.identifier) is \(state.rawValue)")
  }
}

/// The same by the older ones.
private final class OlderVisitor: CLLocationManagerDelegate {
  var calls: [String] = []

  @available(*, deprecated)
  func locationManager(_: CLLocationManager, didRangeBeacons beacons: [CLBeacon], in region: CLBeaconRegion) {
    calls.append("\(beacons.count) in \(region.identifier)")
  }
  @available(*, deprecated)
  func locationManager(_: CLLocationManager, rangingBeaconsDidFailFor region: CLBeaconRegion, withError error: Error) {
    calls.append("failed in \(region.identifier)")
  }
}

@Suite("Beacons as an app hears them")
struct BeaconTests {
  private static let uuid = UUID(uuidString: "74278BDA-B644-4520-8F0C-720EAF059935") ?? UUID()

  private func device(_ radio: BeaconRadio = .on) -> SimulatedDevice {
    let device = SimulatedDevice(grant: Grant(level: .always))
    device.setBluetooth(radio)
    return device
  }

  @Test("Whether they can be monitored and ranged is whether there is an adapter, on or off (behaviour 5.22)")
  func available() {
    let device = device(.absent)
    device.run {
      for (radio, isThere) in [(BeaconRadio.absent, false), (.off, true), (.on, true), (.absent, false)] {
        device.setBluetooth(radio)
        #expect(CLLocationManager.isRangingAvailable() == isThere)
        #expect(CLLocationManager.isMonitoringAvailable(for: CLBeaconRegion.self) == isThere)
        #expect(CLLocationManager.isMonitoringAvailable(for: CLCircularRegion.self))
      }
    }
  }

  @Test("Ranged beacons have Core Location's values and sentinels, and none comes after the stop (behaviour 6.8, 6.10)")
  func ranging() throws {
    let device = device()
    try device.run {
      let visitor = Visitor()
      let manager = CLLocationManager()
      manager.delegate = visitor
      let constraint = CLBeaconIdentityConstraint(uuid: Self.uuid, major: 7)
      manager.startRangingBeacons(satisfying: constraint)
      #expect(manager.rangedBeaconConstraints == [constraint])
      device.settle()
      device.hear(Self.uuid, major: 7, minor: 9, signalDecibels: -59)
      device.advance(bySeconds: 1)
      #expect(visitor.calls == ["1 of 7"])
      let beacon = try #require(visitor.beacons.first)
      #expect(beacon.uuid == Self.uuid && beacon.major == 7 && beacon.minor == 9)
      #expect(beacon.proximity == .near && beacon.rssi == -59 && abs(beacon.accuracy - 1) < 0.02)
      #expect(beacon.timestamp.timeIntervalSince1970 == 1_780_300_800)
      device.advance(bySeconds: 5)
      let silent = try #require(visitor.beacons.first)
      #expect(silent.proximity == .unknown && silent.rssi == 0 && silent.accuracy == -1)
      manager.stopRangingBeacons(satisfying: CLBeaconIdentityConstraint(uuid: Self.uuid, major: 7))
      #expect(manager.rangedBeaconConstraints.isEmpty)
      visitor.calls = []
      device.advance(bySeconds: 5)
      #expect(visitor.calls.isEmpty)
    }
  }

  @Test("Regions are ranged by the older methods, and one that stops leaves another of the same beacons alone")
  @available(*, deprecated)
  func older() {
    let device = device()
    device.run {
      let visitor = OlderVisitor()
      let manager = CLLocationManager()
      manager.delegate = visitor
      let first = CLBeaconRegion(uuid: Self.uuid, identifier: "first")
      let second = CLBeaconRegion(uuid: Self.uuid, identifier: "second")
      manager.startRangingBeacons(in: first)
      manager.startRangingBeacons(in: second)
      device.settle()
      device.hear(Self.uuid, major: 1, minor: 1, signalDecibels: -70)
      device.advance(bySeconds: 1)
      #expect(visitor.calls.sorted() == ["1 in first", "1 in second"])
      visitor.calls = []
      manager.stopRangingBeacons(in: first)
      device.advance(bySeconds: 1)
      #expect(visitor.calls == ["1 in second"])
      visitor.calls = []
      device.setBluetooth(.off)
      #expect(visitor.calls == ["failed in second"])
      manager.stopRangingBeacons(in: second)
      device.setBluetooth(.on)
      device.advance(bySeconds: 5)
      #expect(visitor.calls == ["failed in second"])
    }
  }

  @Test("A region is entered and left, and told again when the screen turns on (behaviour 6.3, 6.4)")
  func region() {
    let device = device()
    device.run {
      let visitor = Visitor()
      let manager = CLLocationManager()
      manager.delegate = visitor
      let region = CLBeaconRegion(uuid: Self.uuid, major: 7, identifier: "shop")
      region.notifyEntryStateOnDisplay = true
      manager.startMonitoring(for: region)
      device.advance(bySeconds: 5)
      #expect(visitor.calls == ["monitoring shop", "shop is 2"])
      visitor.calls = []
      device.hear(Self.uuid, major: 8, minor: 1, signalDecibels: -70)
      device.hear(Self.uuid, major: 7, minor: 1, signalDecibels: -70)
      #expect(visitor.calls == ["entered shop 7", "shop is 1"])
      visitor.calls = []
      device.turnDisplayOn()
      #expect(visitor.calls == ["shop is 1"])
      visitor.calls = []
      device.advance(bySeconds: 29)
      #expect(visitor.calls.isEmpty)
      device.advance(bySeconds: 1)
      #expect(visitor.calls == ["exited shop", "shop is 2"])
    }
  }

  @Test("A monitor's event names the beacon that satisfied a condition for any (behaviour 9.37)")
  func condition() async throws {
    let device = device()
    try await device.run {
      let monitor = await CLMonitor("places")
      await monitor.add(CLMonitor.BeaconIdentityCondition(uuid: Self.uuid), identifier: "shop")
      device.settle()
      device.hear(Self.uuid, major: 7, minor: 3, signalDecibels: -70)
      device.advance(bySeconds: 31)
      var events: [CLMonitor.Event] = []
      for try await event in await monitor.events {
        events.append(event)
        if events.count == 2 { break }
      }
      #expect(events.map(\.state) == [.satisfied, .unsatisfied])
      let beacon = try #require(events[0].refinement as? CLMonitor.BeaconIdentityCondition)
      #expect(beacon.uuid == Self.uuid && beacon.major == 7 && beacon.minor == 3)
      #expect(events[1].refinement == nil)
    }
  }
}

import CoreLocation
import CoreLocationTesting
import LocationEngine
import LocationModel
import Testing

/// How locations are handed over, on a whole simulated device. The field's reports are in `LocationCases`.
@Suite("Deliveries on a simulated device")
struct DeliveryCases {
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

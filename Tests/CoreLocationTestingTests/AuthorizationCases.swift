import CoreLocation
import CoreLocationTesting
import LocationEngine
import Testing

/// What permission does to locations, on a whole simulated device. The field's reports are in `PermissionCases`.
@Suite("Permission on a simulated device")
struct AuthorizationCases {
  /// An app with provisional Always that listens in the background and is given two fixes there, at 100 s and 400 s.
  private func backgroundedProvisionalApp() -> (SimulatedDevice, SmallApp) {
    let device = SimulatedDevice(
      grant: Grant(level: .always, isProvisional: true, hasRequestedAlways: true))
    let app = SmallApp(on: device)
    app.manager.startUpdatingLocation()
    device.settle()
    // Another app of the device keeps the receiver on.
    let other = OtherApp(on: device)
    device.moveToBackground()
    device.advance(toSecond: 50)
    app.log.forget()
    device.advance(toSecond: 100)
    device.receive(latitude: 47.5, longitude: 19.2)
    device.advance(toSecond: 400)
    device.receive(latitude: 47.6, longitude: 19.2)
    withExtendedLifetime(other) {}
    return (device, app)
  }

  @Test("1.14: a location that needs a real Always is held, the newer displaces the older, and one question is asked")
  func provisionalAlwaysHoldsAndAsks() {
    let (device, app) = backgroundedProvisionalApp()
    #expect(app.log.lines == [])
    #expect(device.person.openPrompts.map(\.kind) == [.provisionalConfirmation])

    device.advance(toSecond: 500)
    device.person.answer(PromptAnswer(.changeToAlways))
    device.settle()
    #expect(app.log.lines == ["500 location"], "the status already read always: no callback")
    #expect(app.log.locations.map(\.coordinate.latitude) == [47.6])
  }

  @Test("1.14: Keep Only While Using drops what was held and tells the app whenInUse")
  func provisionalAlwaysRefused() {
    let (device, app) = backgroundedProvisionalApp()
    device.advance(toSecond: 500)
    device.person.answer(PromptAnswer(.keepWhileUsing))
    device.advance(toSecond: 600)
    #expect(app.log.lines == ["500 authorization whenInUse"])
  }

  @Test("GC-05: denial stops every source at once, the cache too, and a new grant resumes without the app")
  func denialGatesEverything() {
    let device = SimulatedDevice(grant: Grant(level: .whenInUse))
    let app = SmallApp(on: device)
    app.manager.startUpdatingLocation()
    device.receive(forSeconds: 4) { _ in (47.5, 19.2, 5) }
    #expect(app.manager.location != nil)
    app.log.forget()

    device.advance(toSecond: 5)
    device.chooseInSettings(.denied)
    device.settle()
    #expect(app.log.lines == ["5 authorization denied", "5 failed 1"])
    #expect(device.receiver.demand == nil, "the receiver is off")
    device.receive(forSeconds: 10) { _ in (47.6, 19.2, 5) }
    #expect(app.log.lines.count == 2)
    #expect(app.manager.location == nil, "a cached fix must not leak after denial")
    #expect(device.run { CLLocationManager() }.location == nil)

    app.log.forget()
    device.chooseInSettings(.whenInUse)
    device.receive(forSeconds: 1) { _ in (47.7, 19.2, 5) }
    #expect(app.log.lines.first == "15 authorization whenInUse")
    #expect(app.log.locations.last?.coordinate.latitude == 47.7)
  }
}

/// A second app of the device that always may listen and does.
private final class OtherApp {
  let connection: any Sendable

  init(on device: SimulatedDevice) {
    connection = device.connectListener(named: "org.example.other")
  }
}

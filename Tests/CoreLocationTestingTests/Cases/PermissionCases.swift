import CoreLocation
import CoreLocationTesting
import Testing

/// The field's reports about permission.
@Suite("Cases: permission")
struct PermissionCases {
  @Test("CL-01: the first callback is the present status, not an answer; then only changes come")
  func firstCallbackIsNoAnswer() {
    let device = SimulatedDevice()
    device.person.willAnswer(.allowWhileUsing, after: .seconds(3))
    let app = device.launch { _ in CaseApp { $0.requestWhenInUseAuthorization() } }
    device.advance(by: .seconds(10))
    #expect(app.linesInInitializer == [], "neither the manager's initialiser nor the delegate's setter calls back")
    #expect(app.lines == ["0 authorization notDetermined", "3 authorization whenInUse"])
  }

  @Test("CL-01: a delegate that comes late still hears the present status, once (1.25)")
  func lateDelegate() {
    let device = SimulatedDevice(permission: .always)
    let app = device.launch { _ in CaseApp { $0.delegate = nil } }
    device.advance(by: .seconds(5))
    #expect(app.lines == [])
    app.manager.delegate = app
    #expect(app.lines == [])
    device.advance(by: .seconds(1))
    #expect(app.lines == ["5 authorization always"])
  }

  @Test("CL-07: without its usage text a request does nothing but tell the developer, and uses nothing up")
  func missingUsageText() {
    var info = AppInfo()
    info.alwaysAndWhenInUseUsage = nil
    let device = SimulatedDevice(info)
    let app = device.launch { _ in CaseApp { $0.requestAlwaysAuthorization() } }
    device.advance(by: .seconds(60))
    #expect(device.person.questionCount == 0)
    #expect(app.lines == ["0 authorization notDetermined"])
    let told = device.log.filter { $0.contains("the developer reads") }
    #expect(told.count == 1 && told[0].contains("NSLocationAlwaysAndWhenInUseUsageDescription"))
    app.manager.requestWhenInUseAuthorization()
    device.advance(by: .seconds(1))
    #expect(device.person.openQuestions == [info.whenInUseUsage])
  }

  // MARK: Provisional Always

  private let info = AppInfo()

  /// Always asked for and While Using answered; then, in the background, out of the region at about 100 s and back in
  /// at about 400 s.
  private func crossesTwice() throws -> (SimulatedDevice, CaseApp) {
    let device = SimulatedDevice(info, at: CaseApp.home)
    device.person.willAnswer(.allowWhileUsing, after: .seconds(1))
    let app = device.launch { _ in
      CaseApp {
        $0.requestAlwaysAuthorization()
        $0.startMonitoring(for: CLCircularRegion(center: CaseApp.home, radius: 150, identifier: "home"))
      }
    }
    device.advance(by: .seconds(10))
    try device.expect("The app reads Always") { app.manager.authorizationStatus == .authorizedAlways }
    device.moveToBackground()
    device.advance(by: .seconds(40))
    app.forget()
    let away = Journey(from: CaseApp.home).move(meters: 500, courseDegrees: 0, metersPerSecond: 5)
    device.play(away.stay(for: .seconds(200)).move(to: CaseApp.home, metersPerSecond: 5).stay(for: .seconds(50)))
    return (device, app)
  }

  @Test("CL-08: Always asked for and While Using answered reads Always, and Settings says While Using")
  func provisionalAlways() {
    let device = SimulatedDevice()
    device.person.willAnswer(.allowWhileUsing, after: .seconds(1))
    let app = device.launch { _ in CaseApp { $0.requestAlwaysAuthorization() } }
    device.advance(by: .seconds(2))
    #expect(app.lines == ["0 authorization notDetermined", "1 authorization always"])
    #expect(device.person.permissionInSettings == .whenInUse)
  }

  @Test("CL-08: what needs a real Always is held and one question asked; after a yes the newer event is told")
  func provisionalAlwaysConfirmed() throws {
    let (device, app) = try crossesTwice()
    #expect(app.lines == [])
    #expect(device.person.openQuestions == [info.alwaysAndWhenInUseUsage])
    device.advance(by: .seconds(50))
    #expect(device.elapsed == .seconds(550))
    device.person.answers(.changeToAlways)
    #expect(app.events == ["entered home", "inside home"], "the status already read Always: no callback")
    #expect(device.person.permissionInSettings == .always)
  }

  @Test("CL-08: Keep Only While Using drops what was held, and the app is told While Using")
  func provisionalAlwaysRefused() throws {
    let (device, app) = try crossesTwice()
    device.person.answers(.keepWhileUsing)
    device.advance(by: .seconds(60))
    device.moveToForeground()
    #expect(app.events == ["authorization whenInUse"])
  }
}

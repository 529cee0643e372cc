import CoreLocation
import CoreLocationTesting
import Testing

/// The field's reports about circular regions.
@Suite("Cases: circular regions")
struct CircleCases {
  private static func circle(_ identifier: String = "home", radius: CLLocationDistance = 150) -> CLCircularRegion {
    CLCircularRegion(center: CaseApp.home, radius: radius, identifier: identifier)
  }

  @Test("RB-01: standing inside at the start enters nothing; asked, the state is inside; leaving is one exit")
  func insideAtStart() {
    let device = SimulatedDevice(permission: .whenInUse, at: CaseApp.home)
    let app = device.launch { _ in CaseApp { $0.startMonitoring(for: Self.circle()) } }
    device.advance(by: .seconds(600))
    #expect(app.events.sorted() == ["authorization whenInUse", "inside home", "monitoring home"])
    app.forget()
    app.manager.requestState(for: Self.circle())
    device.advance(by: .zero)
    #expect(app.lines == ["600 inside home"])
    app.forget()
    device.play(
      Journey(from: CaseApp.home).move(meters: 600, courseDegrees: 90, metersPerSecond: 1.4).stay(for: .seconds(300)))
    #expect(app.events == ["exited home", "outside home"])
  }

  @Test("RB-02: twenty regions an app, over both kinds and all managers; the next fails alone; a known name is free")
  func twenty() throws {
    let device = SimulatedDevice(permission: .whenInUse, at: CaseApp.home)
    let app = device.launch { _ in CaseApp() }
    let other = device.run { CaseApp() }
    device.advance(by: .zero)
    for app in [app, other] { app.forget() }
    for number in 1...19 { app.manager.startMonitoring(for: Self.circle("r\(number)")) }
    app.manager.startMonitoring(for: CLBeaconRegion(uuid: UUID(), identifier: "b20"))
    other.manager.startMonitoring(for: Self.circle("r21"))
    #expect(app.lines == [] && other.lines == [], "never from inside the call")
    device.advance(by: .zero)
    let told = app.lines + other.lines
    #expect(told.filter { $0.contains("monitoring") }.count == 20 && told.filter { $0.contains("failed") }.count == 1)
    #expect(other.lines.filter { $0.contains("failed") } == ["0 failed 5 r21"])
    #expect(app.manager.monitoredRegions.count == 20 && other.manager.monitoredRegions.count == 20)

    app.forget()
    app.manager.startMonitoring(for: Self.circle("r5", radius: 400))
    device.advance(by: .zero)
    #expect(app.lines == ["0 monitoring r5"])
    #expect(app.manager.monitoredRegions.count == 20)
    let replaced = app.manager.monitoredRegions.first { $0.identifier == "r5" }
    #expect((replaced as? CLCircularRegion)?.radius == 400)
  }

  @Test("RB-05: every question for a state is answered once: unknown before the first fix, then the state")
  func everyQuestion() {
    let device = SimulatedDevice(permission: .whenInUse)
    let app = device.launch { _ in CaseApp() }
    app.forget()
    app.manager.startMonitoring(for: Self.circle())
    app.manager.requestState(for: Self.circle())
    device.advance(by: .seconds(60))
    #expect(app.lines == ["0 monitoring home", "0 unknown home"])
    app.forget()
    device.put(at: CaseApp.home)
    device.advance(by: .seconds(10))
    #expect(app.events == ["inside home"], "once, when it is known")
    app.forget()
    app.manager.requestState(for: Self.circle())
    device.advance(by: .zero)
    #expect(app.events == ["inside home"])
  }
}

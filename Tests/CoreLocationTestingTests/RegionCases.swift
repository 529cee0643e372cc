import CoreLocation
import CoreLocationTesting
import LocationEngine
import Testing

/// The field's reports about regions (cases B), each on a whole simulated device.
@Suite("Cases: regions")
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

  @Test("RB-01: standing inside at the start enters nothing; requestState says inside; leaving gives one exit")
  func noEntryAtStart() {
    let device = SimulatedDevice(grant: Grant(level: .whenInUse))
    let app = SmallApp(on: device)
    device.settle()
    app.log.forget()
    app.manager.startMonitoring(for: Self.circle())
    stay(device, seconds: 600, metersNorth: 0)
    #expect(app.log.lines == ["0 monitoring home", "1 inside home"])

    app.log.forget()
    app.manager.requestState(for: Self.circle())
    device.settle()
    #expect(app.log.lines == ["600 inside home"])

    app.log.forget()
    device.receive(forSeconds: 600) { second in (47.5 + min(600, (second - 600) * 1.4) / 111_200, 19.2, 5) }
    #expect(
      app.log.lines.map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
        == ["exited home", "outside home"])
    // 1.4 m/s: past the edge and the cushion of 20 m after 121 s, then the hold of 20 s.
    let second = app.log.lines.first.flatMap { Double($0.prefix { $0 != " " }) } ?? 0
    #expect((741...760).contains(second))
  }

  @Test("RB-02: twenty an app, over both managers and kinds; the next fails alone, and a known name is free")
  func twentyRegions() {
    let device = SimulatedDevice(grant: Grant(level: .whenInUse))
    let first = SmallApp(on: device)
    let second = SmallApp(on: device)
    device.settle()
    first.log.forget()
    second.log.forget()
    for number in 1...19 { first.manager.startMonitoring(for: Self.circle("r\(number)")) }
    let beacons = CLBeaconRegion(uuid: UUID(), identifier: "b20")
    first.manager.startMonitoring(for: beacons)
    second.manager.startMonitoring(for: Self.circle("r21"))
    #expect(first.log.lines == [] && second.log.lines == [], "never from inside the call")
    device.settle()
    // There is no Bluetooth here: counted like any, and failed as on a device without.
    #expect(first.log.lines == (1...19).map { "0 monitoring r\($0)" } + ["0 failed 5 b20"])
    #expect(second.log.lines == ["0 failed 5 r21"])
    #expect(first.manager.monitoredRegions.count == 20)
    #expect(second.manager.monitoredRegions == first.manager.monitoredRegions)

    first.log.forget()
    first.manager.startMonitoring(for: Self.circle("r5", radius: 400))
    device.settle()
    #expect(first.log.lines == ["0 monitoring r5"])
    #expect(first.manager.monitoredRegions.count == 20)
    let replaced = first.manager.monitoredRegions.first { $0.identifier == "r5" } as? CLCircularRegion
    #expect(replaced?.radius == 400)
  }

  @Test("RB-05: every requestState is answered once: unknown before the first fix, then the state")
  func everyQuestionIsAnswered() {
    let device = SimulatedDevice(grant: Grant(level: .whenInUse))
    let app = SmallApp(on: device)
    device.settle()
    app.log.forget()
    app.manager.startMonitoring(for: Self.circle())
    app.manager.requestState(for: Self.circle())
    device.settle()
    #expect(app.log.lines == ["0 monitoring home", "0 unknown home"])
    app.log.forget()
    stay(device, seconds: 1, metersNorth: 10)
    app.manager.requestState(for: Self.circle())
    device.settle()
    #expect(app.log.lines == ["1 inside home", "1 inside home"], "once for the start, once for the question")
  }

  // MARK: Permission

  /// Provisional Always in the background: out of the region at 100 s, back at 400 s, while another app listens.
  private func crossedTwice() -> (device: SimulatedDevice, app: SmallApp) {
    let device = SimulatedDevice(grant: Grant(level: .always, isProvisional: true, hasRequestedAlways: true))
    let app = SmallApp(on: device)
    let other = device.connectListener(named: "org.example.other")
    app.manager.startMonitoring(for: Self.circle())
    stay(device, seconds: 10, metersNorth: 0)
    device.moveToBackground()
    app.log.forget()
    device.advance(toSecond: 80)
    stay(device, seconds: 60, metersNorth: 500)
    device.advance(toSecond: 380)
    stay(device, seconds: 60, metersNorth: 0)
    withExtendedLifetime(other) {}
    return (device, app)
  }

  @Test("CL-08: crossings out of use are held under a provisional Always; of one region only the newer is told")
  func provisionalAlways() {
    let (device, app) = crossedTwice()
    #expect(app.log.lines == [])
    #expect(device.person.openPrompts.map(\.kind) == [.provisionalConfirmation])
    device.advance(toSecond: 500)
    device.person.answer(PromptAnswer(.changeToAlways))
    device.settle()
    #expect(app.log.lines == ["500 entered home", "500 inside home"], "the status already read always: no callback")
  }

  @Test("CL-08: Keep Only While Using drops the crossing and tells the app whenInUse")
  func provisionalAlwaysRefused() {
    let (device, app) = crossedTwice()
    device.advance(toSecond: 500)
    device.person.answer(PromptAnswer(.keepWhileUsing))
    device.advance(toSecond: 600)
    #expect(app.log.lines == ["500 authorization whenInUse"])
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

  @Test("What the device can do: circles up to the policy's radius, no beacons (behaviour 5.19, 5.22)")
  func capabilities() {
    let device = SimulatedDevice()
    device.run {
      #expect(CLLocationManager.isMonitoringAvailable(for: CLCircularRegion.self))
      #expect(!CLLocationManager.isMonitoringAvailable(for: CLBeaconRegion.self))
      #expect(CLLocationManager().maximumRegionMonitoringDistance == 1_000_000)
    }
  }
}

import CoreLocation
import CoreLocationTesting
import Testing

/// The field's reports about apps out of the foreground.
@Suite("Cases: background")
struct BackgroundCases {
  private static let info = AppInfo(hasLocationBackgroundMode: true)

  @Test("CL-05: background updates without the background mode end the app in the setter; false never does")
  func backgroundMode() async {
    let plain = SimulatedDevice().launch { _ in CaseApp { $0.allowsBackgroundLocationUpdates = false } }
    #expect(!plain.manager.allowsBackgroundLocationUpdates)
    let entitled = SimulatedDevice(Self.info).launch { _ in CaseApp { $0.allowsBackgroundLocationUpdates = true } }
    #expect(entitled.manager.allowsBackgroundLocationUpdates)
    let outcome = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      SimulatedDevice().launch { _ in CaseApp { $0.allowsBackgroundLocationUpdates = true } }
    }
    let said = String(decoding: outcome?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains("UIBackgroundModes"))
  }

  /// An app that tracks in the background, after 20 minutes of rest there.
  private func rested(pauses: Bool) -> (SimulatedDevice, CaseApp) {
    let device = SimulatedDevice(Self.info, permission: .always, at: CaseApp.home)
    let app = device.launch { _ in
      CaseApp {
        if !pauses { $0.pausesLocationUpdatesAutomatically = false }
        $0.allowsBackgroundLocationUpdates = true
        $0.startUpdatingLocation()
      }
    }
    device.advance(by: .seconds(5))
    device.moveToBackground()
    app.forget()
    device.advance(by: .seconds(1_200))
    return (device, app)
  }

  @Test("CL-06: a rest in the background pauses once, a walk changes nothing, and the foreground resumes, then updates")
  func pauses() {
    let (device, app) = rested(pauses: true)
    #expect(app.manager.pausesLocationUpdatesAutomatically)
    #expect(app.events.count { $0 == "paused" } == 1 && app.events.last == "paused")
    app.forget()
    device.play(Journey(from: CaseApp.home).move(meters: 1_000, courseDegrees: 0, metersPerSecond: 1.4))
    #expect(app.lines == [] && !device.isReceiverOn)
    device.moveToForeground()
    device.advance(by: .seconds(10))
    #expect(app.events.first == "resumed" && app.events.count { $0 == "resumed" } == 1)
    #expect(app.events.dropFirst().allSatisfy { $0 == "location" } && app.locations.count > 1)
  }

  @Test("CL-06: with the property false nothing pauses, and updates continue")
  func pausesNot() {
    let (_, app) = rested(pauses: false)
    #expect(app.events == Array(repeating: "location", count: 1_200))
  }

  // MARK: Started again

  private static let far = CLLocationCoordinate2D(latitude: 47.52, longitude: 19.2)

  @Test("SP-7: an app that the person swiped away is started for events, or not until the person opens it: a switch")
  func forceQuit() {
    for relaunches in [true, false] {
      let device = SimulatedDevice(
        Self.info, permission: .always, at: CaseApp.home, relaunchesAfterForceQuit: relaunches)
      device.launch { launch in
        CaseApp {
          guard !launch.isForLocation else { return }
          $0.startMonitoring(for: CLCircularRegion(center: CaseApp.home, radius: 150, identifier: "home"))
        }
      }
      device.advance(by: .seconds(30))
      device.forceQuit()
      device.play(Journey(from: CaseApp.home).walk(to: Self.far))
      #expect(device.eventLaunchCount == (relaunches ? 1 : 0))
      guard !relaunches else { continue }
      device.launchAgain()
      device.play(Journey(from: Self.far).walk(to: CaseApp.home).stay(for: .seconds(60)))
      #expect(device.app(as: CaseApp.self)?.events.contains("entered home") == true)
    }
  }

  @Test("SP-8: each quarter of an hour an app of significant changes may be woken with the location that it knows")
  func wakeWithoutMovement() throws {
    let device = SimulatedDevice(Self.info, permission: .always, at: CaseApp.home, wakesWithoutMovement: true)
    let app = device.launch { _ in CaseApp { $0.startMonitoringSignificantLocationChanges() } }
    device.advance(by: .seconds(60))
    device.moveToBackground()
    device.advance(by: .seconds(60))
    #expect(device.appState == .suspended && app.locations.count == 1)
    try device.advance(within: .seconds(900), until: "the app is woken") { app.locations.count == 2 }
    #expect(device.appState == .background)
    #expect(app.locations[1].distance(from: app.locations[0]) < 1, "it has not moved")

    device.terminate()
    try device.advance(within: .seconds(900), until: "the app is started") { device.eventLaunchCount == 1 }
    let next = try #require(device.app(as: CaseApp.self))
    #expect(next.locations.count == 1 && next.locations[0].distance(from: app.locations[0]) < 1)

    let quiet = SimulatedDevice(Self.info, permission: .always, at: CaseApp.home)
    let sleeper = quiet.launch { _ in CaseApp { $0.startMonitoringSignificantLocationChanges() } }
    quiet.advance(by: .seconds(60))
    quiet.moveToBackground()
    quiet.advance(by: .seconds(7_200))
    #expect(sleeper.locations.count == 1 && quiet.appState == .suspended, "unless the device does that, nothing comes")
  }
}

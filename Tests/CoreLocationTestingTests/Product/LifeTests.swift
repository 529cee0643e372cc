import CoreLocation
import CoreLocationTesting
import Testing

/// An installed app's life on the device.
@Suite("The life of an app on a simulated device")
struct LifeTests {
  private func device(_ permission: SimulatedPermission = .always) -> SimulatedDevice {
    SimulatedDevice(
      AppInfo(hasLocationBackgroundMode: true), permission: permission, at: ProductTests.home)
  }

  @Test("5.23: leaving a region starts an app that has ended, in the background, with a fresh object")
  func startedAgain() throws {
    let device = device()
    let first = device.launch { launch in Fence(launch) }
    device.advance(by: .seconds(30))
    #expect(first.log == ["inside home"])
    device.terminate()
    #expect(device.appState == .notRunning && device.app(as: Fence.self) == nil)
    device.setOut(on: Journey(from: ProductTests.home).walk(to: ProductTests.station))
    try device.advance(within: .seconds(900), until: "the app has been started") { device.eventLaunchCount == 1 }
    let second = try #require(device.app(as: Fence.self))
    #expect(second.launch.isForLocation && second !== first)
    #expect(device.appState == .background)
    #expect(second.log.first == "exited home")
    #expect(first.log == ["inside home"], "what has ended hears nothing")
  }

  @Test("3.6: an app without a reason to run is suspended after it has left the foreground, and hears nothing")
  func suspended() {
    let device = device(.whenInUse)
    let trip = device.launch { _ in Trip() }
    device.advance(by: .seconds(10))
    device.moveToBackground()
    device.advance(by: .seconds(60))
    #expect(device.appState == .suspended)
    let count = trip.locations.count
    device.advance(by: .seconds(60))
    #expect(trip.locations.count == count && !device.isReceiverOn)
    device.moveToForeground()
    device.advance(by: .seconds(5))
    #expect(trip.locations.count > count)
  }

  @Test("3.5: with background updates it goes on, and under While Using people see the sign")
  func backgroundUpdates() {
    let device = device(.whenInUse)
    let trip = device.launch { _ in
      let trip = Trip()
      trip.manager.allowsBackgroundLocationUpdates = true
      return trip
    }
    device.advance(by: .seconds(10))
    device.moveToBackground()
    device.advance(by: .seconds(600))
    #expect(device.appState == .background && device.showsLocationIndicator)
    #expect(trip.locations.count == 610)
  }

  @Test("3.14: an app that the person swiped away is started again, unless the policy says that only the person may")
  func forceQuit() {
    let swiped = device()
    _ = swiped.launch { launch in Fence(launch) }
    swiped.advance(by: .seconds(30))
    swiped.forceQuit()
    swiped.play(Journey(from: ProductTests.home).walk(to: ProductTests.station))
    #expect(swiped.eventLaunchCount == 1)

    let device = SimulatedDevice(
      AppInfo(hasLocationBackgroundMode: true), permission: .always, at: ProductTests.home,
      relaunchesAfterForceQuit: false)
    _ = device.launch { launch in Fence(launch) }
    device.advance(by: .seconds(30))
    device.forceQuit()
    device.play(Journey(from: ProductTests.home).walk(to: ProductTests.station))
    #expect(device.eventLaunchCount == 0)
    device.launchAgain()
    #expect(device.appState == .foreground)
  }

  @Test("3.11: with Background App Refresh off nothing is started")
  func withoutRefresh() {
    let device = device()
    _ = device.launch { launch in Fence(launch) }
    device.advance(by: .seconds(30))
    device.person.switchesBackgroundRefresh(on: false)
    device.terminate()
    device.play(Journey(from: ProductTests.home).walk(to: ProductTests.station))
    #expect(device.eventLaunchCount == 0)
  }
}

/// An app that watches its home.
final class Fence: NSObject, CLLocationManagerDelegate {
  let launch: SimulatedLaunch
  let manager = CLLocationManager()
  private(set) var log: [String] = []

  init(_ launch: SimulatedLaunch) {
    self.launch = launch
    super.init()
    manager.delegate = self
    if !launch.isForLocation {
      manager.startMonitoring(for: CLCircularRegion(center: ProductTests.home, radius: 150, identifier: "home"))
    }
  }

  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    log.append("entered \(region.identifier)")
  }

  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
    log.append("exited \(region.identifier)")
  }

  func locationManager(_ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion) {
    log.append("\(state == .inside ? "inside" : "outside") \(region.identifier)")
  }
}

import CoreLocation
import CoreLocationTesting
import Testing
import YourApp

@Suite struct HomeWatchTests {
  let home = CLLocationCoordinate2D(latitude: 47.5, longitude: 19.2)
  let station = CLLocationCoordinate2D(latitude: 47.51, longitude: 19.2)

  @Test func isStartedAgainWhenThePersonLeaves() throws {
    let device = SimulatedDevice(permission: .always, at: home)
    let first = device.launch { _ in HomeWatch() }
    first.watch(home)
    device.advance(by: .seconds(60))
    device.terminate()
    device.setOut(on: Journey(from: home).walk(to: station))
    try device.advance(within: .seconds(600), until: "the system has started the app") {
      device.eventLaunchCount == 1
    }
    try device.expect("The new app hears of it, in the background") {
      device.app(as: HomeWatch.self)?.notes == ["left home"] && device.appState == .background
    }
  }
}

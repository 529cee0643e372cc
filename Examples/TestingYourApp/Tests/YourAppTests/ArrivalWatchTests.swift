import CoreLocation
import CoreLocationTesting
import Testing
import YourApp

@Suite struct ArrivalWatchTests {
  let home = CLLocationCoordinate2D(latitude: 47.5, longitude: 19.2)
  let station = CLLocationCoordinate2D(latitude: 47.51, longitude: 19.2)

  @Test func isStartedWhenThePersonComesHome() async throws {
    let device = SimulatedDevice(permission: .always, at: station)
    try await device.run {
      let first = device.launch { _ in ArrivalWatch() }
      await first.watch(home)
      try await device.advance(by: .seconds(60))
      device.terminate()
      device.setOut(on: Journey(from: station).walk(to: home))
      try await device.advance(within: .seconds(1000), until: "the system has started the app") {
        device.eventLaunchCount == 1
      }
      guard let watch = device.app(as: ArrivalWatch.self) else { return }
      let reader = Task { try await watch.read() }
      try await device.listening(1)
      let notes = await watch.notes
      try device.expect("The new app hears of it") { notes == ["came home"] }
      reader.cancel()
    }
  }
}

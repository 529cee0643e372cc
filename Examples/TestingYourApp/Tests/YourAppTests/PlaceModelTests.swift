import CoreLocation
import CoreLocationTesting
import Testing
import YourApp

@MainActor @Suite struct PlaceModelTests {
  let home = CLLocationCoordinate2D(latitude: 47.5, longitude: 19.2)
  let station = CLLocationCoordinate2D(latitude: 47.51, longitude: 19.2)

  @Test func showsAPlaceAfterAColdStart() async throws {
    let device = SimulatedDevice(permission: .whenInUse, at: home)
    device.restartReceiver(.cold)
    let model = device.launch { _ in MainActor.assumeIsolated { PlaceModel() } }
    try await device.listening(1)
    try await device.advance(by: .seconds(27))
    try device.expect("It searches") { model.place == nil }
    try await device.advance(within: .seconds(5), until: "it has a place") { model.place != nil }
    model.end()
  }

  @Test func standsTroubles() async throws {
    let device = SimulatedDevice(permission: .whenInUse, at: home, noiseSeed: 1)
    let model = device.launch { _ in MainActor.assumeIsolated { PlaceModel() } }
    try await device.listening(1)
    device.delayFixes(by: .seconds(2))
    device.repeatFixes()
    device.misplaceNextFix(to: station)
    try await device.advance(by: .seconds(10))
    try device.expect("It is at home in the end") {
      model.place.map { $0.distance(from: CLLocation(latitude: 47.5, longitude: 19.2)) < 20 } == true
    }
    model.end()
  }
}

import CoreLocation
import CoreLocationTesting
import Testing
import YourApp

@Suite struct LocationUploaderTests {
  let home = CLLocationCoordinate2D(latitude: 47.5, longitude: 19.2)
  let station = CLLocationCoordinate2D(latitude: 47.51, longitude: 19.2)

  actor Server {
    private(set) var parcels: [[CLLocation]] = []
    func take(_ parcel: [CLLocation]) { parcels.append(parcel) }
  }

  @Test func sendsAParcelAMinute() async throws {
    let device = SimulatedDevice(permission: .whenInUse, at: home)
    let server = Server()
    try await device.run {
      let uploader = LocationUploader(clock: device.clock) { await server.take($0) }
      let tasks = [Task { try await uploader.collect() }, Task { try await uploader.upload() }]
      try await device.listening(2)
      device.setOut(on: Journey(from: home).walk(to: station))
      try await device.advance(by: .seconds(185))
      let parcels = await server.parcels
      try device.expect("Three minutes are three parcels of one location a second") {
        parcels.count == 3 && parcels.allSatisfy { (59...61).contains($0.count) }
      }
      for task in tasks { task.cancel() }
    }
  }
}

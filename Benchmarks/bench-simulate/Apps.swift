import CoreLocation
import CoreLocationTesting

final class RegionApp: NSObject, CLLocationManagerDelegate {
  private let manager = CLLocationManager()
  private(set) var crossingCount = 0

  func begin(_ circles: [CLCircularRegion]) {
    manager.delegate = self
    for circle in circles { manager.startMonitoring(for: circle) }
  }

  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) { crossingCount += 1 }
  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) { crossingCount += 1 }
}

@MainActor
final class StreamReader {
  private(set) var count = 0

  nonisolated init() {}

  func live(on device: SimulatedDevice, forSeconds seconds: Int) async throws {
    try await device.run {
      let task = Task { try await read() }
      try await device.listening(1)
      try await device.advance(by: Duration.seconds(seconds))
      task.cancel()
    }
  }

  private func read() async throws {
    for try await update in CLLocationUpdate.liveUpdates(.airborne) where update.location != nil { count += 1 }
  }
}

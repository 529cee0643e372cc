import CoreLocation
import Foundation
import Glibc

// An app that asks for its location, says when it heard the first one and of when that was, and ends. See bench-fanout.

final class App: NSObject, CLLocationManagerDelegate {
  private let manager = CLLocationManager()

  override init() {
    super.init()
    manager.delegate = self
    manager.startUpdatingLocation()
  }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let heard = Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    print(heard, Int64((locations[0].timestamp.timeIntervalSince1970 * 1_000).rounded()))
    exit(0)
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    print("bench-first-fix: \(error)")
  }
}

let app = App()
withExtendedLifetime(app) { RunLoop.main.run() }

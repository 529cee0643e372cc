import BenchmarkSupport
import CoreLocation
import LiveSupport

/// An app that listens: notes when its delegate hears each moment's location, and what that costs the process.
final class Listener: NSObject, CLLocationManagerDelegate {
  private let manager = CLLocationManager()
  private let settleSeconds: Double
  private let seconds: Double
  private var first: Int64?
  private var heard: [(tenths: Int64, nanoseconds: Int64)] = []
  private var began: (processSeconds: Double, nanoseconds: Int64)?

  init(settleSeconds: Double, seconds: Double) {
    self.settleSeconds = settleSeconds
    self.seconds = seconds
    heard.reserveCapacity(Int(seconds * 10) + 100)
    super.init()
    manager.delegate = self
    manager.pausesLocationUpdatesAutomatically = false
    manager.startUpdatingLocation()
  }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    let now = monotonicNanoseconds()
    let first = first ?? now
    self.first = first
    let elapsed = Double(now - first) / 1e9
    guard elapsed >= settleSeconds else { return }
    if began == nil { began = (Measurement.processSeconds(), now) }
    for location in locations {
      heard.append((Int64((location.timestamp.timeIntervalSince1970 * 10).rounded()), now))
    }
    if elapsed >= settleSeconds + seconds { finish(now) }
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {}

  /// A line for each moment, as the plain client prints them, and one for the cost.
  private func finish(_ now: Int64) {
    guard let began else { return }
    let cost = (Measurement.processSeconds() - began.processSeconds) / (Double(now - began.nanoseconds) / 1e9)
    for moment in heard { print("\(moment.tenths) \(moment.nanoseconds)") }
    print("cpu \(cost)")
    exit(0)
  }
}

/// An app that has had a location and wants no more: says so, and stays.
final class IdleApp: NSObject, CLLocationManagerDelegate {
  private let manager = CLLocationManager()

  override init() {
    super.init()
    manager.delegate = self
    manager.pausesLocationUpdatesAutomatically = false
    manager.startUpdatingLocation()
  }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    manager.stopUpdatingLocation()
    print("idle")
    fflush(nil)
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {}
}

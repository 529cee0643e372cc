import CoreLocation
import CoreLocationTesting
import LocationEngine
import LocationModel
import Testing

/// What saves power, on a whole simulated device. The field's reports are in `BackgroundCases`.
@Suite("Significant changes, visits, deferral on a simulated device")
struct MotionCases {
  private final class Listener: NSObject, CLLocationManagerDelegate {
    var words: [String] = []
    var visits: [CLVisit] = []

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
      words.append(locations.count == 1 ? "update" : "\(locations.count) updates")
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
      words.append("failed \((error as NSError).code)")
    }

    func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) { words.append("pause") }
    func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) { words.append("resume") }

    func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
      words.append("visit")
      visits.append(visit)
    }

    func locationManager(_ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?) {
      words.append("deferral \(error.map { "\(($0 as NSError).code)" } ?? "done")")
    }
  }

  private func app(on device: SimulatedDevice) -> (CLLocationManager, Listener) {
    let listener = Listener()
    let manager = device.run { CLLocationManager() }
    manager.delegate = listener
    device.settle()
    return (manager, listener)
  }

  private func device(background: Bool = true) -> SimulatedDevice {
    var app = SimulatedDevice.describedApp()
    app.hasLocationBackgroundMode = background
    return SimulatedDevice(app: app, grant: Grant(level: .always, hasRequestedAlways: true))
  }

  @Test("4.3: significant changes come as locations; a stop lets none through that is on its way")
  func significantChanges() {
    let device = device()
    let (manager, listener) = app(on: device)
    #expect(device.run { CLLocationManager.significantLocationChangeMonitoringAvailable() })
    manager.startMonitoringSignificantLocationChanges()
    device.receive(latitude: 47.5, longitude: 19.2)
    device.advance(toSecond: 301)
    device.receive(latitude: 47.51, longitude: 19.2)
    #expect(listener.words == ["update", "update"])
    #expect(manager.location?.coordinate.latitude == 47.51)
    device.advance(toSecond: 700)
    device.receiver.give(device.fix(latitude: 47.52, longitude: 19.2))
    manager.stopMonitoringSignificantLocationChanges()
    device.settle()
    #expect(listener.words == ["update", "update"])
  }

  @Test("8.1, 8.2, 8.4: visits reach every manager, and the next launch without another start")
  func visits() throws {
    let device = device()
    var first: (CLLocationManager, Listener)? = app(on: device)
    first?.0.startMonitoringVisits()
    // Kept on by another app, so that every second counts.
    let listener = device.connectListener(named: "org.example.other")
    device.receive(forSeconds: 400) { _ in (47.5, 19.2, 5) }
    let arrival = try #require(first?.1.visits.first)
    #expect(arrival.arrivalDate == .distantPast && arrival.departureDate == .distantFuture)
    #expect(abs(arrival.coordinate.latitude - 47.5) < 1e-6 && arrival.horizontalAccuracy == 10)

    device.terminate()
    first = nil
    device.launch()
    let (manager, log) = app(on: device)
    device.receive(forSeconds: 400) { second in (47.5 + (second - 400) * 0.0001, 19.2, 5) }
    #expect(log.visits.count == 1)
    let departure = try #require(log.visits.first)
    let start = Date(timeIntervalSince1970: SimulatedDevice.usualStart.secondsSince1970)
    #expect(abs(departure.departureDate.timeIntervalSince(start) - 400) < 30)
    manager.stopMonitoringVisits()
    withExtendedLifetime(listener) {}
  }

  @Test("2.51 to 2.55: deferred locations come in one array, and each call is answered once")
  @available(*, deprecated)
  func deferral() {
    let device = device()
    let (manager, listener) = app(on: device)
    #expect(device.run { CLLocationManager.deferredLocationUpdatesAvailable() })
    manager.allowsBackgroundLocationUpdates = true
    manager.startUpdatingLocation()
    device.receive(latitude: 47.5, longitude: 19.2)
    manager.allowDeferredLocationUpdates(untilTraveled: CLLocationDistanceMax, timeout: 60)
    device.moveToBackground()
    listener.words = []
    device.receive(forSeconds: 59) { _ in (47.5, 19.2, 5) }
    #expect(listener.words == [])
    device.advance(bySeconds: 5)
    #expect(listener.words == ["deferral done", "59 updates"])
    manager.allowDeferredLocationUpdates(untilTraveled: 100, timeout: CLTimeIntervalMax)
    manager.stopUpdatingLocation()
    device.settle()
    #expect(listener.words.last == "deferral 12")
  }
}

import CoreLocation
import CoreLocationTesting
import LocationEngine
import LocationRuntime
import Testing

/// How code finds the device that it belongs to (design 5, "Finding the service").
@Suite("Binding to a simulated device")
struct BindingTests {
  private func device(_ status: Grant.Level) -> SimulatedDevice {
    SimulatedDevice(grant: Grant(level: status))
  }

  @Test("Devices of parallel tests do not mix: code, awaits, tasks and child tasks find their own", arguments: 0..<100)
  func parallel(index: Int) async {
    let level: Grant.Level = index % 2 == 0 ? .denied : .whenInUse
    let expected: CLAuthorizationStatus = index % 2 == 0 ? .denied : .authorizedWhenInUse
    let device = device(level)
    await device.run {
      #expect(CLLocationManager().authorizationStatus == expected)
      await Task.yield()
      #expect(CLLocationManager().authorizationStatus == expected)
      let inTask = await Task { CLLocationManager().authorizationStatus }.value
      #expect(inTask == expected)
      async let inChild = CLLocationManager().authorizationStatus
      let child = await inChild
      #expect(child == expected)
    }
  }

  @Test("A callback is bound: what it makes belongs to the same device")
  func callbackIsBound() {
    final class Maker: NSObject, CLLocationManagerDelegate {
      var statuses: [CLAuthorizationStatus] = []
      func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        statuses.append(CLLocationManager().authorizationStatus)
      }
    }
    let device = device(.always)
    let maker = Maker()
    let manager = device.run { CLLocationManager() }
    manager.delegate = maker
    device.settle()
    #expect(maker.statuses == [.authorizedAlways])
  }

  @Test("Nested devices: the inner one counts, and afterwards the outer one again")
  func nested() {
    let outer = device(.denied)
    let inner = device(.whenInUse)
    outer.run {
      inner.run { #expect(CLLocationManager().authorizationStatus == .authorizedWhenInUse) }
      #expect(CLLocationManager().authorizationStatus == .denied)
    }
  }

  @Test("Code that is bound to nothing, while several devices live, ends the test with the cure")
  func ambiguous() async {
    let outcome = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let devices = [SimulatedDevice(), SimulatedDevice()]
      await Task.detached { _ = CLLocationManager() }.value
      withExtendedLifetime(devices) {}
    }
    #expect(said(by: outcome).contains("call it from inside device.run"))
  }

  @Test("Code that is bound to nothing takes the only device alive")
  func onlyDevice() async {
    await #expect(processExitsWith: .success) {
      let device = SimulatedDevice(grant: Grant(level: .denied))
      let status = await Task.detached { CLLocationManager().authorizationStatus }.value
      guard status == .denied else { exit(1) }
      withExtendedLifetime(device) {}
    }
  }

  @Test("A delegate of requestLocation without didFailWithError ends the program when it fails (2.34)")
  func requestNeedsFailureMethod() async {
    let outcome = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      final class Careless: NSObject, CLLocationManagerDelegate {
        func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {}
      }
      let device = SimulatedDevice(grant: Grant(level: .whenInUse))
      let careless = Careless()
      let manager = device.run { CLLocationManager() }
      manager.delegate = careless
      manager.requestLocation()
      device.advance(toSecond: 20)
    }
    #expect(said(by: outcome).contains("must implement locationManager(_:didFailWithError:)"))
    await #expect(processExitsWith: .success) {
      final class Careless: NSObject, CLLocationManagerDelegate {}
      let device = SimulatedDevice(grant: Grant(level: .denied))
      let careless = Careless()
      let manager = device.run { CLLocationManager() }
      manager.delegate = careless
      // The failure of a standard start is only logged.
      manager.startUpdatingLocation()
      device.advance(toSecond: 20)
    }
  }

  private func said(by outcome: ExitTest.Result?) -> String {
    String(decoding: outcome?.standardErrorContent ?? [], as: UTF8.self)
  }
}

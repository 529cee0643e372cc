import CoreLocation
import CoreLocationTesting
import Testing

@Suite("seed 003: accuracy, filter, one location, significant changes, the background mode")
struct Seed003Tests {
  @Test("The accuracies are ordered from the best for navigation to three kilometres")
  func accuracies() {
    let accuracies = [
      kCLLocationAccuracyBestForNavigation, kCLLocationAccuracyBest, kCLLocationAccuracyNearestTenMeters,
      kCLLocationAccuracyHundredMeters, kCLLocationAccuracyKilometer, kCLLocationAccuracyThreeKilometers,
    ]
    #expect(accuracies == accuracies.sorted() && Set(accuracies).count == accuracies.count)
  }

  @Test("Without a filter, as at first, every movement is told")
  func noFilter() {
    let device = SimulatedDevice(permission: .whenInUse, at: ProductTests.home)
    let probe = device.launch { Probe($0) { $0.manager.startUpdatingLocation() } }
    #expect(probe.manager.distanceFilter == kCLDistanceFilterNone)
    device.play(Journey(from: ProductTests.home).move(meters: 100, courseDegrees: 0, metersPerSecond: 1))
    #expect(probe.locations.count == 100)
  }

  @Test("The filter is measured from the location that was delivered last, so that a slow walk adds up")
  func filter() {
    let device = SimulatedDevice(permission: .whenInUse, at: ProductTests.home)
    let probe = device.launch { launch in
      Probe(launch) {
        $0.manager.distanceFilter = 49.5
        $0.manager.startUpdatingLocation()
      }
    }
    device.play(Journey(from: ProductTests.home).move(meters: 501, courseDegrees: 0, metersPerSecond: 1))
    // The first, at one metre, and one each 49.5 m after it, which at a metre a second is each 50.
    #expect(probe.locations.count == 11)
    for (location, next) in zip(probe.locations, probe.locations.dropFirst()) {
      #expect((49.5..<50.5).contains(next.distance(from: location)))
    }
  }

  @Test("One location can be asked for, comes once, and the receiver is off after it")
  func oneLocation() {
    let device = SimulatedDevice(permission: .whenInUse, at: ProductTests.home)
    let probe = device.launch { Probe($0) { $0.manager.requestLocation() } }
    device.advance(by: .seconds(60))
    #expect(probe.locations.count == 1 && !device.isReceiverOn)
  }

  @Test("Significant changes took Always at that time; today they do with While Using, in use")
  func needsAlways() {
    for (era, isTold) in [(SimulatedEra.iOS8, false), (.iOS10, false), (.iOS13, true), (.iOS18, true)] {
      let device = SimulatedDevice(permission: .whenInUse, era: era, at: ProductTests.home)
      let probe = device.launch { Probe($0) { $0.manager.startMonitoringSignificantLocationChanges() } }
      device.play(Journey(from: ProductTests.home).drive(to: ProductTests.farAway))
      #expect(!probe.locations.isEmpty == isTold, "\(era)")
    }
  }

  @Test("A stop ends significant changes: nobody is woken any more")
  func stopsChanges() {
    let device = SimulatedDevice(permission: .always, at: ProductTests.home)
    let probe = device.launch { Probe($0) { $0.manager.startMonitoringSignificantLocationChanges() } }
    device.advance(by: .seconds(60))
    probe.manager.stopMonitoringSignificantLocationChanges()
    let count = probe.locations.count
    device.terminate()
    device.play(Journey(from: ProductTests.home).drive(to: ProductTests.farAway))
    #expect(device.eventLaunchCount == 0 && probe.locations.count == count && !device.isReceiverOn)
  }

  @Test("Background updates are off until the app sets the property, which can be set to false at any time")
  func property() {
    let device = SimulatedDevice(permission: .whenInUse, at: ProductTests.home)
    let probe = device.launch { Probe($0) }
    #expect(!probe.manager.allowsBackgroundLocationUpdates)
    probe.manager.allowsBackgroundLocationUpdates = false
    #expect(!probe.manager.allowsBackgroundLocationUpdates)
  }

  @Test("Set to true without the mode in the Info.plist it ends the app, there and then, naming the mode")
  func propertyWithoutMode() async {
    let outcome = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let device = SimulatedDevice(
        AppInfo(hasLocationBackgroundMode: false), permission: .always, at: ProductTests.home)
      let probe = device.launch { Probe($0) }
      device.run { probe.manager.allowsBackgroundLocationUpdates = true }
    }
    let said = String(decoding: outcome?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains("UIBackgroundModes"))
  }

  @Test(
    "Set to false in the background, it counts from when the app leaves the foreground the next time (behaviour 3.4)")
  func switchedOff() {
    let device = SimulatedDevice(
      AppInfo(hasLocationBackgroundMode: true), permission: .always, at: ProductTests.home)
    let probe = device.launch { launch in
      Probe(launch) {
        $0.manager.allowsBackgroundLocationUpdates = true
        $0.manager.startUpdatingLocation()
      }
    }
    device.moveToBackground()
    device.advance(by: .seconds(300))
    #expect(device.appState == .background)
    probe.manager.allowsBackgroundLocationUpdates = false
    device.advance(by: .seconds(60))
    #expect(device.appState == .background)
    device.moveToForeground()
    device.moveToBackground()
    device.advance(by: .seconds(60))
    #expect(device.appState == .suspended)
  }
}

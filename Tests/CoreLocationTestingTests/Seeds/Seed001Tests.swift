import CoreLocation
import CoreLocationTesting
import LocationModel
import Testing

@Suite("seed 001: authorization, and what to ask before a service is started")
struct Seed001Tests {
  @Test("The statuses have Apple's numbers")
  func numbers() {
    let statuses: [CLAuthorizationStatus] = [
      .notDetermined, .restricted, .denied, .authorizedAlways, .authorizedWhenInUse,
    ]
    #expect(statuses.map(\.rawValue) == [0, 1, 2, 3, 4])
  }

  @Test("The status is there before anybody has asked, and follows what the person chooses")
  func status() {
    let device = SimulatedDevice(at: ProductTests.home)
    let probe = device.launch { Probe($0) }
    device.advance(by: .seconds(1))
    #expect(probe.manager.authorizationStatus == .notDetermined)
    for (choice, status) in [
      (SimulatedPermission.whenInUse, CLAuthorizationStatus.authorizedWhenInUse), (.always, .authorizedAlways),
      (.denied, .denied),
    ] {
      device.person.chooses(choice)
      #expect(probe.manager.authorizationStatus == status && probe.statuses.last == status)
    }
  }

  @Test("While Location Services are switched off the status is denied, and comes back with them")
  func servicesOff() {
    let device = SimulatedDevice(permission: .whenInUse, at: ProductTests.home)
    let probe = device.launch { Probe($0) }
    device.person.switchesLocationServices(on: false)
    #expect(probe.manager.authorizationStatus == .denied && probe.statuses.last == .denied)
    device.person.switchesLocationServices(on: true)
    #expect(probe.manager.authorizationStatus == .authorizedWhenInUse)
  }

  @Test("Where the device's management forbids it the status is restricted, and the person is not asked")
  func restricted() {
    let device = SimulatedDevice(at: ProductTests.home)
    let probe = device.launch { Probe($0) }
    device.host.host.handle(.restrictionChanged(device.app.identifier, true))
    device.advance(by: .seconds(1))
    #expect(probe.manager.authorizationStatus == .restricted && probe.statuses.last == .restricted)
    device.run { probe.manager.requestWhenInUseAuthorization() }
    device.advance(by: .seconds(1))
    #expect(probe.manager.authorizationStatus == .restricted)
    #expect(!device.person.answers(.allowWhileUsing))
  }

  @Test("Restricted or denied, a service that is started all the same fails as denied: no location, no receiver")
  func startsAnyway() {
    for isRestricted in [true, false] {
      for begins in [
        { $0.startUpdatingLocation() }, { $0.startMonitoringSignificantLocationChanges() }, { $0.requestLocation() },
      ] as [(CLLocationManager) -> Void] {
        let device = SimulatedDevice(permission: isRestricted ? .always : .denied, at: ProductTests.home)
        device.setRestricted(isRestricted)
        let probe = device.launch { launch in Probe(launch) { begins($0.manager) } }
        device.advance(by: .seconds(60))
        #expect(probe.manager.authorizationStatus == (isRestricted ? .restricted : .denied))
        #expect(probe.failures == [.denied] && probe.locations.isEmpty && !device.isReceiverOn)
        #expect(device.person.questionCount == 0)
        guard isRestricted else { continue }
        device.person.chooses(.whenInUse)
        device.advance(by: .seconds(60))
        #expect(probe.manager.authorizationStatus == .restricted, "not for the person to change")
        #expect(probe.locations.isEmpty && !device.isReceiverOn)
      }
    }
  }

  @Test("While Using is for an app in use: out of it, updates without background rights bring nothing")
  func whenInUse() {
    let device = SimulatedDevice(permission: .whenInUse, at: ProductTests.home)
    let probe = device.launch { Probe($0) { $0.manager.startUpdatingLocation() } }
    device.advance(by: .seconds(10))
    #expect(probe.locations.count == 10)
    device.moveToBackground()
    device.advance(by: .seconds(60))
    let count = probe.locations.count
    device.advance(by: .seconds(600))
    #expect(probe.locations.count == count && !device.isReceiverOn)
  }

  @Test("Always is for the background as before: it wakes the app, which While Using does not")
  func always() {
    for (permission, isWoken) in [(SimulatedPermission.always, true), (.whenInUse, false)] {
      let device = SimulatedDevice(permission: permission, at: ProductTests.home)
      let probe = device.launch { Probe($0) { $0.manager.startMonitoringSignificantLocationChanges() } }
      device.advance(by: .seconds(60))
      device.moveToBackground()
      device.advance(by: .seconds(30))
      let count = probe.locations.count
      device.play(Journey(from: ProductTests.home).drive(to: ProductTests.farAway))
      #expect((probe.locations.count > count) == isWoken)
    }
  }

  @Test("The question comes by a request, and only while nothing has been decided")
  func request() {
    let device = SimulatedDevice(at: ProductTests.home)
    device.person.willAnswer(.doNotAllow)
    let probe = device.launch { Probe($0) { $0.manager.requestWhenInUseAuthorization() } }
    device.advance(by: .seconds(1))
    #expect(probe.manager.authorizationStatus == .denied)
    probe.manager.requestWhenInUseAuthorization()
    device.advance(by: .seconds(1))
    #expect(device.person.questionCount == 1)
  }

  @Test("What each service needs can be asked first, and is answered by what the device has")
  func availability() {
    let device = SimulatedDevice(permission: .whenInUse, at: ProductTests.home)
    device.launch { Probe($0) }
    device.hasCompass = false
    device.bluetooth = .absent
    device.run {
      #expect(CLLocationManager.locationServicesEnabled())
      #expect(CLLocationManager.significantLocationChangeMonitoringAvailable())
      #expect(CLLocationManager.isMonitoringAvailable(for: CLCircularRegion.self))
      #expect(!CLLocationManager.isMonitoringAvailable(for: CLBeaconRegion.self))
      #expect(!CLLocationManager.headingAvailable() && !CLLocationManager.isRangingAvailable())
    }
    device.hasCompass = true
    #expect(device.run { CLLocationManager.headingAvailable() })
    device.bluetooth = .on
    #expect(device.run { CLLocationManager.isRangingAvailable() })
    for kind in [CLCircularRegion.self, CLBeaconRegion.self] as [AnyClass] {
      #expect(device.run { CLLocationManager.isMonitoringAvailable(for: kind) }, "geographic or of beacons")
    }
  }
}

import CoreLocation
import CoreLocationTesting
import LocationEngine
import LocationModel
import Testing

@Suite("seed 004: what iOS 8 changed, keys and requests, suspension, significant changes; its tracker has own tests")
struct Seed004Tests {
  private func device(
    _ permission: SimulatedPermission = .notDetermined, era: SimulatedEra = .iOS8,
    _ change: (inout AppInfo) -> Void = {
      $0.alwaysUsage = "Follows you."
      $0.alwaysAndWhenInUseUsage = nil
    }
  ) -> SimulatedDevice {
    var info = AppInfo()
    change(&info)
    return SimulatedDevice(info, permission: permission, era: era, at: ProductTests.home)
  }

  @Test("Starting without a request does nothing at all: no question, no error, no location")
  func startOnly() {
    let device = device()
    let probe = device.launch { Probe($0) { $0.manager.startUpdatingLocation() } }
    device.advance(by: .seconds(120))
    #expect(device.person.questionCount == 0 && probe.failures.isEmpty && probe.locations.isEmpty)
  }

  @Test("A key without a request asks nobody, and a request without its key neither; both together do")
  func keyAndRequest() {
    for (hasKey, asks) in [(true, false), (false, true), (true, true)] {
      let device = device(.notDetermined) {
        $0.whenInUseUsage = nil
        $0.alwaysAndWhenInUseUsage = nil
        $0.alwaysUsage = hasKey ? "Follows you." : nil
      }
      device.launch { Probe($0) { if asks { $0.manager.requestAlwaysAuthorization() } } }
      device.advance(by: .seconds(10))
      #expect(device.person.questionCount == (hasKey && asks ? 1 : 0))
    }
  }

  @Test("Each request asks with the text of its own key")
  func texts() {
    for asksAlways in [true, false] {
      let device = device()
      device.launch { launch in
        Probe(launch) {
          if asksAlways {
            $0.manager.requestAlwaysAuthorization()
          } else {
            $0.manager.requestWhenInUseAuthorization()
          }
        }
      }
      device.advance(by: .seconds(1))
      #expect(device.person.openQuestions == [asksAlways ? "Follows you." : "Shows where you are."])
    }
  }

  /// Before iOS 13 some needed Always all the same, as seed 003 says: `SeedConflictTests`.
  @Test("All services are available with both authorizations, to an app in the foreground", arguments: [true, false])
  func bothAuthorizations(isAlways: Bool) {
    for service in EveryService.allCases {
      #expect(service.isServed(isAlways ? .always : .whenInUse, era: .iOS18), "\(service)")
    }
  }

  @Test("In the background While Using has none of them, and Always those that wake the app")
  func awayFromTheForeground() {
    for service in EveryService.allCases {
      #expect(!service.isServed(.whenInUse, era: .iOS18, isAway: true), "\(service)")
      let isWoken = EveryService.watching.contains(service)
      #expect(service.isServed(.always, era: .iOS18, isAway: true) == isWoken, "\(service)")
    }
  }

  @Test("Always includes While Using, and not the other way round: only with Always an app that has ended is started")
  func includes() {
    for (permission, runsOn) in [(SimulatedPermission.always, true), (.whenInUse, false)] {
      let device = device(permission)
      device.launch { Probe($0) { $0.manager.startMonitoringSignificantLocationChanges() } }
      device.advance(by: .seconds(10))
      device.terminate()
      device.play(Journey(from: ProductTests.home).drive(to: ProductTests.farAway))
      #expect((device.eventLaunchCount > 0) == runsOn)
    }
  }

  @Test("Who has accepted one is not asked for the other; Settings can change it")
  func notAskedAgain() {
    let device = device()
    device.person.willAnswer(.allow)
    let probe = device.launch { Probe($0) { $0.manager.requestWhenInUseAuthorization() } }
    device.advance(by: .seconds(1))
    #expect(probe.manager.authorizationStatus == .authorizedWhenInUse)
    probe.manager.requestAlwaysAuthorization()
    device.advance(by: .seconds(60))
    #expect(device.person.questionCount == 1 && probe.manager.authorizationStatus == .authorizedWhenInUse)
    device.person.chooses(.always)
    #expect(probe.manager.authorizationStatus == .authorizedAlways)
  }

  @Test("In the background an app is suspended sooner or later, and all that it does stops")
  func suspended() async throws {
    let device = device(.always)
    try await device.run {
      device.launch { Probe($0) }
      let work = Task {
        var turns = 0
        while (try? await device.clock.sleep(for: .seconds(1))) != nil { turns += 1 }
        return turns
      }
      try await device.listening(1)
      device.moveToBackground()
      try await device.advance(by: .seconds(3_600))
      #expect(device.appState == .suspended)
      device.terminate()
      #expect(await work.value <= 6, "five seconds of the hour")
    }
  }

  @Test("Significant changes do not look at the distance filter")
  func noFilter() {
    func told(filter: Double) -> [Date] {
      let device = device(.always, era: .iOS18)
      let probe = device.launch { launch in
        Probe(launch) {
          $0.manager.distanceFilter = filter
          $0.manager.startMonitoringSignificantLocationChanges()
        }
      }
      device.play(Journey(from: ProductTests.home).drive(to: ProductTests.farAway))
      return probe.locations.map(\.timestamp)
    }
    #expect(told(filter: 100_000) == told(filter: 1) && told(filter: 1).count > 1)
  }

  @Test("Another cell tower is a significant change: nothing but towers starts an app that has ended")
  func cellTowers() throws {
    let profile = DeviceProfile(name: "towers", technologies: .cell, hasMotionSensor: false)
    let device = SimulatedDevice(
      AppInfo(), permission: .always, era: .iOS18, at: ProductTests.home, profile: SimulatedProfile(profile: profile))
    device.launch { Probe($0) { $0.manager.startMonitoringSignificantLocationChanges() } }
    device.advance(by: .seconds(120))
    device.terminate()
    device.play(Journey(from: ProductTests.home).drive(to: ProductTests.farAway))
    let probe = try #require(device.app(as: Probe.self))
    #expect(probe.launch.isForLocation && device.eventLaunchCount >= 1)
    let told = try #require(probe.locations.last)
    // What a tower's place is worth in the model (docs/energy.md, `cellAccuracyMeters`).
    #expect(told.horizontalAccuracy == EnergyModel().cellAccuracyMeters && device.receiverTime == .zero)
    #expect(told.distance(from: CLLocation(latitude: 47.5, longitude: 19.2)) > 500)
  }

  @Test("With Always updates are there in the background at any time, also when begun there; While Using begins none")
  func atAnyTime() {
    for (permission, isHeard) in [(SimulatedPermission.always, true), (.whenInUse, false)] {
      let device = device(permission, era: .iOS18) { $0.hasLocationBackgroundMode = true }
      let probe = device.launch { launch in Probe(launch) { $0.manager.allowsBackgroundLocationUpdates = true } }
      device.advance(by: .seconds(10))
      device.moveToBackground()
      device.advance(by: .seconds(2))
      probe.manager.startUpdatingLocation()
      device.advance(by: .seconds(600))
      // Ten minutes of one a second; While Using has no more than what is left of its five seconds.
      #expect(isHeard ? probe.locations.count > 590 : probe.locations.count <= 5)
      #expect(device.appState == (isHeard ? .background : .suspended))
    }
  }

  @Test("They are told farther apart and cost less than updates: not for who needs every place")
  func coarse() {
    func day(_ begin: @escaping (Probe) -> Void) -> (count: Int, joules: Double) {
      let device = device(.always, era: .iOS18)
      let probe = device.launch { launch in Probe(launch, begin) }
      device.play(Journey(from: ProductTests.home).drive(to: ProductTests.farAway).stay(for: .seconds(7_200)))
      return (probe.locations.count, device.energyJoules)
    }
    let changes = day { $0.manager.startMonitoringSignificantLocationChanges() }
    let updates = day { $0.manager.startUpdatingLocation() }
    #expect(changes.count * 100 < updates.count && changes.joules * 2 < updates.joules)
  }
}

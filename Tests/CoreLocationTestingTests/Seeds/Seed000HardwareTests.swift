import CoreLocation
import CoreLocationTesting
import LocationEngine
import LocationModel
import Testing

/// Which receivers run: for what an app asks, and in airplane mode.
@Suite("seed 000: the hardware that a service enables, and airplane mode, which cannot power it up (seed 001, too)")
struct Seed000HardwareTests {
  private static let cell = DeviceProfile(name: "towers", technologies: .cell, hasMotionSensor: false)
  private static let radios = DeviceProfile(
    name: "radios", technologies: [.cell, .wireless], hasMotionSensor: false)

  private func device(_ profile: SimulatedProfile, hearsSatellites: Bool = true) -> SimulatedDevice {
    SimulatedDevice(
      permission: .whenInUse, at: ProductTests.home, profile: profile,
      hearsSatellitesInAirplaneMode: hearsSatellites)
  }

  private func launched(
    on device: SimulatedDevice, _ accuracy: CLLocationAccuracy, filter: CLLocationDistance = kCLDistanceFilterNone
  ) -> Probe {
    device.launch { launch in
      Probe(launch) {
        $0.manager.desiredAccuracy = accuracy
        $0.manager.distanceFilter = filter
        $0.manager.startUpdatingLocation()
      }
    }
  }

  /// Every receiver that was on in one of so many seconds.
  private func receivers(of device: SimulatedDevice, forSeconds count: Int) -> ReceiverTechnologies {
    var all: ReceiverTechnologies = []
    for _ in 0..<count {
      device.advance(by: .milliseconds(500))
      all.formUnion(device.receiver.demand?.technologies ?? [])
      device.advance(by: .milliseconds(500))
      all.formUnion(device.receiver.demand?.technologies ?? [])
    }
    return all
  }

  // MARK: Parameters

  @Test("The accuracy determines the hardware: cell towers alone for three kilometres, satellites alone for the best")
  func accuracy() throws {
    for (wish, expected, accuracyMeters) in [
      (kCLLocationAccuracyThreeKilometers, ReceiverTechnologies.cell, EnergyModel().cellAccuracyMeters),
      (kCLLocationAccuracyBest, .satellite, Self.openSkyMeters),
    ] {
      let device = device(.phone)
      let probe = launched(on: device, wish)
      device.setOut(on: Journey(from: ProductTests.home).drive(to: ProductTests.farAway))
      #expect(receivers(of: device, forSeconds: 600) == expected, "for \(wish) m")
      #expect((device.receiverTime == .zero) == (expected == .cell))
      #expect(probe.locations.count > 2 && probe.locations.allSatisfy { $0.horizontalAccuracy == accuracyMeters })
    }
  }

  @Test("So does the filter: with 500 m satellites rest on most of the way, without one they are on all of it")
  func filter() {
    func drive(filter: CLLocationDistance) -> (probe: Probe, seconds: Int64) {
      let device = device(.phone)
      let probe = launched(on: device, kCLLocationAccuracyBest, filter: filter)
      device.setOut(on: Journey(from: ProductTests.home).drive(to: ProductTests.farAway))
      device.advance(by: .seconds(720))
      return (probe, device.receiverTime.components.seconds)
    }
    let every = drive(filter: kCLDistanceFilterNone)
    let filtered = drive(filter: 500)
    #expect(every.seconds == 720)
    // Half a kilometre takes 36 s at 14 m/s.
    #expect(filtered.seconds * 2 < every.seconds)
    #expect((10...20).contains(filtered.probe.locations.count), "10.1 km, a location each 500 m, a little late")
    for (location, next) in zip(filtered.probe.locations, filtered.probe.locations.dropFirst()) {
      #expect(next.distance(from: location) >= 500)
    }
  }

  // MARK: Airplane mode

  @Test("In airplane mode a device with radios only cannot power them up: unknown, not denied; it goes on afterwards")
  func radiosOnly() {
    for profile in [Self.cell, Self.radios] {
      let device = device(SimulatedProfile(profile: profile))
      let probe = launched(on: device, kCLLocationAccuracyHundredMeters)
      device.advance(by: .seconds(30))
      #expect(!probe.locations.isEmpty && probe.failures.isEmpty)
      device.person.switchesAirplaneMode(on: true)
      let (count, joules) = (probe.locations.count, device.energyJoules)
      device.advance(by: .seconds(600))
      #expect(probe.failures == [.locationUnknown] && probe.locations.count == count, "\(profile.name)")
      #expect(!device.isReceiverOn && device.energyJoules == joules, "\(profile.name)")
      #expect(probe.manager.authorizationStatus == .authorizedWhenInUse && probe.statuses.count == 1)
      #expect(device.run { CLLocationManager.locationServicesEnabled() })
      device.person.switchesAirplaneMode(on: false)
      device.advance(by: .seconds(30))
      #expect(probe.locations.count > count && probe.failures == [.locationUnknown], "\(profile.name)")
    }
  }

  @Test("Started in airplane mode on such a device, a service is unknown at once, and finds a place after the mode")
  func startedInAirplaneMode() {
    let device = device(SimulatedProfile(profile: Self.radios))
    device.person.switchesAirplaneMode(on: true)
    let probe = launched(on: device, kCLLocationAccuracyHundredMeters)
    device.advance(by: .seconds(60))
    #expect(probe.failures == [.locationUnknown] && probe.locations.isEmpty && !device.isReceiverOn)
    device.person.switchesAirplaneMode(on: false)
    device.advance(by: .seconds(30))
    #expect(!probe.locations.isEmpty)
  }

  @Test("A phone in airplane mode has satellites left, which send nothing: they do what cell towers did before")
  func satellitesLeft() throws {
    let device = device(.phone)
    let probe = launched(on: device, kCLLocationAccuracyThreeKilometers)
    device.setOut(on: Journey(from: ProductTests.home).drive(to: Self.veryFarAway))
    #expect(receivers(of: device, forSeconds: 400) == .cell)
    device.person.switchesAirplaneMode(on: true)
    let count = probe.locations.count
    #expect(receivers(of: device, forSeconds: 400) == .satellite)
    let found = probe.locations.dropFirst(count)
    #expect(!found.isEmpty && found.allSatisfy { $0.horizontalAccuracy < 10 } && !probe.failures.contains(.denied))
    device.person.switchesAirplaneMode(on: false)
    #expect(receivers(of: device, forSeconds: 400).contains(.cell))
  }

  @Test("Where satellites are not heard either the phone's app hears unknown, once, and goes on with Wi-Fi afterwards")
  func underground() throws {
    let device = device(.phone)
    device.reception = .none
    let probe = launched(on: device, kCLLocationAccuracyHundredMeters)
    device.advance(by: .seconds(30))
    #expect(try #require(probe.locations.last).horizontalAccuracy == EnergyModel().wirelessAccuracyMeters)
    device.setOut(on: Journey(from: ProductTests.home).drive(to: Self.veryFarAway))
    device.advance(by: .seconds(60))
    #expect(probe.failures.isEmpty)
    device.person.switchesAirplaneMode(on: true)
    let count = probe.locations.count
    device.advance(by: .seconds(300))
    #expect(probe.failures == [.locationUnknown] && probe.locations.count == count)
    device.person.switchesAirplaneMode(on: false)
    device.advance(by: .seconds(60))
    #expect(probe.locations.count > count && probe.failures == [.locationUnknown])
  }

  @Test("A device that does not hear satellites in airplane mode has nothing left, whatever receivers it has")
  func noSatellites() {
    for (name, profile) in [
      ("receiver", SimulatedProfile.receiver), ("phone", .phone), ("tracker", .tracker), ("legacy2010", .legacy2010),
    ] {
      let device = device(profile, hearsSatellites: false)
      let probe = launched(on: device, kCLLocationAccuracyBest)
      device.setOut(on: Journey(from: ProductTests.home).drive(to: Self.veryFarAway))
      device.advance(by: .seconds(20))
      let count = probe.locations.count
      #expect(count > 0, "\(name)")
      device.person.switchesAirplaneMode(on: true)
      #expect(probe.failures == [.locationUnknown] && !device.isReceiverOn, "\(name)")
      device.advance(by: .seconds(120))
      #expect(probe.failures == [.locationUnknown] && probe.locations.count == count, "\(name)")
      device.person.switchesAirplaneMode(on: false)
      device.advance(by: .seconds(60))
      #expect(probe.locations.count > count, "\(name)")
    }
  }

  @Test("One receiver of satellites, as a Linux machine has on a wire, goes on in airplane mode as if nothing were")
  func wired() {
    let device = device(.receiver)
    let probe = launched(on: device, kCLLocationAccuracyBest)
    device.advance(by: .seconds(10))
    device.person.switchesAirplaneMode(on: true)
    device.advance(by: .seconds(50))
    #expect(probe.locations.count == 60 && probe.failures.isEmpty)
  }

  /// What docs/testing-your-app.md says of an open sky.
  private static let openSkyMeters = 5.0
  /// 33 km north of home.
  private static let veryFarAway = CLLocationCoordinate2D(latitude: 47.8, longitude: 19.2)
}

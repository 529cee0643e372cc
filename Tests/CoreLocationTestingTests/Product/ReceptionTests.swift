import CoreLocation
import CoreLocationTesting
import Testing

/// What goes wrong with receivers, made to happen.
@Suite("A simulated receiver's troubles")
struct ReceptionTests {
  private func device() -> (SimulatedDevice, Trip) {
    let device = SimulatedDevice(permission: .whenInUse, at: ProductTests.home)
    let trip = device.launch { _ in Trip() }
    device.advance(by: .seconds(5))
    return (device, trip)
  }

  @Test("In a tunnel nothing comes; after it everything comes again without the app's doing (2.33)")
  func tunnel() {
    let (device, trip) = device()
    device.reception = .none
    device.advance(by: .seconds(60))
    #expect(trip.locations.count == 5)
    device.reception = .open
    device.advance(by: .seconds(5))
    #expect(trip.locations.count == 10)
  }

  @Test("Indoors fixes are worse, and say so")
  func indoors() {
    let (device, trip) = device()
    device.reception = .indoors
    device.advance(by: .seconds(1))
    #expect(trip.locations.last?.horizontalAccuracy == 18)
  }

  @Test("A late fix has the time at which it was measured")
  func late() {
    let (device, trip) = device()
    device.delayFixes(by: .seconds(3))
    device.advance(by: .seconds(10))
    #expect(trip.agesSeconds.last == 3)
    // Measured at 6 to 12 s, heard at 9 to 15 s.
    #expect(trip.locations.count == 12)
  }

  @Test("A fix that comes twice is told twice, with one timestamp: apps compare those")
  func twice() {
    let (device, trip) = device()
    device.repeatFixes()
    device.advance(by: .seconds(5))
    #expect(trip.locations.count == 15 && Set(trip.locations.map(\.timestamp)).count == 10)
  }

  @Test("A receiver that nobody listens to is off and costs nothing more")
  func off() {
    let (device, trip) = device()
    trip.manager.stopUpdatingLocation()
    device.advance(by: .seconds(1))
    #expect(!device.isReceiverOn)
    let joules = device.energyJoules
    // 5 s of searching at 190 mW, and five fixes of 20 mJ: the model of algorithms 1.3 takes its first 28 s for
    // acquiring.
    #expect(abs(joules - (5 * 0.190 + 5 * 0.020)) < 0.2)
    device.advance(by: .seconds(3_600))
    #expect(device.energyJoules == joules)
  }

  @Test(
    "A start that a test asks for takes as long as the profile says, the first of all, too",
    arguments: [
      (SimulatedProfile.receiver, SimulatedStart.hot, 2), (.receiver, .warm, 6), (.receiver, .cold, 28),
      (.tracker, .hot, 1), (.tracker, .warm, 6), (.tracker, .cold, 26), (.phone, .cold, 28),
    ])
  func asksForStart(_ profile: SimulatedProfile, _ start: SimulatedStart, _ seconds: Int) throws {
    let device = SimulatedDevice(permission: .whenInUse, at: ProductTests.home, profile: profile)
    device.restartReceiver(start)
    #expect(
      device.log.last?.hasSuffix(
        "the receiver starts \(start): before its next fix it searches for \(seconds) s") == true)
    let trip = device.launch { _ in Trip() }
    // Wi-Fi and cell towers, which a phone has, give places before.
    try device.advance(within: .seconds(60), until: "satellites have a place") {
      trip.locations.contains { $0.horizontalAccuracy == 5 }
    }
    #expect(device.elapsed == .seconds(seconds))
  }

  @Test("One that is on loses its satellites now; once found, the next start is as warm as the time makes it")
  func restartsWhileOn() throws {
    let (device, trip) = device()
    device.restartReceiver(.warm)
    device.advance(by: .seconds(5))
    #expect(trip.locations.count == 5)
    let before = device.energyJoules
    device.advance(by: .seconds(1))
    #expect(trip.locations.count == 6)
    // Its last second of the search, and a fix: 190 mW and 20 mJ.
    #expect(abs(device.energyJoules - before - 0.210) < 0.001)
    trip.manager.stopUpdatingLocation()
    device.advance(by: .seconds(60))
    trip.manager.startUpdatingLocation()
    device.advance(by: .seconds(3))
    #expect(trip.locations.last.map { device.now.timeIntervalSince($0.timestamp) == 0 } == true, "a hot start of 2 s")
  }

  @Test("A search that was given up is made anew, and is no warmer")
  func staysCold() throws {
    let device = SimulatedDevice(permission: .whenInUse, at: ProductTests.home)
    device.restartReceiver()
    let trip = device.launch { _ in Trip() }
    device.advance(by: .seconds(20))
    trip.manager.stopUpdatingLocation()
    device.advance(by: .seconds(10))
    trip.manager.startUpdatingLocation()
    device.advance(by: .seconds(27))
    #expect(trip.locations.isEmpty)
    device.advance(by: .seconds(1))
    #expect(trip.locations.count == 1)
  }
}

import CoreLocation
import CoreLocationTesting
import Testing
import YourApp

@Suite struct TripMeterTests {
  let home = CLLocationCoordinate2D(latitude: 47.5, longitude: 19.2)
  let station = CLLocationCoordinate2D(latitude: 47.51, longitude: 19.2)

  @Test func measuresAWalk() throws {
    let device = SimulatedDevice(at: home)
    device.person.willAnswer(.allowWhileUsing, after: .seconds(3))
    let meter = device.launch { _ in TripMeter() }
    device.play(Journey(from: home).stay(for: .seconds(10)).walk(to: station))
    try device.expect("It has measured the 1,112 m") { abs(meter.meters - 1112) < 15 }
    try device.expect("It is cheaper than 100 J") { device.energyJoules < 100 }
  }

  @Test func takesNoForAnAnswer() throws {
    let device = SimulatedDevice(at: home)
    device.person.willAnswer(.doNotAllow)
    let meter = device.launch { _ in TripMeter() }
    device.advance(by: .seconds(60))
    try device.expect("The app knows, and the receiver is off") { meter.isRefused && !device.isReceiverOn }
  }

  @Test func goesOnAfterATunnel() throws {
    let device = SimulatedDevice(permission: .whenInUse, at: home)
    let meter = device.launch { _ in TripMeter() }
    device.setOut(on: Journey(from: home).drive(to: station))
    device.advance(by: .seconds(20))
    device.reception = .none
    device.advance(by: .seconds(30))
    device.reception = .open
    try device.advance(within: .seconds(60), until: "the way through the tunnel counts") { meter.meters > 1000 }
  }
}

import LinuxIO
import LocationModel
import LocationProviders
import LocationRuntime
import XCTest

/// `auto` on a machine without receivers: what is left is GeoClue.
final class AutomaticTests: XCTestCase {
  private func automatic(on bus: PrivateBus) -> (AutomaticProvider, EventLog<String>) {
    var places = AutomaticProvider.Places()
    places.gpsdHost = "127.0.0.1"
    // Nobody listens at the port of discard.
    places.gpsdPort = 9
    places.deviceFolder = bus.folder.path
    let service = LocationServiceProvider(
      .geoClue(desktopID: "org.example.app"), clock: LiveClock.shared,
      settings: LocationServiceProvider.Settings(address: bus.address))
    let provider = AutomaticProvider(clock: LiveClock.shared, places: places, service: service)
    let heard = EventLog<String>()
    provider.connect { event in
      switch event {
      case .fix(let fix): heard.add("fix \(fix.coordinate.latitude)")
      case .state(let state): heard.add("\(state)")
      case .heading, .headingAvailable: break
      case .notice(let sentence): heard.add(sentence)
      }
    }
    return (provider, heard)
  }

  func test_GeoClue_gives_the_locations_where_there_is_no_receiver() throws {
    let bus = try PrivateBus()
    let geoClue = try FakeGeoClue(on: bus)
    let (provider, heard) = automatic(on: bus)
    provider.setDemand(ReceiverDemand(accuracy: .best))
    geoClue.calls.wait(for: "Start")
    geoClue.give(48.5, 11.25)
    heard.wait(for: "fix 48.5")
    XCTAssertEqual(heard.all, ["searching", "fix 48.5"])
    XCTAssertEqual(provider.currentStatus.name, "GeoClue")
    XCTAssertEqual(provider.currentStatus.phase, .fixing)
    provider.setDemand(nil)
    geoClue.calls.wait(for: "DeleteClient")
    // Returns when the service has answered that, which the end of the bus must not overtake.
    geoClue.say(isActive: false)
  }

  func test_a_refusal_of_GeoClue_is_the_refusal_of_the_machine_where_there_is_no_receiver() throws {
    let bus = try PrivateBus()
    let geoClue = try FakeGeoClue(on: bus, .init(errors: ["Start": FakeGeoClue.denied]))
    let (provider, heard) = automatic(on: bus)
    provider.setDemand(ReceiverDemand(accuracy: .best))
    heard.wait(for: "refused")
    XCTAssertEqual(heard.all.count, 2, "one sentence, and the refusal")
    XCTAssertTrue(heard.all[0].contains("no agent for UID 1000"), heard.all[0])
    XCTAssertEqual(provider.currentStatus.phase, .refused)
    XCTAssertEqual(geoClue.startCount(), 1)
    provider.setDemand(nil)
  }

  func test_airplane_mode_leaves_the_bus_alone() throws {
    let bus = try PrivateBus()
    let geoClue = try FakeGeoClue(on: bus)
    let (provider, heard) = automatic(on: bus)
    provider.setDemand(ReceiverDemand(accuracy: .best, kinds: .wired))
    heard.wait(for: "unavailable")
    XCTAssertTrue(heard.all[0].contains("GeoClue is not asked in airplane mode"), heard.all[0])
    XCTAssertEqual(geoClue.calls.all, [])
    provider.setDemand(ReceiverDemand(accuracy: .best))
    geoClue.calls.wait(for: "Start")
    provider.setDemand(ReceiverDemand(accuracy: .best, kinds: .wired))
    heard.wait(for: "unavailable", count: 2)
    geoClue.calls.wait(for: "DeleteClient")
    geoClue.say(isActive: false)
    provider.setDemand(nil)
  }
}

import CoreLocation
import CoreLocationTesting
import Testing

@testable import GuideListings

@Suite("The listings of the location guide (seed 000)")
struct GuideListingsTests {
  private static let home = CLLocationCoordinate2D(latitude: 47.5, longitude: 19.2)
  private static let town = CLLocationCoordinate2D(latitude: 47.55, longitude: 19.2)

  /// A listing, and what it has told.
  private final class App {
    var told: [CLLocation] = []
    var listing: AnyObject?
  }

  @Test("The standard service at 1 km and 500 m: a first location, then one each half kilometre")
  func standard() throws {
    let device = SimulatedDevice(at: Self.home)
    device.person.willAnswer(.allowWhileUsing)
    let app = device.launch { _ in
      let app = App()
      let listing = StandardUpdates { [unowned app] in app.told.append($0) }
      listing.start()
      app.listing = listing
      return app
    }
    try device.advance(within: .seconds(10), until: "the first location is told") { app.told.count == 1 }
    device.play(Journey(from: Self.home).drive(to: Self.town))
    // 5,560 m: one each 500 m, which at 14 m/s and a fix a second are up to 14 m more.
    #expect(app.told.count == 11 || app.told.count == 12)
    for (location, next) in zip(app.told, app.told.dropFirst()) {
      let meters = next.distance(from: location)
      #expect(meters >= 500 && meters < 530)
    }
    (app.listing as? StandardUpdates)?.stop()
    device.advance(by: .seconds(1))
    #expect(!device.isReceiverOn, "stopped, nothing runs")
  }

  @Test("Significant changes: told far apart, by an app that is suspended, and that is started again when it has ended")
  func significant() throws {
    let device = SimulatedDevice(permission: .always, at: Self.home)
    let app = device.launch { _ in
      let app = App()
      let listing = SignificantChanges { [unowned app] in app.told.append($0) }
      listing.start()
      app.listing = listing
      return app
    }
    device.advance(by: .seconds(120))
    device.moveToBackground()
    device.advance(by: .seconds(60))
    #expect(device.appState == .suspended)
    let before = app.told.count
    device.play(Journey(from: Self.home).drive(to: Self.town).stay(for: .seconds(900)))
    #expect(app.told.count > before, "woken for it")
    for (location, next) in zip(app.told, app.told.dropFirst()) {
      #expect(next.distance(from: location) >= 500)
      #expect(next.timestamp.timeIntervalSince(location.timestamp) >= 300)
    }
    device.terminate()
    device.play(Journey(from: Self.town).drive(to: Self.home).stay(for: .seconds(900)))
    #expect(device.eventLaunchCount >= 1)
    #expect(device.app(as: App.self)?.told.isEmpty == false, "what is started again starts the service, and hears")
  }

  @Test("What is fifteen seconds old is not taken, what is younger is, and the newest one counts")
  func age() {
    let now = Date(timeIntervalSince1970: 1_000_000)
    func location(aged seconds: TimeInterval) -> CLLocation {
      CLLocation(
        coordinate: Self.home, altitude: 0, horizontalAccuracy: 5, verticalAccuracy: -1,
        timestamp: now.addingTimeInterval(-seconds))
    }
    #expect(RecentLocation.last(of: [location(aged: 15)], now: now) == nil)
    #expect(RecentLocation.last(of: [location(aged: 14.9)], now: now) != nil)
    #expect(RecentLocation.last(of: [location(aged: 30), location(aged: 1)], now: now)?.timestamp == now - 1)
    #expect(RecentLocation.last(of: [location(aged: 1), location(aged: 30)], now: now) == nil)
    #expect(RecentLocation.last(of: [location(aged: -16)], now: now) == nil, "nor what is of the future")
    #expect(RecentLocation.last(of: [], now: now) == nil)
  }

  @Test("A location that the device remembers is not shown as where it is")
  func remembered() {
    let device = SimulatedDevice(permission: .whenInUse, at: Self.home)
    let first = device.launch { _ in
      let manager = CLLocationManager()
      manager.startUpdatingLocation()
      return manager
    }
    device.advance(by: .seconds(5))
    first.stopUpdatingLocation()
    device.reception = .none
    device.advance(by: .seconds(60))
    var told: [CLLocation] = []
    let listing = StandardUpdates { told.append($0) }
    device.run { listing.start() }
    device.advance(by: .seconds(30))
    #expect(device.log.contains { $0.contains("didUpdateLocations") } && told.isEmpty)
    device.reception = .open
    device.advance(by: .seconds(60))
    #expect(told.count == 1)
  }
}

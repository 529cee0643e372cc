import Foundation
import Glibc
import LinuxIO
import LocationModel
import LocationProviders
import LocationRuntime
import XCTest

/// The desktop's location service as the last candidate of `auto`. XCTest, since these tests block.
final class AutomaticServiceTests: XCTestCase {
  /// Says what a test wants, and remembers whether it is wanted.
  private final class FakeLocationService: ReceiverProvider {
    private let events = Locked<(@Sendable (ProviderEvent) -> Void)?>(nil)
    private let demands = Locked<[Bool]>([])
    let wanted = Occurrence()
    let unwanted = Occurrence()
    var kinds: ReceiverKinds { .radio }
    var currentStatus: ProviderStatus { ProviderStatus(name: "GeoClue") }
    var wishes: [Bool] { demands.withLock { $0 } }

    func connect(_ events: @escaping @Sendable (ProviderEvent) -> Void) { self.events.withLock { $0 = events } }

    func setDemand(_ demand: ReceiverDemand?) {
      demands.withLock { $0.append(demand != nil) }
      if demand == nil { unwanted.happen() } else { wanted.happen() }
    }

    func say(_ event: ProviderEvent) { events.withLock { $0 }?(event) }

    /// 50 degrees north: not where the others are.
    func give() {
      say(
        .fix(
          Fix(
            coordinate: Coordinate(latitude: 50, longitude: 10), horizontalAccuracyMeters: 100,
            time: LiveClock.shared.wallTime)))
    }
  }

  private static let greeting = #"{"class":"VERSION","release":"3.22","proto_major":3,"proto_minor":14}"# + "\n"
  private static let devices = #"{"class":"DEVICES","devices":[{"path":"/dev/x"}]}"# + "\n"
  private static let fix = #"{"class":"TPV","device":"/dev/x","mode":3,"lat":48,"lon":20,"eph":3}"# + "\n"
  private static let search = #"{"class":"TPV","device":"/dev/x","mode":1}"# + "\n"
  private let service = FakeLocationService()

  private func automatic(port: UInt16) -> (AutomaticProvider, Recorder) {
    var places = AutomaticProvider.Places()
    places.gpsdHost = "127.0.0.1"
    places.gpsdPort = port
    places.deviceFolder = "/nowhere"
    let provider = AutomaticProvider(clock: LiveClock.shared, places: places, service: service)
    return (provider, Recorder(provider))
  }

  func testIsNotAskedWhileGPSDFixesAndGivesWayToItAgain() throws {
    let port = try freePort()
    let server = try FakeServer(greeting: Self.greeting, port: port) { server, _ in
      server.send(Self.devices + Self.fix)
    }
    let (provider, recorder) = automatic(port: port)
    provider.setDemand(ReceiverDemand(accuracy: .best))
    try recorder.wait("gpsd's fix", seconds: 3) { $0.fixes.last?.coordinate.latitude == 48 }
    XCTAssertEqual(service.wishes, [])
    server.stop()
    service.wanted.wait("the turn of the service", seconds: 3)
    XCTAssertEqual(recorder.current.unavailableCount, 0, "it has not answered yet")
    service.say(.state(.searching))
    service.give()
    try recorder.wait("the service's fix", seconds: 2) { $0.fixes.last?.coordinate.latitude == 50 }
    let successor = try FakeServer(greeting: Self.greeting, port: port) { server, _ in
      server.send(Self.devices + Self.fix)
    }
    defer { successor.stop() }
    service.unwanted.wait("the end of the service's turn", seconds: 3)
    try recorder.wait("gpsd's fix", seconds: 3) { $0.fixes.last?.coordinate.latitude == 48 }
    service.give()
    provider.setDemand(nil)
    XCTAssertEqual(recorder.current.fixes.last?.coordinate.latitude, 48, "who is not wanted is not heard")
    XCTAssertEqual(service.wishes, [true, false])
    XCTAssertEqual(recorder.current.unavailableCount, 0)
  }

  func testIsAskedAfterSomePatienceWithAReceiverThatFindsNothingAndItsRefusalIsIgnored() throws {
    let server = try FakeServer(greeting: Self.greeting) { server, _ in server.send(Self.devices + Self.search) }
    defer { server.stop() }
    let (provider, recorder) = automatic(port: server.port)
    let begun = Date()
    provider.setDemand(ReceiverDemand(accuracy: .best))
    service.wanted.wait("the turn of the service", seconds: 8)
    XCTAssertGreaterThan(Date().timeIntervalSince(begun), 4.9)
    service.say(.state(.refused))
    service.give()
    // Once this has come, the refusal has been thought about.
    try recorder.wait("the service's fix", seconds: 2) { $0.fixes.count == 1 }
    XCTAssertEqual(recorder.current.states, [.searching])
    provider.setDemand(nil)
  }

  func testItsRefusalCountsWhereThereIsNothingElse() throws {
    let (provider, recorder) = automatic(port: try freePort())
    provider.setDemand(ReceiverDemand(accuracy: .best))
    service.wanted.wait("the turn of the service", seconds: 3)
    service.say(.state(.refused))
    try recorder.wait("the refusal", seconds: 2) { $0.states == [.refused] }
    service.say(.state(.unavailable))
    try recorder.wait("its end", seconds: 2) { $0.states == [.refused, .unavailable] }
    provider.setDemand(nil)
  }
}

import LinuxIO
import LocationEngine
import LocationModel
import LocationProviders
import LocationRuntime
import Testing

@Suite("What managers are told in a row")
struct DeliveryRouteTests {
  /// Gives the fixes of the test.
  private final class GivenReceiver: LocationProvider {
    private let events = Locked<(@Sendable (ProviderEvent) -> Void)?>(nil)
    func connect(_ events: @escaping @Sendable (ProviderEvent) -> Void) { self.events.withLock { $0 = events } }
    func setDemand(_ demand: ReceiverDemand?) {}
    func give(_ number: Int) {
      let fix = Fix(
        coordinate: Coordinate(latitude: Double(number), longitude: 0), horizontalAccuracyMeters: 5,
        time: WallTime(secondsSince1970: Double(number)))
      events.withLock { $0 }?(.fix(fix))
    }
  }

  private final class NotingStore: AppStateStore {
    private let lines: Lines
    init(_ lines: Lines) { self.lines = lines }
    func load(_ app: AppIdentifier) -> StoredAppState { StoredAppState(grant: Grant(level: .whenInUse)) }
    func store(_ grant: Grant, for app: AppIdentifier) {}
    func store(_ lastFix: Fix, for app: AppIdentifier) { lines.add("stored") }
    func store(_ registrations: Registrations, for app: AppIdentifier) {}
  }

  private let receiver = GivenReceiver()
  private let lines = Lines()
  private let host: EngineHost
  private let client: ClientIdentifier

  init() {
    let lines = lines
    let clock = VirtualClock(wallStart: WallTime(secondsSince1970: 0))
    host = EngineHost(
      engine: LocationEngine(), clock: clock, provider: receiver,
      ports: HostPorts(
        prompter: ScriptedPerson(clock: clock), store: NotingStore(lines), log: { _ in },
        delivered: { lines.add("sent") }))
    let app = AppDescription(identifier: AppIdentifier("org.example.walk"))
    client = host.connect(app)
    host.handle(.appStateChanged(app.identifier, .foreground))
  }

  /// A manager of that number, which hears locations from now on and says so under that name.
  @discardableResult
  private func listen(_ number: UInt64, as name: String, then: @escaping @Sendable () -> Void = {}) -> ManagerIdentifier
  {
    let manager = ManagerIdentifier(client: client, number: number)
    host.addManager(manager) { [lines] event in
      guard case .locationsUpdated(let fixes, _) = event else { return }
      lines.add("\(name) \(Int(fixes[0].coordinate.latitude))")
      then()
    }
    host.handle(.requested(.startUpdatingLocation, by: manager))
    return manager
  }

  private func told(_ fix: Int) -> [String] {
    let before = lines.all.count
    receiver.give(fix)
    return Array(lines.all.dropFirst(before))
  }

  @Test("are sent together, and before what was decided after them is carried out")
  func sentBeforeStored() {
    listen(1, as: "a")
    listen(2, as: "b")
    #expect(told(1) == ["a 1", "b 1", "sent", "stored"])
    #expect(told(2) == ["a 2", "b 2", "sent"])
  }

  @Test("reach who took the place of a manager that was released, and nobody who was")
  func replaced() {
    let manager = listen(1, as: "a")
    listen(2, as: "b")
    _ = told(1)
    host.removeManager(manager)
    #expect(told(2) == ["b 2", "sent"])
    listen(1, as: "a again")
    let both = told(3)
    #expect(Set(both) == ["a again 3", "b 3", "sent"])
    #expect(both.last == "sent")
  }

  @Test("do not reach a manager that another one's callback released")
  func releasedMeanwhile() {
    let second = ManagerIdentifier(client: client, number: 2)
    listen(1, as: "a") { [host] in host.removeManager(second) }
    listen(2, as: "b")
    #expect(told(1) == ["a 1", "sent", "stored"])
  }

  @Test("stop with the client that they belong to")
  func disconnected() {
    listen(1, as: "a")
    _ = told(1)
    host.disconnect(client)
    #expect(told(2) == [])
  }
}

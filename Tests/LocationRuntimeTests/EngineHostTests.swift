import Foundation
import LinuxIO
import LocationEngine
import LocationModel
import LocationProviders
import LocationRuntime
import Testing

@Suite("The host of an engine")
struct EngineHostTests {
  /// Gives fixes from any thread, as receivers do.
  private final class FreeReceiver: LocationProvider {
    private let events = Locked<(@Sendable (ProviderEvent) -> Void)?>(nil)
    func connect(_ events: @escaping @Sendable (ProviderEvent) -> Void) {
      self.events.withLock { $0 = events }
    }
    func setDemand(_ demand: ReceiverDemand?) {}
    func give(_ fix: Fix) { say(.fix(fix)) }
    func say(_ event: ProviderEvent) { events.withLock { $0 }?(event) }
  }

  private let receiver = FreeReceiver()

  private func host() -> EngineHost {
    let clock = VirtualClock(wallStart: WallTime(secondsSince1970: 0))
    return EngineHost(
      engine: LocationEngine(), clock: clock, provider: receiver,
      ports: HostPorts(
        prompter: ScriptedPerson(clock: clock),
        store: ForgetfulStore(StoredAppState(grant: Grant(level: .whenInUse))), log: { _ in }))
  }

  private func fix(_ number: Int) -> Fix {
    Fix(
      coordinate: Coordinate(latitude: Double(number) / 1_000, longitude: 0), horizontalAccuracyMeters: 5,
      time: WallTime(secondsSince1970: Double(number)))
  }

  private static func number(of fix: Fix) -> Int {
    Int((fix.coordinate.latitude * 1_000).rounded())
  }

  @Test("shows a client what its app registered in an earlier life, and stores what it registers now (behaviour 5.6)")
  func registrations() throws {
    let folder = try TemporaryFolder()
    let app = AppDescription(identifier: AppIdentifier("org.example.walk"))
    let circle = Region.Shape.circle(center: Coordinate(latitude: 47, longitude: 8), radiusMeters: 100)
    for (life, expected) in [["a"], ["a", "b"]].enumerated() {
      let clock = VirtualClock(wallStart: WallTime(secondsSince1970: 0))
      let host = EngineHost(
        engine: LocationEngine(), clock: clock, provider: receiver,
        ports: HostPorts(prompter: ScriptedPerson(clock: clock), store: folder.store(), log: { _ in }))
      let connection = HostConnection(host: host, app: app)
      #expect(connection.snapshot.monitoredRegions.map(\.identifier) == Array(expected.dropLast()))
      let manager = connection.addManager { _ in }
      connection.send(.startMonitoring(Region(identifier: expected[life], shape: circle)), from: manager)
      #expect(connection.snapshot.monitoredRegions.map(\.identifier) == expected)
    }
    #expect(folder.store().load(app.identifier).registrations.regions.map(\.region.identifier) == ["a", "b"])
  }

  /// Needs a radio, and is unavailable to nobody by itself.
  private final class RadioReceiver: LocationProvider {
    let demands = Locked<[ReceiverDemand?]>([])
    var kinds: ReceiverKinds { .radio }
    func connect(_ events: @escaping @Sendable (ProviderEvent) -> Void) {}
    func setDemand(_ demand: ReceiverDemand?) { demands.withLock { $0.append(demand) } }
  }

  /// A compass that says what the test says.
  private final class FreeCompass: HeadingSensor {
    private let events = Locked<(@Sendable (ProviderEvent) -> Void)?>(nil)
    let wishes = Locked<[Bool]>([])
    func connect(_ events: @escaping @Sendable (ProviderEvent) -> Void) { self.events.withLock { $0 = events } }
    func setWanted(_ isWanted: Bool) { wishes.withLock { $0.append(isWanted) } }
    func say(_ event: ProviderEvent) { events.withLock { $0 }?(event) }
  }

  @Test("has a compass while its sensor is there or a receiver that tells headings is not lost (behaviour 7.6)")
  func compasses() {
    let clock = VirtualClock(wallStart: WallTime(secondsSince1970: 0))
    let compass = FreeCompass()
    let lines = Lines()
    let host = EngineHost(
      engine: LocationEngine(), clock: clock, provider: receiver, headingSensor: compass,
      ports: HostPorts(
        prompter: ScriptedPerson(clock: clock), store: ForgetfulStore(), log: { lines.add($0) }))
    let app = AppDescription(identifier: AppIdentifier("org.example.app"))
    let connection = HostConnection(host: host, app: app)
    host.handle(.appStateChanged(app.identifier, .foreground))
    let heard = Lines()
    let manager = connection.addManager { event in
      if case .headingUpdated(let heading) = event { heard.add("\(heading.magneticDegrees)") }
      if case .headingCalibrationAsked = event { heard.add("calibration?") }
    }
    var hasHeading: Bool { connection.snapshot.capabilities.hasHeading }
    func sample(_ degrees: Double) -> ProviderEvent {
      .heading(HeadingSample(.magnetic(degrees: degrees), time: clock.wallTime))
    }
    #expect(!hasHeading)
    compass.say(.headingAvailable(true))
    #expect(hasHeading)
    connection.send(.startUpdatingHeading, from: manager)
    compass.say(sample(10))
    receiver.say(sample(20))
    compass.say(.headingAvailable(false))
    #expect(hasHeading)
    receiver.say(.state(.unavailable))
    #expect(!hasHeading)
    receiver.say(sample(30))
    #expect(hasHeading)
    connection.send(.showHeadingCalibration, from: manager)
    connection.send(.stopUpdatingHeading, from: manager)
    #expect(compass.wishes.withLock { $0 } == [true, false])
    #expect(heard.all == ["10.0", "calibration?", "20.0", "30.0"])
    #expect(lines.all.filter { $0.contains("calibrate the compass") }.count == 1)
  }

  @Test("keeps a receiver that needs a radio off in airplane mode: unknown, not denied, said once (behaviour 3.12)")
  func airplaneMode() {
    let clock = VirtualClock(wallStart: WallTime(secondsSince1970: 0))
    let receiver = RadioReceiver()
    let lines = Lines()
    let host = EngineHost(
      engine: LocationEngine(), clock: clock, provider: receiver,
      ports: HostPorts(
        prompter: ScriptedPerson(clock: clock),
        store: ForgetfulStore(StoredAppState(grant: Grant(level: .whenInUse))), log: { lines.add($0) }))
    let app = AppDescription(identifier: AppIdentifier("org.example.app"))
    let connection = HostConnection(host: host, app: app)
    host.handle(.appStateChanged(app.identifier, .foreground))
    let errors = Lines()
    let manager = connection.addManager { if case .failed(let error, _) = $0 { errors.add("\(error)") } }
    connection.send(.startUpdatingLocation, from: manager)
    host.handle(.airplaneModeChanged(isOn: true))
    #expect(errors.all == ["locationUnknown"])
    #expect(connection.snapshot.authorization.status == .authorizedWhenInUse)
    var coarser = ManagerConfiguration()
    coarser.desiredAccuracy = .meters(1_000)
    connection.send(.configure(coarser), from: manager)
    host.handle(.airplaneModeChanged(isOn: false))
    let accuracies = receiver.demands.withLock { $0.map { $0?.accuracy } }
    #expect(accuracies == [.best, nil, nil, .meters(1_000)])
    #expect(lines.all == ["Airplane mode is on, so that no location comes."])
  }

  @Test("gives every manager the same fixes in the same order, though two threads race to bring them")
  func racingThreads() {
    let host = host()
    let app = AppDescription(identifier: AppIdentifier("org.example.app"))
    let connection = HostConnection(host: host, app: app)
    host.handle(.appStateChanged(app.identifier, .foreground))
    let heard = [Locked<[Int]>([]), Locked<[Int]>([])]
    for log in heard {
      let manager = connection.addManager { event in
        guard case .locationsUpdated(let fixes, _) = event else { return }
        log.withLock { $0 += fixes.map(Self.number) }
      }
      connection.send(.startUpdatingLocation, from: manager)
    }
    DispatchQueue.concurrentPerform(iterations: 2) { half in
      for index in 0..<500 { receiver.give(fix(half * 500 + index)) }
    }
    let first = heard[0].withLock { $0 }
    #expect(first == heard[1].withLock { $0 })
    #expect(first.sorted() == Array(0..<1_000))
    // Each thread's own fixes keep their order.
    #expect(first.filter { $0 < 500 } == Array(0..<500))
    #expect(first.filter { $0 >= 500 } == Array(500..<1_000))
  }

  @Test("lets a delivery call straight back in, and carries out what comes of it afterwards")
  func callsBackIn() {
    let host = host()
    let app = AppDescription(identifier: AppIdentifier("org.example.app"))
    let connection = HostConnection(host: host, app: app)
    host.handle(.appStateChanged(app.identifier, .foreground))
    let log = Locked<[String]>([])
    let own = Locked<ManagerIdentifier?>(nil)
    let manager = connection.addManager { event in
      switch event {
      case .locationsUpdated(let fixes, _):
        log.withLock { $0.append("fix \(Self.number(of: fixes[0])) begins") }
        let restarted = own.withLock { own -> ManagerIdentifier? in
          defer { own = nil }
          return own
        }
        if let manager = restarted {
          connection.send(.stopUpdatingLocation, from: manager)
          connection.send(.startUpdatingLocation, from: manager)
        }
        log.withLock { $0.append("fix ends") }
      default: break
      }
    }
    own.withLock { $0 = manager }
    connection.send(.startUpdatingLocation, from: manager)
    receiver.give(fix(1))
    // The restart gives the cached fix again, as an initial event (behaviour 2.5), after the callback that asked.
    #expect(log.withLock { $0 } == ["fix 1 begins", "fix ends", "fix 1 begins", "fix ends"])
  }

  @Test("tells nothing to a manager that was removed")
  func removedManager() {
    let host = host()
    let app = AppDescription(identifier: AppIdentifier("org.example.app"))
    let connection = HostConnection(host: host, app: app)
    host.handle(.appStateChanged(app.identifier, .foreground))
    let count = Locked(0)
    let manager = connection.addManager { event in
      if case .locationsUpdated = event { count.withLock { $0 += 1 } }
    }
    connection.send(.startUpdatingLocation, from: manager)
    receiver.give(fix(1))
    connection.removeManager(manager)
    receiver.give(fix(2))
    #expect(count.withLock { $0 } == 1)
  }
}

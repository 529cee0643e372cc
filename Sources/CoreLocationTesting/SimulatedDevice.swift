import CoreLocation
import LinuxIO
import LocationEngine
import LocationModel
import LocationProviders
import LocationRuntime

/// A device in a box: clock, receiver, person and one app, driven by a test.
///
/// The app runs inside `launch` or `run`, which bind it to the device: its `CLLocationManager()`, `CLMonitor`,
/// `liveUpdates` and sessions find the device, `Date()` is its time, and its callbacks come on the thread that moves
/// time. Nothing happens but by `advance`, `play`, and what the person does.
///
///     let device = SimulatedDevice(permission: .whenInUse)
///     let app = device.launch { _ in TripModel() }
///     device.play(Journey(from: home).walk(to: station))
///     try device.expect("The trip has ended") { app.hasArrived }
///
/// Of the same test the same things happen, to the byte, on every run. A device is driven by one test.
public final class SimulatedDevice: BoundDevice {
  package let host: SimulatedHost
  package let receiver: SimulatedReceiver
  let beaconReceiver: SimulatedBeaconReceiver
  let compass: SimulatedCompass
  package let notices: NoticeLog
  package let app: AppDescription
  /// The clock for app code that waits.
  public let clock: SimulatedClock
  let events: DeviceLog
  let simulatedLife: SimulatedLife
  /// Whether a task moves time.
  private let isMoving = Locked(false)
  /// How long the test waits, in real time, for a task to come back.
  package nonisolated(unsafe) var realSecondsToComeBack = 10.0
  /// How long for a task that goes on by itself, which may be waiting for something that is not the device's.
  package nonisolated(unsafe) var realSecondsForWoken = 1.0

  private static let quarterHourSeconds = 900.0

  /// 2026-06-01T08:00:00Z, unless a test says otherwise.
  package static let usualStart = WallTime(nanosecondsSince1970: 1_780_300_800_000_000_000)

  /// - Parameters:
  ///   - app: what the app declares.
  ///   - permission: what the person had decided before.
  ///   - place: where the device lies until a journey begins; nil is nowhere, so that nothing is found.
  ///   - start: the device's time of day at the beginning, of the years 1678 to 2261.
  ///   - noiseSeed: makes the receiver err as much as its accuracy says, and the signals of beacons fade; nil is a
  ///     satellite receiver that is exact. Wi-Fi and cell towers err without it, too, the same on every run.
  ///   - profile: which receivers it has, and what they cost.
  ///   - lastLocation: what the device remembers from before: the app gets it first, with its own time, and then what
  ///     is found (behaviour 2.4).
  ///   - relaunchesAfterForceQuit: whether an app that the person swiped away is started for events (behaviour 3.14).
  ///   - wakesWithoutMovement: whether the significant-change service tells the last location again after each quarter
  ///     of an hour without a change, and wakes or starts the app for it (behaviour 4.4).
  ///   - hearsSatellitesInAirplaneMode: whether airplane mode leaves satellites on, which send nothing; Wi-Fi and cell
  ///     towers are off in any case (behaviour 3.12).
  public convenience init(
    _ app: AppInfo = AppInfo(), permission: SimulatedPermission = .notDetermined,
    era: SimulatedEra = .iOS18, at place: CLLocationCoordinate2D? = nil, startingAt start: Date? = nil,
    noiseSeed: UInt64? = nil, profile: SimulatedProfile = .receiver, lastLocation: CLLocation? = nil,
    relaunchesAfterForceQuit: Bool = true, wakesWithoutMovement: Bool = false,
    hearsSatellitesInAirplaneMode: Bool = true
  ) {
    var policy = Policy(era: era.era)
    policy.relaunchesAfterForceQuit = relaunchesAfterForceQuit
    policy.significantChangeWakeSeconds = wakesWithoutMovement ? Self.quarterHourSeconds : 0
    policy.wiredReceiversInAirplaneMode = hearsSatellitesInAirplaneMode
    if let place { _ = TestMistake.refuseOffEarth(place, "the place of a device") }
    if let start { TestMistake.refuseBeyondClock(start: start) }
    self.init(
      app: app.description, policy: policy, grant: permission.grant, lastFix: lastLocation.flatMap(Fix.init),
      startingAt: start.map { WallTime(secondsSince1970: $0.timeIntervalSince1970) } ?? Self.usualStart,
      noiseSeed: noiseSeed, profile: profile.profile, launchesNow: false)
    if let place { begin(Journey(from: place)) }
  }

  /// - Parameters:
  ///   - app: what the app's Info.plist declares; `SimulatedDevice.describedApp` has the usage keys.
  ///   - grant: what the person decided before.
  ///   - lastFix: what the device remembers from before.
  ///   - main: what the app's process does first. With it the app is an installed one, and is not started yet.
  package init(
    app: AppDescription = SimulatedDevice.describedApp(), policy: Policy = Policy(),
    grant: Grant, lastFix: Fix? = nil, startingAt start: WallTime = SimulatedDevice.usualStart,
    noiseSeed: UInt64? = nil, profile: DeviceProfile = .receiver, launchesNow: Bool = true,
    main: (@Sendable () -> Void)? = nil
  ) {
    DeviceWallClock.install
    let clock = VirtualClock(wallStart: start)
    let receiver = SimulatedReceiver(clock: clock, profile: profile, noiseSeed: noiseSeed)
    let beaconReceiver = SimulatedBeaconReceiver(
      clock: clock, receiver: receiver, isThere: profile.hasBeaconReceiver, noiseSeed: noiseSeed)
    let compass = SimulatedCompass(clock: clock, receiver: receiver)
    let notices = NoticeLog()
    let events = DeviceLog()
    let life = SimulatedLife()
    self.app = app
    self.receiver = receiver
    self.beaconReceiver = beaconReceiver
    self.compass = compass
    self.notices = notices
    self.events = events
    simulatedLife = life
    host = SimulatedHost(
      clock: clock, provider: receiver, headingSensor: compass, beaconReceiver: beaconReceiver, motionSensor: receiver,
      policy: policy, profile: profile,
      store: MemoryStore(StoredAppState(grant: grant, lastFix: lastFix)),
      log: { line in
        notices.add(line)
        events.add("the developer reads: \(line)", at: clock.wallTime)
      },
      around: { body in DeviceBinding.$current.withValue(life.device, operation: body) },
      heard: { events.heard($0, at: clock.wallTime) },
      lives: { effect in if let words = effect.words { events.add(words, at: clock.wallTime) } },
      device: { life.device })
    host.person.onEvent { event in events.add(event.words, at: clock.wallTime) }
    let sleepers = SleepingTasks(clock, host.listeners)
    self.clock = SimulatedClock(sleepers)
    life.device = self
    if profile != .receiver { explainReceivers(in: events) }
    if let main { life.make = { _ in Main(main) } }
    if app.isInstalled || main != nil {
      life.installed = host.install(
        app, main: { [weak life] process in life?.begin(process) },
        suspensionChanged: { sleepers.setSuspended($0) },
        ended: { [weak life] in
          sleepers.endAll()
          life?.ended()
        })
    }
    if launchesNow, main == nil { launch() }
    DeviceBinding.register(self)
  }

  /// An app whose Info.plist has every usage key.
  package static func describedApp() -> AppDescription {
    var app = AppDescription(identifier: AppIdentifier("org.example.app"))
    app.whenInUseUsage = "Shows where you are."
    app.alwaysAndWhenInUseUsage = "Tells you when you arrive."
    return app
  }

  // MARK: BoundDevice

  /// Code that looks for the service before anybody has launched the app is the app's: the person has opened it.
  package var connection: any LocationConnection {
    if simulatedLife.connection == nil {
      // The app's process is at work already, before its turn to be started has come.
      if simulatedLife.installed != nil { simulatedLife.noteOpened() }
      launch()
    }
    return simulatedLife.connection ?? connected()
  }

  /// The installed app; nil where it is a plain process.
  package var installedApp: SimulatedApp? { simulatedLife.installed }

  package var life: ToldAppLife? { simulatedLife.installed?.process?.life }

  // MARK: The app's code

  /// Runs app code bound to this device.
  public func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    try DeviceBinding.$current.withValue(self, operation: body)
  }

  /// Runs app code bound to this device; tasks that it starts with `Task { }` are bound too.
  public func run<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await DeviceBinding.$current.withValue(self, operation: body)
  }

  /// False where a task moves time already.
  func beginsMoving() -> Bool {
    isMoving.withLock { isMoving in
      defer { isMoving = true }
      return !isMoving
    }
  }

  func endsMoving() { isMoving.withLock { $0 = false } }

  // MARK: The person

  public var person: SimulatedPerson { SimulatedPerson(device: self) }

  package func chooseInSettings(_ level: Grant.Level) {
    note("the person chooses \(level) in Settings")
    host.host.handle(.grantChanged(app.identifier, level))
  }

  package func setPrecise(_ isPrecise: Bool) {
    noteSwitched("Precise", on: isPrecise)
    host.host.handle(.preciseChanged(app.identifier, isPrecise))
  }

  package func setRestricted(_ isRestricted: Bool) {
    note("location is \(isRestricted ? "" : "no longer ")restricted for the app")
    host.host.handle(.restrictionChanged(app.identifier, isRestricted))
  }

  package func switchLocationServices(on isOn: Bool) {
    noteSwitched("Location Services", on: isOn)
    host.host.handle(.locationServicesSwitched(on: isOn))
  }

  func noteSwitched(_ name: String, on isOn: Bool) { note("the person switches \(name) \(isOn ? "on" : "off")") }

  /// What Settings shows of the app.
  package var grantInSettings: Grant {
    host.host.read { $0.grant(of: app.identifier) } ?? Grant()
  }
}

/// The object of an app that is a function.
private final class Main {
  init(_ main: () -> Void) { main() }
}

extension Fix {
  /// Nil for a location whose coordinate is invalid: there is none to remember.
  fileprivate init?(_ location: CLLocation) {
    guard location.horizontalAccuracy >= 0, CLLocationCoordinate2DIsValid(location.coordinate) else { return nil }
    func known(_ value: Double) -> Double? { value >= 0 ? value : nil }
    let hasHeights = location.verticalAccuracy > 0
    self.init(
      coordinate: Coordinate(location.coordinate), horizontalAccuracyMeters: location.horizontalAccuracy,
      time: WallTime(secondsSince1970: location.timestamp.timeIntervalSince1970),
      altitudeMeters: hasHeights ? location.altitude : nil,
      ellipsoidalAltitudeMeters: hasHeights ? location.ellipsoidalAltitude : nil,
      verticalAccuracyMeters: hasHeights ? location.verticalAccuracy : nil,
      speedMetersPerSecond: known(location.speed), speedAccuracyMetersPerSecond: known(location.speedAccuracy),
      courseDegrees: known(location.course), courseAccuracyDegrees: known(location.courseAccuracy),
      floor: location.floor?.level, isSimulated: true)
  }
}

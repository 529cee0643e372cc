import CoreLocation
import LocationEngine
import LocationModel
import LocationProviders
import LocationRuntime

/// A device in a box: clock, person, receivers and one app, driven by a test.
///
/// The app's code runs inside `run`, which binds it to the device: its `CLLocationManager()` finds the device, and its
/// callbacks come on the thread that moves time. Nothing happens but by `advance`, `settle` and what they carry out.
///
/// Internal to this package for now; a public form follows.
package final class SimulatedDevice: BoundDevice {
  package let host: SimulatedHost
  package let receiver: ScriptedReceiver
  package let notices: NoticeLog
  private let app: AppDescription
  private let running: Running

  /// 2026-06-01T08:00:00Z, unless a test says otherwise.
  package static let usualStart = WallTime(nanosecondsSince1970: 1_780_300_800_000_000_000)

  /// - Parameters:
  ///   - app: what the app's Info.plist declares; `SimulatedDevice.describedApp` has the usage keys.
  ///   - grant: what the person decided before.
  ///   - lastFix: what the device remembers from before.
  ///   - main: what the app's process does first. With it the app is an installed one: it is not started yet, and the
  ///     engine puts it in the background, suspends it, ends it and starts it again as a service would. Without it the
  ///     app is a plain process, which runs from the beginning and is moved by hand.
  package init(
    app: AppDescription = SimulatedDevice.describedApp(), policy: Policy = Policy(),
    grant: Grant = Grant(), lastFix: Fix? = nil, startingAt start: WallTime = SimulatedDevice.usualStart,
    main: (@Sendable () -> Void)? = nil
  ) {
    let receiver = ScriptedReceiver()
    let notices = NoticeLog()
    let binding = Running()
    self.app = app
    self.receiver = receiver
    self.notices = notices
    running = binding
    host = SimulatedHost(
      clock: VirtualClock(wallStart: start), provider: receiver, policy: policy,
      store: MemoryStore(StoredAppState(grant: grant, lastFix: lastFix)),
      log: { notices.add($0) },
      around: { body in DeviceBinding.$current.withValue(binding.device, operation: body) })
    running.device = self
    if let main {
      running.installed = host.install(app, main: { _ in main() })
    } else {
      launch()
    }
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

  package var connection: any LocationConnection {
    running.installed?.process?.connection ?? running.connection ?? launched()
  }

  package var life: ToldAppLife? { running.installed?.process?.life }

  /// The installed app; nil where it is a plain process.
  package var installedApp: SimulatedApp? { running.installed }

  // MARK: The app

  /// Runs app code bound to this device.
  package func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    try DeviceBinding.$current.withValue(self, operation: body)
  }

  package func run<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await DeviceBinding.$current.withValue(self, operation: body)
  }

  /// Starts the app's process, in the foreground.
  package func launch() {
    if let installed = running.installed { return installed.launch() }
    _ = launched()
    host.host.handle(.appStateChanged(app.identifier, .foreground))
  }

  private func launched() -> HostConnection {
    let connection = host.connect(app)
    running.connection = connection
    return connection
  }

  /// Ends the app's process; its managers are to be released by the test.
  package func terminate() {
    if let installed = running.installed { return installed.command(.terminate) }
    running.connection?.disconnect()
    running.connection = nil
  }

  package func moveToBackground() {
    if let installed = running.installed { return installed.command(.enterBackground) }
    host.host.handle(.appStateChanged(app.identifier, .background))
  }

  package func moveToForeground() {
    if let installed = running.installed { return installed.launch() }
    host.host.handle(.appStateChanged(app.identifier, .foreground))
  }

  package func suspend() {
    host.host.handle(.appStateChanged(app.identifier, .suspended))
  }

  // MARK: The person

  package var person: ScriptedPerson { host.person }

  package func chooseInSettings(_ level: Grant.Level) {
    host.host.handle(.grantChanged(app.identifier, level))
  }

  package func setPrecise(_ isPrecise: Bool) {
    host.host.handle(.preciseChanged(app.identifier, isPrecise))
  }

  package func setRestricted(_ isRestricted: Bool) {
    host.host.handle(.restrictionChanged(app.identifier, isRestricted))
  }

  package func switchLocationServices(on isOn: Bool) {
    host.host.handle(.locationServicesSwitched(on: isOn))
  }

  /// What Settings shows of the app.
  package var grantInSettings: Grant {
    host.host.read { $0.grant(of: app.identifier) } ?? Grant()
  }

  // MARK: Time

  package var seconds: Double {
    host.clock.now.seconds(since: .zero)
  }

  package func advance(bySeconds seconds: Double) {
    host.advance(bySeconds: seconds)
  }

  /// Moves time to so many seconds after the start.
  package func advance(toSecond second: Double) {
    host.advance(to: Instant.zero.advanced(bySeconds: second))
  }

  /// Hands over what waits; time stands still.
  package func settle() {
    host.settle()
  }

  // MARK: The receiver

  /// A fix measured now, or `ageSeconds` ago.
  package func fix(
    latitude: Double, longitude: Double, accuracyMeters: Double? = 5, ageSeconds: Double = 0
  ) -> Fix {
    Fix(
      coordinate: Coordinate(latitude: latitude, longitude: longitude),
      horizontalAccuracyMeters: accuracyMeters,
      time: host.clock.wallTime.advanced(bySeconds: -ageSeconds), isSimulated: true)
  }

  /// The receiver finds a place, if it is on; delivered at once.
  package func receive(latitude: Double, longitude: Double, accuracyMeters: Double? = 5) {
    receiver.give(fix(latitude: latitude, longitude: longitude, accuracyMeters: accuracyMeters))
    settle()
  }

  // MARK: The compass

  /// The device turns: its top edge points so many degrees from magnetic north; delivered at once. The device has a
  /// compass from the first such word on.
  package func point(magneticDegrees: Double, accuracyDegrees: Double? = 10) {
    let sample = HeadingSample(
      .magnetic(degrees: magneticDegrees), accuracyDegrees: accuracyDegrees, time: host.clock.wallTime)
    measure(sample)
  }

  /// The compass measures something; delivered at once.
  package func measure(_ sample: HeadingSample) {
    host.host.handle(.headingSampled(sample))
    settle()
  }

  /// Whether the device has a compass.
  package func setCompass(isThere: Bool) {
    host.host.handle(.headingAvailabilityChanged(isThere))
    settle()
  }

  // MARK: Bluetooth

  /// Whether the device has an adapter, and whether it is on.
  package func setBluetooth(_ radio: BeaconRadio) {
    host.host.handle(.beaconRadioChanged(radio))
    settle()
  }

  /// A packet of a beacon comes in; delivered at once.
  package func hear(
    _ uuid: UUID, major: UInt16, minor: UInt16, signalDecibels: Int, measuredPower: Int8 = -59
  ) {
    let constraint = BeaconConstraint(CLBeaconIdentityConstraint(uuid: uuid))
    let beacon = BeaconIdentity(
      uuidHigh: constraint.uuidHigh, uuidLow: constraint.uuidLow, major: major, minor: minor)
    host.host.handle(
      .beaconHeard(
        BeaconPacket(
          BeaconFrame(beacon, measuredPower: measuredPower), signalDecibels: signalDecibels,
          time: host.clock.wallTime)))
    settle()
  }

  /// The person looks at the device.
  package func turnDisplayOn() {
    host.host.handle(.displayTurnedOn)
    settle()
  }

  /// One fix a second, the first after a second: `place` tells where the device is at each second of the start's clock.
  package func receive(
    forSeconds count: Int,
    _ place: (Double) -> (latitude: Double, longitude: Double, accuracyMeters: Double)
  ) {
    for _ in 0..<count {
      advance(bySeconds: 1)
      let here = place(seconds)
      receive(latitude: here.latitude, longitude: here.longitude, accuracyMeters: here.accuracyMeters)
    }
  }
}

/// What changes with the app's process. Moved only by the thread that drives the device.
private final class Running: @unchecked Sendable {
  weak var device: SimulatedDevice?
  var connection: HostConnection?
  var installed: SimulatedApp?
}

extension SimulatedDevice {
  /// Another app of the device that may listen always and does, so that the receiver stays on. Ends with the returned
  /// object's life no earlier than the device's.
  package func connectListener(named name: String) -> any Sendable {
    let other = AppDescription(identifier: AppIdentifier(name))
    let connection = host.connect(other)
    host.host.handle(.grantChanged(other.identifier, .always))
    host.host.handle(.appStateChanged(other.identifier, .foreground))
    let manager = connection.addManager { _ in }
    connection.send(.startUpdatingLocation, from: manager)
    return connection
  }
}

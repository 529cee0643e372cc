import AppLifecycle
import CoreLocation
import CoreLocationTesting
import LocationEngine
import Testing

@MainActor
@Suite("seed 000: availability, starting, stopping, background, ten seconds, fifteen minutes, keys")
struct Seed000Tests {
  private func device(
    _ permission: SimulatedPermission = .whenInUse, _ change: (inout AppInfo) -> Void = { _ in }
  ) -> SimulatedDevice {
    var info = AppInfo(hasLocationBackgroundMode: true)
    change(&info)
    return SimulatedDevice(info, permission: permission, at: ProductTests.home)
  }

  // MARK: Availability

  @Test(
    "Switched off in Settings, services are off for who asks; who starts either service anyway has the person asked")
  func servicesOff() {
    for (service, begins) in [
      ("standard", { $0.startUpdatingLocation() }),
      ("significant changes", { $0.startMonitoringSignificantLocationChanges() }),
    ] as [(String, (CLLocationManager) -> Void)] {
      let device = device(.always)
      let probe = device.launch { Probe($0) }
      #expect(device.run { CLLocationManager.locationServicesEnabled() })
      device.person.switchesLocationServices(on: false)
      #expect(!device.run { CLLocationManager.locationServicesEnabled() })
      device.advance(by: .seconds(5))
      #expect(device.person.locationServicesAlerts.isEmpty, "to ask is no start (\(service))")
      device.run { begins(probe.manager) }
      device.advance(by: .seconds(5))
      #expect(device.person.locationServicesAlerts.count == 1, "\(service)")
      #expect(probe.locations.isEmpty && !device.isReceiverOn, "\(service)")
    }
  }

  @Test("Refused to one app, services are on, and that app hears that it is denied")
  func denied() {
    let device = device(.denied)
    let probe = device.launch { Probe($0) { $0.manager.startUpdatingLocation() } }
    device.advance(by: .seconds(5))
    #expect(device.run { CLLocationManager.locationServicesEnabled() })
    #expect(probe.failures == [.denied] && probe.locations.isEmpty)
  }

  // MARK: Starting and stopping

  @Test("An app that has not started a service asks nobody and switches nothing on")
  func notStarted() {
    let device = device(.notDetermined)
    let probe = device.launch { Probe($0) }
    device.advance(by: .seconds(60))
    #expect(device.person.questionCount == 0 && !device.isReceiverOn && probe.locations.isEmpty)
    #expect(device.receiverTime == .zero)
  }

  @Test("What was delivered last is at hand without waiting")
  func newest() {
    let device = device()
    let probe = device.launch { Probe($0) { $0.manager.startUpdatingLocation() } }
    device.advance(by: .seconds(5))
    #expect(probe.manager.location != nil && probe.manager.location === probe.locations.last)
    let other = device.run { CLLocationManager() }
    #expect(other.location?.timestamp == probe.locations.last?.timestamp)
  }

  @Test("After a stop nothing comes, and the receiver is off")
  func stopped() {
    let device = device()
    let probe = device.launch { Probe($0) { $0.manager.startUpdatingLocation() } }
    device.advance(by: .seconds(5))
    probe.manager.stopUpdatingLocation()
    device.advance(by: .seconds(60))
    #expect(probe.locations.count == 5 && !device.isReceiverOn)
  }

  @Test("An error in finding a location comes to the delegate's method for errors, and is not the end")
  func failure() {
    let device = device()
    device.reception = .none
    let probe = device.launch { Probe($0) { $0.manager.startUpdatingLocation() } }
    device.advance(by: .seconds(30))
    #expect(probe.failures == [.locationUnknown] && probe.locations.isEmpty)
    device.reception = .open
    device.advance(by: .seconds(90))
    #expect(!probe.locations.isEmpty)
  }

  @Test("A better location of the same place is another event, filter or not")
  func better() {
    let device = device()
    device.reception = .indoors
    let probe = device.launch { launch in
      Probe(launch) {
        $0.manager.distanceFilter = 500
        $0.manager.startUpdatingLocation()
      }
    }
    device.advance(by: .seconds(10))
    #expect(probe.locations.map(\.horizontalAccuracy) == [18])
    device.reception = .open
    device.advance(by: .seconds(10))
    #expect(probe.locations.map(\.horizontalAccuracy) == [18, 5])
  }

  @Test("The standard service is there on every device, whatever receivers it has")
  func everyDevice() {
    for (name, profile) in [
      ("receiver", SimulatedProfile.receiver), ("phone", .phone), ("tracker", .tracker), ("legacy2010", .legacy2010),
    ] {
      let device = SimulatedDevice(permission: .whenInUse, at: ProductTests.home, profile: profile)
      let probe = device.launch { Probe($0) { $0.manager.startUpdatingLocation() } }
      device.advance(by: .seconds(120))
      #expect(!probe.locations.isEmpty && probe.failures.isEmpty, "\(name)")
    }
  }

  @Test("Both services are heard by the same method of the delegate")
  func sameMethod() {
    for begins in [
      { $0.startUpdatingLocation() }, { $0.startMonitoringSignificantLocationChanges() },
    ] as [(CLLocationManager) -> Void] {
      let device = device(.always)
      let probe = device.launch { launch in Probe(launch) { begins($0.manager) } }
      device.advance(by: .seconds(120))
      #expect(!probe.locations.isEmpty && probe.failures.isEmpty)
    }
  }

  // MARK: Keys

  @Test("A request without its key is ignored: no question, no status, one line that names the key")
  func missingKey() {
    let device = device(.notDetermined) {
      $0.whenInUseUsage = nil
      $0.alwaysAndWhenInUseUsage = nil
    }
    let probe = device.launch { Probe($0) { $0.manager.requestWhenInUseAuthorization() } }
    device.advance(by: .seconds(60))
    #expect(device.person.questionCount == 0 && probe.manager.authorizationStatus == .notDetermined)
    #expect(device.log.count { $0.contains("NSLocationWhenInUseUsageDescription") } == 1)
  }

  @Test("The text of the key is what the person reads")
  func keyText() {
    let device = device(.notDetermined) { $0.whenInUseUsage = "To find the next stop." }
    device.launch { Probe($0) { $0.manager.requestWhenInUseAuthorization() } }
    device.advance(by: .seconds(1))
    #expect(device.person.openQuestions == ["To find the next stop."])
  }

  // MARK: Background

  @Test("With the mode, and the property set, the standard service goes on in the background; without, it does not")
  func backgroundMode() {
    for (allows, state) in [(true, SimulatedAppState.background), (false, .suspended)] {
      let device = device()
      let probe = device.launch { launch in
        Probe(launch) {
          $0.manager.allowsBackgroundLocationUpdates = allows
          $0.manager.startUpdatingLocation()
        }
      }
      device.advance(by: .seconds(10))
      device.moveToBackground()
      device.advance(by: .seconds(600))
      #expect(device.appState == state)
      #expect((probe.locations.count == 610) == allows)
    }
  }

  @Test("In the background updates that may pause do so when the device rests, which conserves power; others go on")
  func pauses() {
    func hour(pausing: Bool) -> SimulatedDevice {
      let device = device()
      device.launch { launch in
        Probe(launch) {
          #expect(CLLocationManager().pausesLocationUpdatesAutomatically, "unless it is switched off")
          $0.manager.pausesLocationUpdatesAutomatically = pausing
          $0.manager.allowsBackgroundLocationUpdates = true
          $0.manager.startUpdatingLocation()
        }
      }
      device.advance(by: .seconds(10))
      device.moveToBackground()
      device.advance(by: .seconds(590))
      #expect(device.appState == .background && device.isReceiverOn, "not before ten minutes of rest")
      device.advance(by: .seconds(3_000))
      return device
    }
    let (pausing, other) = (hour(pausing: true), hour(pausing: false))
    #expect(!pausing.isReceiverOn && pausing.appState == .suspended && other.isReceiverOn)
    #expect(pausing.log.contains { $0.contains("didPauseLocationUpdates") })
    // Ten minutes (policy pauseSeconds) from the first fix on, of an hour; the one search of both is in it.
    #expect(abs(pausing.receiverTime.components.seconds - 600) <= 5 && other.receiverTime == .seconds(3_600))
    #expect(pausing.energyJoules * 5 < other.energyJoules)
  }

  // MARK: Waking

  /// Ended, and started again for a significant change; `begin` is what the app does in its launch.
  private func startedAgain(_ begin: @escaping (Probe) -> Void) throws -> SimulatedDevice {
    let device = device(.always)
    device.launch { launch in Probe(launch, begin) }
    device.advance(by: .seconds(60))
    device.terminate()
    device.setOut(on: Journey(from: ProductTests.home).drive(to: ProductTests.farAway))
    try device.advance(within: .seconds(1_200), until: "the app was started") { device.eventLaunchCount == 1 }
    return device
  }

  @Test("Significant changes start an app that has ended, in the background, and it hears the pending one")
  func relaunched() throws {
    let device = try startedAgain { $0.manager.startMonitoringSignificantLocationChanges() }
    let probe = try #require(device.app(as: Probe.self))
    #expect(probe.launch.isForLocation && device.appState == .background)
    device.advance(by: .seconds(1))
    #expect(!probe.locations.isEmpty)
  }

  @Test("Started again, an app hears nothing before it has started the service anew")
  func restartsByHand() throws {
    let device = try startedAgain {
      if !$0.launch.isForLocation { $0.manager.startMonitoringSignificantLocationChanges() }
    }
    let probe = try #require(device.app(as: Probe.self))
    device.advance(by: .seconds(2))
    #expect(probe.locations.isEmpty)
    probe.manager.startMonitoringSignificantLocationChanges()
    device.advance(by: .seconds(2))
    #expect(!probe.locations.isEmpty)
  }

  @Test("It has about ten seconds, and is suspended then")
  func tenSeconds() throws {
    let device = try startedAgain { $0.manager.startMonitoringSignificantLocationChanges() }
    device.advance(by: .seconds(9))
    #expect(device.appState == .background)
    device.advance(by: .seconds(3))
    #expect(device.appState == .suspended)
  }

  @Test("A suspended app is woken for a change, and suspended again")
  func woken() throws {
    let device = device(.always)
    let probe = device.launch { Probe($0) { $0.manager.startMonitoringSignificantLocationChanges() } }
    device.advance(by: .seconds(60))
    device.moveToBackground()
    device.advance(by: .seconds(30))
    #expect(device.appState == .suspended)
    let before = probe.locations.count
    device.setOut(on: Journey(from: ProductTests.home).drive(to: ProductTests.farAway))
    try device.advance(within: .seconds(1_200), until: "it is woken") { probe.locations.count > before }
    #expect(device.appState == .background)
    device.advance(by: .seconds(12))
    #expect(device.appState == .suspended)
  }

  /// Off unless a test or a policy asks for it: Apple's engineers promise nothing of it (behaviour 4.4, docs/policy.md,
  /// `significantChangeWakeSeconds`), and an app that is woken for nothing costs what the service is there to spare.
  @Test("At least every fifteen minutes it is woken, or started, also where it has not moved, if the policy says so")
  func fifteenMinutes() throws {
    #expect(Policy().significantChangeWakeSeconds == 0)
    var policy = Policy()
    policy.significantChangeWakeSeconds = 900
    var app = SimulatedDevice.describedApp()
    app.isInstalled = true
    let device = SimulatedDevice(app: app, policy: policy, grant: Grant(level: .always), launchesNow: false)
    device.setOut(on: Journey(from: ProductTests.home))
    let probe = device.launch { Probe($0) { $0.manager.startMonitoringSignificantLocationChanges() } }
    device.advance(by: .seconds(60))
    device.moveToBackground()
    device.advance(by: .seconds(30))
    #expect(device.appState == .suspended)
    for _ in 0..<2 {
      let count = probe.locations.count
      try device.advance(within: .seconds(901), until: "it is woken") { probe.locations.count > count }
      #expect(device.appState == .background)
      device.advance(by: .seconds(12))
      #expect(device.appState == .suspended)
    }
    #expect(Set(probe.locations.map(\.coordinate.latitude)).count == 1, "the last location again")
    device.terminate()
    try device.advance(within: .seconds(901), until: "it is started") { device.eventLaunchCount == 1 }
    #expect(try #require(device.app(as: Probe.self)).launch.isForLocation)
  }

  @Test("Without that policy nobody is woken for nothing: of a day at one place only the first location is told")
  func notWokenForNothing() {
    let device = device(.always)
    let probe = device.launch { Probe($0) { $0.manager.startMonitoringSignificantLocationChanges() } }
    device.advance(by: .seconds(60))
    device.moveToBackground()
    device.advance(by: .seconds(86_400))
    #expect(probe.locations.count == 1 && device.appState == .suspended)
  }

  @Test("Significant is half a kilometre or more: a walk of 400 m wakes nobody, and a drive each time after 500 m")
  func halfKilometre() {
    let device = device(.always)
    let probe = device.launch { Probe($0) { $0.manager.startMonitoringSignificantLocationChanges() } }
    device.advance(by: .seconds(60))
    device.moveToBackground()
    device.advance(by: .seconds(30))
    let start = probe.locations.count
    let walk = Journey(from: ProductTests.home).move(meters: 400, courseDegrees: 0, metersPerSecond: 1.4)
    device.play(walk.stay(for: .seconds(1_800)))
    #expect(probe.locations.count == start && device.appState == .suspended)
    device.play(Journey(from: walk.end).drive(to: ProductTests.farAway).stay(for: .seconds(1_800)))
    #expect(probe.locations.count > start)
    for (location, next) in zip(probe.locations, probe.locations.dropFirst()) {
      #expect(next.distance(from: location) >= 500)
    }
  }

  @Test("It runs until the app stops it: then neither a drive nor a quarter of an hour wakes or starts anybody")
  func untilStopped() {
    let device = SimulatedDevice(
      AppInfo(hasLocationBackgroundMode: true), permission: .always, at: ProductTests.home, wakesWithoutMovement: true)
    let probe = device.launch { Probe($0) { $0.manager.startMonitoringSignificantLocationChanges() } }
    device.advance(by: .seconds(60))
    device.moveToBackground()
    device.advance(by: .seconds(1_800))
    let before = probe.locations.count
    #expect(before >= 3, "the first, and two quarters of an hour")
    probe.manager.stopMonitoringSignificantLocationChanges()
    device.play(Journey(from: ProductTests.home).stay(for: .seconds(3_600)).drive(to: ProductTests.farAway))
    #expect(probe.locations.count == before && device.appState == .suspended)
    device.terminate()
    device.play(Journey(from: ProductTests.farAway).drive(to: ProductTests.home))
    #expect(device.eventLaunchCount == 0)
  }

  @Test("With a background task it has longer; one that it does not end has it killed")
  func moreTime() throws {
    for endsTask in [true, false] {
      let device = device(.always)
      device.launchApplication { BackgroundWorker($0, endsTask: endsTask) }
      device.advance(by: .seconds(60))
      device.terminate()
      device.setOut(on: Journey(from: ProductTests.home).drive(to: ProductTests.farAway))
      try device.advance(within: .seconds(1_200), until: "the app was started") { device.eventLaunchCount == 1 }
      let worker = try #require(device.app(as: BackgroundWorker.self))
      #expect(worker.secondsAtLaunch == 10, "what it has is what it is told")
      let remaining = try #require(device.application).backgroundTimeRemaining
      #expect(remaining > 30 && remaining <= 40, "with the task 30 s more")
      device.advance(by: .seconds(25))
      #expect(device.appState == .background, "longer than ten seconds")
      device.advance(by: .seconds(30))
      #expect(device.appState == (endsTask ? .suspended : .notRunning))
      #expect(device.log.contains { $0.contains("did not end its background tasks digest") } == !endsTask)
    }
  }
}

/// Begins a background task whenever it is started for an event.
private final class BackgroundWorker: UIResponder, UIApplicationDelegate {
  private let probe: Probe
  private let endsTask: Bool
  private var task = UIBackgroundTaskIdentifier.invalid
  /// What it is told that it has before it begins its task; nil where a person opened it.
  private(set) var secondsAtLaunch: TimeInterval?

  init(_ launch: SimulatedLaunch, endsTask: Bool) {
    self.endsTask = endsTask
    probe = Probe(launch) { $0.manager.startMonitoringSignificantLocationChanges() }
    super.init()
  }

  required init() { preconditionFailure("made with its launch") }

  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    guard options?[.location] != nil else { return true }
    secondsAtLaunch = application.backgroundTimeRemaining
    task = application.beginBackgroundTask(withName: "digest") { [weak self] in
      if let self, endsTask { application.endBackgroundTask(task) }
    }
    return true
  }
}

import AppLifecycle
import CoreLocation
import CoreLocationTesting
import LinuxIO
import Testing

/// An app that is built on `UIApplication`, by the public names alone.
@MainActor
@Suite("An app delegate on a simulated device")
struct ApplicationTests {
  private final class Delegate: UIResponder, UIApplicationDelegate {
    private(set) var log: [String] = []
    let fence: Fence

    init(_ launch: SimulatedLaunch) {
      fence = Fence(launch)
      super.init()
    }

    required init() { preconditionFailure("made with its launch") }

    func application(
      _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
      log.append(options?[.location] == nil ? "launched" : "launched for location")
      return true
    }

    func applicationDidBecomeActive(_ application: UIApplication) { log.append("active") }
    func applicationDidEnterBackground(_ application: UIApplication) { log.append("background") }
    func applicationWillTerminate(_ application: UIApplication) { log.append("goodbye") }
  }

  private func device() -> SimulatedDevice {
    SimulatedDevice(AppInfo(hasLocationBackgroundMode: true), permission: .always, at: ProductTests.home)
  }

  @Test("It hears of its launch, of the background and of its end, and each launch has a new one")
  func life() throws {
    let device = device()
    let first = device.launchApplication { Delegate($0) }
    #expect(first.log == ["launched", "active"])
    #expect(device.application?.delegate === first && device.application?.applicationState == .active)
    device.advance(by: .seconds(30))
    device.moveToBackground()
    #expect(device.application?.applicationState == .background)
    device.moveToForeground()
    device.terminate()
    #expect(first.log == ["launched", "active", "background", "active", "goodbye"])
    #expect(device.application == nil)
    device.launchAgain()
    let second = try #require(device.app(as: Delegate.self))
    #expect(second !== first && second.log == ["launched", "active"])
  }

  @Test("Started for an event it has the location option, and is in the background (behaviour 4.5, 5.23)")
  func event() throws {
    let device = device()
    device.launchApplication { Delegate($0) }
    device.advance(by: .seconds(30))
    device.terminate()
    device.play(Journey(from: ProductTests.home).walk(to: ProductTests.station))
    let delegate = try #require(device.app(as: Delegate.self))
    #expect(delegate.log == ["launched for location"])
    #expect(delegate.fence.log.first == "exited home")
    #expect(device.application?.applicationState == .background)
  }

  @Test("Background App Refresh that the person switches is what the app reads (behaviour 3.11)")
  func refresh() {
    let device = device()
    device.launchApplication { Delegate($0) }
    #expect(device.application?.backgroundRefreshStatus == .available)
    device.person.switchesBackgroundRefresh(on: false)
    #expect(device.application?.backgroundRefreshStatus == .denied)
  }

  @Test(
    "Parental controls restrict Background App Refresh: off, not the person's to switch, and told like a change (3.11)")
  func restrictedRefresh() throws {
    let device = device()
    device.launchApplication { Delegate($0) }
    let application = try #require(device.application)
    let changes = Locked(0)
    let observation = NotificationCenter.default.addObserver(
      forName: UIApplication.backgroundRefreshStatusDidChangeNotification, object: application, queue: nil
    ) { _ in changes.withLock { $0 += 1 } }
    defer { NotificationCenter.default.removeObserver(observation) }
    device.person.restrictsBackgroundRefresh()
    #expect(application.backgroundRefreshStatus == .restricted && changes.withLock { $0 } == 1)
    device.person.switchesBackgroundRefresh(on: true)
    device.person.switchesBackgroundRefresh(on: true, ofAllApps: true)
    #expect(application.backgroundRefreshStatus == .restricted && changes.withLock { $0 } == 1)
    device.person.restrictsBackgroundRefresh(false)
    #expect(application.backgroundRefreshStatus == .available && changes.withLock { $0 } == 2)
    // What the person had switched off before is so afterwards.
    device.person.switchesBackgroundRefresh(on: false, ofAllApps: true)
    #expect(application.backgroundRefreshStatus == .denied && changes.withLock { $0 } == 3)
    device.person.restrictsBackgroundRefresh()
    #expect(application.backgroundRefreshStatus == .restricted && changes.withLock { $0 } == 4)
    device.person.restrictsBackgroundRefresh(false)
    #expect(application.backgroundRefreshStatus == .denied && changes.withLock { $0 } == 5)
  }

  @Test("While background refresh is restricted nothing starts the app, and who opens it anew reads it, too (3.11)")
  func restrictedRelaunch() {
    let device = device()
    device.launchApplication { Delegate($0) }
    device.advance(by: .seconds(30))
    device.person.restrictsBackgroundRefresh()
    device.terminate()
    device.play(Journey(from: ProductTests.home).walk(to: ProductTests.station))
    #expect(device.eventLaunchCount == 0)
    device.launchAgain()
    #expect(device.application?.backgroundRefreshStatus == .restricted)
  }

  @Test("An app that is opened while background refresh is off hears of no change (behaviour 3.11)")
  func launchWithoutRefresh() {
    let changes = Locked(0)
    // Nothing else runs on the main thread meanwhile, so that each is of this device's app.
    let observation = NotificationCenter.default.addObserver(
      forName: UIApplication.backgroundRefreshStatusDidChangeNotification, object: nil, queue: nil
    ) { _ in changes.withLock { $0 += 1 } }
    defer { NotificationCenter.default.removeObserver(observation) }
    let device = device()
    device.launchApplication { Delegate($0) }
    device.person.switchesBackgroundRefresh(on: false)
    #expect(changes.withLock { $0 } == 1)
    device.terminate()
    device.launchAgain()
    device.advance(by: .seconds(1))
    #expect(device.application?.backgroundRefreshStatus == .denied)
    #expect(changes.withLock { $0 } == 1)
  }

  @Test("While the app is suspended nobody who sleeps is woken; what was due is due when it goes on")
  func suspended() async throws {
    let device = device()
    let ticks = Locked<[Int64]>([])
    try await device.run {
      device.launchApplication { Delegate($0) }
      let ticking = Task {
        while (try? await device.clock.sleep(for: .seconds(4))) != nil {
          ticks.withLock { $0.append(device.elapsed.components.seconds) }
        }
      }
      try await device.listening(1)
      try await device.advance(by: .seconds(1))
      device.moveToBackground()
      try await device.advance(by: .seconds(100))
      #expect(device.appState == .suspended)
      #expect(ticks.withLock { $0 } == [4], "suspended five seconds after it left the foreground")
      device.moveToForeground()
      try await device.advance(by: .seconds(4))
      #expect(ticks.withLock { $0 } == [4, 101, 105])
      device.terminate()
      await ticking.value
      #expect(ticks.withLock { $0 }.count == 3, "its sleep ended with the process")
    }
  }

  @Test("The sleeps of a plain program end with it, too")
  func plainProgram() async throws {
    let device = SimulatedDevice(AppInfo(isInstalled: false), permission: .whenInUse, at: ProductTests.home)
    try await device.run {
      device.launch { _ in Trip() }
      let sleeping = Task { try await device.clock.sleep(for: .seconds(1_000)) }
      try await device.listening(1)
      device.terminate()
      await #expect(throws: CancellationError.self) { try await sleeping.value }
      try await device.advance(by: .seconds(2_000))
    }
  }
}

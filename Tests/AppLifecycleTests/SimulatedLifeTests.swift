import CoreLocation
import CoreLocationTesting
import LinuxIO
import LocationEngine
import Testing

@testable import AppLifecycle

@MainActor
@Suite("An installed app of a simulated device lives on the virtual clock as a real one does")
struct SimulatedLifeTests {
  /// What the app hears, over all of its starts.
  private final class Heard: Sendable {
    private let lines = Locked<[String]>([])
    /// Whoever is of the process that runs.
    let delegate = Locked<Delegate?>(nil)
    /// Begins a background task in the background, and never ends it.
    let holdsTask: Bool
    init(holdsTask: Bool) { self.holdsTask = holdsTask }
    func note(_ line: String) { lines.withLock { $0.append(line) } }
    /// What was noted since the last look.
    func take() -> [String] {
      lines.withLock { lines in
        defer { lines = [] }
        return lines
      }
    }
  }

  private final class Delegate: UIResponder, UIApplicationDelegate, @preconcurrency CLLocationManagerDelegate {
    var heard: Heard?
    private var manager: CLLocationManager?

    func application(
      _ application: UIApplication,
      didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
      heard?.note(options?[.location] == nil ? "launched" : "launched for location")
      let manager = CLLocationManager()
      manager.delegate = self
      let center = CLLocationCoordinate2D(latitude: 48, longitude: 11)
      manager.startMonitoring(for: CLCircularRegion(center: center, radius: 150, identifier: "home"))
      self.manager = manager
      return true
    }

    func applicationDidBecomeActive(_ application: UIApplication) { heard?.note("active") }
    func applicationWillTerminate(_ application: UIApplication) { heard?.note("goodbye") }
    func applicationDidEnterBackground(_ application: UIApplication) {
      heard?.note("background")
      guard heard?.holdsTask == true else { return }
      _ = application.beginBackgroundTask(withName: "upload") { [weak self] in
        self?.heard?.note("expired with \(Int(application.backgroundTimeRemaining)) s")
      }
    }

    func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) { heard?.note("entered") }
    func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) { heard?.note("exited") }
  }

  private func device(_ heard: Heard) -> SimulatedDevice {
    var app = SimulatedDevice.describedApp()
    app.hasLocationBackgroundMode = true
    return SimulatedDevice(app: app, grant: Grant(level: .always)) {
      MainActor.assumeIsolated {
        let delegate = Delegate()
        delegate.heard = heard
        heard.delegate.withLock { $0 = delegate }
        UIApplication.shared.delegate = delegate
        UIApplication.shared.finishLaunching()
      }
    }
  }

  /// So many seconds at a place so far north of the region's middle.
  private func stay(_ device: SimulatedDevice, seconds: Int, metersNorth: Double) {
    device.receive(forSeconds: seconds) { _ in (48 + metersNorth / 111_200, 11, 5) }
  }

  @Test("It is suspended, woken for a crossing, and suspended again (behaviour 3.6)")
  func wake() {
    let heard = Heard(holdsTask: false)
    let device = device(heard)
    device.launch()
    device.settle()
    #expect(heard.take() == ["launched", "active"])
    stay(device, seconds: 60, metersNorth: 1_000)
    device.moveToBackground()
    device.settle()
    #expect(heard.take() == ["background"])
    #expect(device.installedApp?.isSuspended == false)
    device.advance(bySeconds: 6)
    #expect(device.installedApp?.isSuspended == true)
    stay(device, seconds: 120, metersNorth: 0)
    #expect(heard.take() == ["entered"])
    device.advance(bySeconds: 20)
    #expect(device.installedApp?.isSuspended == true)
    device.moveToForeground()
    device.settle()
    #expect(heard.take() == ["active"])
  }

  @Test("Ended by the person, it is started in the background for a crossing, and hears it (behaviour 4.5, 5.23)")
  func start() {
    let heard = Heard(holdsTask: false)
    let device = device(heard)
    device.launch()
    stay(device, seconds: 60, metersNorth: 1_000)
    device.terminate()
    device.settle()
    #expect(heard.take() == ["launched", "active", "goodbye"])
    #expect(device.installedApp?.process == nil)
    stay(device, seconds: 120, metersNorth: 0)
    #expect(heard.take() == ["launched for location", "entered"])
    #expect(device.run { UIApplication.shared.applicationState } == .background)
  }

  @Test("A task that is never ended has its app killed without a word (behaviour 3.7, 3.10; seed 004)")
  func task() {
    let heard = Heard(holdsTask: true)
    let device = device(heard)
    device.launch()
    stay(device, seconds: 60, metersNorth: 1_000)
    _ = heard.take()
    device.moveToBackground()
    device.advance(bySeconds: 60)
    #expect(heard.take() == ["background", "expired with 0 s"])
    #expect(device.installedApp?.process == nil)
    #expect(device.notices.lines.contains { $0.contains("upload") })
  }

  @Test("Killed before its callback returns, it is started again for the same crossing")
  func crash() {
    let heard = Heard(holdsTask: false)
    let device = device(heard)
    device.launch()
    stay(device, seconds: 60, metersNorth: 1_000)
    device.terminate()
    device.settle()
    _ = heard.take()
    for _ in 0..<120 where device.installedApp?.process == nil {
      device.advance(bySeconds: 1)
      // Not settled: the process is there, and has done nothing yet.
      device.receiver.give(device.fix(latitude: 48, longitude: 11))
      device.host.host.handle(.timePassed)
      if device.installedApp?.process != nil { device.installedApp?.crash() }
    }
    stay(device, seconds: 30, metersNorth: 0)
    #expect(heard.take().suffix(2) == ["launched for location", "entered"])
  }
}

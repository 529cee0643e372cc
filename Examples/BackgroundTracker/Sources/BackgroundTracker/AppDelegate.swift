import AppLifecycle
import BackgroundTracking
import CoreLocation

/// Tracks from its launch to its end, and prints each location. With the argument `tasks`, or with
/// `CORELOCATION_EXAMPLE_KEEPER=tasks` for all its starts, it tracks as apps did before there were sessions.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
  private let model = LocationShareModel()
  private lazy var tracker = LocationTracker(model: model, keeper: keeper)

  private var keeper: any BackgroundKeeping {
    wantsTasks ? BackgroundTaskManager() : BackgroundSession()
  }

  private var wantsTasks: Bool {
    CommandLine.arguments.dropFirst().first == "tasks"
      || ProcessInfo.processInfo.environment["CORELOCATION_EXAMPLE_KEEPER"] == "tasks"
  }

  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    model.added = { location in
      let coordinate = location.coordinate
      say(
        String(
          format: "latitude %.5f, longitude %.5f within %.0f m", coordinate.latitude, coordinate.longitude,
          location.horizontalAccuracy))
    }
    // Started again in the background, it goes on as before: it was tracking whenever it ran.
    if options?[.location] != nil { track() }
    return true
  }

  func applicationDidBecomeActive(_ application: UIApplication) { track() }

  private func track() {
    switch tracker.start() {
    case .backgroundRefreshDenied: say("Background App Refresh is off for this app. It can be switched on in Settings.")
    case .backgroundRefreshRestricted: say("Background App Refresh is off, and cannot be switched on by you.")
    case nil: break
    }
  }

  func applicationDidEnterBackground(_ application: UIApplication) { say("In the background.") }

  func applicationWillTerminate(_ application: UIApplication) {
    tracker.stop()
    say("\(model.locations.count) locations.")
  }
}

/// Into a pipe, too, as soon as it is said.
private func say(_ line: String) {
  print(line)
  fflush(nil)
}

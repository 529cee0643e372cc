import AppLifecycle

final class AppDelegate: UIResponder, UIApplicationDelegate {
  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    let isForLocation = (launchOptions?[.location] as? NSNumber)?.boolValue ?? false
    say("launched for location: \(isForLocation)", application)
    return true
  }

  func applicationDidBecomeActive(_ application: UIApplication) { say("active", application) }
  func applicationDidEnterBackground(_ application: UIApplication) { say("background", application) }
  func applicationWillTerminate(_ application: UIApplication) { say("goodbye", application) }

  private func say(_ what: String, _ application: UIApplication) {
    let line = "\(what), state \(application.applicationState.rawValue), main thread: \(Thread.isMainThread)\n"
    // At once: who reads it waits for it.
    FileHandle.standardOutput.write(Data(line.utf8))
  }
}

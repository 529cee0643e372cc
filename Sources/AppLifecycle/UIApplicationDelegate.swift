/// What an app hears of its own life, on the main thread. Every method is optional.
@MainActor public protocol UIApplicationDelegate: NSObjectProtocol {
  func applicationDidFinishLaunching(_ application: UIApplication)

  func application(
    _ application: UIApplication,
    willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool

  /// `launchOptions` holds `.location`, the number true, where the app was started since something happened where the
  /// device went; it then runs in the background, and location services have to be started for what has happened to be
  /// delivered (seed 000).
  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool

  func applicationDidBecomeActive(_ application: UIApplication)
  func applicationWillResignActive(_ application: UIApplication)
  func applicationDidEnterBackground(_ application: UIApplication)
  func applicationWillEnterForeground(_ application: UIApplication)

  /// The last words: the process ends when this returns. Not heard by an app that is suspended when it is ended.
  func applicationWillTerminate(_ application: UIApplication)
}

extension UIApplicationDelegate {
  public func applicationDidFinishLaunching(_ application: UIApplication) {}

  public func application(
    _ application: UIApplication,
    willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool { true }

  /// As on iOS, the method without options is called where the one with options is not there.
  public func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    applicationDidFinishLaunching(application)
    return true
  }

  public func applicationDidBecomeActive(_ application: UIApplication) {}
  public func applicationWillResignActive(_ application: UIApplication) {}
  public func applicationDidEnterBackground(_ application: UIApplication) {}
  public func applicationWillEnterForeground(_ application: UIApplication) {}
  public func applicationWillTerminate(_ application: UIApplication) {}
}

extension UIApplicationDelegate where Self: UIResponder {
  /// What `@main` before a delegate's class runs. Does not return.
  public static func main() {
    UIApplicationMain(CommandLine.argc, CommandLine.unsafeArgv, nil, NSStringFromClass(Self.self))
  }
}

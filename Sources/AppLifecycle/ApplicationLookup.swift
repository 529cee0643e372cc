import LocationRuntime

/// The one place that finds the app that the running code belongs to.
@MainActor enum ApplicationLookup {
  private static var ofProcess: UIApplication?

  /// What decides about the life of this process.
  static var lifeOfProcess: any AppLifeConnection { PlainAppLife.ofProcess }

  static func application() -> UIApplication {
    if let ofProcess { return ofProcess }
    let application = UIApplication()
    ofProcess = application
    return application
  }

  /// The app that `UIApplicationMain` makes; nil where there is one already that is of another class.
  static func application(of type: UIApplication.Type) -> UIApplication? {
    if let ofProcess { return Swift.type(of: ofProcess) == type ? ofProcess : nil }
    let application = type.init()
    ofProcess = application
    return application
  }
}

import LocationRuntime

/// The one place that finds the app that the running code belongs to: that of the simulated device that it is bound to,
/// else the process's own.
@MainActor enum ApplicationLookup {
  private static var ofProcess: UIApplication?

  /// What decides about the life of the running code's app.
  static var life: any AppLifeConnection { simulatedLife ?? ProcessService.life }

  private static var simulatedLife: ToldAppLife? {
    if case .device(let device) = DeviceBinding.lookUp() { device.life } else { nil }
  }

  static func application() -> UIApplication {
    if let life = simulatedLife { return application(on: life) }
    if let ofProcess { return ofProcess }
    let application = UIApplication()
    ofProcess = application
    return application
  }

  /// Each start of an app on a simulated device is a process of its own.
  private static func application(on life: ToldAppLife) -> UIApplication {
    if let known = life.application.withLock({ $0 }) as? UIApplication { return known }
    let application = UIApplication(life: life)
    life.application.withLock { $0 = application }
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

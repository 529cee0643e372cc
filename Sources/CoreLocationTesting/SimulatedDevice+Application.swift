import AppLifecycle

extension SimulatedDevice {
  /// The person opens an app that is built on `UIApplication`: `make` makes its delegate, now and whenever the device
  /// starts it again. Use it on the main actor, and move time there, too.
  ///
  ///     let delegate = device.launchApplication { _ in AppDelegate() }
  ///     device.moveToBackground()
  ///
  /// Each start has a `UIApplication.shared` of its own, whose delegate hears of the launch, with `.location` among the
  /// options where the device started the app for an event, and of all that follows. The delegate lives as long as the
  /// process, and is what `app(as:)` gives. The app is an installed one: a plain program has no life to hear of.
  @MainActor @discardableResult
  public func launchApplication<Delegate: UIApplicationDelegate>(
    fileID: StaticString = #fileID, line: UInt = #line,
    delegate make: @escaping @MainActor (SimulatedLaunch) -> Delegate
  ) -> Delegate {
    if simulatedLife.installed == nil {
      TestMistake.end(
        "launchApplication(delegate:) takes an installed app: make the device with AppInfo(isInstalled: true)", fileID,
        line)
    }
    return launch(fileID: fileID, line: line) { launch -> Delegate in
      // Made on the main actor, and kept for it by the device.
      nonisolated(unsafe) var made: Delegate?
      MainActor.assumeIsolated {
        let delegate = make(launch)
        UIApplication.shared.delegate = delegate
        UIApplication.shared.finishLaunching()
        made = delegate
      }
      guard let made else { preconditionFailure("assumeIsolated runs what it is given") }
      return made
    }
  }

  /// The app that runs on the device; nil while it does not.
  @MainActor public var application: UIApplication? {
    guard life != nil else { return nil }
    return run { UIApplication.shared }
  }
}

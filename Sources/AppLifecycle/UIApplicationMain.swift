import Dispatch
import LocationRuntime

/// Makes the app and its delegate, launches it, and runs the main run loop. Does not return: a process ends when it is
/// told to (SIGTERM), after its delegate's last words, with exit status 0.
///
/// - Parameters:
///   - argc: how many arguments the program has. Both are taken as on iOS and not looked at.
///   - argv: the arguments.
///   - principalClassName: of a subclass of `UIApplication`; nil for `UIApplication`.
///   - delegateClassName: of the delegate, a subclass of `UIResponder`. Nil leaves the delegate that was set before.
@MainActor
@discardableResult
public func UIApplicationMain(
  _ argc: Int32, _ argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ principalClassName: String?,
  _ delegateClassName: String?
) -> Int32 {
  let type: UIApplication.Type = principalClassName.map { named($0, expected: "UIApplication") } ?? UIApplication.self
  guard let application = ApplicationLookup.application(of: type) else {
    endForMistake("UIApplication.shared was used before UIApplicationMain, which then cannot make a \(type)")
  }
  if let delegateClassName {
    let delegateType: UIResponder.Type = named(delegateClassName, expected: "UIResponder")
    guard let delegate = delegateType.init() as? any UIApplicationDelegate else {
      endForMistake("\(delegateClassName) is no UIApplicationDelegate")
    }
    MainLoop.delegate = delegate
    application.delegate = delegate
  }
  MainLoop.endOnTermination(application)
  // Whatever the main queue holds already, an app's events among it, comes after the launch.
  application.finishLaunching()
  while true { RunLoop.main.run() }
}

/// What lives as long as the process.
@MainActor private enum MainLoop {
  static var delegate: (any UIApplicationDelegate)?
  private static var termination: (any DispatchSourceSignal)?

  static func endOnTermination(_ application: UIApplication) {
    // Not the main queue, which has no turn yet: a signal that came before the source is registered would be nobody's.
    let source = DispatchSource.makeSignalSource(signal: SIGTERM, queue: DispatchQueue(label: "corelocation.end"))
    let registered = DispatchSemaphore(value: 0)
    source.setRegistrationHandler { @Sendable in registered.signal() }
    source.setEventHandler { @Sendable in
      DispatchQueue.main.async {
        MainActor.assumeIsolated { application.finish() }
        exit(EXIT_SUCCESS)
      }
    }
    source.activate()
    registered.wait()
    termination = source
  }
}

@MainActor private func named<Class: UIResponder>(_ name: String, expected: String) -> Class.Type {
  guard let type = NSClassFromString(name) as? Class.Type else {
    endForMistake(
      "there is no class \(name) that derives from \(expected); expected what NSStringFromClass gives, such as "
        + "\"Module.AppDelegate\"")
  }
  return type
}

/// Ends the program for a mistake in it, after a line that says which.
private func endForMistake(_ sentence: String) -> Never {
  InProcessService.log("UIApplicationMain: \(sentence).")
  preconditionFailure(sentence)
}

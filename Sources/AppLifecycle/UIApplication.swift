import LinuxIO
import LocationRuntime

/// The life-cycle part of an app: where it stands, who hears of it, and the work that it wants to finish.
///
/// All of it belongs to the main thread but beginning and ending background tasks, which may be done on any. A plain
/// process is active from its start to its end; an installed app stands where its service puts it (docs/app-life.md).
@MainActor open class UIApplication: UIResponder {
  /// The app that runs in this process, or on the simulated device of the running code.
  public class var shared: UIApplication { ApplicationLookup.application() }

  open weak var delegate: (any UIApplicationDelegate)?

  public private(set) var applicationState: State

  nonisolated let life: any AppLifeConnection
  private nonisolated let tasks: BackgroundTasks
  private var hasFinished = false

  /// As `UIApplicationMain` makes it. An app uses `shared`.
  public required convenience init() {
    self.init(life: ApplicationLookup.life)
  }

  package init(life: any AppLifeConnection) {
    self.life = life
    tasks = BackgroundTasks(life)
    applicationState = State(life.snapshot.life)
    super.init()
    // Events wait in the main queue for their turn, so that they come in order and never inside another's callback.
    let isOnDevice = life.delivery == .host
    life.connect { [weak self] event in
      // A simulated device keeps the order itself, and moves its time only when all was heard.
      if isOnDevice, Thread.isMainThread || MainQueue.isCurrent {
        return MainActor.assumeIsolated { self?.hear(event) }
      }
      DispatchQueue.main.async { MainActor.assumeIsolated { self?.hear(event) } }
    }
  }

  // MARK: Background tasks

  /// Asks not to be suspended until `endBackgroundTask(_:)`. `handler` is called on the main thread when the time is
  /// up; a task that is not ended then has the app killed (behaviour 3.7).
  ///
  /// A task beyond what the policy allows an app (`backgroundTasksPerAppMax`, docs/policy.md) keeps nothing running,
  /// and its handler is called at once.
  ///
  /// - Returns: `.invalid` where 1,000 tasks of this process are open: the task does not begin, and `handler` is never
  ///   called.
  nonisolated open func beginBackgroundTask(
    expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier {
    tasks.begin(named: nil, handler)
  }

  /// As `beginBackgroundTask(expirationHandler:)`; the name stands in the log.
  nonisolated open func beginBackgroundTask(
    withName taskName: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier {
    tasks.begin(named: taskName, handler)
  }

  nonisolated open func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
    tasks.end(identifier)
  }

  /// In seconds; the greatest number in the foreground (behaviour 3.8), and where nobody suspends the app.
  open var backgroundTimeRemaining: TimeInterval {
    guard applicationState == .background else { return .greatestFiniteMagnitude }
    return life.snapshot.backgroundSecondsRemaining ?? .greatestFiniteMagnitude
  }

  open var backgroundRefreshStatus: UIBackgroundRefreshStatus {
    switch life.readBackgroundRefresh() {
    case .restricted: .restricted
    case .denied: .denied
    case .available: .available
    }
  }

  // MARK: Settings

  /// Opens `openSettingsURLString`: the person's agent shows the app's entry. Without an agent, and for every other
  /// URL, nothing happens and `completion` hears false, on the main thread.
  open func open(
    _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:],
    completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
  ) {
    let answer: @Sendable (Bool) -> Void = { hasOpened in
      guard let completion else { return }
      DispatchQueue.main.async { MainActor.assumeIsolated { completion(hasOpened) } }
    }
    guard Self.isSettings(url) else { return answer(false) }
    life.openSettings(answer)
  }

  @discardableResult
  open func open(_ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:]) async -> Bool {
    await withCheckedContinuation { continuation in
      open(url, options: options) { continuation.resume(returning: $0) }
    }
  }

  /// Whether `open` knows what to do with a URL; that somebody is there to show it is known only then.
  open func canOpenURL(_ url: URL) -> Bool { Self.isSettings(url) }

  private static func isSettings(_ url: URL) -> Bool { url.absoluteString == openSettingsURLString }

  // MARK: Life

  /// Launches the app: its delegate hears of it before anything else, and that it is active last.
  package func finishLaunching() {
    let isInBackground = life.snapshot.life == .background
    applicationState = isInBackground ? .background : .inactive
    let options: [LaunchOptionsKey: Any]? =
      life.launchReason == .location ? [.location: NSNumber(value: true)] : nil
    // The answers say whether the app handles a URL that it was launched for, of which there is none.
    _ = delegate?.application(self, willFinishLaunchingWithOptions: options)
    _ = delegate?.application(self, didFinishLaunchingWithOptions: options)
    post(
      Self.didFinishLaunchingNotification,
      options.map { Dictionary(uniqueKeysWithValues: $0.map { ($0.key.rawValue as AnyHashable, $0.value) }) })
    if isInBackground { life.settled(.background) } else { move(to: life.snapshot.life) }
  }

  /// The last words.
  func finish() {
    guard !hasFinished else { return }
    hasFinished = true
    delegate?.applicationWillTerminate(self)
    post(Self.willTerminateNotification)
  }

  private func hear(_ event: AppLifeEvent) {
    switch event {
    case .lifeChanged(let life): move(to: life)
    case .taskExpired(let number): tasks.expire(number)
    case .backgroundRefreshChanged: post(Self.backgroundRefreshStatusDidChangeNotification)
    case .terminating: finish()
    }
  }

  /// Through every state that lies between, as on iOS: nothing becomes active out of the background at once.
  private func move(to life: AppLife) {
    let target = State(life)
    if applicationState == .active && target != .active {
      delegate?.applicationWillResignActive(self)
      post(Self.willResignActiveNotification)
      applicationState = .inactive
    }
    if applicationState != .background && target == .background {
      applicationState = .background
      delegate?.applicationDidEnterBackground(self)
      post(Self.didEnterBackgroundNotification)
    }
    if applicationState == .background && target != .background {
      delegate?.applicationWillEnterForeground(self)
      post(Self.willEnterForegroundNotification)
      applicationState = .inactive
    }
    if applicationState != .active && target == .active {
      applicationState = .active
      delegate?.applicationDidBecomeActive(self)
      post(Self.didBecomeActiveNotification)
    }
    self.life.settled(life)
  }

  private func post(_ name: Notification.Name, _ information: [AnyHashable: Any]? = nil) {
    NotificationCenter.default.post(name: name, object: self, userInfo: information)
  }
}

extension UIApplication.State {
  init(_ life: AppLife) {
    switch life {
    case .active: self = .active
    case .inactive: self = .inactive
    case .background: self = .background
    }
  }
}

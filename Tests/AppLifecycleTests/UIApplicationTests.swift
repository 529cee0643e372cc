import LocationRuntime
import Testing

@testable import AppLifecycle

@MainActor
@Suite("An app hears of its life as on iOS")
struct UIApplicationTests {
  /// Writes down what it hears and the state in which it does.
  final class Delegate: UIResponder, UIApplicationDelegate {
    var heard: [String] = []
    var task = UIBackgroundTaskIdentifier.invalid
    private func note(_ what: String, _ application: UIApplication) {
      heard.append("\(what) in \(application.applicationState)")
    }

    func application(
      _ application: UIApplication,
      didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
      note("launched \((launchOptions?[.location] as? NSNumber)?.stringValue ?? "without options")", application)
      return true
    }
    func applicationDidBecomeActive(_ application: UIApplication) { note("didBecomeActive", application) }
    func applicationWillResignActive(_ application: UIApplication) { note("willResignActive", application) }
    func applicationDidEnterBackground(_ application: UIApplication) { note("didEnterBackground", application) }
    func applicationWillEnterForeground(_ application: UIApplication) { note("willEnterForeground", application) }
    func applicationWillTerminate(_ application: UIApplication) { note("willTerminate", application) }
  }

  /// Has the one method that old apps have.
  final class OldDelegate: UIResponder, UIApplicationDelegate {
    var hasLaunched = false
    func applicationDidFinishLaunching(_ application: UIApplication) { hasLaunched = true }
  }

  /// The life-cycle notifications of one app, in order.
  final class Notifications {
    private(set) var names: [String] = []
    private(set) var launchOptions: [AnyHashable: Any]?
    private var observers: [any NSObjectProtocol] = []

    @MainActor init(of application: UIApplication) {
      for name in [
        UIApplication.didFinishLaunchingNotification, UIApplication.didBecomeActiveNotification,
        UIApplication.willResignActiveNotification, UIApplication.didEnterBackgroundNotification,
        UIApplication.willEnterForegroundNotification, UIApplication.willTerminateNotification,
        UIApplication.backgroundRefreshStatusDidChangeNotification,
      ] {
        nonisolated(unsafe) let own = self
        observers.append(
          NotificationCenter.default.addObserver(forName: name, object: application, queue: nil) { notification in
            own.names.append(notification.name.rawValue)
            if let options = notification.userInfo { own.launchOptions = options }
          })
      }
    }
  }

  private func make(_ life: ScriptedLife) -> (UIApplication, Delegate) {
    let application = UIApplication(life: life)
    let delegate = Delegate()
    application.delegate = delegate
    return (application, delegate)
  }

  @Test("A launch by a person has no options and ends in use")
  func launch() {
    let life = ScriptedLife(.active)
    let (application, delegate) = make(life)
    let notifications = Notifications(of: application)
    application.finishLaunching()
    #expect(delegate.heard == ["launched without options in inactive", "didBecomeActive in active"])
    #expect(
      notifications.names == [
        "UIApplicationDidFinishLaunchingNotification", "UIApplicationDidBecomeActiveNotification",
      ])
    #expect(notifications.launchOptions == nil)
    #expect(life.heard == ["settled active"])
  }

  @Test("A launch for a location event is in the background and says so in its options (seed 000, behaviour 3.6)")
  func launchForLocation() {
    let life = ScriptedLife(.background, launchReason: .location)
    let (application, delegate) = make(life)
    let notifications = Notifications(of: application)
    application.finishLaunching()
    #expect(delegate.heard == ["launched 1 in background"])
    #expect(notifications.names == ["UIApplicationDidFinishLaunchingNotification"])
    let option = notifications.launchOptions?[UIApplication.LaunchOptionsKey.location.rawValue] as? NSNumber
    #expect(option == NSNumber(value: true))
    #expect(life.heard == ["settled background"])
  }

  @Test("An app passes through every state between; its answer comes after its callbacks")
  func moves() async {
    let life = ScriptedLife(.active)
    let (application, delegate) = make(life)
    application.finishLaunching()
    delegate.heard = []
    let notifications = Notifications(of: application)
    await life.become(.background)
    await life.become(.active)
    await life.become(.inactive)
    await life.become(.active)
    await life.become(.active)
    #expect(
      delegate.heard == [
        "willResignActive in active", "didEnterBackground in background", "willEnterForeground in background",
        "didBecomeActive in active", "willResignActive in active", "didBecomeActive in active",
      ])
    #expect(
      notifications.names == [
        "UIApplicationWillResignActiveNotification", "UIApplicationDidEnterBackgroundNotification",
        "UIApplicationWillEnterForegroundNotification", "UIApplicationDidBecomeActiveNotification",
        "UIApplicationWillResignActiveNotification", "UIApplicationDidBecomeActiveNotification",
      ])
    #expect(
      life.heard == [
        "settled active", "settled background", "settled active", "settled inactive", "settled active",
        "settled active",
      ])
  }

  @Test("The last words are heard once")
  func lastWords() async {
    let life = ScriptedLife(.active)
    let (application, delegate) = make(life)
    await life.tell(.terminating)
    application.finish()
    #expect(delegate.heard == ["willTerminate in active"])
  }

  @Test("An app with the method without options hears of its launch by it")
  func oldDelegate() {
    let application = UIApplication(life: ScriptedLife(.active))
    let delegate = OldDelegate()
    application.delegate = delegate
    application.finishLaunching()
    #expect(delegate.hasLaunched)
  }

  @Test("The time that remains has no end in the foreground (behaviour 3.8)")
  func timeRemaining() async {
    let life = ScriptedLife(.active)
    let (application, _) = make(life)
    await life.become(.active, secondsRemaining: 9)
    #expect(application.backgroundTimeRemaining == Double.greatestFiniteMagnitude)
    await life.become(.background, secondsRemaining: 9)
    #expect(application.backgroundTimeRemaining == 9)
    await life.become(.background)
    #expect(application.backgroundTimeRemaining == Double.greatestFiniteMagnitude)
  }

  @Test("Background refresh is read anew, and a change is told (behaviour 3.11)")
  func backgroundRefresh() async {
    let life = ScriptedLife(.active)
    let (application, _) = make(life)
    let notifications = Notifications(of: application)
    #expect(application.backgroundRefreshStatus == .available)
    for (refresh, status) in [(BackgroundRefresh.denied, UIBackgroundRefreshStatus.denied), (.restricted, .restricted)]
    {
      await life.setBackgroundRefresh(refresh)
      #expect(application.backgroundRefreshStatus == status)
    }
    #expect(
      notifications.names == Array(repeating: "UIApplicationBackgroundRefreshStatusDidChangeNotification", count: 2))
  }

  // MARK: Background tasks

  @Test("A task begins and ends once; each has a number of its own (behaviour 3.7)")
  func tasks() {
    let life = ScriptedLife(.active)
    let (application, _) = make(life)
    let first = application.beginBackgroundTask(withName: "upload") {}
    let second = application.beginBackgroundTask()
    #expect(first != second && first != .invalid && second != .invalid)
    application.endBackgroundTask(first)
    application.endBackgroundTask(first)
    application.endBackgroundTask(.invalid)
    application.endBackgroundTask(UIBackgroundTaskIdentifier(rawValue: -5))
    application.endBackgroundTask(UIBackgroundTaskIdentifier(rawValue: 99))
    application.endBackgroundTask(second)
    #expect(life.heard == ["begin 1 upload", "begin 2 -", "end 1", "end 2"])
  }

  @Test("The handler is called once when the time is up, and ends the task from inside")
  func expiration() async {
    let life = ScriptedLife(.background)
    let (application, delegate) = make(life)
    delegate.task = application.beginBackgroundTask {
      delegate.heard.append("expired")
      application.endBackgroundTask(delegate.task)
    }
    await life.tell(.taskExpired(1))
    await life.tell(.taskExpired(1))
    await life.tell(.taskExpired(7))
    #expect(delegate.heard == ["expired"])
    #expect(life.heard == ["begin 1 -", "end 1"])
  }

  @Test("A task that may not begin is invalid, and its end says nothing")
  func refusedTask() {
    let life = ScriptedLife(.background)
    life.refuseTasks()
    let (application, _) = make(life)
    let task = application.beginBackgroundTask()
    #expect(task == .invalid)
    application.endBackgroundTask(task)
    #expect(life.heard == ["begin 1 -"])
  }

  @Test("Tasks may begin and end on any thread")
  func threads() async {
    let life = ScriptedLife(.background)
    let (application, _) = make(life)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask { application.endBackgroundTask(application.beginBackgroundTask()) }
      }
    }
    #expect(life.heard.filter { $0.hasPrefix("begin") }.count == 50)
    #expect(Set(life.heard).count == 100)
  }

  // MARK: Settings

  @Test("Settings open where an agent is there to show them, and nothing else opens (seed 001)")
  func settings() async throws {
    let life = ScriptedLife(.active)
    let (application, _) = make(life)
    let settings = try #require(URL(string: UIApplication.openSettingsURLString))
    #expect(application.canOpenURL(settings))
    #expect(await application.open(settings) == false)
    life.addAgent()
    #expect(await application.open(settings))
    let page = try #require(URL(string: "https://example.org/"))
    #expect(!application.canOpenURL(page))
    #expect(await application.open(page) == false)
    let answer = await withCheckedContinuation { continuation in
      application.open(settings, options: [.universalLinksOnly: false]) { continuation.resume(returning: $0) }
    }
    #expect(answer)
  }

  // MARK: A plain process

  @Test("A plain process is active, runs its tasks and has time without end")
  func plain() async throws {
    let application = UIApplication.shared
    #expect(application === UIApplication.shared)
    #expect(application.applicationState == .active)
    #expect(application.backgroundRefreshStatus == .available)
    #expect(application.backgroundTimeRemaining == Double.greatestFiniteMagnitude)
    let task = application.beginBackgroundTask(expirationHandler: nil)
    #expect(task != .invalid)
    application.endBackgroundTask(task)
    #expect(await application.open(try #require(URL(string: UIApplication.openSettingsURLString))) == false)
  }
}

import AppLifecycle
import CoreLocation
import CoreLocationTesting
import LocationProviders
import LocationRuntime

// The tracker of seed 004, written after its words: the same three objects with the same names for what they hold, so
// that what the seed says of each can be looked at. Examples/BackgroundTracker is the tracker as it is written today.

/// `NSTimer` on the device's clock; nothing fires while the app is suspended.
@MainActor
final class SeedTimer {
  private let alarm: any Alarm

  init(_ device: SimulatedDevice, seconds: Double, fire: @escaping @MainActor @Sendable () -> Void) {
    alarm = device.host.clock.makeAlarm { [weak device] in
      MainActor.assumeIsolated {
        guard let device, device.appState != .suspended else { return }
        device.run(fire)
      }
    }
    alarm.set(device.host.clock.now.advanced(bySeconds: seconds))
  }

  func invalidate() { alarm.set(nil) }
}

/// "Is a singleton and implements the starting and ending behavior of the background tasks": two variables that keep
/// track of them, and four methods.
@MainActor
final class SeedBackgroundTaskManager {
  fileprivate(set) static var sharedBackgroundTaskManager = SeedBackgroundTaskManager()

  private(set) var masterTaskId = UIBackgroundTaskIdentifier.invalid
  private(set) var bgTaskIdList: [UIBackgroundTaskIdentifier] = []
  /// What an expiration handler ends is known only after it was given.
  @MainActor private final class Begun {
    var task = UIBackgroundTaskIdentifier.invalid
  }

  /// Of all tasks that expired.
  private(set) var expiredCount = 0

  @discardableResult
  func beginNewBackgroundTask() -> UIBackgroundTaskIdentifier {
    let begun = Begun()
    begun.task = UIApplication.shared.beginBackgroundTask { [weak self] in self?.expired(begun.task) }
    let task = begun.task
    if masterTaskId == .invalid {
      masterTaskId = task
    } else {
      bgTaskIdList.append(task)
      endBackgroundTasks()
    }
    return task
  }

  func endBackgroundTasks() { drainBGTaskList(all: false) }
  func endAllBackgroundTasks() { drainBGTaskList(all: true) }

  /// The newest of the list stays open, and so does the master, unless all are to go.
  private func drainBGTaskList(all: Bool) {
    while bgTaskIdList.count > (all ? 0 : 1) {
      UIApplication.shared.endBackgroundTask(bgTaskIdList.removeFirst())
    }
    guard all, masterTaskId != .invalid else { return }
    UIApplication.shared.endBackgroundTask(masterTaskId)
    masterTaskId = .invalid
  }

  private func expired(_ task: UIBackgroundTaskIdentifier) {
    expiredCount += 1
    bgTaskIdList.removeAll { $0 == task }
    if masterTaskId == task { masterTaskId = .invalid }
    UIApplication.shared.endBackgroundTask(task)
  }
}

/// "Is a singleton and has four global variables: two timers, backgroundTaskManager object and array of the locations".
@MainActor
final class SeedShareModel {
  private(set) static var sharedModel = SeedShareModel()

  /// All singletons are made anew for each test's app, as for each process.
  static func beginProcess(on device: SimulatedDevice) {
    SeedBackgroundTaskManager.sharedBackgroundTaskManager = SeedBackgroundTaskManager()
    sharedModel = SeedShareModel()
    SeedLocationTracker.sharedTracker = SeedLocationTracker(on: device)
  }

  var timer: SeedTimer?
  var delay10Seconds: SeedTimer?
  let bgTask = SeedBackgroundTaskManager.sharedBackgroundTaskManager
  var myLocationArray: [CLLocation] = []
}

/// "Implements the Core Location Manager delegate, takes on itself to get notified when the app enters the background
/// and links between the background tasks and the location updates."
@MainActor
final class SeedLocationTracker: NSObject, @preconcurrency CLLocationManagerDelegate {
  /// Nil before the first process began.
  fileprivate(set) static var sharedTracker: SeedLocationTracker!

  /// Why it does not start.
  enum Refusal { case servicesOff, denied, backgroundRefresh }

  private let manager = CLLocationManager()
  private unowned let device: SimulatedDevice
  private var observation: (any NSObjectProtocol)?
  private(set) var entryCount = 0

  private var model: SeedShareModel { .sharedModel }

  fileprivate init(on device: SimulatedDevice) {
    self.device = device
    super.init()
    manager.delegate = self
    manager.desiredAccuracy = kCLLocationAccuracyBestForNavigation
    manager.distanceFilter = kCLDistanceFilterNone
    manager.pausesLocationUpdatesAutomatically = false
    manager.allowsBackgroundLocationUpdates = true
    observation = NotificationCenter.default.addObserver(
      forName: UIApplication.didEnterBackgroundNotification, object: UIApplication.shared, queue: nil
    ) { [weak self] _ in
      MainActor.assumeIsolated { self?.applicationEnterBackground() }
    }
  }

  /// Availability and background authorization first.
  @discardableResult
  func startLocationTracking() -> Refusal? {
    if UIApplication.shared.backgroundRefreshStatus != .available { return .backgroundRefresh }
    if !CLLocationManager.locationServicesEnabled() { return .servicesOff }
    if manager.authorizationStatus == .denied || manager.authorizationStatus == .restricted { return .denied }
    if manager.authorizationStatus == .notDetermined { manager.requestAlwaysAuthorization() }
    manager.startUpdatingLocation()
    return nil
  }

  func stopLocationTracking() {
    model.timer?.invalidate()
    model.timer = nil
    model.delay10Seconds?.invalidate()
    model.delay10Seconds = nil
    manager.stopUpdatingLocation()
    model.bgTask.endAllBackgroundTasks()
  }

  private func applicationEnterBackground() {
    entryCount += 1
    manager.startUpdatingLocation()
    model.bgTask.beginNewBackgroundTask()
  }

  private func restartLocationUpdates() {
    model.timer?.invalidate()
    model.timer = nil
    manager.startUpdatingLocation()
  }

  private func stopLocationDelayBy10Seconds() { manager.stopUpdatingLocation() }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    model.myLocationArray += locations
    // While the timer is there, the next restart is on its way.
    guard model.timer == nil else { return }
    model.bgTask.beginNewBackgroundTask()
    model.timer = SeedTimer(device, seconds: 60) { [weak self] in self?.restartLocationUpdates() }
    model.delay10Seconds?.invalidate()
    model.delay10Seconds = SeedTimer(device, seconds: 10) { [weak self] in self?.stopLocationDelayBy10Seconds() }
  }
}

/// The app around it.
final class SeedTrackerDelegate: UIResponder, UIApplicationDelegate {
  let tracker: SeedLocationTracker

  init(on device: SimulatedDevice) {
    SeedShareModel.beginProcess(on: device)
    tracker = SeedLocationTracker.sharedTracker
    super.init()
  }

  required init() { preconditionFailure("made with its device") }
}

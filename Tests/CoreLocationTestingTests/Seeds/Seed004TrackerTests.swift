import AppLifecycle
import CoreLocation
import CoreLocationTesting
import Testing

/// What seed 004 says of the objects of its tracker. The days of a tracker as it is written today, and what they cost,
/// are tested with Examples/BackgroundTracker.
@MainActor
@Suite("seed 004: its background tracker, object by object", .serialized)
struct Seed004TrackerTests {
  @MainActor
  private struct App {
    let device: SimulatedDevice
    let tracker: SeedLocationTracker
    var model: SeedShareModel { .sharedModel }
  }

  private func app(era: SimulatedEra = .iOS8, _ permission: SimulatedPermission = .always) -> App {
    var info = AppInfo(hasLocationBackgroundMode: true)
    info.alwaysUsage = "Follows you."
    let device = SimulatedDevice(info, permission: permission, era: era, at: ProductTests.home)
    let delegate = device.launchApplication { [unowned device] _ in SeedTrackerDelegate(on: device) }
    return App(device: device, tracker: delegate.tracker)
  }

  /// In the background since second 20, tracking since second 0.
  private func tracking(era: SimulatedEra = .iOS8) -> App {
    let app = app(era: era)
    _ = app.device.run { app.tracker.startLocationTracking() }
    app.device.advance(by: .seconds(20))
    app.device.moveToBackground()
    return app
  }

  // MARK: Singletons

  @Test("Tracker, task manager and model are singletons: whoever asks in the app's process has the same (seed 004)")
  func singletons() {
    let first = app()
    #expect(SeedLocationTracker.sharedTracker === first.tracker && SeedShareModel.sharedModel === first.model)
    #expect(SeedBackgroundTaskManager.sharedBackgroundTaskManager === first.model.bgTask)
    first.device.run { _ = SeedBackgroundTaskManager.sharedBackgroundTaskManager.beginNewBackgroundTask() }
    #expect(first.model.bgTask.masterTaskId != .invalid)
    let (tracker, tasks) = (first.tracker, first.model.bgTask)
    let next = app()
    #expect(next.tracker !== tracker && next.model.bgTask !== tasks, "another process has its own")
    #expect(next.model.bgTask.masterTaskId == .invalid)
  }

  // MARK: LocationTracker

  @Test("The notification that the app enters the background starts updates and begins the first task (seed 004)")
  func entersBackground() {
    let app = app()
    app.device.advance(by: .seconds(5))
    #expect(app.tracker.entryCount == 0 && !app.device.isReceiverOn && app.model.bgTask.masterTaskId == .invalid)
    app.device.moveToBackground()
    #expect(app.tracker.entryCount == 1 && app.device.isReceiverOn)
    #expect(app.model.bgTask.masterTaskId != .invalid && app.model.bgTask.bgTaskIdList.isEmpty)
    app.device.advance(by: .seconds(5))
    #expect(!app.model.myLocationArray.isEmpty)
  }

  @Test("It looks for background refresh, the services and the permission before it starts anything (seed 004)")
  func looksFirst() {
    let app = app()
    app.device.person.switchesBackgroundRefresh(on: false)
    #expect(app.device.run { app.tracker.startLocationTracking() } == .backgroundRefresh)
    app.device.person.switchesBackgroundRefresh(on: true)
    app.device.person.restrictsBackgroundRefresh()
    #expect(app.device.run { app.tracker.startLocationTracking() } == .backgroundRefresh)
    app.device.person.restrictsBackgroundRefresh(false)
    app.device.person.switchesLocationServices(on: false)
    #expect(app.device.run { app.tracker.startLocationTracking() } == .servicesOff)
    app.device.person.switchesLocationServices(on: true)
    app.device.person.chooses(.denied)
    #expect(app.device.run { app.tracker.startLocationTracking() } == .denied)
    #expect(!app.device.isReceiverOn && app.device.person.locationServicesAlerts.isEmpty)
    app.device.person.chooses(.always)
    #expect(app.device.run { app.tracker.startLocationTracking() } == nil)
    #expect(app.device.isReceiverOn)
  }

  @Test("Stopped by the person who has come back, no timer fires, the receiver is off and no task is open (seed 004)")
  func stops() {
    let app = tracking()
    app.device.advance(by: .seconds(130))
    app.device.moveToForeground()
    #expect(app.model.timer != nil && app.device.appState == .foreground)
    app.device.run { app.tracker.stopLocationTracking() }
    #expect(app.model.timer == nil && app.model.delay10Seconds == nil)
    #expect(app.model.bgTask.masterTaskId == .invalid && app.model.bgTask.bgTaskIdList.isEmpty)
    let count = app.model.myLocationArray.count
    app.device.advance(by: .seconds(300))
    #expect(!app.device.isReceiverOn && app.model.myLocationArray.count == count)
  }

  @Test("With every task ended nothing keeps the app running: it is suspended, and not killed (seed 004)")
  func endsTasks() {
    let app = tracking()
    app.device.advance(by: .seconds(100))
    #expect(app.device.appState == .background)
    app.device.run { app.tracker.stopLocationTracking() }
    app.device.advance(by: .seconds(1))
    #expect(app.device.appState == .suspended && !app.device.log.contains { $0.contains("killed") })
  }

  // MARK: LocationShareModel

  @Test("One model is shared: two timers, the task manager and the array, which whoever looks finds filled (seed 004)")
  func shared() {
    let app = tracking()
    app.device.advance(by: .seconds(120))
    // Ten seconds of each minute, a fix a second.
    #expect(SeedShareModel.sharedModel.myLocationArray.count >= 20)
    #expect(SeedShareModel.sharedModel.timer != nil && SeedShareModel.sharedModel.delay10Seconds != nil)
    #expect(SeedShareModel.sharedModel.bgTask === app.model.bgTask)
  }

  @Test("The first timer starts updates each 60 s, the second stops them 10 s after their first location (seed 004)")
  func timers() {
    let app = tracking()
    // The first location is there at second 1 of the journey: stops at 11, restarts at 61, is found again at 62.
    // Entering the background at 20 starts them once more, and the timer is there already, so that they run on to 61.
    app.device.advance(by: .seconds(100))
    for minute in 2..<6 {
      var isOn: [Bool] = []
      let second = { Int(app.device.elapsed.components.seconds) }
      while second() < minute * 60 { app.device.advance(by: .seconds(1)) }
      for _ in 0..<60 {
        app.device.advance(by: .milliseconds(500))
        isOn.append(app.device.isReceiverOn)
        app.device.advance(by: .milliseconds(500))
      }
      let seconds = isOn.count { $0 }
      #expect((10...12).contains(seconds), "on for \(seconds) s of minute \(minute)")
    }
  }

  // MARK: BackgroundTaskManager

  @Test("The first task is the master; each later one joins the list, of which only the newest stays open (seed 004)")
  func tasks() {
    let app = tracking()
    let master = app.model.bgTask.masterTaskId
    #expect(master != .invalid)
    var newest: [UIBackgroundTaskIdentifier] = []
    for _ in 0..<5 {
      app.device.advance(by: .seconds(62))
      #expect(app.model.bgTask.masterTaskId == master)
      #expect(app.model.bgTask.bgTaskIdList.count == 1)
      newest += app.model.bgTask.bgTaskIdList
    }
    #expect(Set(newest).count == newest.count, "another one each minute")
    #expect(app.model.bgTask.expiredCount == 0)
  }

  @Test("endBackgroundTasks leaves the master and the newest, endAllBackgroundTasks none (seed 004)")
  func ends() {
    let app = app()
    let tasks = app.model.bgTask
    app.device.run {
      let begun = (0..<4).map { _ in tasks.beginNewBackgroundTask() }
      #expect(tasks.masterTaskId == begun[0] && tasks.bgTaskIdList == [begun[3]])
      tasks.endBackgroundTasks()
      #expect(tasks.masterTaskId == begun[0] && tasks.bgTaskIdList == [begun[3]])
      tasks.endAllBackgroundTasks()
      #expect(tasks.masterTaskId == .invalid && tasks.bgTaskIdList.isEmpty)
    }
  }

  // MARK: All together

  @Test("The interplay receives locations each minute for hours under the rules of its time (era 8, seed 004)")
  func lasts() {
    let app = tracking()
    app.device.advance(by: .seconds(4 * 3_600))
    #expect(app.device.appState == .background)
    #expect(app.model.bgTask.expiredCount == 0)
    #expect(app.model.myLocationArray.allSatisfy { $0.horizontalAccuracy == 5 }, "as under open sky, to the last")
    let times = app.model.myLocationArray.map(\.timestamp)
    let gaps = zip(times, times.dropFirst()).map { $1.timeIntervalSince($0) }
    // 60 s from the first location of a listening to the restart, and what it takes to find the next one.
    #expect(gaps.allSatisfy { $0 <= 62 } && times.count > 4 * 60 * 10)
  }

  @Test("Under today's rules tasks do not bridge the rest: they expire, and the app is suspended (era 18, seed 004)")
  func today() {
    let app = tracking(era: .iOS18)
    app.device.advance(by: .seconds(600))
    #expect(app.device.appState == .suspended)
    #expect(app.model.bgTask.expiredCount > 0)
    #expect(!app.device.log.contains { $0.contains("killed") }, "its handlers end what expires")
  }
}

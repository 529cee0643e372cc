import AppLifecycle

/// A chain of background tasks, of which the newest is open.
///
/// The next one begins before the last one ends, so that no moment is without. The chain makes no time: background time
/// runs from the moment when the last other reason to run has gone, here when updates stop, whatever begins after that
/// (behaviour 3.7, 3.10).
@MainActor
public final class BackgroundTaskManager: BackgroundKeeping {
  private var openTask = UIBackgroundTaskIdentifier.invalid
  /// How often the system said that the time was over.
  public private(set) var expirationCount = 0

  public init() {}

  public func trackingBegins() {}
  public func listeningBegins() { beginNext() }
  public func trackingEnds() { endAll() }

  public func beginNext() {
    let previous = openTask
    openTask = UIApplication.shared.beginBackgroundTask(withName: "tracker") { [weak self] in self?.expired() }
    end(previous)
  }

  public func endAll() {
    end(openTask)
    openTask = .invalid
  }

  /// To leave the task open here would have the app killed.
  private func expired() {
    expirationCount += 1
    endAll()
  }

  private func end(_ task: UIBackgroundTaskIdentifier) {
    if task != .invalid { UIApplication.shared.endBackgroundTask(task) }
  }
}

/// How not to do it: tasks are begun and never ended, not even when their time is over. The system kills such an app.
@MainActor
public final class LeakingTasks: BackgroundKeeping {
  public init() {}

  public func trackingBegins() {}
  public func trackingEnds() {}

  public func listeningBegins() {
    _ = UIApplication.shared.beginBackgroundTask(withName: "leak", expirationHandler: nil)
  }
}

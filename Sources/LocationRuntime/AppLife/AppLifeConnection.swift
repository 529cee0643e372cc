/// An app's way to whoever decides about its life. It never waits: what an app may know at once is in the snapshot,
/// every change follows. Calls may come from any thread.
package protocol AppLifeConnection: AnyObject, Sendable {
  /// Where changes are heard: on any thread, or (`host`) on the one that moves a simulated device's time.
  var delivery: DeliveryKind { get }

  /// Why the process was started.
  var launchReason: LaunchReason { get }

  var snapshot: AppLifeSnapshot { get }

  /// The snapshot's, for the app itself: what it has read is what it believes until it hears of a change.
  func readBackgroundRefresh() -> BackgroundRefresh

  /// Who hears of changes, in order and one at a time, on any thread. Called once.
  func connect(_ events: @escaping @Sendable (AppLifeEvent) -> Void)

  /// The app asks not to be suspended until it ends the task of this number, which it has chosen and not used before.
  ///
  /// - Returns: false where nothing keeps the app from being suspended; the task then does not exist.
  func beginTask(_ number: UInt64, named name: String?) -> Bool

  func endTask(_ number: UInt64)

  /// The app's callbacks for a change of its life have returned: it is as ready for it as it will be.
  func settled(_ life: AppLife)

  /// Shows the app's entry among what a person may decide. `done` hears whether anybody did, on any thread.
  func openSettings(_ done: @escaping @Sendable (Bool) -> Void)
}

extension AppLifeConnection {
  package var delivery: DeliveryKind { .creatingThread }

  package func readBackgroundRefresh() -> BackgroundRefresh { snapshot.backgroundRefresh }
}

/// Where an app that runs stands, as it sees itself.
package enum AppLife: UInt8, Hashable, Sendable, CaseIterable {
  /// In the foreground, in use.
  case active
  /// In the foreground, on its way to or from use.
  case inactive
  case background
}

/// Whether an app is started or woken in the background (behaviour 3.11).
package enum BackgroundRefresh: UInt8, Hashable, Sendable, CaseIterable {
  /// Not for this person to decide.
  case restricted
  case denied
  case available
}

package struct AppLifeSnapshot: Hashable, Sendable {
  package var life: AppLife
  package var backgroundRefresh: BackgroundRefresh
  /// How long the app may still run in the background; nil where nobody suspends it.
  package var backgroundSecondsRemaining: Double?

  package init(life: AppLife, backgroundRefresh: BackgroundRefresh, backgroundSecondsRemaining: Double? = nil) {
    self.life = life
    self.backgroundRefresh = backgroundRefresh
    self.backgroundSecondsRemaining = backgroundSecondsRemaining
  }
}

package enum AppLifeEvent: Hashable, Sendable {
  case lifeChanged(AppLife)
  /// The time of a background task is up: it has to be ended at once (behaviour 3.7).
  case taskExpired(UInt64)
  case backgroundRefreshChanged
  /// The app is about to be ended.
  case terminating
}

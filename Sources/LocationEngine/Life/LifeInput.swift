/// What happened to a supervised app: one whose processes a supervisor starts, freezes and ends. Only installed apps
/// are supervised; of any other these say nothing.
package enum LifeInput: Hashable, Sendable {
  /// A process of the app was started. What the store holds of the app comes before it: `Input.appRestored` where there
  /// are registrations, then `restored`. `grant` counts only where the engine does not know the app yet. From
  /// here on the engine decides where the app stands, and `Input.appStateChanged` of it is ignored.
  case launched(AppDescription, grant: Grant, LaunchCause)
  case commanded(AppIdentifier, AppCommand)
  /// The last process of the app ended. Until it is launched again, the app is as one without a supervisor.
  case processEnded(AppIdentifier)
  /// `Effect.launch` came to nothing.
  case startFailed(AppIdentifier)
  /// What had kept the app from being started at all is over: where something waits for it, `Effect.launch` comes
  /// again.
  case startPossible(AppIdentifier)
  /// The person has installed the app, perhaps anew since it could not be started: it is held off no more, and
  /// `Effect.launch` comes where something waits for it.
  case installedAgain(AppIdentifier)
  /// Callbacks for these events have returned, as is known otherwise than by `Request.acknowledgeEvent`.
  case eventsAcknowledged([UInt64], AppIdentifier)
  /// `beginBackgroundTask`; the client numbers its tasks.
  case backgroundTaskBegun(UInt64, name: String, by: ClientIdentifier)
  case backgroundTaskEnded(UInt64, by: ClientIdentifier)
  /// Background App Refresh, for one app or (nil) for all.
  case backgroundRefreshSwitched(AppIdentifier?, isOn: Bool)
  /// What the store holds of the app's life, before its process is launched; after `Input.appRestored`, if that is to
  /// come. Counts only while the app does not run.
  case restored(AppDescription, grant: Grant, StoredAppLife)
}

package enum LaunchCause: Hashable, Sendable {
  /// The person opened the app.
  case person
  /// In the background, for an event that waits for it: its launch options have `location` (behaviour 4.5, 5.23).
  case event
}

/// What a person, or the desktop for one, wants of an app.
package enum AppCommand: Hashable, Sendable {
  case enterForeground
  case enterBackground
  case terminate
  /// The person swiped the app away (behaviour 3.14).
  case forceQuit
}

/// What of an app's life outlives its process.
package struct StoredAppLife: Hashable, Sendable {
  /// The person ended the app and has not opened it since (behaviour 3.14).
  package var wasForceQuit = false
  /// A `CLBackgroundActivitySession` was in effect, so that the app may rejoin it (behaviour 9.12).
  package var hadBackgroundActivity = false
  /// A `CLServiceSession` for Always was in effect (behaviour 9.26).
  package var hadAlwaysSession = false
  /// Background App Refresh of this app (behaviour 3.11).
  package var allowsBackgroundRefresh = true
  /// How it runs: what a service that is killed has to bring back.
  package var running = Running.no

  package enum Running: Int, Sendable {
    /// Not at all, or not for long.
    case no = 0
    /// In the background, for as long as it likes: with updates that may run there, or a session.
    case background = 1
    case foreground = 2
  }

  package init() {}
}

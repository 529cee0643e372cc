import LocationModel

/// What the supervisor is to do for an app, in order with all other effects.
package enum LifeEffect: Hashable, Sendable {
  /// Freeze every process of the app. What is delivered to it after this waits for `resume`; the engine sends none.
  case suspend(AppIdentifier)
  /// Let it run again; comes before what is delivered to it.
  case resume(AppIdentifier)
  /// End every process of the app; a frozen one without thawing it. Answered by `LifeInput.processEnded`.
  case terminate(AppIdentifier, TerminationReason)
  case tell(LifeEvent, to: ClientIdentifier)
  /// In place of what is stored of the app's life.
  case store(StoredAppLife, for: AppIdentifier)
  /// The sign that an app uses location in the background (behaviour 3.5, 9.10).
  case indicatorChanged(AppIdentifier, isShown: Bool)
}

package enum TerminationReason: Hashable, Sendable {
  case commanded
  case forceQuit
  /// Background time is over, and these tasks, by name, were not ended (behaviour 3.7).
  case backgroundTasksNotEnded([String])
  /// The time for an event was over, and the callback for it had not returned (behaviour 3.6).
  case eventNotHandled
}

/// What one process of a supervised app is told of its life.
package enum LifeEvent: Hashable, Sendable {
  /// The first: how the app stands as the process connects.
  case began(LifeStanding)
  case enteredForeground
  case enteredBackground
  case willBeSuspended
  case willTerminate
  /// The task's expiration handler is due: the task is to be ended at once (behaviour 3.7).
  case backgroundTaskExpired(UInt64)
  /// When background time ends, on the engine's clock; nil while it is unlimited (behaviour 3.8).
  case backgroundTimeChanged(ends: Instant?)
  case backgroundRefreshChanged(isOn: Bool)
}

package struct LifeStanding: Hashable, Sendable {
  package var state: AppState
  package var cause: LaunchCause
  package var backgroundTimeEnds: Instant?
  package var allowsBackgroundRefresh: Bool

  package init(state: AppState, cause: LaunchCause, backgroundTimeEnds: Instant?, allowsBackgroundRefresh: Bool) {
    self.state = state
    self.cause = cause
    self.backgroundTimeEnds = backgroundTimeEnds
    self.allowsBackgroundRefresh = allowsBackgroundRefresh
  }
}

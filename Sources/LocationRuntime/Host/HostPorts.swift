import LocationEngine
import LocationModel

/// Shows prompts to a person, in whatever way the host has.
package protocol PermissionPrompter: AnyObject, Sendable {
  /// Shows a prompt and calls `answer` at most once, on any thread, later or at once.
  func show(_ prompt: Prompt, answer: @escaping @Sendable (PromptAnswer) -> Void)
  func withdraw(_ prompt: PromptIdentifier)
  func showLocationServicesAlert(for app: AppIdentifier)
}

/// Keeps what outlives the process.
package protocol AppStateStore: AnyObject, Sendable {
  func load(_ app: AppIdentifier) -> StoredAppState
  func store(_ grant: Grant, for app: AppIdentifier)
  func store(_ lastFix: Fix, for app: AppIdentifier)
  /// In place of what is stored of the app's registrations.
  func store(_ registrations: Registrations, for app: AppIdentifier)
}

package struct StoredAppState: Hashable, Sendable {
  package var grant: Grant
  package var lastFix: Fix?
  package var registrations: Registrations
  /// Of an installed app.
  package var life: StoredAppLife

  package init(
    grant: Grant = Grant(), lastFix: Fix? = nil, registrations: Registrations = Registrations(),
    life: StoredAppLife = StoredAppLife()
  ) {
    self.grant = grant
    self.lastFix = lastFix
    self.registrations = registrations
    self.life = life
  }
}

/// Forgets everything with the process.
package final class ForgetfulStore: AppStateStore {
  private let initial: StoredAppState

  package init(_ initial: StoredAppState = StoredAppState()) {
    self.initial = initial
  }

  package func load(_ app: AppIdentifier) -> StoredAppState { initial }
  package func store(_ grant: Grant, for app: AppIdentifier) {}
  package func store(_ lastFix: Fix, for app: AppIdentifier) {}
  package func store(_ registrations: Registrations, for app: AppIdentifier) {}
}

/// Everything a host does for its engine.
package struct HostPorts: Sendable {
  package var prompter: any PermissionPrompter
  package var store: any AppStateStore
  package var log: @Sendable (String) -> Void
  /// Called for clients that keep a copy of their snapshot; those of the same process read it from the engine.
  package var snapshotChanged: @Sendable (AppIdentifier) -> Void
  /// Called for an app that does not run, or is suspended, and has an event waiting; only installed apps have any.
  package var launch: @Sendable (AppIdentifier) -> Void
  /// Show the person how to calibrate the compass, for an app that wants it, or no longer (behaviour 7.7): a line in
  /// the log where the host has nothing better.
  package var headingCalibration: @Sendable (AppIdentifier, _ isShown: Bool) -> Void

  /// Called with what a supervisor does for the apps that it has launched; a host without one launches none.
  package var life: @Sendable (LifeEffect) -> Void
  /// Called after the deliveries that followed one another, before anything else is carried out: a host that collects
  /// what its clients are told sends it now.
  package var delivered: @Sendable () -> Void

  package init(
    prompter: any PermissionPrompter, store: any AppStateStore,
    log: @escaping @Sendable (String) -> Void, snapshotChanged: @escaping @Sendable (AppIdentifier) -> Void = { _ in },
    launch: @escaping @Sendable (AppIdentifier) -> Void = { _ in },
    life: @escaping @Sendable (LifeEffect) -> Void = { _ in }, delivered: @escaping @Sendable () -> Void = {}
  ) {
    self.prompter = prompter
    self.store = store
    self.log = log
    self.snapshotChanged = snapshotChanged
    self.launch = launch
    headingCalibration = { app, isShown in
      guard isShown else { return }
      log(
        "\(app.name) asks you to calibrate the compass: turn the device about each of its axes, as in a figure "
          + "of eight."
      )
    }
    self.life = life
    self.delivered = delivered
  }
}

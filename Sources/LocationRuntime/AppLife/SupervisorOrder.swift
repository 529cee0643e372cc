import LinuxIO

/// What the system's service has a person's supervisor do with an app that this person has installed.
///
/// Apps are named by their bundle identifiers. Whose they are is in no message: the supervisor's own user's, by the
/// kernel's word.
package enum SupervisorOrder: Hashable, Sendable {
  /// The app is to be started: which events has its last process noted as done? Answered by `prepared`.
  case prepare(app: String)
  /// Answered by `started` or `startFailed`, which name the launch.
  case launch(AppLaunch)
  case suspend(app: String)
  case resume(app: String)
  /// Answered by `ended`.
  case terminate(app: String, Termination)
  /// Was this process left by an earlier supervisor? Then it is to be ended. Answered by `examined`.
  case examine(processNumber: Int32)
}

/// One start of an app, which the service has named.
package struct AppLaunch: Hashable, Sendable {
  package var app: String
  package var bundlePath: String
  package var executablePath: String
  package var reason: LaunchReason
  /// No other launch has this name; it marks the app's processes for the supervisor.
  package var name: String
  /// For the program, after its own name.
  package var arguments: [String]

  package init(
    app: String, bundlePath: String, executablePath: String, reason: LaunchReason, name: String,
    arguments: [String] = []
  ) {
    self.app = app
    self.bundlePath = bundlePath
    self.executablePath = executablePath
    self.reason = reason
    self.name = name
    self.arguments = arguments
  }
}

/// What a person's supervisor tells the system's service.
package enum SupervisorReport: Hashable, Sendable {
  /// None of its apps runs, whatever was before: it takes orders from now on.
  case ready
  /// These events, by number, are done; the newest ones, no more than `acknowledgedMax`.
  case prepared(app: String, acknowledged: [UInt64])
  case started(launch: String, processNumber: Int32)
  /// Nothing was started, and why, as a sentence.
  case startFailed(launch: String, String)
  case ended(launch: String, AppEnd)
  case examined(processNumber: Int32, isLeftover: Bool)

  /// Many times what the engine keeps for an app.
  package static let acknowledgedMax = 4_096
}

import LocationEngine
import LocationRuntime

/// How a service runs: for the machine or for one person, where, and by which rules.
package struct DaemonConfiguration: Sendable {
  /// One for all users, run by the system; else one for the user who runs it.
  package var isSystemWide: Bool
  package var socketPath: String
  package var stateFolder: String
  package var policy: Policy
  /// Answers that the operator gives in place of a person.
  package var permissionRules = PermissionRules()

  /// A question that a person has closed without an answer is asked again after so long. Nobody closes a question of
  /// iOS without an answer; five minutes neither nag nor let an app wait for a day.
  package var putOffSeconds = 300.0

  /// Nil where that is not known: apps that ran when the service went away are not brought back then.
  package var machineStart: String?

  /// Airplane mode is on where this file exists.
  package var airplaneSwitchPath: String { stateFolder + "/airplane" }

  /// A connection that says nothing is let go after so long.
  package static let helloSecondsMax = 10.0

  package init(isSystemWide: Bool, socketPath: String, stateFolder: String, policy: Policy = Policy()) {
    self.isSystemWide = isSystemWide
    self.socketPath = socketPath
    self.stateFolder = stateFolder
    self.policy = policy
  }
}

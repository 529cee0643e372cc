import LinuxIO
import LocationEngine

/// Has the processes of installed apps: starts, suspends, resumes and ends them, and tells what became of them.
///
/// It decides nothing. The machine that does says what is to happen; a supervisor on a virtual clock can stand in for
/// the real one, and one in another process does what a service may not do itself. An app has one main process; with it
/// the app ends, whatever other processes it has started.
package protocol AppSupervisor: AnyObject, Sendable {
  /// Who hears what becomes of the apps. To be called before anything else, once.
  func connect(_ events: @escaping @Sendable (SupervisorEvent) -> Void)

  /// Why no app of this user can be started now; nil where it can.
  func obstacle(to app: AppIdentifier) -> LaunchFailure?

  /// An app that does not run is about to be started.
  ///
  /// - Parameter ready: is called once, at once or later: with the numbers of the events that the app's last process
  ///   has noted as done and nobody may have heard of, or with why the app cannot be started.
  func prepare(_ app: AppIdentifier, ready: @escaping @Sendable (Result<[UInt64], LaunchFailure>) -> Void)

  /// Starts an app that does not run and has been prepared. `started` or `startFailed` follows, or this throws and
  /// nothing has been started.
  ///
  /// - Parameter arguments: for the program, after its own name.
  func launch(
    _ app: AppIdentifier, bundlePath: String, executablePath: String, arguments: [String], because reason: LaunchReason
  ) throws(LaunchFailure)

  /// No process of the app runs from now on. Nothing happens where it does not run or is suspended already.
  func suspend(_ app: AppIdentifier)

  /// The app goes on where it was suspended.
  func resume(_ app: AppIdentifier)

  /// Ends an app; `ended` follows. Nothing happens where it does not run.
  func terminate(_ app: AppIdentifier, _ termination: Termination)

  /// Ends every app and returns when none runs: the service ends, and who comes after it knows none of them.
  func stop()

  /// Ends a process that a run of the service before this one has left, and that was not its app yet when this one
  /// looked for such.
  ///
  /// - Returns: whether it is one.
  func endLeftover(_ processNumber: Int32) -> Bool

  /// Whether the app has a process, be it suspended.
  func isRunning(_ app: AppIdentifier) -> Bool
}

extension AppSupervisor {
  package func obstacle(to app: AppIdentifier) -> LaunchFailure? { nil }

  package func prepare(_ app: AppIdentifier, ready: @escaping @Sendable (Result<[UInt64], LaunchFailure>) -> Void) {
    ready(.success([]))
  }
}

/// Why an app is ended, and with how much ceremony.
package enum Termination: Hashable, Sendable {
  /// The app is told (SIGTERM) and has a few seconds for its last words; a suspended one is not told, as on iOS.
  case asked
  /// The person's force-quit: at once, without a word to the app (behaviour 3.14).
  case forceQuit
  /// It has run longer than it may, and why, as a sentence for the log: at once (behaviour 3.6, 3.7).
  case overrun(String)
}

package enum SupervisorEvent: Hashable, Sendable {
  case started(AppIdentifier, processNumber: Int32)
  /// What was to be launched did not come to be.
  case startFailed(AppIdentifier, LaunchFailure)
  case ended(AppIdentifier, AppEnd)
}

/// How an app came to its end.
package struct AppEnd: Hashable, Sendable {
  package var processNumber: Int32
  package var end: ProcessEnd
  /// What the supervisor was told; nil for an app that ended without that.
  package var termination: Termination?

  package init(processNumber: Int32, end: ProcessEnd, termination: Termination? = nil) {
    self.processNumber = processNumber
    self.end = end
    self.termination = termination
  }

  /// Who had it ended, to follow how it did; an overrun has been told of with all that is to be said.
  package var reason: String {
    switch termination {
    case .asked: ", as was asked"
    case .forceQuit: ", by a force-quit"
    case .overrun, nil: ""
    }
  }

  /// Nobody ended it, and it did not end itself.
  package var isCrash: Bool {
    guard termination == nil, case .killed = end else { return false }
    return true
  }
}

/// Why an app was not started, as a sentence for a person.
package struct LaunchFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) {
    self.description = description
  }
}

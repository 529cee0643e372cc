import LinuxIO
import LocationRuntime

/// What an installed app finds in its environment: the service's own, which is the person's, with the way to the
/// service in it and without what was meant for the service alone.
struct LaunchEnvironment: Hashable, Sendable {
  /// Marks every process of one launch.
  static let launchVariable = "CORELOCATION_LAUNCH"
  private static let socketVariable = "CORELOCATION_SOCKET"

  /// systemd's words to the service (systemd.exec(5), sd_notify(3), sd_listen_fds(3)), and the variables that would
  /// have an app go by the service, or be taken for another.
  private static let withheld: Set<String> = [
    "NOTIFY_SOCKET", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES", "WATCHDOG_PID", "WATCHDOG_USEC", "MAINPID",
    "MANAGERPID", "INVOCATION_ID", "JOURNAL_STREAM", "SYSTEMD_EXEC_PID", "STATE_DIRECTORY", "RUNTIME_DIRECTORY",
    "MEMORY_PRESSURE_WATCH", "MEMORY_PRESSURE_WRITE",
    "CORELOCATION_SOURCE", "CORELOCATION_SENSORS", "CORELOCATION_AUTHORIZATION", "CORELOCATION_INFO_PLIST",
    "CORELOCATION_POLICY", MachineStart.variable,
    socketVariable, launchVariable, LaunchReason.variable, AcknowledgementFile.variable,
  ]

  var inherited: [String]
  var socketPath: String
  /// Where the apps of this service, and of no other that runs, note what they are done with: also those that an
  /// earlier run has started at another socket. Nil where that is not known.
  var ownAcknowledgements: AcknowledgementFolder?

  /// - Parameters:
  ///   - launch: the launch's name.
  ///   - acknowledgementPath: where the app notes what it is done with; nil for nowhere.
  func lines(_ reason: LaunchReason, launch: String, acknowledgementPath: String? = nil) -> [String] {
    let kept = inherited.filter { line in
      !Self.withheld.contains(String(line.prefix { $0 != "=" }))
    }
    return kept + [
      socketLine, "\(LaunchReason.variable)=\(reason.rawValue)", Self.mark(launch: launch),
    ] + (acknowledgementPath.map { ["\(AcknowledgementFile.variable)=\($0)"] } ?? [])
  }

  var socketLine: String { "\(Self.socketVariable)=\(socketPath)" }

  static func mark(launch: String) -> String { "\(launchVariable)=\(launch)" }

  /// Whether an environment is one that a service at this socket, or with this service's state, has given to an app.
  func wasGiven(_ environment: [ArraySlice<UInt8>]) -> Bool {
    guard environment.contains(where: { $0.starts(with: "\(Self.launchVariable)=".utf8) }) else { return false }
    if environment.contains(where: { $0.elementsEqual(socketLine.utf8) }) { return true }
    guard let folder = ownAcknowledgements?.folder else { return false }
    let own = "\(AcknowledgementFile.variable)=\(folder)/"
    return environment.contains { $0.starts(with: own.utf8) }
  }
}

import Dispatch
import Glibc
import LinuxIO
import LocationRuntime
import LocationService

/// What `corelocationd --supervise` does: the hands of the system's service for one person's apps.
enum SupervisorProgram {
  /// Returns only where it cannot start.
  static func run(_ socketPath: String, _ options: DaemonOptions) throws(DaemonProgram.StartFailure) -> Never {
    guard socketPath.hasPrefix("/"), socketPath.utf8.count <= Syscalls.socketPathBytesMax else {
      throw DaemonProgram.StartFailure(
        "--supervise: expected the path of a socket from the root, of \(Syscalls.socketPathBytesMax) bytes at most, "
          + "found \(socketPath)")
    }
    let queue = DaemonProgram.queue
    let user = Syscalls.userNumber
    let acknowledgements = AcknowledgementFolder(stateFolder: try stateFolder(options))
    var settings = ProcessSupervisor.Settings(
      socketPath: socketPath, groups: GroupTree.find(owner: "\(socketPath) of user \(user)"))
    settings.adoptsOrphans = true
    settings.acknowledgements = acknowledgements
    let supervisor = PersonalSupervisor(
      path: socketPath, userNumber: user, acknowledgements: acknowledgements,
      apps: ProcessSupervisor(settings, queue: queue, log: DaemonProgram.say), queue: queue, log: DaemonProgram.say)
    queue.sync { supervisor.start() }
    ServiceManager.isReady()
    Signals.hear(on: queue) { signal in
      // There is nothing to be read anew.
      guard signal != SIGHUP else { return }
      ServiceManager.stops()
      supervisor.stop()
      DaemonProgram.say("Stopped.")
      exit(0)
    }
  }

  private static func stateFolder(_ options: DaemonOptions) throws(DaemonProgram.StartFailure) -> String {
    let own = ProcessEnvironment.current().stateFolder.map { $0 + "/corelocation/supervisor" }
    guard let folder = options.stateFolder ?? own else {
      throw DaemonProgram.StartFailure(
        "There is no place for the state: set XDG_STATE_HOME or HOME, or name one with --state.")
    }
    do throws(PrivateFile.Failure) {
      try PrivateFile.makeFolder(folder)
    } catch {
      throw DaemonProgram.StartFailure("\(folder) cannot be made: \(error).")
    }
    return folder
  }
}

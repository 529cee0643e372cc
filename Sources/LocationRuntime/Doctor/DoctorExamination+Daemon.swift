import LinuxIO
import LocationEngine

extension DoctorExamination {
  /// Asks the service that apps use how it is. Its switches count for them, and what it keeps of the app.
  func askService(_ findings: inout DoctorFindings) {
    guard let path = ServiceSocket.path(environment) else { return }
    var daemon = DoctorFindings.Daemon(socketPath: path)
    daemon.isUsed = wish.source == nil && environment.source == nil
    defer { findings.daemon = daemon }
    guard daemon.isUsed else { return }
    // To the service an app is its path; the command itself is asked about where nothing is named.
    findings.permission.app =
      wish.app.map { $0.contains("/") ? Syscalls.resolvedPath($0) ?? $0 : $0 } ?? environment.executablePath
    do throws(ToolConnection.Failure) {
      switch try ToolConnection(path: path).ask(.condition(app: findings.permission.app)) {
      case .condition(let condition): daemon.condition = condition
      case .failed(let reason): daemon.problem = reason
      case .done, .table, .sentences: daemon.problem = "it has answered another question"
      }
    } catch {
      daemon.problem = error.description
    }
    guard let condition = daemon.condition else { return }
    findings.isServicesOn = condition.areServicesOn
    if condition.isInAirplaneMode && !findings.airplaneMode.isOn { findings.airplaneMode.isSwitchedOn = true }
  }
}

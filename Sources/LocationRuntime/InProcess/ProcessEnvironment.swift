import Glibc
import LinuxIO

/// The environment variables and the executable of this process, as far as location services read them.
package struct ProcessEnvironment: Sendable {
  package var source: String?
  package var authorization: String?
  package var infoPlistPath: String?
  package var policyPath: String?
  package var stateFolder: String?
  /// The socket of the service that is to be used, `CORELOCATION_SOCKET`.
  package var socketPath: String?
  /// Where the kernel's sensors are, `CORELOCATION_SENSORS`; nil is /sys/bus/iio/devices.
  package var sensorFolder: String?
  /// Where the person's own sockets are, `XDG_RUNTIME_DIR`.
  package var runtimeFolder: String?
  /// Where the person's own unit files are, below `XDG_CONFIG_HOME` or the home folder.
  package var configurationFolder: String?
  /// Why the service has started this process; a person's wish where it has not.
  package var launchReason = LaunchReason.person
  /// Where an app that the service has started notes the events that it is done with.
  package var acknowledgementPath: String?
  /// The person's language as the locale variables name it, such as `de_DE.UTF-8`.
  package var locale: String?
  /// Which start of the machine this is, as systemd has told the service.
  package var machineStart: String?
  package var executablePath: String

  package init(executablePath: String) {
    self.executablePath = executablePath
  }

  package static func current() -> ProcessEnvironment {
    var environment = ProcessEnvironment(executablePath: currentExecutable())
    environment.source = variable("CORELOCATION_SOURCE")
    environment.authorization = variable("CORELOCATION_AUTHORIZATION")
    environment.infoPlistPath = variable("CORELOCATION_INFO_PLIST")
    environment.policyPath = variable("CORELOCATION_POLICY")
    environment.stateFolder = stateFolder(stateHome: variable("XDG_STATE_HOME"), home: variable("HOME"))
    environment.socketPath = variable("CORELOCATION_SOCKET")
    environment.sensorFolder = variable("CORELOCATION_SENSORS")
    environment.runtimeFolder = variable("XDG_RUNTIME_DIR").flatMap { $0.hasPrefix("/") ? $0 : nil }
    environment.configurationFolder = variable("XDG_CONFIG_HOME") ?? variable("HOME").map { $0 + "/.config" }
    environment.launchReason = variable(LaunchReason.variable).flatMap(LaunchReason.init) ?? .person
    environment.acknowledgementPath = variable(AcknowledgementFile.variable)
    environment.machineStart = variable(MachineStart.variable)
    environment.locale = variable("LC_ALL") ?? variable("LC_MESSAGES") ?? variable("LANG")
    return environment
  }

  /// Where state is kept by the XDG Base Directory Specification, which has relative paths ignored; nil for nowhere.
  package static func stateFolder(stateHome: String?, home: String?) -> String? {
    if let stateHome, stateHome.hasPrefix("/") { return stateHome }
    guard let home, home.hasPrefix("/") else { return nil }
    return home + "/.local/state"
  }

  /// An unset and an empty variable are the same.
  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
  }

  private static func currentExecutable() -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    guard count > 0 else { return CommandLine.arguments.first ?? "unknown" }
    return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

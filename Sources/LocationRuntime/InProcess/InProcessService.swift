import Glibc
import LinuxIO
import LocationEngine
import LocationFormats
import LocationModel
import LocationProviders

/// The service of a process that has no daemon: one host, made when the first manager is.
///
/// It reads CORELOCATION_SOURCE, CORELOCATION_AUTHORIZATION, CORELOCATION_INFO_PLIST and CORELOCATION_POLICY, asks on
/// the terminal, and keeps the app's grant and last fix in a file of its own. A plain process counts as in the
/// foreground until it exits.
package final class InProcessService: Sendable {
  package static let shared: InProcessService = {
    let service = InProcessService(environment: .current(), clock: LiveClock.shared)
    atexit { InProcessService.shared.processWillExit() }
    return service
  }()

  package let connection: HostConnection
  private let host: EngineHost
  private let store: any AppStateStore
  private let airplaneMode: AirplaneMode

  package init(
    environment: ProcessEnvironment, clock: any SessionClock,
    log: @escaping @Sendable (String) -> Void = InProcessService.log
  ) {
    let app = InfoPlist.describe(environment, log: log)
    let store = Self.makeStore(environment, log: log)
    let source = InProcessSource(
      specification: environment.source, app: app.identifier.name, clock: clock, log: log)
    host = EngineHost(
      engine: LocationEngine(policy: Self.readPolicy(environment, log: log)), clock: clock,
      provider: source.provider,
      headingSensor: source.compass ?? MachineCompass(clock: clock, sensorFolder: environment.sensorFolder),
      beaconReceiver: BlueZReceiver(clock: clock), displaySensor: DesktopDisplay(clock: clock),
      ports: HostPorts(prompter: TerminalPrompter(log: log), store: store, log: log))
    self.store = store
    airplaneMode = AirplaneMode(.ofThisMachine(environment)) { [host] in
      host.handle(.airplaneModeChanged(isOn: $0))
    }
    connection = HostConnection(host: host, app: app, ledger: source.ledger)
    host.handle(.appStateChanged(app.identifier, .foreground))
  }

  /// One line on standard error, so that standard output stays the app's. What a service or a file brought into it
  /// cannot rewrite the terminal.
  package static let log: @Sendable (String) -> Void = { sentence in
    let line = Array("CoreLocation: \(PrintableText.escaped(sentence, scalarsMax: 4_000))\n".utf8)
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  /// A person's answer that the app has seen is stored, and the newest fix that it may see is kept for its next start.
  private func processWillExit() {
    host.waitUntilCarriedOut(secondsMax: 1)
    guard let fix = connection.snapshot.lastFix else { return }
    store.store(fix, for: connection.app.identifier)
  }

  private static func readPolicy(
    _ environment: ProcessEnvironment, log: (String) -> Void
  ) -> Policy {
    guard let path = PolicyFile.pathInForce(environment) else { return Policy() }
    do {
      return try PolicyFile.read(path)
    } catch {
      log("\(error.description) The default policy is used.")
      return Policy()
    }
  }

  private static func makeStore(
    _ environment: ProcessEnvironment, log: @escaping @Sendable (String) -> Void
  ) -> any AppStateStore {
    let files: any AppStateStore =
      if let folder = environment.stateFolder {
        FileStore(stateFolder: folder, log: log)
      } else {
        HomelessStore(log: log)
      }
    guard let text = environment.authorization else { return files }
    guard let setting = AuthorizationSetting(text) else {
      log(
        "CORELOCATION_AUTHORIZATION=\(text) is not understood and counts for nothing; expected "
          + AuthorizationSetting.expected + ".")
      return files
    }
    return PresetGrantStore(grant: setting.grant, store: files)
  }
}

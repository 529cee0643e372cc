import Dispatch
import Glibc
import LinuxIO
import LocationEngine
import LocationFormats
import LocationModel
import LocationProviders
import LocationRuntime
import LocationService

/// What `main` does: reads the options, opens the store, listens, and ends when it is told to.
enum DaemonProgram {
  /// Everything happens on this one queue; the main thread only waits.
  static let queue = DispatchQueue(label: "corelocationd")

  static func run() -> Int32 {
    let options: DaemonOptions
    do throws(DaemonOptions.Problem) {
      options = try DaemonOptions()
    } catch {
      say(error.sentence)
      return 2
    }
    if let text = options.text {
      write(text, to: STDOUT_FILENO)
      return 0
    }
    Signals.hold()
    Syscalls.keepMemoryTogether()
    do throws(StartFailure) {
      if let path = options.supervisedSocketPath { try SupervisorProgram.run(path, options) }
      try serve(options)
    } catch {
      say(error.sentence)
      return 1
    }
  }

  struct StartFailure: Error {
    var sentence: String

    init(_ sentence: String) {
      self.sentence = sentence
    }
  }

  /// Returns only where it cannot start.
  private static func serve(_ options: DaemonOptions) throws(StartFailure) -> Never {
    let environment = ProcessEnvironment.current()
    let configuration = try self.configuration(options, environment)
    let clock = LiveClock(queue: queue)
    let store = try openStore(in: configuration.stateFolder, now: clock.wallTime)
    let source = try self.source(options.source, clock: clock)
    let daemon = LocationDaemon(
      configuration, queue: queue, clock: clock, store: store, provider: source.provider,
      headingSensor: source.compass ?? MachineCompass(clock: clock, sensorFolder: environment.sensorFolder),
      beaconReceiver: BlueZReceiver(clock: clock), displaySensor: DesktopDisplay(clock: clock), log: say,
      identify: { stream in
        Result { () throws(RefusedClient) in
          try ConnectedPeer(
            connectedTo: stream, servedUser: configuration.isSystemWide ? nil : Syscalls.userNumber,
            bundleIdentifier: { bundleIdentifier(ofProgram: $0, user: $1, in: store) })
        }
      })
    daemon.hasSatelliteReceiver = satelliteReceiver(options.source)
    let inherited = ServiceManager.inheritedSocket()
    // Before the apps of an earlier run are looked for, which are another one's where that listens.
    if inherited == nil { try checkThatNobodyListens(at: configuration.socketPath) }
    if configuration.isSystemWide {
      queue.sync { daemon.superviseThroughPersons() }
    } else {
      superviseApps(daemon, configuration)
    }
    let airplaneMode = AirplaneMode(AirplaneMode.Places(switchPath: configuration.airplaneSwitchPath)) {
      daemon.host.handle(.airplaneModeChanged(isOn: $0))
    }
    let failure = queue.sync { () -> StartFailure? in
      do throws(ClientListener.Failure) {
        try daemon.start(inherited: inherited)
        return nil
      } catch {
        return StartFailure("\(error)")
      }
    }
    if let failure { throw failure }
    say("Listening at \(configuration.socketPath).")
    ServiceManager.isReady()
    Signals.hear(on: queue) { signal in
      switch signal {
      case SIGHUP: reload(daemon, options, environment)
      default: stop(daemon, airplaneMode)
      }
    }
  }

  private static func checkThatNobodyListens(at path: String) throws(StartFailure) {
    do throws(ClientListener.Failure) {
      try ClientListener.checkThatNobodyListens(at: path)
    } catch { throw StartFailure("\(error)") }
  }

  private static func stop(_ daemon: LocationDaemon, _ airplaneMode: AirplaneMode) {
    ServiceManager.stops()
    daemon.stop()
    withExtendedLifetime(airplaneMode) {}
    say("Stopped.")
    exit(0)
  }

  private static func reload(_ daemon: LocationDaemon, _ options: DaemonOptions, _ environment: ProcessEnvironment) {
    ServiceManager.reloads()
    do throws(StartFailure) {
      let configuration = try self.configuration(options, environment)
      daemon.reload(configuration.policy, configuration.permissionRules)
      say("The policy and the permission file were read anew.")
    } catch {
      say("Nothing is changed: \(error.sentence)")
    }
    ServiceManager.isReady()
  }

  // MARK: What it is made of

  private static func configuration(
    _ options: DaemonOptions, _ environment: ProcessEnvironment
  ) throws(StartFailure) -> DaemonConfiguration {
    guard
      let socket = options.socketPath
        ?? (options.isSystemWide ? "/run/corelocation/socket" : ServiceSocket.ownPath(environment))
    else { throw StartFailure("There is no place for the socket: set XDG_RUNTIME_DIR, or name one with --socket.") }
    guard socket.utf8.count <= Syscalls.socketPathBytesMax else {
      throw StartFailure("\(socket): a socket's path has at most \(Syscalls.socketPathBytesMax) bytes.")
    }
    let ownState = environment.stateFolder.map { $0 + "/corelocation" }
    guard let state = options.stateFolder ?? (options.isSystemWide ? "/var/lib/corelocation" : ownState)
    else {
      throw StartFailure("There is no place for the state: set XDG_STATE_HOME or HOME, or name one with --state.")
    }
    var configuration = DaemonConfiguration(isSystemWide: options.isSystemWide, socketPath: socket, stateFolder: state)
    configuration.machineStart = MachineStart.identifier(told: environment.machineStart)
    do throws(PolicyFile.Problem) {
      if let path = options.policyPath ?? PolicyFile.pathInForce(environment) {
        configuration.policy = try PolicyFile.read(path)
      }
    } catch { throw StartFailure(error.description) }
    let machineRules = access(PermissionFile.machinePath, F_OK) == 0 ? PermissionFile.machinePath : nil
    do throws(PermissionFile.Problem) {
      if let path = options.permissionsPath ?? machineRules {
        configuration.permissionRules = try PermissionFile.read(path)
      }
    } catch { throw StartFailure(error.description) }
    return configuration
  }

  /// Apps are started and ended by a process of their person, with whose rights they run.
  private static func superviseApps(_ daemon: LocationDaemon, _ configuration: DaemonConfiguration) {
    var settings = ProcessSupervisor.Settings(
      socketPath: configuration.socketPath, groups: GroupTree.find(owner: configuration.socketPath))
    settings.adoptsOrphans = true
    settings.acknowledgements = AcknowledgementFolder(stateFolder: configuration.stateFolder)
    // The store is open, which it is for one service at a time.
    settings.ownsAcknowledgements = true
    let supervisor = ProcessSupervisor(settings, queue: queue, log: say)
    queue.sync { daemon.supervise(with: supervisor) }
  }

  private static func bundleIdentifier(ofProgram path: String, user: UInt32, in store: LocationStore) -> String? {
    do throws(StoreError) {
      return try store.bundleIdentifier(ofProgram: path, userNumber: user)
    } catch {
      say(error.description)
      return nil
    }
  }

  /// Whether there is a GNSS receiver, asked when an app that requires one is installed.
  private static func satelliteReceiver(_ source: String) -> @Sendable () -> Bool {
    let specification = try? SourceSpecification(source)
    return { specification?.hasSatelliteReceiver == true }
  }

  private static func openStore(in folder: String, now: WallTime) throws(StartFailure) -> LocationStore {
    var triesLeft = openTriesMax
    while true {
      do throws(StoreError) {
        return try LocationStore(folder: folder, now: now, log: say)
      } catch {
        triesLeft -= 1
        guard triesLeft > 0, isLeftBehind(error) else { throw StartFailure(error.description) }
        usleep(openPauseMicroseconds)
      }
    }
  }

  /// A service that was killed while it started an app: until the new process becomes the app's program, it has what
  /// the service had open, the store's lock among it.
  private static func isLeftBehind(_ error: StoreError) -> Bool {
    guard case .inUse(let holder?) = error.reason else { return false }
    return access("/proc/\(holder.number)", F_OK) != 0
  }

  /// Chosen: five seconds are far more than the start of a program takes.
  private static let openTriesMax = 500
  private static let openPauseMicroseconds: useconds_t = 10_000

  private static func source(
    _ specification: String, clock: any SessionClock
  ) throws(StartFailure) -> InProcessSource {
    do throws(SourceSpecification.Failure) {
      return InProcessSource(try SourceSpecification(specification), app: "corelocationd", clock: clock, log: say)
    } catch {
      throw StartFailure("--source: \(error).")
    }
  }

  // MARK: Words

  private static let wordsMax = 4_000

  static let say: @Sendable (String) -> Void = { sentence in
    write("corelocationd: \(PrintableText.escaped(sentence, scalarsMax: wordsMax))\n", to: STDERR_FILENO)
  }

  private static func write(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }
}

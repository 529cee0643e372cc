import LocationEngine
import LocationModel
import LocationProviders
import LocationRuntime

/// What a command brings into its session besides the source: permission, policy and wishes.
struct SessionSettings: Sendable {
  var policy: Policy
  /// The answer that CORELOCATION_AUTHORIZATION gives for the person; nil where it says nothing.
  var presetGrant: Grant?
  var configuration = ManagerConfiguration()
  /// Each has a manager of its own where its locations could be taken for another's (`HostConnection.begin`).
  var services: [Service] = []
  /// Headings beside that, which need no permission.
  var wantsHeadings = false
  /// Beacons that are ranged beside it.
  var rangedBeacons: [BeaconConstraint] = []
  /// What is monitored beside it.
  var regions: [Region] = []
  /// The device that is carried along a simulated journey, and the seed of its receivers' errors.
  var profile = DeviceProfile.receiver
  var seed: UInt64 = 1

  /// A service of locations or visits that a command asks for.
  enum Service: String, Sendable {
    case standard, significant, visits, oneLocation

    /// Those that go on, in the order in which they are begun.
    static let lasting: [Service] = [.standard, .significant, .visits]

    var request: Request {
      switch self {
      case .standard: .startUpdatingLocation
      case .significant: .startMonitoringSignificantChanges
      case .visits: .startMonitoringVisits
      case .oneLocation: .requestLocation
      }
    }
  }

  /// The command's own identity and its reason, as an app has them in its Info.plist.
  static let app: AppDescription = {
    var app = AppDescription(identifier: AppIdentifier("corelocation"))
    app.whenInUseUsage = "To print where this machine is."
    return app
  }()

  /// - Parameter policyPath: the file that was named for this run; else the one in force on the machine is read.
  init(environment: ProcessEnvironment, policyPath: String? = nil) throws(CommandFailure) {
    policy = Policy()
    if let path = policyPath ?? PolicyFile.pathInForce(environment) {
      do throws(PolicyFile.Problem) {
        policy = try PolicyFile.read(path)
      } catch {
        throw .failed(error.description)
      }
    }
    if let text = environment.authorization {
      guard let setting = AuthorizationSetting(text) else {
        throw .wrongUsage("CORELOCATION_AUTHORIZATION: expected \(AuthorizationSetting.expected), found \"\(text)\"")
      }
      presetGrant = setting.grant
    }
  }

  /// The person's own file, or a place that they typed, needs nobody's permission (design 5).
  var ownFileStore: any AppStateStore {
    ForgetfulStore(StoredAppState(grant: presetGrant ?? Grant(level: .whenInUse)))
  }

  /// The machine's receivers are asked for like by any other app, and the answer is kept.
  func machineStore(_ environment: ProcessEnvironment) -> any AppStateStore {
    if let presetGrant { return ForgetfulStore(StoredAppState(grant: presetGrant)) }
    guard let folder = environment.stateFolder else { return HomelessStore(log: Messages.log) }
    return FileStore(stateFolder: folder, log: Messages.log)
  }
}

extension SessionSettings {
  /// A recording's device has a compass where headings are wanted.
  var compassOfRecording: TrackCompass? { wantsHeadings ? TrackCompass() : nil }
}

extension HostConnection {
  /// Brings the app to the foreground and lets a manager ask for what the settings say. Where both standard updates
  /// and significant changes are wanted, these have a second manager, so that it is known which of the two tells a
  /// location.
  func begin(_ settings: SessionSettings, host: EngineHost, listener: Listener, asksPerson: Bool = false) {
    host.handle(.appStateChanged(app.identifier, .foreground))
    let needsSecond = settings.services.contains(.standard) && settings.services.contains(.significant)
    let manager = addManager { listener.hear($0, of: needsSecond ? .standard : nil) }
    send(.configure(settings.configuration), from: manager)
    if asksPerson { send(.requestWhenInUseAuthorization, from: manager) }
    for region in settings.regions { send(.startMonitoring(region), from: manager) }
    // Ahead of the receiver: a stream that is short may be over before it would be wanted.
    if settings.wantsHeadings { send(.startUpdatingHeading, from: manager) }
    for service in settings.services where !(needsSecond && service == .significant) {
      send(service.request, from: manager)
    }
    for constraint in settings.rangedBeacons { send(.startRanging(constraint), from: manager) }
    guard needsSecond else { return }
    let second = addManager { event in
      // What concerns the whole app has been heard of the first.
      if event.isOfOneManager { listener.hear(event, of: .significant) }
    }
    send(SessionSettings.Service.significant.request, from: second)
  }
}

extension ManagerEvent {
  /// Answers what this manager asked for, rather than what the app did.
  fileprivate var isOfOneManager: Bool {
    switch self {
    case .locationsUpdated, .failed: true
    default: false
    }
  }
}

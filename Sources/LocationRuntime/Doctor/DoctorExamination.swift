import Dispatch
import Glibc
import LinuxIO
import LocationEngine
import LocationFormats
import LocationModel
import LocationProviders

/// Collects what `doctor` tells of: reads the settings, looks at the devices, and listens to the source for a while.
package struct DoctorExamination {
  package struct Wish: Sendable {
    /// What `--source` says.
    package var source: String?
    /// The app that is asked about: its bundle identifier, or a path of it or of its Info.plist.
    package var app: String?
    package var waitSeconds = 10.0
    package var policy = Policy()

    package init() {}
  }

  /// Satellites and the rest of a receiver's round come after its first fix; so long is waited for them.
  private static let settlingSeconds = 2.5

  /// What the bus has not answered by the end of everything else is waited for so long.
  private static let busAnswerSeconds = 1.0

  let wish: Wish
  let environment: ProcessEnvironment
  private let clock = LiveClock.shared

  package init(_ wish: Wish, environment: ProcessEnvironment) {
    self.wish = wish
    self.environment = environment
  }

  /// Listens, and returns at the latest when the time is up.
  package func run() -> DoctorFindings {
    var findings = DoctorFindings()
    let text = wish.source ?? environment.source ?? "auto"
    findings.sourceOrigin = wish.source != nil ? .option : environment.source != nil ? .variable : .usual
    let source = try? SourceSpecification(text)
    (findings.sourceKind, findings.sourceName) = Self.describe(source, text)
    if case .gpsd(let host, let port) = source { findings.gpsdAddress = LiveSource.address(host, port) }
    findings.recordingAccess = Self.recordingAccess(source)
    findings.isGeoClueInstalled = Syscalls.kind(of: Self.geoClueServiceFile) != nil
    findings.hasTerminal = TerminalPrompter.hasTerminal
    let asked = app(&findings)
    findings.permission = permission(of: asked.identifier, isOwnStream: source.map(LiveSource.isOwnStream) ?? false)
    let airplaneMode = AirplaneMode(.ofThisMachine(environment))
    findings.airplaneMode = airplaneMode.state
    findings.areWiredReceiversAllowed = wish.policy.wiredReceiversInAirplaneMode
    askService(&findings)
    findings.serialPorts = ports(source)
    let compass = CompassExamination(clock: clock, environment: environment)
    let bluetooth = BluetoothExamination(clock: clock)
    if source != nil && findings.daemon?.hasReceiversOn != true { listen(text, app: asked.identifier.name, &findings) }
    findings.compass = compass.finding(waitSeconds: Self.busAnswerSeconds)
    findings.bluetooth = bluetooth.finding(waitSeconds: Self.busAnswerSeconds)
    findings.machineTime = clock.wallTime
    findings.buildTime = Syscalls.modificationSeconds(of: environment.executablePath).map {
      WallTime(secondsSince1970: Double($0))
    }
    return findings
  }

  // MARK: Settings

  /// The kind of a source, and its name without any place.
  private static func describe(_ source: SourceSpecification?, _ text: String) -> (DoctorFindings.SourceKind, String) {
    switch source {
    case nil: return (.unknown, "unknown")
    case .automatic: return (.automatic, "auto")
    case .gpsd(let host, _):
      let isThisMachine = host == "localhost" || host == "::1" || host.hasPrefix("127.")
      return (.gpsd(isThisMachine: isThisMachine), text)
    case .tcp, .udp: return (.stream, text)
    case .geoClue, .portal: return (.locationService, text)
    case .fixed: return (.fixedPlace, "a fixed place")
    case .gpx: return (.recording, text)
    case .nmea(let path, _):
      if LiveSource.isRecording(path) { return (.recording, text) }
      return (LiveSource.isDevice(path) ? .serialPort : .stream, text)
    }
  }

  /// What the bus starts GeoClue from.
  private static let geoClueServiceFile = "/usr/share/dbus-1/system-services/org.freedesktop.GeoClue2.service"

  private static func recordingAccess(_ source: SourceSpecification?) -> DoctorFindings.RecordingAccess {
    switch source {
    case .gpx("-", _), .nmea("-", _): return .readable
    case .gpx(let path, _), .nmea(let path, _):
      if let folder = FileAccess.closedFolder(onWayTo: path) { return .hidden(folder: folder) }
      guard let kind = Syscalls.kind(of: path) else { return .missing }
      if kind == .directory { return .directory }
      return FileAccess.isReadable(path) ? .readable : .forbidden
    default: return .readable
    }
  }

  private func app(_ findings: inout DoctorFindings) -> AppDescription {
    guard let named = wish.app else { return AppDescription(identifier: AppIdentifier("corelocation")) }
    guard named.contains("/") else { return AppDescription(identifier: AppIdentifier(named)) }
    var own = ProcessEnvironment(executablePath: Syscalls.resolvedPath(named) ?? named)
    own.locale = environment.locale
    let inside = ["", "/Info.plist", "/Contents/Info.plist"].map { named + $0 }
    own.infoPlistPath = inside.first { $0.hasSuffix("Info.plist") && access($0, R_OK) == 0 }
    let path = InfoPlist.path(own)
    var isReadable = true
    // Of its translations, which are told of as well, the question does not depend.
    let app = InfoPlist.describe(own) { if let path, $0.hasPrefix(path + ":") { isReadable = false } }
    findings.declaration = DoctorFindings.Declaration(
      path: path, isReadable: isReadable,
      missingKeys: app.whenInUseUsage == nil ? [InfoKey.whenInUse] : [])
    return app
  }

  private func permission(of app: AppIdentifier, isOwnStream: Bool) -> DoctorFindings.Permission {
    var grant = Grant()
    var origin = DoctorFindings.Permission.Origin.stored
    if let text = environment.authorization {
      let setting = AuthorizationSetting(text)
      origin = setting == nil ? .unreadableVariable : .variable
      grant = setting?.grant ?? grant
    } else if isOwnStream && wish.app == nil {
      return DoctorFindings.Permission(app: app.name, origin: .needless, level: .whenInUse)
    } else if let folder = environment.stateFolder {
      grant = FileStore(stateFolder: folder, log: { _ in }).load(app).grant
    }
    let level: DoctorFindings.Permission.Level =
      switch grant.level {
      case _ where grant.isRestricted: .restricted
      case .notDetermined: .notDetermined
      case .denied: .denied
      case .whenInUse: .whenInUse
      case .always: .always
      }
    return DoctorFindings.Permission(app: app.name, origin: origin, level: level, isPrecise: grant.isPrecise)
  }

  // MARK: Devices

  private func ports(_ source: SourceSpecification?) -> [DoctorFindings.SerialPort] {
    let paths: [String]
    switch source {
    case .automatic: paths = AutomaticProvider.Places().ports
    case .nmea(let path, _) where Self.describe(source, path).0 == .serialPort: paths = [path]
    default: return []
    }
    return paths.map {
      DoctorFindings.SerialPort(
        path: $0, access: DeviceAccess.find($0), holder: DeviceHolder.find(path: $0),
        isPort: Syscalls.kind(of: $0) == nil || DevicePort.isPort($0))
    }
  }

  // MARK: Listening

  private func listen(_ source: String, app: String, _ findings: inout DoctorFindings) {
    let said = Locked<String?>(nil)
    let made = InProcessSource(
      specification: source, app: app, clock: clock, log: { sentence in said.withLock { $0 = $0 ?? sentence } })
    let isOn = findings.airplaneMode.isOn
    let kinds: ReceiverKinds = !isOn ? .all : findings.areWiredReceiversAllowed ? .wired : []
    let ear = Ear()
    let begun = clock.now
    made.provider.connect { [clock] event in ear.hear(event, at: clock.now) }
    if !kinds.isDisjoint(with: made.provider.kinds) {
      made.provider.setDemand(ReceiverDemand(accuracy: .best, kinds: kinds))
      wait(for: ear, of: made.provider)
    }
    let heard = ear.heard
    findings.listenedSeconds = clock.now.seconds(since: begun)
    findings.fixCount = heard.fixCount
    if findings.sourceKind == .recording { findings.recordingProblem = said.withLock { $0 } ?? heard.notice }
    findings.lastFix = heard.last.map { last in
      DoctorFindings.LastFix(
        ageSeconds: clock.now.seconds(since: last.at), accuracyMeters: last.accuracyMeters,
        hasAltitude: last.hasAltitude)
    }
    note(made.provider, &findings)
    made.provider.setDemand(nil)
  }

  private func wait(for ear: Ear, of provider: any LocationProvider) {
    var deadline = DispatchTime.now() + wish.waitSeconds
    var isSettling = false
    while ear.bell.wait(timeout: deadline) == .success {
      guard ear.heard.fixCount > 0 else { continue }
      // Nothing more is to come of what is no satellite receiver.
      guard let status = (provider as? any ReceiverProvider)?.currentStatus, status.satellites.isEmpty else { return }
      if !isSettling { deadline = min(deadline, DispatchTime.now() + Self.settlingSeconds) }
      isSettling = true
    }
  }

  private func note(_ provider: any LocationProvider, _ findings: inout DoctorFindings) {
    guard let status = (provider as? any ReceiverProvider)?.currentStatus.concluded else { return }
    findings.receiver = status
    switch findings.sourceKind {
    case .gpsd: findings.gpsd = status
    case .locationService: findings.service = status
    case .serialPort:
      if findings.serialPorts.indices.contains(0) { findings.serialPorts[0].note(status) }
    default: break
    }
    if let automatic = provider as? AutomaticProvider {
      let candidates = automatic.candidates
      findings.gpsd = candidates.gpsd.concluded
      findings.service = candidates.service
      for index in findings.serialPorts.indices {
        let path = findings.serialPorts[index].path
        let heard = candidates.serial?.name == path ? candidates.serial?.concluded : candidates.rejectedPorts[path]
        if let heard { findings.serialPorts[index].note(heard) }
      }
    }
    if findings.sourceKind == .automatic || findings.sourceKind == .gpsd(isThisMachine: true) {
      findings.devicesClosedToGPSD = (findings.gpsd?.devices ?? []).filter(Self.isClosedToGPSD)
    }
  }

  /// On Debian gpsd gives root's rights up and opens devices as a member of group dialout (gpsd(8)).
  private static func isClosedToGPSD(_ device: String) -> Bool {
    guard let access = DeviceAccess.find(device) else { return false }
    return access.group != "dialout" && !access.isForEverybody
  }

  /// What was heard, without the places.
  private final class Ear: Sendable {
    struct Heard {
      var fixCount = 0
      var notice: String?
      var last: (at: Instant, accuracyMeters: Double?, hasAltitude: Bool)?
    }

    private let state = Locked(Heard())
    let bell = DispatchSemaphore(value: 0)

    var heard: Heard { state.withLock { $0 } }

    func hear(_ event: ProviderEvent, at now: Instant) {
      if case .fix(let fix) = event {
        let hasAltitude = fix.altitudeMeters != nil || fix.ellipsoidalAltitudeMeters != nil
        state.withLock { state in
          state.fixCount += 1
          state.last = (now, fix.horizontalAccuracyMeters, hasAltitude)
        }
      }
      if case .notice(let sentence) = event { state.withLock { $0.notice = $0.notice ?? sentence } }
      bell.signal()
    }
  }
}

extension DoctorFindings.SerialPort {
  fileprivate mutating func note(_ status: ProviderStatus) {
    problem = status.problem
    obstacle = status.obstacle
  }
}

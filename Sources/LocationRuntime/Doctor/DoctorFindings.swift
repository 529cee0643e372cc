import LinuxIO
import LocationModel
import LocationProviders

/// All that is known about why locations come or do not, before anything is concluded from it. Holds no place.
package struct DoctorFindings: Sendable {
  package enum SourceOrigin: Hashable, Sendable {
    case option
    case variable
    /// Nothing says otherwise.
    case usual
  }

  package enum SourceKind: Hashable, Sendable {
    case automatic
    case gpsd(isThisMachine: Bool)
    case serialPort
    /// NMEA sentences over a network, a pipe or standard input.
    case stream
    case locationService
    case fixedPlace
    case recording
    /// What CORELOCATION_SOURCE says is no source.
    case unknown
  }

  package struct Permission: Hashable, Sendable {
    package enum Origin: Hashable, Sendable {
      case variable
      case stored
      /// CORELOCATION_AUTHORIZATION is set to something that counts for nothing.
      case unreadableVariable
      /// A recording or a place of the person's own, which needs nobody's.
      case needless
    }

    package enum Level: Hashable, Sendable {
      case notDetermined, restricted, denied, whenInUse, always
    }

    package var app: String
    package var origin: Origin
    package var level: Level
    package var isPrecise = true

    package init(app: String, origin: Origin, level: Level, isPrecise: Bool = true) {
      self.app = app
      self.origin = origin
      self.level = level
      self.isPrecise = isPrecise
    }
  }

  /// What an app that was named by its path declares.
  package struct Declaration: Hashable, Sendable {
    /// Nil where no Info.plist was found.
    package var path: String?
    package var isReadable = true
    package var missingKeys: [String] = []

    package init(path: String?, isReadable: Bool = true, missingKeys: [String] = []) {
      self.path = path
      self.isReadable = isReadable
      self.missingKeys = missingKeys
    }
  }

  package struct SerialPort: Hashable, Sendable {
    package var path: String
    /// Nil where it is not there.
    package var access: DeviceAccess?
    package var holder: DeviceHolder?
    /// False for a device that no receiver can be behind, such as /dev/null.
    package var isPort: Bool
    /// What was in the way of listening to it.
    package var problem: String?
    package var obstacle: Obstacle?

    package init(
      path: String, access: DeviceAccess?, holder: DeviceHolder? = nil, isPort: Bool = true, problem: String? = nil,
      obstacle: Obstacle? = nil
    ) {
      self.path = path
      self.access = access
      self.holder = holder
      self.isPort = isPort
      self.problem = problem
      self.obstacle = obstacle
    }
  }

  /// Whether a recording's file can be read.
  package enum RecordingAccess: Hashable, Sendable {
    case readable
    case missing
    /// It may be there: this folder may not be looked into.
    case hidden(folder: String)
    case forbidden
    case directory
  }

  package enum Compass: Hashable, Sendable {
    /// iio-sensor-proxy has one, and gives it.
    case sensorProxy
    /// The kernel shows a magnetometer.
    case magnetometer
    /// iio-sensor-proxy has one, and does not give it; with what it or the bus said.
    case refused(String)
  }

  package struct Bluetooth: Hashable, Sendable {
    package var standing: BlueZStanding
    /// The kernel shows an adapter, whatever BlueZ says.
    package var kernelHasAdapter = true
    package var isBlockedBySoftware = false
    package var isBlockedByHardware = false

    package var isBlocked: Bool { isBlockedBySoftware || isBlockedByHardware }

    package init(_ standing: BlueZStanding) {
      self.standing = standing
    }
  }

  package struct LastFix: Hashable, Sendable {
    package var ageSeconds: Double
    package var accuracyMeters: Double?
    package var hasAltitude: Bool

    package init(ageSeconds: Double, accuracyMeters: Double?, hasAltitude: Bool) {
      self.ageSeconds = ageSeconds
      self.accuracyMeters = accuracyMeters
      self.hasAltitude = hasAltitude
    }
  }

  /// As it may be printed: a place is left out.
  package var sourceName = "auto"
  package var sourceKind = SourceKind.automatic
  package var sourceOrigin = SourceOrigin.usual
  package var permission = Permission(app: "corelocation", origin: .stored, level: .notDetermined)
  package var declaration: Declaration?
  /// The service that apps use; nil where they serve themselves.
  package var daemon: Daemon?
  /// Somebody can be asked here.
  package var hasTerminal = true
  package var isServicesOn = true
  package var airplaneMode = AirplaneMode.State()
  package var areWiredReceiversAllowed = true

  package var gpsd: ProviderStatus?
  /// Of the gpsd that is asked: host and port.
  package var gpsdAddress = "localhost:2947"
  /// Devices of gpsd on this machine that it may not open itself.
  package var devicesClosedToGPSD: [String] = []
  package var serialPorts: [SerialPort] = []
  package var service: ProviderStatus?
  package var isGeoClueInstalled = false
  package var recordingAccess = RecordingAccess.readable
  /// Why a recording cannot be played, as whoever plays it says.
  package var recordingProblem: String?
  /// Of the receiver that was listened to.
  package var receiver: ProviderStatus?

  /// Nil where the machine has no compass.
  package var compass: Compass?
  /// Nil where it was not found out in time.
  package var bluetooth: Bluetooth?

  package var listenedSeconds = 0.0
  package var fixCount = 0
  package var lastFix: LastFix?
  package var machineTime = WallTime(nanosecondsSince1970: 0)
  package var buildTime: WallTime?

  package init() {}

  /// Whether an app would get locations now.
  package var haveLocations: Bool {
    let mayBeAsked = declaration.map { $0.isReadable && $0.path != nil && $0.missingKeys.isEmpty } ?? true
    let isAllowed =
      switch permission.level {
      case .denied, .restricted: false
      case .notDetermined: mayBeAsked && hasTerminal
      case .whenInUse, .always: true
      }
    if let daemon, daemon.isUsed { return serviceGivesLocations(daemon) }
    return fixCount > 0 && isAllowed && isServicesOn
  }
}

/// One line of the answer.
package struct DoctorLine: Hashable, Sendable {
  package enum Mark: String, Hashable, Sendable {
    case ok
    /// Worth a look, though it keeps no location away by itself.
    case look
    /// A reason why no location comes.
    case cause
  }

  /// What was looked at: a name that scripts may rely on.
  package enum Check: String, Hashable, Sendable {
    case source, permission, infoPlist, services, airplaneMode, daemon, agent, gpsd, serial, locationService, receiver,
      fix
    case satellites, clock, compass, bluetooth
  }

  package var check: Check
  package var mark: Mark
  package var text: String
  package var cure: String?

  package init(_ check: Check, _ mark: Mark, _ text: String, cure: String? = nil) {
    self.check = check
    self.mark = mark
    self.text = text
    self.cure = cure
  }
}

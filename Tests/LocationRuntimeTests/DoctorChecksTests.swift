import LinuxIO
import LocationFormats
import LocationModel
import LocationProviders
import LocationRuntime
import Testing

@Suite("What doctor concludes from its findings")
struct DoctorChecksTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var change: @Sendable (inout DoctorFindings) -> Void
    var check: DoctorLine.Check
    var mark: DoctorLine.Mark
    /// Words that the line has.
    var text: String
    var cure: String?

    var testDescription: String { name }

    init(
      _ name: String, _ check: DoctorLine.Check, _ mark: DoctorLine.Mark, _ text: String, cure: String? = nil,
      _ change: @escaping @Sendable (inout DoctorFindings) -> Void
    ) {
      self.name = name
      self.change = change
      self.check = check
      self.mark = mark
      self.text = text
      self.cure = cure
    }
  }

  static func status(
    _ phase: ProviderStatus.Phase, name: String = "gpsd at localhost:2947",
    _ change: (inout ProviderStatus) -> Void = { _ in }
  ) -> ProviderStatus {
    var status = ProviderStatus(name: name)
    status.phase = phase
    change(&status)
    return status
  }

  /// gpsd with a fix, a moment ago.
  static var well: DoctorFindings {
    var findings = DoctorFindings()
    findings.permission = .init(app: "org.example.app", origin: .stored, level: .whenInUse)
    findings.gpsd = status(.fixing) {
      $0.sender = "gpsd 3.22"
      $0.devices = ["/dev/ttyUSB0"]
      $0.clockDifferenceSeconds = -0.3
    }
    findings.receiver = findings.gpsd
    findings.service = status(.idle, name: "GeoClue")
    findings.listenedSeconds = 3
    findings.fixCount = 3
    findings.lastFix = .init(ageSeconds: 0.44, accuracyMeters: 4.8, hasAltitude: true)
    findings.machineTime = WallTime(secondsSince1970: 1_780_300_800)
    findings.buildTime = WallTime(secondsSince1970: 1_780_000_000)
    return findings
  }

  static let settings: [Case] = [
    Case("--source", .source, .ok, "gpsd:localhost, as --source says") {
      $0.sourceName = "gpsd:localhost"
      $0.sourceOrigin = .option
    },
    Case("the variable", .source, .ok, "as CORELOCATION_SOURCE says") { $0.sourceOrigin = .variable },
    Case("no source", .source, .cause, "is no source", cure: "unset CORELOCATION_SOURCE") {
      $0.sourceKind = .unknown
      $0.sourceOrigin = .variable
    },
    Case("denied", .permission, .cause, "org.example.app is denied (as was decided", cure: "corelocation/apps") {
      $0.permission.level = .denied
    },
    Case("denied by the variable", .permission, .cause, "CORELOCATION_AUTHORIZATION says so", cure: "unset") {
      $0.permission.level = .denied
      $0.permission.origin = .variable
    },
    Case("undecided", .permission, .look, "is not decided", cure: "CORELOCATION_AUTHORIZATION=whenInUse") {
      $0.permission.level = .notDetermined
    },
    Case("undecided without a terminal", .permission, .cause, "no terminal here", cure: "=whenInUse") {
      $0.permission.level = .notDetermined
      $0.hasTerminal = false
    },
    Case("coarse", .permission, .look, "coarse ones only", cure: "allow precise") { $0.permission.isPrecise = false },
    Case("a variable that says nothing", .permission, .look, "is not understood", cure: "notDetermined, denied") {
      $0.permission.origin = .unreadableVariable
    },
    Case("no Info.plist", .infoPlist, .cause, "No Info.plist", cure: "CORELOCATION_INFO_PLIST") {
      $0.declaration = .init(path: nil)
    },
    Case("a missing key", .infoPlist, .cause, "/a/Info.plist lacks NSLocationWhenInUseUsageDescription", cure: "add") {
      $0.declaration = .init(path: "/a/Info.plist", missingKeys: ["NSLocationWhenInUseUsageDescription"])
    },
    Case("the switch", .services, .cause, "Location Services is off", cure: "corelocation services on") {
      $0.isServicesOn = false
    },
    Case("airplane mode", .airplaneMode, .look, "only receivers on a wire", cure: "corelocation airplane off") {
      $0.airplaneMode = .init(isSwitchedOn: true)
    },
    Case("every radio blocked", .airplaneMode, .cause, "every radio", cure: "rfkill unblock all") {
      $0.airplaneMode = .init(radioCount: 2, isEveryRadioBlocked: true)
      $0.sourceKind = .locationService
    },
    Case("airplane mode for all", .airplaneMode, .cause, "wiredReceiversInAirplaneMode", cure: "airplane off") {
      $0.airplaneMode = .init(isSwitchedOn: true)
      $0.areWiredReceiversAllowed = false
    },
  ]

  static let receivers: [Case] = [
    Case("gpsd is well", .gpsd, .ok, "gpsd at localhost:2947 (gpsd 3.22) answers and listens to /dev/ttyUSB0") { _ in },
    Case("no gpsd", .gpsd, .cause, "does not answer (Connection refused)", cure: "sudo apt-get install gpsd") {
      $0.sourceKind = .gpsd(isThisMachine: true)
      $0.gpsd = status(.absent) { $0.problem = "gpsd at localhost:2947 does not answer (Connection refused)" }
    },
    Case("no gpsd there", .gpsd, .cause, "does not answer", cure: "firewall") {
      $0.sourceKind = .gpsd(isThisMachine: false)
      $0.gpsd = status(.absent)
    },
    Case("gpsd is not needed", .gpsd, .ok, "does not answer") { $0.gpsd = status(.absent) },
    Case("gpsd without a receiver", .gpsd, .look, "has no receiver", cure: "/etc/default/gpsd") {
      $0.fixCount = 0
      $0.gpsd = status(.absent) {
        $0.problem = "gpsd at localhost:2947 has no receiver"
        $0.obstacle = .withoutReceiver
      }
    },
    Case("sentences in place of gpsd", .gpsd, .cause, "speaks NMEA 0183", cure: "--source tcp:host:3000") {
      $0.sourceKind = .gpsd(isThisMachine: false)
      $0.gpsdAddress = "host:3000"
      $0.gpsd = status(.absent) {
        $0.problem = "gpsd at host:3000 speaks NMEA 0183 and not gpsd's protocol"
        $0.obstacle = .speaksSentences
      }
    },
    Case("something silent has gpsd's port", .gpsd, .cause, "does not greet", cure: "ss -ltnp sport = :2947") {
      $0.sourceKind = .gpsd(isThisMachine: true)
      $0.gpsd = status(.absent) {
        $0.problem = "gpsd at localhost:2947 does not greet as gpsd does"
        $0.obstacle = .silent
      }
    },
    Case("nothing at all", .gpsd, .cause, "Connection refused", cure: "sudo apt-get install gpsd") {
      $0.fixCount = 0
      $0.receiver = status(.absent, name: "the machine's receivers")
      $0.gpsd = status(.absent) { $0.problem = "gpsd at localhost:2947 does not answer (Connection refused)" }
    },
    Case("no bus though there is GeoClue", .locationService, .cause, "There is no bus", cure: "start dbus") {
      $0.sourceKind = .locationService
      $0.isGeoClueInstalled = true
      $0.service = status(.absent, name: "GeoClue") {
        $0.problem = "there is no bus to ask for locations: No such file or directory"
        $0.obstacle = .unreachable
      }
    },
    Case("no GeoClue", .locationService, .cause, "is not there", cure: "apt-get install geoclue-2.0") {
      $0.sourceKind = .locationService
      $0.service = status(.absent, name: "GeoClue") { $0.problem = "GeoClue is not there: no name" }
    },
    Case("a silent port", .serial, .cause, "/dev/x says nothing", cure: "has power") {
      $0.sourceKind = .serialPort
      $0.serialPorts = [.init(path: "/dev/x", access: open, problem: "/dev/x says nothing", obstacle: .silent)]
    },
    Case("a receiver of another protocol", .serial, .cause, "/dev/x sends bytes", cure: "needs gpsd") {
      $0.sourceKind = .serialPort
      $0.serialPorts = [.init(path: "/dev/x", access: open, problem: "/dev/x sends bytes", obstacle: .foreign)]
    },
    Case(
      "a port that no group may open", .serial, .cause, "The user nobody may not open /dev/x, and no group may.",
      cure: "sudo usermod -aG dialout nobody"
    ) {
      $0.sourceKind = .serialPort
      let access = DeviceAccess(isOpenable: false, group: nil, membership: .none, person: "nobody")
      $0.serialPorts = [.init(path: "/dev/x", access: access)]
    },
    Case("a port that a container withholds", .serial, .cause, "container", cure: "--device /dev/x") {
      $0.sourceKind = .serialPort
      let access = DeviceAccess(isOpenable: false, group: "dialout", membership: .member, person: "ann")
      $0.serialPorts = [.init(path: "/dev/x", access: access)]
    },
    Case("gpsd behind tcp:", .receiver, .cause, "speaks gpsd's", cure: "--source gpsd:localhost:2947") {
      $0.sourceKind = .stream
      $0.sourceName = "tcp:localhost:2947"
      $0.receiver = status(.absent) {
        $0.problem = "the receiver at localhost:2947 speaks gpsd's protocol and not NMEA 0183"
        $0.obstacle = .speaksGPSD
      }
    },
    Case("gpsd with an AIS receiver", .gpsd, .cause, "other ships are (AIS)", cure: "gpsdctl add") {
      $0.sourceKind = .gpsd(isThisMachine: true)
      $0.fixCount = 0
      $0.gpsd = status(.absent) {
        $0.sender = "gpsd 3.22"
        $0.devices = ["/dev/x"]
        $0.obstacle = .receiverSilent
        $0.topic = .otherShips
      }
    },
    Case("gpsd may not open it", .gpsd, .look, "may not open /dev/x", cure: "sudo chgrp dialout /dev/x") {
      $0.fixCount = 0
      $0.devicesClosedToGPSD = ["/dev/x"]
      $0.gpsd = status(.starting) {
        $0.sender = "gpsd 3.22"
        $0.devices = ["/dev/x"]
        $0.obstacle = .receiverSilent
      }
    },
    Case("no serial receiver", .serial, .look, "There is no serial receiver", cure: "plug it in") { $0.fixCount = 0 },
    Case("no right to a port", .serial, .cause, "ann may not open /dev/x", cure: "sudo usermod -aG dialout ann,") {
      $0.sourceKind = .serialPort
      let access = DeviceAccess(isOpenable: false, group: "dialout", membership: .none, person: "ann")
      $0.serialPorts = [.init(path: "/dev/x", access: access)]
    },
    Case("a right from the next login on", .serial, .cause, "from the next login on", cure: "log out and in") {
      $0.sourceKind = .serialPort
      let access = DeviceAccess(isOpenable: false, group: "dialout", membership: .afterNextLogin, person: "ann")
      $0.serialPorts = [.init(path: "/dev/x", access: access)]
    },
    Case("a busy port", .serial, .cause, "in use by minicom (process 42)", cure: "kill 42") {
      $0.sourceKind = .serialPort
      $0.serialPorts = [.init(path: "/dev/x", access: open, holder: .init(processIdentifier: 42, name: "minicom"))]
    },
    Case("gpsd's own port", .serial, .ok, "by gpsd, as it should be") {
      $0.serialPorts = [.init(path: "/dev/x", access: open, holder: .init(processIdentifier: 42, name: "gpsd"))]
    },
    Case("a port that is gone", .serial, .cause, "is not there", cure: "plug") {
      $0.sourceKind = .serialPort
      $0.serialPorts = [.init(path: "/dev/x", access: nil)]
    },
    Case("GeoClue refuses", .locationService, .look, "GeoClue refuses to start", cure: "privacy settings") {
      $0.fixCount = 0
      $0.service = status(.refused, name: "GeoClue") { $0.problem = "GeoClue refuses to start: no agent" }
    },
    Case("no such file", .receiver, .cause, "nmea:/x: there is no such file", cure: "look at the path") {
      $0.sourceKind = .recording
      $0.sourceName = "nmea:/x"
      $0.recordingAccess = .missing
      $0.fixCount = 0
    },
    Case("a file in a closed folder", .receiver, .cause, "the folder /home/ann may not be", cure: "ls -ld /home/ann") {
      $0.sourceKind = .recording
      $0.sourceName = "nmea:/home/ann/x"
      $0.recordingAccess = .hidden(folder: "/home/ann")
      $0.fixCount = 0
    },
    Case("a file that may not be read", .receiver, .cause, "is there and may not be read", cure: "chmod a+r /x.gpx") {
      $0.sourceKind = .recording
      $0.sourceName = "gpx:/x.gpx"
      $0.recordingAccess = .forbidden
      $0.fixCount = 0
    },
    Case("a folder for a file", .receiver, .cause, "is a folder", cure: "one of the files") {
      $0.sourceKind = .recording
      $0.sourceName = "gpx:/tracks"
      $0.recordingAccess = .directory
      $0.fixCount = 0
    },
    Case("no port at all", .serial, .cause, "/dev/null is no serial port", cure: "ls -l /dev/serial/by-id") {
      $0.sourceKind = .serialPort
      $0.serialPorts = [.init(path: "/dev/null", access: open, isPort: false, problem: "x", obstacle: .noPort)]
    },
    Case("a name that nobody knows", .gpsd, .cause, "is not known", cure: "getent hosts") {
      $0.sourceKind = .gpsd(isThisMachine: false)
      $0.gpsd = status(.absent) {
        $0.problem = "gpsd at boat:2947 cannot be asked, since that name is not known (Name or service not known)"
        $0.obstacle = .unknownHost
      }
    },
    Case("gpsd at another port", .gpsd, .cause, "does not answer", cure: "use --source gpsd:localhost;") {
      $0.sourceKind = .gpsd(isThisMachine: true)
      $0.gpsdAddress = "localhost:3000"
      $0.gpsd = status(.absent) { $0.obstacle = .unreachable }
    },
    Case("a port for datagrams that somebody has", .receiver, .cause, "in use by nc (process 42)", cure: "udp:PORT") {
      $0.sourceKind = .stream
      $0.sourceName = "udp:10110"
      $0.receiver = status(.absent) {
        $0.problem = "UDP port 10110 is in use by nc (process 42)"
        $0.obstacle = .inUse
      }
    },
    Case("a recording without a point", .receiver, .cause, "gives nothing to play", cure: "corelocation simulate") {
      $0.sourceKind = .recording
      $0.fixCount = 0
    },
  ]

  private static let open = DeviceAccess(isOpenable: true, group: "dialout", membership: .member, person: "ann")

  static let heard: [Case] = [
    Case("a fix", .fix, .ok, "with altitude (3D): the last 0.4 s ago, accurate to 4.8 m") { _ in },
    Case("a fix of unknown accuracy", .fix, .ok, "without altitude (2D): the last 0.4 s ago, of unknown accuracy") {
      $0.lastFix?.accuracyMeters = nil
      $0.lastFix?.hasAltitude = false
    },
    Case("no fix", .fix, .cause, "No location in 10.0 s: gpsd at localhost:2947 has no fix", cure: "view of the sky") {
      $0.listenedSeconds = 10
      $0.lastFix = nil
      $0.fixCount = 0
      $0.receiver?.phase = .searching
    },
    Case("an AIS receiver", .fix, .cause, "other ships are (AIS)", cure: "GGA and RMC") {
      $0.listenedSeconds = 10
      $0.lastFix = nil
      $0.fixCount = 0
      $0.receiver?.phase = .searching
      $0.receiver?.topic = .otherShips
    },
    Case("a depth sounder", .fix, .cause, "other things than its place", cure: "satellite receiver") {
      $0.listenedSeconds = 10
      $0.lastFix = nil
      $0.fixCount = 0
      $0.receiver?.phase = .searching
      $0.receiver?.topic = .other
    },
    Case("locations that the app is not given", .fix, .look, "; the app gets none.", cure: "a cause") {
      $0.permission.level = .denied
    },
    Case("satellites", .satellites, .ok, "3 satellites in view, 2 received, 2 used (GPS 5, Galileo 7).") {
      $0.receiver?.satellites = [
        satellite(.gps, 5, signal: 40, isUsed: true), satellite(.gps, 7, signal: nil, isUsed: false),
        satellite(.galileo, 7, signal: 35, isUsed: true),
      ]
    },
    Case("satellites without signals", .satellites, .ok, "1 satellites in view, 1 received, 1 used (GPS 5).") {
      $0.receiver?.satellites = [satellite(.gps, 5, signal: nil, isUsed: true)]
    },
    Case("an antenna that hears nothing", .satellites, .look, "1 satellites in view, 0 received", cure: "antenna") {
      $0.fixCount = 0
      $0.receiver?.phase = .searching
      $0.receiver?.satellites = [satellite(.gps, 7, signal: nil, isUsed: false)]
    },
    Case("a right clock", .clock, .ok, "agree within 0.3 s") { _ in },
    Case("2 s are no difference yet", .clock, .ok, "within 2.0 s") { $0.receiver?.clockDifferenceSeconds = 2 },
    Case("a slow clock", .clock, .look, "3600 s ahead of the machine's clock", cure: "timedatectl") {
      $0.receiver?.clockDifferenceSeconds = 3_600
    },
    Case("a clock that was never set", .clock, .look, "1970-01-01", cure: "timedatectl") {
      $0.machineTime = WallTime(secondsSince1970: 12)
    },
  ]

  private static func satellite(_ system: SatelliteSystem, _ number: Int, signal: Int?, isUsed: Bool) -> SatelliteView {
    SatelliteView(
      system: system, number: number, elevationDegrees: nil, azimuthDegrees: nil, signalDecibelHertz: signal,
      isUsed: isUsed)
  }

  @Test("Each finding has its line, its mark and its cure", arguments: settings + receivers + heard)
  func lines(_ example: Case) throws {
    var findings = Self.well
    example.change(&findings)
    let line = try #require(DoctorChecks.lines(findings).first { $0.check == example.check })
    #expect(line.mark == example.mark)
    #expect(line.text.contains(example.text), "\(line.text)")
    if let cure = example.cure {
      #expect(line.cure?.contains(cure) == true, "\(line.cure ?? "no cure")")
    } else {
      #expect(line.cure == nil)
    }
  }

  @Test("Where all is well every line is ok and locations come")
  func well() {
    #expect(DoctorChecks.lines(Self.well).allSatisfy { $0.mark == .ok })
    #expect(Self.well.haveLocations)
  }

  @Test("A permission or a switch that keeps them from the app, and a key without which nobody asks, count as none")
  func keptFromTheApp() {
    var denied = Self.well
    denied.permission.level = .denied
    #expect(!denied.haveLocations)
    var switchedOff = Self.well
    switchedOff.isServicesOn = false
    #expect(!switchedOff.haveLocations)
    var undecided = Self.well
    undecided.permission.level = .notDetermined
    #expect(undecided.haveLocations)
    undecided.hasTerminal = false
    #expect(!undecided.haveLocations)
    undecided.hasTerminal = true
    undecided.declaration = .init(path: nil)
    #expect(!undecided.haveLocations)
  }
}

import LinuxIO
import LocationFormats
import LocationProviders

/// What gives the locations: daemons, ports, services, and what was heard of them.
extension DoctorChecks {
  /// Of one of several candidates: nothing that is missing is a cause while another gives locations, or is there and
  /// may soon.
  static func mark(_ findings: DoctorFindings) -> DoctorLine.Mark {
    guard findings.sourceKind == .automatic else { return .cause }
    if findings.fixCount > 0 { return .ok }
    return findings.receiver?.isServing == true ? .look : .cause
  }

  static func gpsd(_ status: ProviderStatus, _ findings: DoctorFindings) -> DoctorLine {
    let name = status.sender.map { "\(status.name) (\($0))" } ?? status.name
    let mark = mark(findings)
    switch status.phase {
    case .searching, .fixing:
      let devices = status.devices.isEmpty ? "a receiver" : status.devices.joined(separator: ", ")
      return DoctorLine(.gpsd, .ok, "\(name) answers and listens to \(devices).")
    case .idle: return DoctorLine(.gpsd, .ok, "\(name) was not asked.")
    case .starting, .absent, .lost, .refused:
      if status.obstacle == .receiverSilent { return silentDevices(name, status, findings, mark) }
      let problem = status.problem ?? "\(name) does not answer\(status.phase == .starting ? " yet" : "")"
      return DoctorLine(.gpsd, mark, "\(problem).", cure: gpsdCure(status.obstacle, findings))
    }
  }

  private static func silentDevices(
    _ name: String, _ status: ProviderStatus, _ findings: DoctorFindings, _ mark: DoctorLine.Mark
  ) -> DoctorLine {
    let devices = status.devices.joined(separator: ", ")
    guard findings.devicesClosedToGPSD.isEmpty else {
      let closed = findings.devicesClosedToGPSD.joined(separator: " ")
      return DoctorLine(
        .gpsd, mark, "\(name) hears nothing from \(devices), and may not open \(closed): it runs in group dialout.",
        cure: "sudo chgrp dialout \(closed) && sudo chmod g+rw \(closed)")
    }
    return DoctorLine(
      .gpsd, mark, "\(name) hears nothing from \(devices).",
      cure: "unplug the receiver and plug it in again; gpsmon shows what comes")
  }

  private static func gpsdCure(_ obstacle: Obstacle?, _ findings: DoctorFindings) -> String {
    let isElsewhere = findings.sourceKind == .gpsd(isThisMachine: false)
    let address = findings.gpsdAddress
    switch obstacle {
    case .withoutReceiver:
      return isElsewhere
        ? "name the receiver in DEVICES of /etc/default/gpsd there"
        : "name it in DEVICES of /etc/default/gpsd, or sudo gpsdctl add /dev/ttyUSB0"
    case .speaksSentences: return "use --source tcp:\(address)"
    case .otherVersion: return "gpsd 2.90 and later speak version 3: install one there"
    case .silent, .foreign, .fellSilent:
      guard !isElsewhere else { return "another program listens there: ask for the port of its gpsd" }
      let port = address.split(separator: ":").last ?? "2947"
      return "something else has the port, and sudo ss -ltnp sport = :\(port) names it; end it, or start gpsd with "
        + "another one (-S PORT) and use --source gpsd:localhost:PORT"
    default:
      return isElsewhere
        ? "look whether gpsd runs there, with -G, and whether a firewall is between"
        : "sudo apt-get install gpsd && sudo systemctl start gpsd.socket"
    }
  }

  // MARK: Serial ports

  static func serial(_ findings: DoctorFindings) -> [DoctorLine] {
    switch findings.sourceKind {
    case .automatic where findings.serialPorts.isEmpty:
      return [
        DoctorLine(
          .serial, mark(findings), "There is no serial receiver (/dev/gps*, /dev/ttyACM*, /dev/ttyUSB*).",
          cure: findings.fixCount > 0 ? nil : "plug it in; dmesg tells what the machine made of it")
      ]
    case .automatic, .serialPort: return findings.serialPorts.map { port($0, findings) }
    default: return []
    }
  }

  private static func port(_ port: DoctorFindings.SerialPort, _ findings: DoctorFindings) -> DoctorLine {
    let path = port.path
    let mark = mark(findings)
    guard let access = port.access else {
      return DoctorLine(
        .serial, mark, "\(path) is not there.", cure: "plug the receiver in; ls -l /dev/serial/by-id names what is")
    }
    if !access.isOpenable { return closed(path, access, mark) }
    if let holder = port.holder {
      if holder.name == "gpsd" && findings.gpsd?.isServing == true {
        return DoctorLine(.serial, .ok, "\(path) is in use by gpsd, as it should be.")
      }
      return DoctorLine(
        .serial, mark, "\(path) is in use by \(holder).",
        cure: holder.name == "gpsd"
          ? "use --source gpsd:localhost, since gpsd serves many"
          : "end it (kill \(holder.processIdentifier)), or let gpsd have the receiver, which serves many")
    }
    if let problem = port.problem {
      return DoctorLine(.serial, mark, "\(problem).", cure: serialCure(port.obstacle, path))
    }
    let isHeard = findings.receiver?.name == path && findings.receiver?.isServing == true
    let speed = findings.receiver?.speedBaud.map { " at \($0) baud" } ?? ""
    return DoctorLine(
      .serial, .ok, isHeard ? "\(path) speaks NMEA 0183\(speed)." : "\(path) is there and may be opened.")
  }

  private static func serialCure(_ obstacle: Obstacle?, _ path: String) -> String {
    switch obstacle {
    case .silent:
      "look whether the receiver has power and this is its port (ls -l /dev/serial/by-id); many serial ports have "
        + "nothing at their other end"
    case .fellSilent, .closed: "unplug the receiver and plug it in again; dmesg tells whether the cable was lost"
    case .foreign:
      "a receiver with a protocol of its own (UBX, SiRF, TSIP) needs gpsd, which translates it; NMEA 0183 is "
        + "understood here at 4800 to 115200 baud"
    default: "see what comes: cat \(path); NMEA 0183 at 4800 to 115200 baud is understood"
    }
  }

  private static func closed(_ path: String, _ access: DeviceAccess, _ mark: DoctorLine.Mark) -> DoctorLine {
    let text = "The user \(access.person) may not open \(path)"
    switch (access.group, access.membership) {
    case (let group?, .none):
      return DoctorLine(
        .serial, mark, "\(text), since only group \(group) may.",
        cure: "sudo usermod -aG \(group) \(access.person), then log out and in again")
    case (let group?, .afterNextLogin):
      return DoctorLine(
        .serial, mark, "\(text): the membership in group \(group) counts from the next login on.",
        cure: "log out and in again")
    case (let group?, .member):
      return DoctorLine(
        .serial, mark,
        "\(text) though a member of group \(group), which may: a container or a security module forbids it.",
        cure: "give the container the device (such as docker run --device \(path)), or allow it in the module")
    case (nil, _):
      return DoctorLine(
        .serial, mark, "\(text), and no group may.",
        cure: "sudo chgrp dialout \(path) && sudo chmod g+rw \(path)")
    }
  }

  // MARK: The desktop's location service

  static func locationService(_ status: ProviderStatus, _ findings: DoctorFindings) -> DoctorLine {
    let mark = mark(findings)
    let sentence = status.problem ?? "\(status.name) gives no location"
    let problem = sentence.prefix(1).uppercased() + sentence.dropFirst() + "."
    switch status.phase {
    case .fixing: return DoctorLine(.locationService, .ok, "\(status.name) gives locations.")
    case .searching: return DoctorLine(.locationService, mark, "\(status.name) is there and has no location yet.")
    case .idle where findings.airplaneMode.isOn:
      return DoctorLine(.locationService, .ok, "\(status.name) is not asked in airplane mode.")
    case .idle:
      return DoctorLine(.locationService, .ok, "\(status.name) is not asked while something better may give locations.")
    case .starting: return DoctorLine(.locationService, mark, "\(status.name) has not answered yet.")
    case .refused:
      return DoctorLine(
        .locationService, mark, problem,
        cure: "allow location in the privacy settings of the desktop, and run this in its session")
    case .absent, .lost: return DoctorLine(.locationService, mark, problem, cure: serviceCure(status, findings))
    }
  }

  private static func serviceCure(_ status: ProviderStatus, _ findings: DoctorFindings) -> String {
    if !status.name.hasPrefix("GeoClue") {
      return "run this in a desktop's session, which has the bus and xdg-desktop-portal"
    }
    guard findings.isGeoClueInstalled else { return "sudo apt-get install geoclue-2.0" }
    return status.obstacle == .unreachable
      ? "sudo systemctl start dbus; without systemd sudo service dbus start"
      : "systemctl status geoclue tells why it does not serve"
  }

  // MARK: What was heard

  /// Of sources that no other line is about.
  static func receiver(_ findings: DoctorFindings) -> DoctorLine? {
    switch findings.sourceKind {
    case .automatic, .gpsd, .serialPort, .locationService, .unknown: return nil
    case .fixedPlace: return DoctorLine(.receiver, .ok, "A fixed place needs no receiver.")
    case .recording:
      guard findings.fixCount == 0 else { return DoctorLine(.receiver, .ok, "\(findings.sourceName) is played.") }
      return recording(findings)
    case .stream:
      guard let status = findings.receiver else { return nil }
      if status.isServing { return DoctorLine(.receiver, .ok, "\(status.name) speaks NMEA 0183.") }
      return DoctorLine(
        .receiver, .cause, "\(status.problem ?? "\(status.name) does not answer yet").",
        cure: streamCure(status.obstacle, findings))
    }
  }

  private static func recording(_ findings: DoctorFindings) -> DoctorLine {
    guard findings.isRecordingThere else {
      return DoctorLine(
        .receiver, .cause, "\(findings.sourceName): there is no such file.",
        cure: "look at the path, which counts from the folder that this runs in; a port is named /dev/...")
    }
    let problem = findings.recordingProblem ?? "\(findings.sourceName) gives nothing to play"
    return DoctorLine(
      .receiver, .cause, problem.hasSuffix(".") ? problem : problem + ".",
      cure: "corelocation simulate, given the file, names what is wrong in it and where")
  }

  private static func streamCure(_ obstacle: Obstacle?, _ findings: DoctorFindings) -> String {
    switch obstacle {
    case .speaksGPSD: "use --source gpsd:\(findings.sourceName.dropFirst("tcp:".count))"
    case .foreign:
      "what sends there is no receiver, or one with a protocol of its own: look for the port with NMEA 0183"
    case .silent where findings.sourceName.hasPrefix("udp:"):
      "look whether the sender sends to this machine and port, and whether a firewall is between"
    case .silent, .fellSilent: "the way is open: look whether the sender has a receiver that speaks"
    default: "look whether the sender runs and sends NMEA 0183 there"
    }
  }

  static func fix(_ findings: DoctorFindings) -> DoctorLine {
    if let last = findings.lastFix {
      let accuracy = last.accuracyMeters.map { "accurate to \(seconds($0)) m" } ?? "of unknown accuracy"
      return DoctorLine(
        .fix, .ok,
        "Locations come, \(last.hasAltitude ? "with altitude (3D)" : "without altitude (2D)"): the last "
          + "\(seconds(max(0, last.ageSeconds))) s ago, \(accuracy).")
    }
    guard findings.listenedSeconds > 0.05 || findings.receiver?.phase == .searching else {
      return DoctorLine(.fix, .look, "Nothing was listened to, so that no location came.")
    }
    let listened = "No location in \(seconds(findings.listenedSeconds)) s"
    switch findings.receiver?.phase {
    case .searching:
      return DoctorLine(
        .fix, .cause, "\(listened): \(findings.receiver?.name ?? "the receiver") has no fix.",
        cure: "give the antenna a clear view of the sky; from cold it takes half a minute and more")
    case nil, .idle, .absent, .starting, .fixing, .lost, .refused:
      return DoctorLine(.fix, findings.sourceKind == .automatic ? .cause : .look, "\(listened).")
    }
  }

  static func satellites(_ findings: DoctorFindings) -> DoctorLine? {
    guard let status = findings.receiver, status.isServing, findings.service?.phase != .fixing else { return nil }
    let all = status.satellites
    guard !all.isEmpty else {
      return DoctorLine(.satellites, .ok, "\(status.name) tells of no satellites.")
    }
    let used = all.filter(\.isUsed)
    let received = all.filter { $0.isUsed || ($0.signalDecibelHertz ?? 0) > 0 }
    var text = "\(all.count) satellites in view, \(received.count) received, \(used.count) used"
    if !used.isEmpty { text += " (\(names(used)))" }
    guard used.isEmpty && findings.fixCount == 0 else { return DoctorLine(.satellites, .ok, text + ".") }
    return DoctorLine(
      .satellites, .look, text + ".",
      cure: received.count < 4 ? "check the antenna; four must be received" : "wait: their orbits are being read")
  }

  /// `GPS 2 5, Galileo 7`
  private static func names(_ satellites: [SatelliteView]) -> String {
    SatelliteSystem.allCases.compactMap { system in
      let numbers = Set(satellites.filter { $0.system == system }.map(\.number)).sorted()
      guard !numbers.isEmpty else { return nil }
      return "\(system.name) " + numbers.map(String.init).joined(separator: " ")
    }.joined(separator: ", ")
  }
}

extension SatelliteSystem {
  fileprivate var name: String {
    switch self {
    case .gps: "GPS"
    case .glonass: "GLONASS"
    case .galileo: "Galileo"
    case .beiDou: "BeiDou"
    case .quasiZenith: "QZSS"
    case .navIC: "NavIC"
    case .augmentation: "SBAS"
    case .unknown: "unknown system"
    }
  }
}

import LinuxIO
import LocationFormats
import LocationProviders

/// What gives the locations: daemons, ports, services, and what was heard of them.
extension DoctorChecks {
  /// Of one of several candidates: nothing that is missing is a cause while another gives locations.
  private static func mark(_ findings: DoctorFindings) -> DoctorLine.Mark {
    guard findings.sourceKind == .automatic else { return .cause }
    return findings.fixCount > 0 ? .ok : .look
  }

  static func gpsd(_ status: ProviderStatus, _ findings: DoctorFindings) -> DoctorLine {
    let name = status.sender.map { "\(status.name) (\($0))" } ?? status.name
    let mark = mark(findings)
    switch status.phase {
    case .searching, .fixing:
      let devices = status.devices.isEmpty ? "a receiver" : status.devices.joined(separator: ", ")
      return DoctorLine(.gpsd, .ok, "\(name) answers and listens to \(devices).")
    case .starting where status.sender != nil && status.devices.isEmpty:
      return DoctorLine(
        .gpsd, mark, "\(name) answers and has no receiver.",
        cure: "name it in DEVICES of /etc/default/gpsd, or sudo gpsdctl add /dev/ttyUSB0")
    case .starting where status.sender != nil: return silentDevices(name, status, findings, mark)
    case .idle: return DoctorLine(.gpsd, .ok, "\(name) was not asked.")
    case .starting: return DoctorLine(.gpsd, mark, "\(name) does not answer yet.", cure: gpsdCure(findings))
    case .absent, .lost, .refused:
      return DoctorLine(.gpsd, mark, "\(status.problem ?? "\(name) does not answer").", cure: gpsdCure(findings))
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

  private static func gpsdCure(_ findings: DoctorFindings) -> String {
    if case .gpsd(isThisMachine: false) = findings.sourceKind {
      return "look whether gpsd runs there, with -G, and whether a firewall is between"
    }
    return "sudo apt-get install gpsd && sudo systemctl start gpsd.socket"
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
      return DoctorLine(
        .serial, mark, "\(problem).",
        cure: "see what comes: cat \(path); NMEA 0183 at 4800 to 115200 baud is understood")
    }
    let isHeard = findings.receiver?.name == path && findings.receiver?.isServing == true
    let speed = findings.receiver?.speedBaud.map { " at \($0) baud" } ?? ""
    return DoctorLine(
      .serial, .ok, isHeard ? "\(path) speaks NMEA 0183\(speed)." : "\(path) is there and may be opened.")
  }

  private static func closed(_ path: String, _ access: DeviceAccess, _ mark: DoctorLine.Mark) -> DoctorLine {
    let text = "\(access.person) may not open \(path)"
    switch (access.group, access.membership) {
    case (let group?, .none):
      return DoctorLine(
        .serial, mark, "\(text), since only group \(group) may.",
        cure: "sudo usermod -aG \(group) \(access.person), then log out and in again")
    case (let group?, .afterNextLogin):
      return DoctorLine(
        .serial, mark, "\(text): the membership in group \(group) counts from the next login on.",
        cure: "log out and in again")
    default:
      return DoctorLine(
        .serial, mark, "\(text), and nor may any group.",
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
    case .absent, .lost:
      return DoctorLine(
        .locationService, mark, problem, cure: mark == .ok ? nil : "sudo apt-get install geoclue-2.0")
    }
  }

  // MARK: What was heard

  /// Of sources that no other line is about.
  static func receiver(_ findings: DoctorFindings) -> DoctorLine? {
    switch findings.sourceKind {
    case .automatic, .gpsd, .serialPort, .locationService, .unknown: return nil
    case .fixedPlace: return DoctorLine(.receiver, .ok, "A fixed place needs no receiver.")
    case .recording:
      guard findings.fixCount == 0 else { return DoctorLine(.receiver, .ok, "\(findings.sourceName) is played.") }
      return DoctorLine(
        .receiver, .cause, "\(findings.sourceName) gives nothing to play.",
        cure: "corelocation simulate names the file and the line that is wrong")
    case .stream:
      guard let status = findings.receiver else { return nil }
      if status.isServing { return DoctorLine(.receiver, .ok, "\(status.name) speaks NMEA 0183.") }
      return DoctorLine(
        .receiver, .cause, "\(status.problem ?? "\(status.name) says nothing").",
        cure: "look whether the sender runs and sends NMEA 0183 there")
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
    let received = all.filter { ($0.signalDecibelHertz ?? 0) > 0 }
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

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
    if status.topic == .otherShips {
      return DoctorLine(
        .gpsd, mark, "\(name) hears from \(devices) where other ships are (AIS), and nothing of this one's place.",
        cure: "let gpsd have a satellite receiver, too: sudo gpsdctl add /dev/ttyUSB0")
    }
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
    case .unknownHost: return hostCure
    case .otherVersion: return "gpsd 2.90 and later speak version 3: install one there"
    case .silent, .foreign, .fellSilent:
      guard !isElsewhere else { return "another program listens there: ask for the port of its gpsd" }
      let port = address.split(separator: ":").last ?? "2947"
      return "something else has the port, and sudo ss -ltnp sport = :\(port) names it; end it, or start gpsd with "
        + "another one (-S PORT) and use --source gpsd:localhost:PORT"
    default:
      if isElsewhere { return "look whether gpsd runs there, with -G, and whether a firewall is between" }
      guard address.hasSuffix(":\(LiveSource.gpsdPort)") else {
        return "gpsd has port \(LiveSource.gpsdPort) unless -S says otherwise: use --source gpsd:localhost; where that "
          + "does not answer, sudo ss -ltnp names the port that it has"
      }
      return "sudo apt-get install gpsd && sudo systemctl start gpsd.socket"
    }
  }

  static let hostCure =
    "look at the name: getent hosts NAME tells what is known of it; an address in numbers needs no name"

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
    guard port.isPort else {
      return DoctorLine(
        .serial, mark, "\(path) is no serial port.", cure: "name the receiver's own: ls -l /dev/serial/by-id")
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
        cure: "sudo chgrp dialout \(path) && sudo chmod g+rw \(path), and sudo usermod -aG dialout "
          + "\(access.person), then log out and in again")
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
}

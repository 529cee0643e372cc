import LocationFormats
import LocationModel
import LocationProviders

/// What was heard of the source: recordings and streams, fixes, satellites.
extension DoctorChecks {
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
    let name = findings.sourceName
    switch findings.recordingAccess {
    case .readable: break
    case .missing:
      return DoctorLine(
        .receiver, .cause, "\(name): there is no such file.",
        cure: "look at the path, which counts from the folder that this runs in; a port is named /dev/...")
    case .hidden(let folder):
      return DoctorLine(
        .receiver, .cause, "\(name): the folder \(folder) may not be entered.",
        cure: "ask its owner, or run this as the one who may (ls -ld \(folder))")
    case .forbidden:
      let path = name.split(separator: ":", maxSplits: 1).last ?? ""
      return DoctorLine(
        .receiver, .cause, "\(name): the file is there and may not be read.",
        cure: "run this as its owner, or let the owner allow it: chmod a+r \(path)")
    case .directory:
      return DoctorLine(
        .receiver, .cause, "\(name) is a folder, and no recording.", cure: "name one of the files in it")
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
    case .unknownHost: hostCure
    case .inUse:
      "end it, or let the sender send to another port as well and use --source udp:PORT; sudo ss -lunp names who has "
        + "which"
    case .silent where findings.sourceName.hasPrefix("udp:"):
      "look whether the sender sends to this machine and port, and whether a firewall is between"
    case .silent, .fellSilent: "the way is open: look whether the sender has a receiver that speaks"
    default: "look whether the sender runs and sends NMEA 0183 there"
    }
  }

  static func fix(_ findings: DoctorFindings) -> DoctorLine {
    if let last = findings.lastFix {
      let accuracy = last.accuracyMeters.map { "accurate to \(seconds($0)) m" } ?? "of unknown accuracy"
      let how =
        "\(last.hasAltitude ? "with altitude (3D)" : "without altitude (2D)"): the last "
        + "\(seconds(max(0, last.ageSeconds))) s ago, \(accuracy)"
      guard findings.haveLocations else {
        return DoctorLine(
          .fix, .look, "The source gives locations, \(how); the app gets none.",
          cure: "do what the lines with a cause say")
      }
      return DoctorLine(.fix, .ok, "Locations come, \(how).")
    }
    guard findings.listenedSeconds > 0.05 || findings.receiver?.phase == .searching else {
      return DoctorLine(.fix, .look, "Nothing was listened to, so that no location came.")
    }
    let listened = "No location in \(seconds(findings.listenedSeconds)) s"
    switch findings.receiver?.phase {
    case .searching:
      let name = findings.receiver?.name ?? "the receiver"
      if let topic = findings.receiver?.topic, topic != .own { return otherTopic(topic, "\(listened): \(name)") }
      return DoctorLine(
        .fix, .cause, "\(listened): \(name) has no fix.",
        cure: "give the antenna a clear view of the sky; from cold it takes half a minute and more")
    case nil, .idle, .absent, .starting, .fixing, .lost, .refused:
      return DoctorLine(.fix, findings.sourceKind == .automatic ? .cause : .look, "\(listened).")
    }
  }

  private static func otherTopic(_ topic: SentenceTopic, _ begin: String) -> DoctorLine {
    topic == .otherShips
      ? DoctorLine(
        .fix, .cause, "\(begin) tells where other ships are (AIS), and never its own place.",
        cure: "name the port of a satellite receiver, or let it send its GGA and RMC sentences here, too")
      : DoctorLine(
        .fix, .cause, "\(begin) speaks NMEA 0183 of other things than its place.",
        cure: "name the port of a satellite receiver: GGA, GNS, RMC or GLL sentences tell a place")
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

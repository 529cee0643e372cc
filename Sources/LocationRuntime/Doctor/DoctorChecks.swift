import LocationFormats
import LocationModel
import LocationProviders

/// What the findings mean, a line a check, in the order in which a person looks. Pure: the same findings, the same
/// lines; and no line holds a place.
package enum DoctorChecks {
  /// Beyond this the receiver's time is not believed (design 5).
  package static let clockDifferenceSecondsMax = StreamProvider.clockDifferenceSecondsMax

  package static func lines(_ findings: DoctorFindings) -> [DoctorLine] {
    var lines = [source(findings), servicePermission(findings) ?? permission(findings)]
    if let declaration = findings.declaration { lines.append(infoPlist(declaration)) }
    lines += [services(findings), airplaneMode(findings)]
    lines += daemon(findings)
    // Receivers that the service listens to are not listened to a second time.
    if findings.daemon?.hasReceiversOn == true { return (lines + sensors(findings)).withoutNeedlessCures }
    if let gpsd = findings.gpsd { lines.append(self.gpsd(gpsd, findings)) }
    lines += serial(findings)
    if let service = findings.service { lines.append(locationService(service, findings)) }
    if let receiver = receiver(findings) { lines.append(receiver) }
    lines.append(fix(findings))
    if let satellites = satellites(findings) { lines.append(satellites) }
    lines.append(clock(findings))
    return (lines + sensors(findings)).withoutNeedlessCures
  }

  // MARK: Settings

  private static func source(_ findings: DoctorFindings) -> DoctorLine {
    if findings.sourceKind == .unknown {
      return DoctorLine(
        .source, .cause, "CORELOCATION_SOURCE is set to something that is no source, so that apps get no location.",
        cure: "unset CORELOCATION_SOURCE, or set it to a source that corelocation follow --help names")
    }
    let origin =
      switch findings.sourceOrigin {
      case .option: "as --source says"
      case .variable: "as CORELOCATION_SOURCE says"
      case .usual: "since neither --source nor CORELOCATION_SOURCE says otherwise"
      }
    return DoctorLine(.source, .ok, "The source is \(findings.sourceName), \(origin).")
  }

  private static func permission(_ findings: DoctorFindings) -> DoctorLine {
    let permission = findings.permission
    let app = permission.app
    if permission.origin == .unreadableVariable {
      return DoctorLine(
        .permission, .look, "CORELOCATION_AUTHORIZATION is not understood and counts for nothing.",
        cure: "set it to \(AuthorizationSetting.expected)")
    }
    if permission.origin == .needless {
      return DoctorLine(.permission, .ok, "The person's own file or place needs nobody's permission.")
    }
    let isVariable = permission.origin == .variable
    let origin = isVariable ? "CORELOCATION_AUTHORIZATION says so" : "as was decided and stored"
    switch permission.level {
    case .denied, .restricted:
      let word = permission.level == .denied ? "denied" : "restricted"
      return DoctorLine(
        .permission, .cause, "Permission of \(app) is \(word) (\(origin)): it gets no location.",
        cure: isVariable
          ? "unset CORELOCATION_AUTHORIZATION, or set it to whenInUse"
          : "run it with CORELOCATION_AUTHORIZATION=whenInUse, or remove its file in the folder corelocation/apps of "
            + "your state folder, to be asked anew")
    case .notDetermined where !findings.hasTerminal:
      return DoctorLine(
        .permission, .cause, "Permission of \(app) is not decided, and there is no terminal here to ask for it on.",
        cure: "set CORELOCATION_AUTHORIZATION=whenInUse, or run it in a terminal once")
    case .notDetermined:
      return DoctorLine(
        .permission, .look, "Permission of \(app) is not decided: it will be asked for on the terminal.",
        cure: "where there is no terminal, set CORELOCATION_AUTHORIZATION=whenInUse")
    case .whenInUse, .always:
      let level = permission.level == .always ? "always" : "while in use"
      guard permission.isPrecise else {
        return DoctorLine(
          .permission, .look, "\(app) may have locations \(level), coarse ones only (\(origin)).",
          cure: isVariable
            ? "take \",reduced\" out of CORELOCATION_AUTHORIZATION" : "allow precise locations when asked")
      }
      return DoctorLine(.permission, .ok, "\(app) may have locations \(level) (\(origin)).")
    }
  }

  private static func infoPlist(_ declaration: DoctorFindings.Declaration) -> DoctorLine {
    guard let path = declaration.path else {
      return DoctorLine(
        .infoPlist, .cause, "No Info.plist was found, so that requests for permission do nothing.",
        cure: "put Info.plist beside the executable, or name it in CORELOCATION_INFO_PLIST")
    }
    guard declaration.isReadable else {
      return DoctorLine(
        .infoPlist, .cause, "\(path) is not a readable property list.", cure: "check it: plutil -lint \(path)")
    }
    guard declaration.missingKeys.isEmpty else {
      let keys = declaration.missingKeys.joined(separator: " and ")
      return DoctorLine(
        .infoPlist, .cause, "\(path) lacks \(keys), so that requests for permission do nothing.",
        cure: "add the key, with a text that tells people why the app needs location")
    }
    return DoctorLine(.infoPlist, .ok, "\(path) says why the app needs location.")
  }

  private static func services(_ findings: DoctorFindings) -> DoctorLine {
    findings.isServicesOn
      ? DoctorLine(.services, .ok, "Location Services is on.")
      : DoctorLine(
        .services, .cause, "Location Services is off for the whole machine.", cure: "corelocation services on")
  }

  private static func airplaneMode(_ findings: DoctorFindings) -> DoctorLine {
    let mode = findings.airplaneMode
    guard mode.isOn else {
      return DoctorLine(
        .airplaneMode, .ok,
        mode.radioCount == 0 ? "Airplane mode is off; the machine tells of no radios." : "Airplane mode is off.")
    }
    let reason = mode.isSwitchedOn ? "switched on here" : "every radio of the machine is blocked"
    let cure = mode.isSwitchedOn ? "corelocation airplane off" : "rfkill unblock all, or the switch of the machine"
    if !findings.areWiredReceiversAllowed {
      return DoctorLine(
        .airplaneMode, .cause,
        "Airplane mode is on (\(reason)), and the policy (wiredReceiversInAirplaneMode) switches all receivers off.",
        cure: cure)
    }
    if findings.sourceKind == .locationService {
      return DoctorLine(
        .airplaneMode, .cause, "Airplane mode is on (\(reason)): \(findings.sourceName) needs a radio.", cure: cure)
    }
    return DoctorLine(
      .airplaneMode, .look, "Airplane mode is on (\(reason)): only receivers on a wire give locations.", cure: cure)
  }

  // MARK: The clock

  private static func clock(_ findings: DoctorFindings) -> DoctorLine {
    let setClock = "sudo timedatectl set-ntp true, or set it by hand"
    let now = InternetTime.text(findings.machineTime)
    if let built = findings.buildTime, findings.machineTime < built {
      return DoctorLine(
        .clock, .look, "The machine's clock says \(now), which is before this program was built.", cure: setClock)
    }
    guard let difference = findings.receiver?.clockDifferenceSeconds else {
      return DoctorLine(
        .clock, .ok, "The machine's clock says \(now); no receiver's time was heard to compare it with.")
    }
    let size = seconds(abs(difference))
    guard abs(difference) > clockDifferenceSecondsMax else {
      return DoctorLine(.clock, .ok, "The machine's clock and the receiver's agree within \(size) s.")
    }
    return DoctorLine(
      .clock, .look,
      "The receiver's time is \(size) s \(difference > 0 ? "ahead of" : "behind") the machine's clock, so that "
        + "locations are stamped with their arrival.",
      cure: setClock)
  }

  /// With one decimal, large ones in whole seconds.
  static func seconds(_ value: Double) -> String {
    guard value.isFinite, value < 1e15 else { return "more than 1000000000" }
    if value >= 100 { return String(Int(value.rounded())) }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}

import LinuxIO
import LocationEngine
import LocationFormats
import LocationModel
import LocationRuntime

/// What people tell the service (design 6). Everybody sees and changes the apps of his own user; root and the group
/// `corelocation` those of all, in the system's service.
extension LocationDaemon {
  /// - Parameter answer: is called once, on the queue; of an app's end when it has come.
  func carryOut(
    _ command: ServiceCommand, for asker: PeerIdentity, answer: @escaping @Sendable (CommandAnswer) -> Void
  ) {
    guard case .app(let command) = command else { return answer(carryOut(command, for: asker)) }
    do throws(CommandProblem) {
      try carryOut(command, for: asker, answer: answer)
    } catch {
      answer(.failed(error.sentence))
    }
  }

  private func carryOut(_ command: ServiceCommand, for asker: PeerIdentity) -> CommandAnswer {
    if let refusal = refusal(of: asker, for: asker.userNumber) { return .failed(refusal) }
    do throws(CommandProblem) {
      switch command {
      case .apps: return try apps(for: asker)
      case .grant(let name, let change, let user):
        try decide(name, of: user ?? asker.userNumber, by: asker, change)
      case .reset(let name, let user):
        try decide(name, of: user ?? asker.userNumber, by: asker, GrantChange(level: .notDetermined))
      case .switchServices(let isOn): try switchServices(on: isOn, by: asker)
      case .switchAirplaneMode(let isOn): try switchAirplaneMode(on: isOn, by: asker)
      case .status: return .sentences(status(for: asker))
      case .condition(let name): return .condition(condition(of: name, for: asker))
      case .top: return top(for: asker)
      case .log(let name): return try accessLog(of: name, for: asker)
      case .regions(let name): return try regions(of: name, for: asker)
      case .app: break
      }
      return .done
    } catch {
      return .failed(error.sentence)
    }
  }

  struct CommandProblem: Error, CustomStringConvertible {
    var sentence: String
    var description: String { sentence }

    init(_ sentence: String) { self.sentence = sentence }
    init(_ error: StoreError) { sentence = error.description }
  }

  /// Why a process may not speak for a person; nil where it may.
  func refusal(of asker: PeerIdentity, for user: UInt32) -> String? {
    do throws(ControlRefusal) {
      try asker.checkMayDecide(for: user, serviceGroup: serviceGroup)
      return nil
    } catch {
      return error.description
    }
  }

  private var serviceGroup: UInt32? {
    configuration.isSystemWide ? Syscalls.groupNumber(named: ServerTrust.serviceUserName) : nil
  }

  func isAdministrator(_ asker: PeerIdentity) -> Bool {
    asker.userNumber == 0 || serviceGroup.map(asker.groupNumbers.contains) == true
  }

  // MARK: Apps and what they may have

  /// The apps that the asker may see.
  private func knownApps(for asker: PeerIdentity) throws(CommandProblem) -> [StoredApp] {
    do throws(StoreError) {
      let all = isAdministrator(asker)
      return try store.file.apps().filter { all || $0.identifier.userNumber == asker.userNumber }
    } catch {
      throw CommandProblem(error)
    }
  }

  private func apps(for asker: PeerIdentity) throws(CommandProblem) -> CommandAnswer {
    let rows = try knownApps(for: asker).map { app in
      let grant = host.read { $0.grant(of: app.identifier) } ?? app.grant
      return [
        app.identifier.name, app.identifier.userNumber.map(String.init) ?? "-", app.kind ?? "unknown",
        Self.words(for: grant), standing(of: app.identifier) + refreshWords(for: app.identifier),
      ]
    }
    return .table(columns: ["APP", "USER", "KIND", "MAY HAVE", "NOW"], rows: rows)
  }

  /// Where an app stands now; what no supervisor has started runs, and that is all.
  private func standing(of app: AppIdentifier) -> String {
    guard isRunning(app) else {
      if appsAwaitingSupervisor.contains(app) { return "waits for a supervisor" }
      return host.read { engine in
        guard engine.isHeldOff(app) else { return "-" }
        return engine.couldNotStart(app) ? "held off, could not be started" : "held off, ended at once"
      }
    }
    guard installedApps?.supervisor.isRunning(app) == true else { return "running" }
    switch host.read({ ($0.state(of: app), $0.showsIndicator(of: app)) }) {
    case (.foreground, _): return "foreground"
    case (.background, true): return "background, uses location"
    case (.background, false): return "background"
    case (.suspended, _): return "suspended"
    case (.notRunning, _), (nil, _): return "running"
    }
  }

  private func refreshWords(for app: AppIdentifier) -> String {
    host.read { $0.allowsRefresh(of: app) } ? "" : ", no background refresh"
  }

  private static func words(for grant: Grant) -> String {
    if grant.isRestricted { return "restricted" }
    let accuracy = grant.isPrecise ? "" : ", reduced"
    switch grant.level {
    case .notDetermined: return "not decided"
    case .denied: return "denied"
    case .whenInUse: return "whenInUse" + accuracy
    case .always: return (grant.isProvisional ? "always (provisional)" : "always") + accuracy
    }
  }

  /// The app of this name, or the only one whose name ends so after a slash or a dot. A path may be decided about
  /// before its program has ever asked.
  private func find(_ name: String, of user: UInt32, for asker: PeerIdentity) throws(CommandProblem) -> AppIdentifier {
    let exact = AppIdentifier(name, userNumber: user)
    let known = try knownApps(for: asker).map(\.identifier).filter { $0.userNumber == user }
    if known.contains(exact) { return exact }
    let similar = known.filter { $0.name.hasSuffix("/" + name) || $0.name.hasSuffix("." + name) }
    if let only = similar.first, similar.count == 1 { return only }
    guard similar.isEmpty else {
      throw CommandProblem("\(name) could be any of \(similar.map(\.name).joined(separator: ", "))")
    }
    guard name.hasPrefix("/") else {
      throw CommandProblem(
        "no app of user \(user) is called \(name); \"corelocation apps\" lists those that have asked")
    }
    return exact
  }

  /// An app of the asker's own that has asked before.
  func knownApp(_ name: String, of asker: PeerIdentity) -> AppIdentifier? {
    guard let app = try? find(name, of: asker.userNumber, for: asker),
      (try? knownApps(for: asker).contains { $0.identifier == app }) == true
    else { return nil }
    return app
  }

  private func decide(
    _ name: String, of user: UInt32, by asker: PeerIdentity, _ change: GrantChange
  ) throws(CommandProblem) {
    if let refusal = refusal(of: asker, for: user) { throw CommandProblem(refusal) }
    let app = try find(name, of: user, for: asker)
    try decide(for: app, change)
    log("User \(asker.userNumber) decided for \(app.name).")
  }

  /// On the disk before anybody hears of it, and heard of before this returns.
  func decide(for app: AppIdentifier, _ change: GrantChange) throws(CommandProblem) {
    if let obstacle = store.obstacle() {
      log("What was decided for \(app.name) is not taken: \(obstacle)")
      throw CommandProblem(obstacle)
    }
    let isKnown = host.read { $0.grant(of: app) } != nil
    if isKnown {
      if let level = change.level { host.handle(.grantChanged(app, level)) }
      if let isPrecise = change.isPrecise { host.handle(.preciseChanged(app, isPrecise)) }
      host.waitUntilCarriedOut(secondsMax: 5)
      endUsesThatAreOver(of: app)
    }
    do throws(StoreError) {
      var grant = host.read { $0.grant(of: app) } ?? store.load(app).grant
      if !isKnown { grant.change(level: change.level, isPrecise: change.isPrecise) }
      try store.file.store(grant, decidedAt: clock.wallTime, for: app)
    } catch {
      throw CommandProblem(error)
    }
  }

  // MARK: Switches

  private func switchServices(on isOn: Bool, by asker: PeerIdentity) throws(CommandProblem) {
    try checkMaySwitch(asker, "Location Services are")
    do throws(StoreError) {
      try store.file.store(locationServicesSwitch: isOn)
    } catch {
      log(error.description)
      throw CommandProblem(error)
    }
    host.handle(.locationServicesSwitched(on: isOn))
    host.waitUntilCarriedOut(secondsMax: 5)
    for app in Set(clients.values.map(\.identity.app)) { endUsesThatAreOver(of: app) }
  }

  private func switchAirplaneMode(on isOn: Bool, by asker: PeerIdentity) throws(CommandProblem) {
    try checkMaySwitch(asker, "airplane mode is")
    do throws(AirplaneMode.SwitchFailure) {
      try AirplaneMode.set(isOn, at: configuration.airplaneSwitchPath)
    } catch {
      throw CommandProblem("airplane mode cannot be switched: \(error)")
    }
  }

  /// What holds for all users is not one user's to change.
  private func checkMaySwitch(_ asker: PeerIdentity, _ what: String) throws(CommandProblem) {
    guard configuration.isSystemWide, !isAdministrator(asker) else { return }
    throw CommandProblem(
      "\(what) switched for every user of this machine; run the command as root, or as a member of the group "
        + "\(ServerTrust.serviceUserName)")
  }

  // MARK: How it is

  private func regions(of name: String?, for asker: PeerIdentity) throws(CommandProblem) -> CommandAnswer {
    let app: AppIdentifier?
    if let name { app = try find(name, of: asker.userNumber, for: asker) } else { app = nil }
    let all = isAdministrator(asker)
    do throws(StoreError) {
      let stored = try store.file.registrations()
        .filter { entry in
          if let app { return entry.app == app }
          return all || entry.app.userNumber == asker.userNumber
        }
      let rows = stored.flatMap { app, stored in
        stored.regions.map { registered in
          [
            app.name, registered.region.identifier, Self.words(for: registered.region.shape),
            Self.words(for: registered.state),
          ]
        }
      }
      return .table(columns: ["APP", "REGION", "WHERE", "DEVICE"], rows: rows)
    } catch {
      throw CommandProblem(error)
    }
  }

  private static func words(for shape: Region.Shape) -> String {
    switch shape {
    case .circle(let center, let radiusMeters):
      "\(center.latitude),\(center.longitude) within \(Int(radiusMeters.rounded())) m"
    case .beacons: "near beacons"
    }
  }

  private static func words(for state: RegionState) -> String {
    switch state {
    case .unknown: "unknown"
    case .inside: "inside"
    case .outside: "outside"
    }
  }

  private func accessLog(of name: String?, for asker: PeerIdentity) throws(CommandProblem) -> CommandAnswer {
    let app: AppIdentifier?
    if let name { app = try find(name, of: asker.userNumber, for: asker) } else { app = nil }
    let user = isAdministrator(asker) ? nil : asker.userNumber
    do throws(StoreError) {
      let records = try store.file.accessLog(of: app, user: user, countMax: 200)
      let rows = records.map { record in
        let end: String =
          switch record.end {
          case .ongoing: "now"
          case .at(let time): InternetTime.text(time)
          case .unknown: "unknown"
          }
        return [
          InternetTime.text(record.begin), end, record.app.name, record.isPrecise ? "precise" : "reduced",
        ]
      }
      return .table(columns: ["FROM", "TO", "APP", "ACCURACY"], rows: rows)
    } catch {
      throw CommandProblem(error)
    }
  }
}

import LinuxIO
import LocationEngine
import LocationRuntime

/// Installed apps: what a person has the service do with them.
extension LocationDaemon {
  func carryOut(
    _ command: BundleCommand, for asker: PeerIdentity, answer: @escaping @Sendable (CommandAnswer) -> Void
  ) throws(CommandProblem) {
    if let refusal = refusal(of: asker, for: asker.userNumber) { throw CommandProblem(refusal) }
    switch command {
    case .install(let path, let assumes): answer(.sentences(try install(path, assumes: assumes, for: asker)))
    case .uninstall(let name):
      try uninstall(name, for: asker)
      answer(.done)
    case .launch(let name, let arguments): try launch(name, arguments, for: asker, answer: answer)
    case .foreground(let name): answer(try move(name, .enterForeground, for: asker))
    case .background(let name): answer(try move(name, .enterBackground, for: asker))
    case .terminate(let name, let isForced): try terminate(name, isForced: isForced, for: asker, answer: answer)
    case .switchBackgroundRefresh(let isOn, let name):
      try switchBackgroundRefresh(on: isOn, of: name, for: asker)
      answer(.done)
    }
  }

  // MARK: Installing

  private func install(
    _ path: String, assumes: [String], for asker: PeerIdentity
  ) throws(CommandProblem) -> [String] {
    // A tool's folder is not the service's.
    guard path.hasPrefix("/") else { throw CommandProblem("\(path): expected a path from the root") }
    for name in assumes where name != DeviceCapabilities.satelliteReceiver {
      throw CommandProblem("\(name) cannot be assumed: of a device's parts only gps can")
    }
    var bundle = try read(path)
    let capabilities = DeviceCapabilities(hasSatelliteReceiver: !assumes.isEmpty || hasSatelliteReceiver())
    do throws(UnmetRequirements) {
      try capabilities.check(bundle.requirements)
    } catch {
      throw CommandProblem("\(bundle.description.identifier.name) is not installed. \(error)")
    }
    let app = AppIdentifier(bundle.description.identifier.name, userNumber: asker.userNumber)
    bundle.description.identifier = app
    try checkMayReplace(with: bundle, app)
    var sentences: [String] = []
    do throws(StoreError) {
      for displaced in try store.file.install(bundle, as: app, at: clock.wallTime) {
        wasUninstalled(displaced)
        sentences.append("\(displaced.name), which was installed there, is uninstalled by that.")
      }
    } catch {
      log(error.description)
      throw CommandProblem(error)
    }
    log("User \(asker.userNumber) installed \(app.name) from \(bundle.path).")
    if installedApps != nil {
      host.restore(bundle.description)
      host.handle(.life(.installedAgain(app)))
    }
    let ignored = capabilities.ignored(bundle.requirements)
    if !ignored.isEmpty {
      sentences.append("Not looked at: \(ignored.joined(separator: ", ")) (UIRequiredDeviceCapabilities).")
    }
    return ["\(app.name) is installed."] + sentences + bundle.notes
  }

  private func read(_ path: String) throws(CommandProblem) -> AppBundle {
    do throws(BundleError) {
      return try AppBundle(at: path, log: log)
    } catch {
      throw CommandProblem(error.description)
    }
  }

  /// Processes of what is about to be replaced would be nobody's. A program that was built anew in its place is no such
  /// case: its processes are the same app's.
  private func checkMayReplace(with bundle: AppBundle, _ app: AppIdentifier) throws(CommandProblem) {
    let installed: [InstalledBundle]
    do throws(StoreError) {
      installed = try store.file.bundles().filter { $0.app.userNumber == app.userNumber }
    } catch {
      throw CommandProblem(error)
    }
    for other in installed where isRunning(other.app) {
      let isSame = other.app == app && other.bundle.executablePath == bundle.executablePath
      let isReplaced =
        other.app == app || other.bundle.path == bundle.path || other.bundle.executablePath == bundle.executablePath
      if isReplaced && !isSame {
        throw CommandProblem(
          "\(other.app.name) runs from \(other.bundle.path); end it first (\(wayToEnd(other.app)))")
      }
    }
  }

  /// Whether a process of the app is connected, or was started here.
  func isRunning(_ app: AppIdentifier) -> Bool {
    installedApps?.isRunning(app) == true
      || clients.values.contains { $0.client != nil && $0.identity.app == app }
  }

  /// Processes that somebody has started without the service are not the service's to end.
  private func wayToEnd(_ app: AppIdentifier) -> String {
    let numbers = plainProcesses(of: app)
    guard installedApps?.isRunning(app) != true, !numbers.isEmpty else { return "corelocation terminate \(app.name)" }
    return "kill " + numbers.map(String.init).joined(separator: " ")
  }

  private func plainProcesses(of app: AppIdentifier) -> [Int32] {
    let clients = clients.values.filter { $0.client != nil && $0.identity.app == app }
    return Set(clients.map(\.identity.processNumber)).sorted()
  }

  private func uninstall(_ name: String, for asker: PeerIdentity) throws(CommandProblem) {
    let app = try findBundle(name, of: asker).app
    guard !isRunning(app) else {
      throw CommandProblem("\(app.name) runs; end it first (\(wayToEnd(app)))")
    }
    do throws(StoreError) {
      try store.file.forget(app)
    } catch {
      log(error.description)
      throw CommandProblem(error)
    }
    wasUninstalled(app)
    log("User \(asker.userNumber) uninstalled \(app.name).")
  }

  private func wasUninstalled(_ app: AppIdentifier) {
    acknowledgements.forget(app)
    host.handle(.appUninstalled(app))
  }

  /// By its path or its identifier, or by what follows a dot in the only identifier that ends so.
  private func findBundle(_ name: String, of asker: PeerIdentity) throws(CommandProblem) -> InstalledBundle {
    let own: [InstalledBundle]
    do throws(StoreError) {
      own = try store.file.bundles().filter { $0.app.userNumber == asker.userNumber }
    } catch {
      throw CommandProblem(error)
    }
    if let exact = own.first(where: { $0.app.name == name || $0.bundle.path == name }) { return exact }
    let similar = own.filter { $0.app.name.hasSuffix("." + name) }
    if let only = similar.first, similar.count == 1 { return only }
    guard similar.isEmpty else {
      throw CommandProblem("\(name) could be any of \(similar.map(\.app.name).joined(separator: ", "))")
    }
    throw CommandProblem(
      "\(name) is not installed for user \(asker.userNumber); \"corelocation install\" with the path of its bundle "
        + "does that")
  }

  // MARK: Life

  private func supervised(for app: AppIdentifier) throws(CommandProblem) -> InstalledApps {
    guard let installedApps else {
      throw CommandProblem(
        "this service serves every user of the machine and starts no apps; a person's own does "
          + "(corelocationd --user, or systemctl --user start corelocationd)")
    }
    if let obstacle = installedApps.supervisor.obstacle(to: app) { throw CommandProblem(obstacle.description) }
    return installedApps
  }

  /// An app that runs comes to the foreground, as when its icon is touched.
  private func launch(
    _ name: String, _ arguments: [String], for asker: PeerIdentity, answer: @escaping @Sendable (CommandAnswer) -> Void
  ) throws(CommandProblem) {
    let found = try findBundle(name, of: asker)
    let apps = try supervised(for: found.app)
    guard apps.supervisor.isRunning(found.app) else {
      try checkIsUnchanged(found)
      return start(found, because: .person, arguments: arguments) { failure in
        answer(failure.map { .failed($0.description) } ?? .done)
      }
    }
    // Its last words are waited for, and it is opened then: started, or brought to the front where another launch that
    // waited has started it.
    if host.read({ $0.isEnding(found.app) }) {
      return apps.waitForEnd(of: found.app) { [self] in
        do throws(CommandProblem) {
          try launch(name, arguments, for: asker, answer: answer)
        } catch {
          answer(.failed(error.sentence))
        }
      }
    }
    guard arguments.isEmpty else { throw CommandProblem(LaunchFailure.takesNoArguments(found.app).description) }
    host.handle(.life(.commanded(found.app, .enterForeground)))
    answer(.done)
  }

  /// What stands there now counts, which need not be what was installed. A person's supervisor looks itself.
  func checkIsUnchanged(_ installed: InstalledBundle) throws(CommandProblem) {
    guard personalSupervisors == nil else { return }
    let now = try read(installed.bundle.path)
    guard now.executablePath == installed.bundle.executablePath,
      now.description.identifier.name == installed.app.name
    else { throw CommandProblem(LaunchFailure.bundleHasChanged(installed.bundle.path).description) }
  }

  /// On the disk when this returns: what is switched for one app is kept by the engine with the app's life.
  private func switchBackgroundRefresh(
    on isOn: Bool, of name: String?, for asker: PeerIdentity
  ) throws(CommandProblem) {
    let app: AppIdentifier?
    if let name { app = try findBundle(name, of: asker).app } else { app = nil }
    guard installedApps != nil else {
      throw CommandProblem("this service starts no apps in the background; a person's own does (corelocationd --user)")
    }
    if let obstacle = store.obstacle() { throw CommandProblem(obstacle) }
    if app == nil {
      do throws(StoreError) {
        try store.file.store(backgroundRefreshSwitch: isOn)
      } catch {
        throw CommandProblem(error)
      }
    }
    host.handle(.life(.backgroundRefreshSwitched(app, isOn: isOn)))
    host.waitUntilCarriedOut(secondsMax: 5)
    guard let app, (try? store.file.life(of: app).allowsBackgroundRefresh) != isOn else { return }
    throw CommandProblem("it holds until the service ends, but could not be stored; the service's log says why")
  }

  private func move(
    _ name: String, _ command: AppCommand, for asker: PeerIdentity
  ) throws(CommandProblem) -> CommandAnswer {
    let app = try findBundle(name, of: asker).app
    let apps = try supervised(for: app)
    guard apps.supervisor.isRunning(app) else {
      throw CommandProblem("\(app.name) does not run; start it (corelocation launch \(app.name))")
    }
    guard !host.read({ $0.isEnding(app) }) else { throw CommandProblem("\(app.name) is being ended") }
    host.handle(.life(.commanded(app, command)))
    return .done
  }

  private func terminate(
    _ name: String, isForced: Bool, for asker: PeerIdentity, answer: @escaping @Sendable (CommandAnswer) -> Void
  ) throws(CommandProblem) {
    let app = try findBundle(name, of: asker).app
    let apps = try supervised(for: app)
    guard apps.supervisor.isRunning(app) else {
      guard plainProcesses(of: app).isEmpty else {
        throw CommandProblem("\(app.name) was not started by the service, which does not end it (\(wayToEnd(app)))")
      }
      return answer(.sentences(["\(app.name) does not run."]))
    }
    end(app, isForced: isForced, in: apps) { answer(.done) }
  }
}

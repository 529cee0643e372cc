import LinuxIO
import LocationEngine
import LocationRuntime

/// The life of installed apps: what the engine decides is carried out by the supervisor, and what becomes of the apps
/// is told to the engine. No policy is here.
extension LocationDaemon {
  /// From now on this service starts and ends installed apps, and watches for those that do not run. To be called once,
  /// on the queue and before it starts.
  package func supervise(with supervisor: any AppSupervisor) {
    installedApps = InstalledApps(supervisor) { [weak self] app in self?.host.handle(.life(.processEnded(app))) }
    do throws(StoreError) {
      if try store.file.backgroundRefreshSwitch() == false {
        host.handle(.life(.backgroundRefreshSwitched(nil, isOn: false)))
      }
      let mayBringBack = try mayBringBackApps()
      var cut: [CutOffApp] = []
      for installed in try store.file.bundles() {
        let running = try store.file.life(of: installed.app).running
        if mayBringBack, running != .no { cut.append((installed, running)) }
        try store.settle(acknowledgements.numbers(of: installed.app), of: installed.app)
        host.restore(installed.bundle.description)
      }
      bringBack(cut)
    } catch {
      log(error.description)
    }
  }

  // MARK: Apps that a killed service has taken with it

  private typealias CutOffApp = (installed: InstalledBundle, running: StoredAppLife.Running)

  /// Not after a start of the machine, where nobody expects them, and not where the last start was a moment ago: what
  /// they did may be what kills the service.
  private func mayBringBackApps() throws(StoreError) -> Bool {
    let now = clock.wallTime
    let machineStart = MachineStart.identifier
    let (lastMachineStart, lastServiceStart) = (try store.file.lastMachineStart(), try store.file.lastServiceStart())
    let isSameStart = machineStart != nil && lastMachineStart == machineStart
    let secondsSinceStart = lastServiceStart.map { now.seconds(since: $0) } ?? 0
    try store.file.store(machineStart: machineStart, serviceStart: now)
    return isSameStart && secondsSinceStart >= configuration.policy.crashLoopSeconds
  }

  /// Each stands where it stood, as far as a new process can: in front, or in the background with what it had a right
  /// to go on with.
  private func bringBack(_ apps: [CutOffApp]) {
    queue.async { [self] in
      for (installed, running) in apps where !isStopping {
        let app = installed.app
        log("\(app.name) ran when the last service was killed, and is started again.")
        if installedApps?.supervisor.isRunning(app) == true {
          if running == .foreground { host.handle(.life(.commanded(app, .enterForeground))) }
          continue
        }
        do throws(LaunchFailure) {
          try start(installed, because: running == .foreground ? .person : .location)
        } catch {
          log(error.description)
        }
      }
    }
  }

  // MARK: Effects, on the thread that carries them out

  /// What follows on the queue keeps the order of the effects.
  func carryOut(_ effect: LifeEffect) {
    switch effect {
    case .suspend(let app):
      for client in lifeClients(of: app) { client.setSuspended(true) }
      onSupervisor { $0.suspend(app) }
    case .resume(let app):
      for client in lifeClients(of: app) { client.setSuspended(false) }
      onSupervisor { $0.resume(app) }
    case .terminate(let app, let reason):
      onSupervisor { $0.terminate(app, Self.termination(for: reason)) }
    case .tell(let event, let client):
      clientsByNumber.withLock { $0[client] }?.send(.life(event))
    case .store(let life, let app):
      store.store(life, for: app)
    case .indicatorChanged:
      // Shown by `corelocation apps`, which asks the engine.
      break
    }
  }

  /// An event waits for an app that does not run.
  func launchForEvent(_ app: AppIdentifier) {
    queue.async { [self] in
      guard let installedApps, !isStopping, !installedApps.supervisor.isRunning(app) else { return }
      do {
        guard let installed = try store.file.bundle(of: app) else {
          throw LaunchFailure("\(app.name) is not installed any more.")
        }
        try start(installed, because: .location)
      } catch {
        log("An event waits for \(app.name). \(error)")
        host.handle(.life(.startFailed(app)))
      }
    }
  }

  private func onSupervisor(_ body: @escaping @Sendable (any AppSupervisor) -> Void) {
    queue.async { [self] in
      if let installedApps { body(installedApps.supervisor) }
    }
  }

  private func lifeClients(of app: AppIdentifier) -> [ServedClient] {
    clientsByNumber.withLock { clients in clients.values.filter { $0.identity.app == app } }
  }

  private static func termination(for reason: TerminationReason) -> Termination {
    switch reason {
    case .commanded: .asked
    case .forceQuit: .forceQuit
    case .eventNotHandled: .overrun("its time for an event is over, and its callback has not returned.")
    case .backgroundTasksNotEnded(let tasks):
      .overrun("its background time is over, and it has not ended \(tasks.joined(separator: ", ")).")
    }
  }

  // MARK: Commands, on the queue

  /// The engine knows of the process before anything that it says is heard.
  func start(_ installed: InstalledBundle, because reason: LaunchReason) throws(LaunchFailure) {
    guard let installedApps else { throw LaunchFailure("This service starts no apps.") }
    prepareAcknowledgements(of: installed.app)
    try installedApps.supervisor.launch(
      installed.app, executablePath: installed.bundle.executablePath, because: reason)
    host.launched(installed.bundle.description, because: reason == .person ? .person : .event)
  }

  /// What the app's last process has noted counts before its file is made anew.
  private func prepareAcknowledgements(of app: AppIdentifier) {
    let numbers = acknowledgements.numbers(of: app)
    if !numbers.isEmpty {
      host.handle(.life(.eventsAcknowledged(numbers, app)))
      host.waitUntilCarriedOut(secondsMax: 5)
    }
    do throws(SystemError) {
      try acknowledgements.begin(app)
    } catch {
      log("\(app.name) cannot note what it is done with: \(acknowledgements.path(of: app)): \(error.text).")
    }
  }

  /// - Parameter done: is called once the app has ended.
  func end(_ app: AppIdentifier, isForced: Bool, in apps: InstalledApps, done: @escaping () -> Void) {
    apps.waitForEnd(of: app, done: done)
    host.handle(.life(.commanded(app, isForced ? .forceQuit : .terminate)))
    // Also one that has been asked to end already, and takes its time.
    if isForced { apps.supervisor.terminate(app, .forceQuit) }
  }
}

import LinuxIO
import LocationEngine
import LocationModel
import LocationRuntime

/// The life of installed apps: what the engine decides is carried out by the supervisor, and what becomes of the apps
/// is told to the engine. No policy is here.
extension LocationDaemon {
  /// From now on this service has installed apps started and ended, and watches for those that do not run. To be called
  /// once, on the queue and before it starts.
  package func supervise(with supervisor: any AppSupervisor) {
    installedApps = InstalledApps(
      supervisor,
      host: InstalledApps.Host(
        settle: { [weak self] in self?.settle($0, of: $1) },
        launched: { [weak self] installed, reason in
          self?.host.launched(installed.bundle.description, because: reason == .person ? .person : .event)
        },
        ended: { [weak self] app in self?.host.handle(.life(.processEnded(app))) }))
    do throws(StoreError) {
      if try store.file.backgroundRefreshSwitch() == false {
        host.handle(.life(.backgroundRefreshSwitched(nil, isOn: false)))
      }
      let mayBringBack = try mayBringBackApps()
      let bundles = try store.file.bundles()
      acknowledgements.forgetAll(but: bundles.map(\.app))
      for installed in bundles {
        let running = try store.file.life(of: installed.app).running
        if mayBringBack, running != .no { cutOffApps[installed.app] = running }
        try store.settle(acknowledgements.numbers(of: installed.app), of: installed.app)
        host.restore(installed.bundle.description)
      }
    } catch {
      log(error.description)
    }
    queue.async { self.bringBackApps { _ in true } }
  }

  // MARK: Apps that were ended with who watched over them

  /// Not after a start of the machine, where nobody expects them, and not where the last start was a moment ago: what
  /// they did may be what kills the service.
  private func mayBringBackApps() throws(StoreError) -> Bool {
    let now = clock.wallTime
    let machineStart = configuration.machineStart
    let (lastMachineStart, lastServiceStart) = (try store.file.lastMachineStart(), try store.file.lastServiceStart())
    let isSameStart = machineStart != nil && lastMachineStart == machineStart
    let secondsSinceStart = lastServiceStart.map { now.seconds(since: $0) } ?? 0
    try store.file.store(machineStart: machineStart, serviceStart: now)
    return isSameStart && secondsSinceStart >= configuration.policy.crashLoopSeconds
  }

  /// Each stands where it stood, as far as a new process can: in front, or in the background with what it had a right
  /// to go on with. Those that nobody could start now wait. On the queue.
  func bringBackApps(where isMeant: (AppIdentifier) -> Bool) {
    for (app, running) in cutOffApps where isMeant(app) && !isStopping {
      guard let installedApps, installedApps.supervisor.obstacle(to: app) == nil else { continue }
      cutOffApps[app] = nil
      let lost = personalSupervisors == nil ? "the last run of this service" : "its supervisor or the service"
      log("\(app.name) ran when \(lost) went away, and is started again.")
      if installedApps.supervisor.isRunning(app) {
        if running == .foreground { host.handle(.life(.commanded(app, .enterForeground))) }
        continue
      }
      do throws(StoreError) {
        guard let installed = try store.file.bundle(of: app) else { continue }
        start(installed, because: running == .foreground ? .person : .location) { _ in }
      } catch {
        log(error.description)
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
      // A process that was there before any was started as an app has no such life.
      guard let told = clientsByNumber.withLock({ $0[client] }), !told.isPlain else { return }
      told.send(.life(event))
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
      guard let installedApps, !isStopping, !installedApps.isRunning(app) else { return }
      if let obstacle = installedApps.supervisor.obstacle(to: app) {
        if appsAwaitingSupervisor.insert(app).inserted { log("An event waits for \(app.name): \(obstacle).") }
        return
      }
      do {
        guard let installed = try store.file.bundle(of: app) else {
          throw LaunchFailure("\(app.name) is not installed any more.")
        }
        try checkIsUnchanged(installed)
        start(installed, because: .location) { _ in }
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
      .overrun("its background time is over, and it has not ended \(Notice.list(tasks)).")
    }
  }

  // MARK: Starting and ending, on the queue

  /// - Parameter done: is called once the app runs, or why it does not.
  func start(
    _ installed: InstalledBundle, because reason: LaunchReason, arguments: [String] = [],
    done: @escaping (LaunchFailure?) -> Void
  ) {
    guard let installedApps else { return done(LaunchFailure("This service starts no apps.")) }
    let app = installed.app
    appsAwaitingSupervisor.remove(app)
    installedApps.start(installed, because: reason, arguments: arguments) { [weak self] outcome in
      switch outcome {
      case .started: done(nil)
      case .failed(let failure):
        self?.log("\(app.name) was not started: \(failure)")
        done(failure)
      case .prevented(let failure):
        self?.log("\(app.name) was not started: \(failure)")
        if reason == .location { self?.couldNotStart(app) }
        done(failure)
      }
    }
  }

  /// What waits for it is kept: by the engine, which tries again, or until somebody comes who could start it.
  private func couldNotStart(_ app: AppIdentifier) {
    if installedApps?.supervisor.obstacle(to: app) == nil {
      host.handle(.life(.startFailed(app)))
    } else {
      appsAwaitingSupervisor.insert(app)
    }
  }

  /// What the app's last process has noted as done counts, and is on the disk, before its file is made anew.
  private func settle(_ acknowledged: [UInt64], of app: AppIdentifier) {
    host.handle(.life(.eventsAcknowledged(acknowledged, app)))
    host.waitUntilCarriedOut(secondsMax: 5)
  }

  /// A process that nobody here has started, of an installed app: what it was told and was not done with waits.
  func plainProcessLeft(of app: AppIdentifier) {
    guard let installedApps, !isStopping, !installedApps.isRunning(app) else { return }
    host.handle(.life(.startPossible(app)))
  }

  /// - Parameter done: is called once the app has ended.
  func end(_ app: AppIdentifier, isForced: Bool, in apps: InstalledApps, done: @escaping () -> Void) {
    apps.waitForEnd(of: app, done: done)
    host.handle(.life(.commanded(app, isForced ? .forceQuit : .terminate)))
    // Also one that has been asked to end already, and takes its time.
    if isForced { apps.supervisor.terminate(app, .forceQuit) }
  }
}

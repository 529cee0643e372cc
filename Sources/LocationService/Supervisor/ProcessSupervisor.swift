import Dispatch
import Glibc
import LinuxIO
import LocationEngine
import LocationRuntime

/// Apps as processes of this machine.
///
/// Each app runs in a session, a process group and, where there are control groups, a group of its own. It is suspended
/// by freezing the group, else by stopping each of its processes. Its end is heard from the kernel: while nothing
/// happens to an app there is no thread, no timer and no look at it. An app that ends takes with it what it has
/// started.
///
/// All calls are made on the supervisor's queue, and events come on it.
package final class ProcessSupervisor: AppSupervisor, @unchecked Sendable {
  package struct Settings: Sendable {
    /// Of the service, for the apps.
    package var socketPath: String
    /// Nil where apps are stopped by signals.
    package var groups: GroupTree?
    /// What the apps inherit, `NAME=value`.
    package var environment = Syscalls.environment
    /// How long an app has between SIGTERM and SIGKILL. Apple's documentation of `applicationWillTerminate(_:)` gives
    /// it "approximately five seconds".
    package var lastWordsSeconds = 5.0
    /// Whether processes that apps leave behind become children of this one and are reaped by it: all of its children
    /// that end are then reaped, so that this is for a process that has no others.
    package var adoptsOrphans = false
    /// An open file for what an app writes, which the supervisor closes; nil for this process's standard error.
    package var output: @Sendable (AppIdentifier) -> Int32? = { ServiceManager.journalStream(named: $0.name) }

    /// Where apps note the events that they are done with; nil for nowhere.
    package var acknowledgements: AcknowledgementFolder?
    /// No other supervisor that runs has apps that note what they are done with there: what an earlier run has left is
    /// known by it, at whatever socket that was.
    package var ownsAcknowledgements = false
    /// The user whose apps these are: what other users run is left alone, also where this process may see it.
    package var userNumber = Syscalls.userNumber

    package init(socketPath: String, groups: GroupTree? = nil) {
      self.socketPath = socketPath
      self.groups = groups
    }
  }

  /// Touched on the queue only.
  private final class RunningApp: @unchecked Sendable {
    let app: AppIdentifier
    let number: Int32
    let handle: ProcessHandle
    /// Tells of the end of the main process.
    var end: EventPoll.Watch?
    let family: ProcessFamily
    let group: AppGroup?
    var isSuspended = false
    var termination: Termination?

    init(_ app: AppIdentifier, handle: ProcessHandle, family: ProcessFamily, group: AppGroup?) {
      self.app = app
      number = family.root
      self.handle = handle
      self.family = family
      self.group = group
    }
  }

  private let settings: Settings
  private let environment: LaunchEnvironment
  private let queue: DispatchQueue
  private let log: @Sendable (String) -> Void

  // MARK: On the queue

  private var events: (@Sendable (SupervisorEvent) -> Void)?
  private var running: [AppIdentifier: RunningApp] = [:]
  private var endsPoll: EventPoll?
  private var launchCount = 0
  /// Groups whose last processes have been killed and are not gone yet.
  private var emptyingGroups: [AppGroup] = []
  private var childrenEnd: (any DispatchSourceSignal)?

  package init(_ settings: Settings, queue: DispatchQueue, log: @escaping @Sendable (String) -> Void) {
    self.settings = settings
    self.queue = queue
    self.log = log
    environment = LaunchEnvironment(
      inherited: settings.environment, socketPath: settings.socketPath,
      ownAcknowledgements: settings.ownsAcknowledgements ? settings.acknowledgements : nil)
  }

  // MARK: AppSupervisor

  package func connect(_ events: @escaping @Sendable (SupervisorEvent) -> Void) {
    self.events = events
    endLeftovers()
    if settings.adoptsOrphans { adoptOrphans() }
  }

  package func isRunning(_ app: AppIdentifier) -> Bool { running[app] != nil }

  /// What the app has noted stays where it is until the app is launched.
  package func prepare(_ app: AppIdentifier, ready: @escaping @Sendable (Result<[UInt64], LaunchFailure>) -> Void) {
    ready(.success(settings.acknowledgements?.numbers(of: app) ?? []))
  }

  package func launch(
    _ app: AppIdentifier, bundlePath: String, executablePath: String, arguments: [String], because reason: LaunchReason
  ) throws(LaunchFailure) {
    launchCount += 1
    try launch(
      app, executablePath: executablePath, arguments: arguments, because: reason,
      named: "\(Syscalls.processNumber).\(launchCount)")
  }

  /// - Parameter launch: no other launch has this name.
  func launch(
    _ app: AppIdentifier, executablePath: String, arguments: [String], because reason: LaunchReason,
    named launch: String
  ) throws(LaunchFailure) {
    guard running[app] == nil else { throw LaunchFailure("\(app.name) runs already.") }
    // The kernel takes each to its first zero.
    guard !arguments.contains(where: { $0.utf8.contains(0) }) else {
      throw LaunchFailure("\(app.name) cannot be started: an argument holds a zero character.")
    }
    beginAcknowledgements(of: app)
    let group = makeGroup(for: app, launch: launch)
    let started: RunningApp
    do throws(SystemError) {
      let lines = environment.lines(
        reason, launch: launch, acknowledgementPath: settings.acknowledgements?.path(of: app))
      let program = ProcessStart(executablePath: executablePath, arguments: arguments, environment: lines)
      let number = try start(program, of: app, in: group)
      started = try watch(app, number, launch: launch, group: group)
    } catch {
      if let group { discard(group) }
      throw LaunchFailure("\(app.name) cannot be started: \(executablePath): \(error.text).")
    }
    running[app] = started
    let place = reason == .person ? "foreground" : "background"
    log("\(app.name) was started in the \(place) (process \(started.number)).")
    events?(.started(app, processNumber: started.number))
  }

  package func suspend(_ app: AppIdentifier) {
    guard let running = running[app], !running.isSuspended, running.termination == nil else { return }
    running.isSuspended = true
    if let group = running.group {
      do throws(SystemError) {
        return try group.setFrozen(true)
      } catch {
        log("\(app.name): its group cannot be frozen (\(error)). Its processes are stopped one by one.")
      }
    }
    if !running.family.signalAll(SIGSTOP) { log("\(app.name) keeps making processes, some of which are not stopped.") }
  }

  package func resume(_ app: AppIdentifier) {
    guard let running = running[app], running.isSuspended else { return }
    running.isSuspended = false
    if let group = running.group {
      do throws(SystemError) { try group.setFrozen(false) } catch { log("\(app.name) cannot be resumed: \(error).") }
    }
    // Also where there is a group, which may have been one that could not be frozen.
    for member in running.family.members() { Syscalls.send(SIGCONT, to: member.number) }
  }

  package func terminate(_ app: AppIdentifier, _ termination: Termination) {
    guard let running = running[app] else { return }
    if case .overrun(let why) = termination { log("\(app.name) is ended: \(why)") }
    let wasAsked = running.termination != nil
    running.termination = running.termination ?? termination
    guard termination == .asked, !running.isSuspended else { return kill(running) }
    guard !wasAsked else { return }
    Syscalls.send(SIGTERM, to: running.number)
    queue.asyncAfter(deadline: .now() + settings.lastWordsSeconds) { [weak self, weak running] in
      guard let self, let running, self.running[app] === running else { return }
      log("\(app.name) has not ended within \(Int(settings.lastWordsSeconds)) s of being asked to, and is killed.")
      kill(running)
    }
  }

  package func stop() {
    let ending = Array(running.values)
    for running in ending { terminate(running.app, .asked) }
    let deadline = DispatchTime.now() + settings.lastWordsSeconds
    for running in ending {
      let left = deadline.uptimeNanoseconds - min(deadline.uptimeNanoseconds, DispatchTime.now().uptimeNanoseconds)
      if !running.handle.hasEnded(withinMilliseconds: Int32(clamping: left / 1_000_000)) {
        kill(running)
        _ = running.handle.hasEnded(withinMilliseconds: Self.killMilliseconds)
      }
      ended(running)
    }
    // What they had started was killed with them, and is gone in a moment.
    waitForEmptyGroups { if settings.adoptsOrphans { reapChildren() } else { removeEmptyGroups() } }
    if settings.adoptsOrphans { endAdopted() }
  }

  private var adopted: [Int32] {
    ProcessFamily.processes().filter { $0.parent == Syscalls.processNumber }.map(\.number)
  }

  /// What an app has left behind and nobody can tell of which it was.
  private func endAdopted() {
    reapChildren()
    for number in adopted {
      log("Process \(number), which an app has left behind, is killed.")
      Syscalls.send(SIGKILL, to: number)
    }
    for _ in 0..<Self.killMilliseconds where !adopted.isEmpty {
      usleep(1_000)
      reapChildren()
    }
  }

  private func waitForEmptyGroups(_ look: () -> Void) {
    for _ in 0..<Self.killMilliseconds where !emptyingGroups.isEmpty {
      usleep(1_000)
      look()
    }
  }

  /// How long a process that was killed is waited for where nothing else can be done meanwhile.
  private static let killMilliseconds: Int32 = 500

  // MARK: Beginning

  /// What the last process has noted is known by now.
  private func beginAcknowledgements(of app: AppIdentifier) {
    guard let acknowledgements = settings.acknowledgements else { return }
    do throws(SystemError) {
      try acknowledgements.begin(app)
    } catch {
      log("\(app.name) cannot note what it is done with: \(acknowledgements.path(of: app)): \(error.text).")
    }
  }

  private func makeGroup(for app: AppIdentifier, launch: String) -> AppGroup? {
    guard let groups = settings.groups else { return nil }
    do throws(SystemError) {
      return try groups.makeGroup(for: app.name, launch: launch)
    } catch {
      log("\(app.name) gets no control group (\(error)); it will be suspended by signals.")
      return nil
    }
  }

  private func start(
    _ program: ProcessStart, of app: AppIdentifier, in group: AppGroup?
  ) throws(SystemError) -> Int32 {
    let output = settings.output(app)
    defer { if let output { Syscalls.close(output) } }
    var start = program
    if let output { (start.output, start.errors) = (output, output) }
    guard let group else { return try Syscalls.start(start) }
    let file = try Syscalls.openForWriting(group.processesFile)
    defer { Syscalls.close(file) }
    start.groupFile = file
    return try Syscalls.start(start)
  }

  private func watch(
    _ app: AppIdentifier, _ number: Int32, launch: String, group: AppGroup?
  ) throws(SystemError) -> RunningApp {
    let handle: ProcessHandle
    do throws(SystemError) {
      handle = try ProcessHandle(child: number)
    } catch {
      Syscalls.send(SIGKILL, to: number)
      _ = Syscalls.reap(number)
      throw error
    }
    let family = ProcessFamily(
      root: number, rootStartTicks: ProcessFamily.process(number)?.startTicks ?? 0,
      mark: LaunchEnvironment.mark(launch: launch))
    let running = RunningApp(app, handle: handle, family: family, group: group)
    do throws(SystemError) {
      running.end = try ends().watch(handle.descriptor) { [weak self, weak running] _, _ in
        if let running { self?.ended(running) }
      }
    } catch {
      kill(running)
      _ = Syscalls.reap(number)
      throw error
    }
    return running
  }

  /// Waits for the ends of all apps; made with the first of them.
  private func ends() throws(SystemError) -> EventPoll {
    if let endsPoll { return endsPoll }
    let poll = try EventPoll(queue: queue)
    endsPoll = poll
    return poll
  }

  // MARK: Ending

  /// Every process of the app, whatever it is doing.
  private func kill(_ running: RunningApp) {
    if let group = running.group, group.kill() { return }
    running.family.signalAll(SIGKILL)
    // Frozen processes end too.
    running.group?.processes.forEach { Syscalls.send(SIGKILL, to: $0) }
  }

  private func ended(_ running: RunningApp) {
    guard self.running[running.app] === running else { return }
    running.end?.cancel()
    running.end = nil
    // Before the main process is reaped: until then its number leads to what it has left behind.
    kill(running)
    let end = Syscalls.reap(running.number) ?? .unknown
    self.running[running.app] = nil
    if let group = running.group { discard(group) }
    let result = AppEnd(processNumber: running.number, end: end, termination: running.termination)
    log(
      "\(running.app.name) \(result.isCrash ? "crashed" : "ended") (process \(running.number)): \(end)\(result.reason)."
    )
    events?(.ended(running.app, result))
  }

  private func discard(_ group: AppGroup) {
    emptyingGroups.append(group)
    removeEmptyGroups()
  }

  private func removeEmptyGroups() {
    emptyingGroups.removeAll { $0.remove() }
  }

  // MARK: What others have left

  /// Apps of a run of the service that was killed: nobody could suspend or resume them, or hear of their end.
  func endLeftovers() {
    var told: Set<Int32> = []
    for group in settings.groups?.leftovers ?? [] {
      for number in group.processes where told.insert(number).inserted { log(Self.leftoverSentence(number)) }
      if !group.kill() { group.processes.forEach { Syscalls.send(SIGKILL, to: $0) } }
      discard(group)
    }
    for process in ProcessFamily.processes() where environment.wasGiven(ProcessFamily.environment(of: process.number)) {
      guard process.number != Syscalls.processNumber, isOwn(process.number) else { continue }
      if told.insert(process.number).inserted { log(Self.leftoverSentence(process.number)) }
      // Of a run at another socket, whose groups have other names.
      let group = settings.groups?.group(of: process.number)
      Syscalls.send(SIGKILL, to: process.number)
      if let group {
        _ = group.kill()
        discard(group)
      }
    }
    // Their parent is another process: nobody here hears when they are gone.
    waitForEmptyGroups { removeEmptyGroups() }
  }

  private static func leftoverSentence(_ number: Int32) -> String {
    "Process \(number) is left of an earlier run of the service and is killed."
  }

  /// Root sees the environment of every process.
  private func isOwn(_ processNumber: Int32) -> Bool {
    ProcessFamily.user(of: processNumber) == settings.userNumber
  }

  package func endLeftover(_ processNumber: Int32) -> Bool {
    let environment = ProcessFamily.environment(of: processNumber)
    guard self.environment.wasGiven(environment), isOwn(processNumber),
      !running.values.contains(where: { app in environment.contains { $0.elementsEqual(app.family.mark.utf8) } })
    else { return false }
    log(Self.leftoverSentence(processNumber))
    Syscalls.send(SIGKILL, to: processNumber)
    return true
  }

  private func adoptOrphans() {
    do throws(SystemError) {
      try Syscalls.adoptOrphans()
    } catch {
      log("Processes that apps leave behind are not taken care of (\(error)).")
    }
    let source = DispatchSource.makeSignalSource(signal: SIGCHLD, queue: queue)
    source.setEventHandler { [weak self] in self?.reapChildren() }
    source.activate()
    childrenEnd = source
  }

  private func reapChildren() {
    while let number = Syscalls.endedChild {
      if let running = running.values.first(where: { $0.number == number }) {
        ended(running)
      } else {
        _ = Syscalls.reap(number)
      }
    }
    removeEmptyGroups()
  }
}

import Dispatch
import LinuxIO
import LocationEngine
import LocationRuntime

/// A person's supervisor of apps: does what the system's service decides for the apps that this person has installed,
/// and tells it what becomes of them (docs/app-life.md, "Beside a system's service").
///
/// It decides nothing and keeps nothing but what apps note as done. Without the service its apps end, and it waits
/// until the service is there again.
package final class PersonalSupervisor: @unchecked Sendable {
  /// How often a service that is away is looked for, after a first second of haste.
  private static let retrySeconds = 1.0

  private let path: String
  private let userNumber: UInt32
  private let acknowledgements: AcknowledgementFolder
  private let apps: ProcessSupervisor
  private let queue: DispatchQueue
  private let log: @Sendable (String) -> Void

  // MARK: On the queue

  private var stream: LocalStream?
  private var frames = FrameReader(bytesMax: WireFrame.serverBytesMax)
  /// What the socket had no room for.
  private var unsent: [UInt8] = []
  private var isGreeted = false
  /// It was once, so that the supervisor of processes is connected.
  private var wasGreeted = false
  private var isStopping = false
  private var failuresInRow = 0
  private var lastSaid: String?
  /// The name of the launch that runs.
  private var launches: [AppIdentifier: String] = [:]

  /// - Parameters:
  ///   - path: of the service's socket. Who serves it is looked at before anything is said (`ServerTrust`).
  ///   - acknowledgements: where apps note what they are done with.
  ///   - apps: is connected by this, and called by nobody else.
  package init(
    path: String, userNumber: UInt32, acknowledgements: AcknowledgementFolder, apps: ProcessSupervisor,
    queue: DispatchQueue, log: @escaping @Sendable (String) -> Void
  ) {
    self.path = path
    self.userNumber = userNumber
    self.acknowledgements = acknowledgements
    self.apps = apps
    self.queue = queue
    self.log = log
  }

  /// On the queue.
  package func start() { connect() }

  /// Ends all apps, which are told first, and returns when none runs. On the queue.
  package func stop() {
    isStopping = true
    if wasGreeted { apps.stop() }
    stream?.close()
    stream = nil
  }

  // MARK: Coming and going

  private func connect() {
    guard stream == nil, !isStopping else { return }
    do throws(SystemError) {
      let stream = try LocalStream(try Syscalls.connectLocally(to: path), queue: queue)
      // Who serves the socket says which programs are started here.
      if let distrust = ServerTrust.distrust(stream, path: path) {
        stream.close()
        sayOnce("Nothing is said to \(path). \(distrust)")
        return retryLater()
      }
      try begin(stream)
    } catch {
      sayOnce("No location service answers at \(path) (\(error.text)); it is waited for.")
      retryLater()
    }
  }

  private func begin(_ stream: LocalStream) throws(SystemError) {
    frames = FrameReader(bytesMax: WireFrame.serverBytesMax)
    unsent = []
    self.stream = stream
    do throws(SystemError) {
      try stream.start(
        received: { [weak self, weak stream] bytes, _ in self?.received(bytes, from: stream) },
        hasRoom: { [weak self] in self?.sendUnsent() },
        ended: { [weak self, weak stream] _ in self?.lost(stream) })
    } catch {
      self.stream = nil
      stream.close()
      throw error
    }
    say(.hello(version: wireProtocolVersion, .supervisor))
  }

  /// Nobody is there who would suspend or resume the apps, or hears of their end.
  private func lost(_ lost: LocalStream?) {
    guard let lost, lost === stream else { return }
    lost.close()
    stream = nil
    if isGreeted {
      isGreeted = false
      log("The service at \(path) has gone; the apps that it had started end.")
      apps.stop()
      launches = [:]
    }
    retryLater()
  }

  private func retryLater() {
    guard !isStopping else { return }
    failuresInRow += 1
    let seconds = failuresInRow == 1 ? 0 : failuresInRow <= 10 ? 0.1 : Self.retrySeconds
    queue.asyncAfter(deadline: .now() + seconds) { [weak self] in self?.connect() }
  }

  // MARK: Hearing

  private func received(_ bytes: UnsafeRawBufferPointer, from stream: LocalStream?) {
    guard let stream, stream === self.stream else { return }
    frames.append(bytes)
    do throws(WireError) {
      while let frame = try frames.next() { heard(try FrameReader.decode(frame, as: ServerMessage.self)) }
    } catch {
      sayOnce("The service at \(path) does not speak protocol \(wireProtocolVersion): \(error).")
      lost(stream)
    }
  }

  private func heard(_ message: ServerMessage) {
    switch message {
    case .toolGreeting: greeted()
    case .refusal(let reason): sayOnce("The service at \(path) refuses this supervisor: \(reason).")
    case .order(let order): carryOut(order)
    case .greeting, .event, .snapshot, .locationsDropped, .answer, .prompt, .promptWithdrawn, .servicesAlert,
      .promptAnswerRefused, .life, .settingsOpened, .pipe:
      break
    }
  }

  /// This is the user's only supervisor: what is there of the service's apps was left by one before it.
  private func greeted() {
    guard !isGreeted else { return }
    isGreeted = true
    failuresInRow = 0
    if wasGreeted {
      apps.endLeftovers()
    } else {
      wasGreeted = true
      apps.connect { [weak self] in self?.happened($0) }
    }
    say(.report(.ready))
    sayOnce("Supervising the apps of user \(userNumber) for the service at \(path).")
  }

  // MARK: Orders

  private func carryOut(_ order: SupervisorOrder) {
    guard isGreeted else { return }
    switch order {
    case .prepare(let name):
      let numbers = acknowledgements.numbers(of: app(name)).suffix(SupervisorReport.acknowledgedMax)
      say(.report(.prepared(app: name, acknowledged: Array(numbers))))
    case .launch(let launch): start(launch)
    case .suspend(let name): apps.suspend(app(name))
    case .resume(let name): apps.resume(app(name))
    case .terminate(let name, let termination): apps.terminate(app(name), termination)
    case .examine(let number):
      say(.report(.examined(processNumber: number, isLeftover: apps.endLeftover(number))))
    }
  }

  private func app(_ name: String) -> AppIdentifier { AppIdentifier(name, userNumber: userNumber) }

  private func start(_ launch: AppLaunch) {
    let app = app(launch.app)
    do throws(LaunchFailure) {
      try check(launch)
      launches[app] = launch.name
      try apps.launch(
        app, executablePath: launch.executablePath, arguments: launch.arguments, because: launch.reason,
        named: launch.name)
    } catch {
      log(error.description)
      if launches[app] == launch.name { launches[app] = nil }
      say(.report(.startFailed(launch: launch.name, error.description)))
    }
  }

  /// Nothing but the program of the bundle that the person has installed is started, whoever has the service's ear.
  private func check(_ launch: AppLaunch) throws(LaunchFailure) {
    let bundle: AppBundle
    do throws(BundleError) {
      bundle = try AppBundle(at: launch.bundlePath)
    } catch {
      throw LaunchFailure(error.description)
    }
    guard bundle.executablePath == launch.executablePath, bundle.description.identifier.name == launch.app else {
      throw LaunchFailure.bundleHasChanged(launch.bundlePath)
    }
  }

  private func happened(_ event: SupervisorEvent) {
    switch event {
    case .started(let app, let number):
      guard let launch = launches[app] else { return }
      say(.report(.started(launch: launch, processNumber: number)))
    case .ended(let app, let end):
      guard let launch = launches.removeValue(forKey: app) else { return }
      say(.report(.ended(launch: launch, end)))
    case .startFailed: break
    }
  }

  // MARK: Saying

  private func say(_ message: ClientMessage) {
    guard let stream else { return }
    let bytes = WireFrame.encode(message)
    guard unsent.isEmpty else {
      unsent += bytes
      return
    }
    // A broken connection is noticed where it is read.
    guard let sent = try? bytes.withUnsafeBytes({ try stream.send($0) }), sent < bytes.count else { return }
    unsent = Array(bytes[sent...])
  }

  private func sendUnsent() {
    guard let stream, let sent = try? unsent.withUnsafeBytes({ try stream.send($0) }) else { return }
    unsent.removeFirst(sent)
  }

  private func sayOnce(_ sentence: String) {
    guard sentence != lastSaid else { return }
    lastSaid = sentence
    log(sentence)
  }
}

extension LaunchFailure {
  static func bundleHasChanged(_ path: String) -> LaunchFailure {
    LaunchFailure(
      "\(path) holds another app or program than was installed; install it again (corelocation install \(path))")
  }
}

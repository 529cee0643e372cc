import LinuxIO
import LocationEngine
import LocationRuntime

/// The supervisors of the persons whom the system's service serves: it has no right to start programs of theirs, so
/// that for each a process of their own does what it decides (docs/app-life.md, "Beside a system's service").
///
/// A supervisor is believed about its own user's apps, whom the kernel names, and about nothing else: none can name
/// another user's. One that goes leaves apps that nobody could suspend, resume or see end: they count as ended, and
/// are not served any more. All calls are made on the service's queue, and events come on it.
package final class PersonalSupervisors: AppSupervisor, @unchecked Sendable {
  private struct Supervisor {
    let client: ServedClient
    /// It has told that it takes orders.
    var isReady = false
  }

  private typealias Ready = @Sendable (Result<[UInt64], LaunchFailure>) -> Void

  private let runName: String
  private let socketPath: String
  private let log: @Sendable (String) -> Void

  // MARK: On the queue

  private var events: (@Sendable (SupervisorEvent) -> Void)?
  private var supervisors: [UInt32: Supervisor] = [:]
  /// The launch of each app that was ordered and whose end was not told, by its name.
  private var launches: [AppIdentifier: String] = [:]
  private var preparing: [AppIdentifier: Ready] = [:]
  private var launchCount = 0
  private var isStopping = false

  /// - Parameters:
  ///   - socketPath: of the service, for the words to a person.
  ///   - runName: no other run of a service on this machine has it.
  package init(socketPath: String, runName: String, log: @escaping @Sendable (String) -> Void) {
    self.socketPath = socketPath
    self.runName = runName
    self.log = log
  }

  // MARK: Supervisors come and go

  /// Why a process may not be its user's supervisor; nil where it is that from now on.
  func add(_ client: ServedClient) -> String? {
    let user = client.identity.userNumber
    if let other = supervisors[user] {
      return "user \(user) has a supervisor already (process \(other.client.identity.processNumber))"
    }
    supervisors[user] = Supervisor(client: client)
    return nil
  }

  /// - Returns: the apps that were its to watch over, by then ended as far as the service knows.
  func remove(_ client: ServedClient) -> [AppIdentifier] {
    let user = client.identity.userNumber
    guard supervisors[user]?.client === client else { return [] }
    supervisors[user] = nil
    log("The supervisor of user \(user) has gone (process \(client.identity.processNumber)).")
    for app in preparing.keys where app.userNumber == user {
      preparing.removeValue(forKey: app)?(.failure(absence(of: user)))
    }
    let left = running(of: user)
    for app in left { end(app, AppEnd(processNumber: 0, end: .unknown)) }
    return left
  }

  /// Whether a user's supervisor takes orders.
  func isReady(_ user: UInt32) -> Bool { supervisors[user]?.isReady == true }

  /// The apps that were started for a user and have not ended.
  func running(of user: UInt32) -> [AppIdentifier] { launches.keys.filter { $0.userNumber == user } }

  /// Has a user's supervisor look whether an earlier one has left a process.
  func examine(_ processNumber: Int32, of user: UInt32) {
    supervisors[user]?.client.send(.order(.examine(processNumber: processNumber)))
  }

  /// - Returns: whether it is ready from now on.
  func heard(_ report: SupervisorReport, from client: ServedClient) -> Bool {
    let user = client.identity.userNumber
    guard supervisors[user]?.client === client else { return false }
    switch report {
    case .ready:
      guard supervisors[user]?.isReady == false else { return false }
      supervisors[user]?.isReady = true
      log("User \(user) has a supervisor (process \(client.identity.processNumber)).")
      return true
    case .prepared(let name, let acknowledged):
      preparing.removeValue(forKey: AppIdentifier(name, userNumber: user))?(.success(acknowledged))
    case .started(let launch, let number):
      guard let app = app(of: launch, user) else { return false }
      events?(.started(app, processNumber: number))
    case .startFailed(let launch, let reason):
      guard let app = app(of: launch, user) else { return false }
      launches[app] = nil
      events?(.startFailed(app, LaunchFailure(PlainText.printable(reason))))
    case .ended(let launch, let end):
      guard let app = app(of: launch, user) else { return false }
      self.end(app, end)
    case .examined: break
    }
    return false
  }

  /// The launch that still counts; what a supervisor says of any other is old.
  private func app(of launch: String, _ user: UInt32) -> AppIdentifier? {
    launches.first { $0.value == launch && $0.key.userNumber == user }?.key
  }

  private func end(_ app: AppIdentifier, _ end: AppEnd) {
    launches[app] = nil
    events?(.ended(app, end))
  }

  private func absence(of user: UInt32) -> LaunchFailure {
    LaunchFailure(
      "user \(user) has no supervisor, which starts and ends apps: start it (systemctl --user start "
        + "corelocation-supervisor, or corelocationd --user --supervise \(socketPath))")
  }

  // MARK: AppSupervisor

  package func connect(_ events: @escaping @Sendable (SupervisorEvent) -> Void) {
    self.events = events
  }

  package func obstacle(to app: AppIdentifier) -> LaunchFailure? {
    let user = app.userNumber ?? 0
    return isReady(user) && !isStopping ? nil : absence(of: user)
  }

  package func prepare(_ app: AppIdentifier, ready: @escaping @Sendable (Result<[UInt64], LaunchFailure>) -> Void) {
    if let obstacle = obstacle(to: app) { return ready(.failure(obstacle)) }
    preparing[app] = ready
    order(.prepare(app: app.name), of: app)
  }

  package func launch(
    _ app: AppIdentifier, bundlePath: String, executablePath: String, arguments: [String], because reason: LaunchReason
  ) throws(LaunchFailure) {
    if let obstacle = obstacle(to: app) { throw obstacle }
    launchCount += 1
    let name = "\(runName).\(launchCount)"
    launches[app] = name
    order(
      .launch(
        AppLaunch(
          app: app.name, bundlePath: bundlePath, executablePath: executablePath, reason: reason, name: name,
          arguments: arguments)),
      of: app)
  }

  package func suspend(_ app: AppIdentifier) {
    if isRunning(app) { order(.suspend(app: app.name), of: app) }
  }

  package func resume(_ app: AppIdentifier) {
    if isRunning(app) { order(.resume(app: app.name), of: app) }
  }

  package func terminate(_ app: AppIdentifier, _ termination: Termination) {
    if isRunning(app) { order(.terminate(app: app.name, termination), of: app) }
  }

  private func order(_ order: SupervisorOrder, of app: AppIdentifier) {
    supervisors[app.userNumber ?? 0]?.client.send(.order(order))
  }

  /// The supervisors end their apps, which are told, when the service has gone.
  package func stop() {
    isStopping = true
    for app in Array(launches.keys) { end(app, AppEnd(processNumber: 0, end: .unknown, termination: .asked)) }
  }

  package func isRunning(_ app: AppIdentifier) -> Bool { launches[app] != nil }

  /// The service may not look which launch a process is of. Its supervisor is asked instead (`examine`).
  package func endLeftover(_ processNumber: Int32) -> Bool { false }
}

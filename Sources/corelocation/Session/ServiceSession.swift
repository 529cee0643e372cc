import LinuxIO
import LocationEngine
import LocationModel
import LocationProviders
import LocationRuntime

/// Asks the service that the machine's apps share for locations, as one of its apps: the command's name to it is its
/// path, and it gets what this app may have (design 5, "Finding the service").
struct ServiceSession {
  var path: String
  var configuration: ManagerConfiguration
  var writer: ResultWriter
  var countMax: Int?
  /// The whole session's.
  var durationSeconds: Double?
  /// One location is the result.
  var endsWithAnswer = false
  /// What is written and counted.
  var results = Listener.Results.locations
  /// What is ranged instead of locations.
  var rangedBeacons: BeaconConstraint?
  /// How long that one is waited for; nil for as long as the service does.
  var answerSeconds: Double?

  /// A permission file answers at once, an agent is there or not; so long is waited before that is looked at.
  private static let agentSeconds = 0.5

  func run() throws(CommandFailure) -> (ending: Ending, deliveredCount: Int) {
    Interruption.endsCleanly()
    let clock = LiveClock.shared
    let listener = Listener(
      writer, clock: clock, countMax: countMax, endsWhenRefused: results != .headings, endsWithAnswer: endsWithAnswer,
      results: results)
    let connection = ServiceConnection(path: path, app: SessionSettings.app, clock: clock, log: Messages.log)
    let ear = ServiceEar(
      connection: connection, listener: listener, configuration: configuration,
      chooser: answerSeconds.map { AnswerChooser(wish: configuration.desiredAccuracy, seconds: $0, clock: clock) },
      request: rangedBeacons.map { .startRanging($0) }
        ?? (endsWithAnswer && answerSeconds == nil ? .requestLocation : .startUpdatingLocation),
      needless: results == .headings ? .startUpdatingHeading : nil)
    let sessionEnd = clock.makeAlarm { listener.end(.durationPassed) }
    sessionEnd.set(durationSeconds.map { clock.now.advanced(bySeconds: $0) })
    let look = clock.makeAlarm {
      // Magnetic headings come without permission, where there is a compass.
      if ear.isUndecided, mayBeAnswered() { return }
      if results == .headings { return HeadingPermission.consider(connection.snapshot, listener) }
      if ear.isUndecided { listener.end(.refused(.notDetermined)) }
    }
    let lookSeconds = results == .headings ? HeadingPermission.compassSeconds : Self.agentSeconds
    ear.onObstacle { look.set(clock.now.advanced(bySeconds: lookSeconds)) }
    ear.begin()
    listener.waitForEnd()
    writer.table?.drawRest()
    connection.close()
    withExtendedLifetime((ear, sessionEnd, look)) {}
    let ending = listener.ending ?? .durationPassed
    if case .refused(let status) = ending { throw refusal(status, connection.snapshot) }
    return (ending, listener.deliveredCount)
  }

  /// Whether somebody, or some program of his, is there to answer a question.
  private func mayBeAnswered() -> Bool {
    guard let connection = try? ToolConnection(path: path),
      case .condition(let condition)? = try? connection.ask(.condition(app: nil))
    else { return true }
    return condition.agentCount > 0
  }

  private func refusal(_ status: AuthorizationStatus, _ snapshot: ClientSnapshot) -> CommandFailure {
    let own = ProcessEnvironment.current().executablePath
    let message =
      if status == .notDetermined {
        "permission is not decided, and no agent runs that could ask: start \"corelocation agent\", or decide with "
          + "\"corelocation grant \(own) whenInUse\""
      } else if !snapshot.locationServicesEnabled {
        "Location Services is off; \"corelocation services on\" switches it on"
      } else {
        "permission denied; \"corelocation grant \(own) whenInUse\" gives it"
      }
    return CommandFailure(status: .permissionDenied, message: message)
  }
}

/// The one manager of the session: asks for permission where nothing is decided, then for what was wanted.
private final class ServiceEar: Sendable {
  private struct State {
    var manager: ManagerIdentifier?
    var hasBegun = false
    var isUndecided = false
    var withheld: (@Sendable () -> Void)?
  }

  private let connection: ServiceConnection
  private let listener: Listener
  private let configuration: ManagerConfiguration
  private let chooser: AnswerChooser?
  private let request: Request
  /// What nobody's permission is needed for.
  private let needless: Request?
  private let state = Locked(State())

  init(
    connection: ServiceConnection, listener: Listener, configuration: ManagerConfiguration, chooser: AnswerChooser?,
    request: Request, needless: Request?
  ) {
    self.needless = needless
    self.connection = connection
    self.listener = listener
    self.configuration = configuration
    self.chooser = chooser
    self.request = request
  }

  var isUndecided: Bool { state.withLock { $0.isUndecided } }

  /// Called when permission is asked for, and when what needs none is all that is left.
  func onObstacle(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.withheld = body }
  }

  func begin() {
    // No event is heard before the manager's number is known.
    let manager = state.withLock { state in
      let manager = connection.addManager { [weak self] in self?.hear($0) }
      state.manager = manager
      return manager
    }
    connection.send(.configure(configuration), from: manager)
    if let needless { connection.send(needless, from: manager) }
  }

  private func hear(_ event: ManagerEvent) {
    if case .authorizationChanged(let authorization, _, _) = event { heard(authorization) }
    guard let chooser else { return listener.hear(event) }
    guard let chosen = chooser.hear(event) else { return }
    listener.hear(chosen)
  }

  private func heard(_ authorization: Authorization) {
    let isDecided = authorization.status != .notDetermined
    let (manager, begins, asked) = state.withLock { state in
      defer {
        state.isUndecided = !isDecided
        if isDecided { state.hasBegun = true }
      }
      return (state.manager, isDecided && !state.hasBegun, isDecided || state.isUndecided ? nil : state.withheld)
    }
    if needless != nil, isDecided, !authorization.status.isAuthorized { state.withLock { $0.withheld }?() }
    guard let manager else { return }
    if begins {
      chooser?.begin(isReduced: authorization.accuracy == .reduced) { [listener] in listener.hear($0) }
      connection.send(request, from: manager)
    } else if let asked {
      connection.send(.requestWhenInUseAuthorization, from: manager)
      asked()
    }
  }
}

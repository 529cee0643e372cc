import Dispatch
import Glibc
import LinuxIO
import LocationFormats
import LocationModel

/// GeoClue on the system bus, or the location portal on the session bus: `geoclue:` and `portal:`.
///
/// It connects while a location is wanted and not a moment longer. A service that refuses is asked again after a
/// minute at the earliest; one that is absent, silent or gone is waited for, and asked as soon as its name is on the
/// bus (cases GC-01, GC-04). Nothing on the bus is waited for longer than 10 s, except for a person's answer; a service
/// that has started and stays silent is the engine's to judge.
package final class LocationServiceProvider: ReceiverProvider, @unchecked Sendable {
  package enum Service: Hashable, Sendable {
    /// With the name under which this program asks: its bundle identifier, else that of its executable.
    case geoClue(desktopID: String)
    case portal

    /// The way to GeoClue: through the portal in a Flatpak's sandbox, which has this file at its root.
    ///
    /// - Parameter app: a bundle identifier, or the path of an executable.
    package static func ofThisMachine(for app: String) -> Service {
      if InputFile.isRegular(path: "/.flatpak-info") { return .portal }
      return .geoClue(desktopID: desktopID(of: app))
    }

    /// A desktop file's name without its folder and ending, as desktops know programs by it.
    package static func desktopID(of app: String) -> String {
      app.split(separator: "/").last.map(String.init) ?? "unknown"
    }

    var name: String {
      switch self {
      case .geoClue: "GeoClue"
      case .portal: "the location portal"
      }
    }
  }

  package struct Settings: Sendable {
    /// Nil is the machine's system bus, for the portal the person's session bus.
    package var address: String?
    package var answerSeconds = 10.0
    /// At most one `Start` a minute of a service that refuses (cases GC-01).
    package var refusalSeconds = 60.0
    /// Whether the bus itself is there is looked at every second: a refused local connect costs microseconds.
    package var connectSeconds = 1.0
    /// Of a service that breaks off: 1 s, then twice as long each time.
    package var retrySecondsMax = 60.0
    package var userID = getuid()

    package init(address: String? = nil) {
      self.address = address
    }
  }

  private enum Phase {
    case idle
    /// There is no connection; the alarm tries again.
    case offBus
    /// Asked, or served already.
    case talking
    /// For the alarm, and for the name where it may end the wait.
    case waiting(endsWithName: Bool)
  }

  private let queue = DispatchQueue(label: "corelocation.bus")
  private let service: Service
  private let clock: any SessionClock
  private let settings: Settings
  private let ends: ProviderEnds

  // The rest is used on the queue only.
  private let conversation: any BusConversation
  private var connection: BusConnection?
  private var phase = Phase.idle
  private var level: GeoClueAccuracyLevel?
  private var lossesInARow = 0
  private var refusedAt: Instant?
  private var said: Set<String> = []

  package init(_ service: Service, clock: any SessionClock, settings: Settings = Settings()) {
    self.service = service
    self.clock = clock
    self.settings = settings
    ends = ProviderEnds(name: service.name)
    let arrivalTime = { clock.wallTime }
    conversation =
      switch service {
      case .geoClue(let desktopID):
        GeoClueConversation(
          desktopID: desktopID, timeoutSeconds: settings.answerSeconds, arrivalTime: arrivalTime)
      case .portal:
        PortalConversation(timeoutSeconds: settings.answerSeconds, arrivalTime: arrivalTime)
      }
  }

  deinit {
    let connection = connection
    queue.async { connection?.close() }
  }

  package func connect(_ events: @escaping @Sendable (ProviderEvent) -> Void) {
    let alarm = clock.makeAlarm { [weak self] in
      guard let self else { return }
      queue.async { self.alarmRang() }
    }
    ends.set(events, alarm)
  }

  /// Needs a radio: the network's, and receivers that it does not tell of.
  package var kinds: ReceiverKinds { .radio }

  package var currentStatus: ProviderStatus { ends.status }

  package func setDemand(_ demand: ReceiverDemand?) {
    let level = demand.map { GeoClueAccuracyLevel($0.accuracy) }
    queue.async { self.want(level) }
  }

  // MARK: Demand

  private func want(_ level: GeoClueAccuracyLevel?) {
    guard let level else { return rest() }
    guard level != self.level else { return }
    let wasWanted = self.level != nil
    self.level = level
    if !wasWanted {
      begin()
    } else if case .talking = phase {
      // The level counts when a client starts.
      converse()
    }
  }

  private func rest() {
    level = nil
    ends.note(.idle)
    phase = .idle
    lossesInARow = 0
    ends.alarm?.set(nil)
    conversation.end()
    connection?.close()
    connection = nil
  }

  /// Demand is new, or a wait is over.
  private func begin() {
    guard level != nil else { return }
    if let refusedAt, clock.now < refusedAt.advanced(bySeconds: settings.refusalSeconds) {
      // Asked again within the minute: the answer is known.
      phase = .waiting(endsWithName: false)
      ends.alarm?.set(refusedAt.advanced(bySeconds: settings.refusalSeconds))
      ends.note(.refused, ends.status.problem)
      ends.tell(.state(.refused))
      return
    }
    if connection == nil, !openConnection() { return }
    converse()
  }

  private func converse() {
    guard let level, let connection else { return }
    phase = .talking
    if ends.status.phase != .fixing { ends.note(.starting, ends.status.problem) }
    ends.alarm?.set(nil)
    conversation.begin(level, on: connection) { [weak self] event in self?.heard(event) }
  }

  private func alarmRang() {
    switch phase {
    case .offBus, .waiting: begin()
    case .idle, .talking: break
    }
  }

  // MARK: The bus

  /// False where the bus is not there; then the alarm is set.
  private func openConnection() -> Bool {
    do throws(BusError) {
      guard let address = settings.address ?? usualAddress else {
        throw BusError(name: BusError.systemFailure, text: "there is no session bus")
      }
      let connection = try BusConnection(address: address, queue: queue) { [weak self] error in
        self?.lostBus(error)
      }
      self.connection = connection
      // Lives as long as the connection.
      _ = try connection.watch(name: conversation.serviceName) { [weak self] owner in
        self?.ownerChanged(to: owner)
      }
      return true
    } catch {
      connection?.close()
      lostBus(error)
      return false
    }
  }

  private var usualAddress: String? {
    switch service {
    case .geoClue: BusAddress.system
    case .portal: BusAddress.session
    }
  }

  private func lostBus(_ error: BusError) {
    guard level != nil else { return }
    connection = nil
    conversation.end()
    phase = .offBus
    let problem = "there is no bus to ask for locations: \(PrintableText.of(error.text))"
    ends.note(.absent, problem, .unreachable)
    say(problem)
    ends.alarm?.set(clock.now.advanced(bySeconds: settings.connectSeconds))
    ends.tell(.state(.unavailable))
  }

  private func ownerChanged(to owner: String?) {
    switch phase {
    case .talking: conversation.ownerChanged(to: owner)
    case .waiting(endsWithName: true) where owner != nil: converse()
    default: break
    }
  }

  // MARK: The service

  private func heard(_ event: ConversationEvent) {
    switch event {
    case .started:
      refusedAt = nil
      ends.note(.searching)
      ends.tell(.state(.searching))
    case .fix(let fix):
      lossesInARow = 0
      refusedAt = nil
      ends.note(.fixing, fixAt: clock.now)
      ends.tell(.fix(fix))
    case .failed(let failure):
      failed(failure)
    }
  }

  private func failed(_ failure: ConversationFailure) {
    let problem = PrintableText.of(failure.text) + advice(failure.kind)
    ends.note(failure.kind.phase, problem)
    say(problem)
    let waitSeconds: Double
    switch failure.kind {
    case .refused:
      refusedAt = clock.now
      waitSeconds = settings.refusalSeconds
    case .absent:
      waitSeconds = settings.retrySecondsMax
    case .silent, .lost:
      waitSeconds = min(settings.retrySecondsMax, exp2(Double(min(lossesInARow, 10))))
      lossesInARow += 1
    case .closed:
      // One attempt to make it again; whoever closes that too means it (cases GC-04).
      waitSeconds = lossesInARow == 0 ? 1 : settings.retrySecondsMax
      lossesInARow += 1
    }
    phase = .waiting(endsWithName: failure.kind != .refused)
    ends.alarm?.set(clock.now.advanced(bySeconds: waitSeconds))
    ends.tell(.state(failure.kind == .refused ? .refused : .unavailable))
  }

  /// GeoClue serves people's sessions, each through an agent, and root has none (cases SP-5).
  private func advice(_ kind: ConversationFailure.Kind) -> String {
    guard case .geoClue = service, kind == .refused || kind == .silent else { return "" }
    return settings.userID == 0
      ? "; GeoClue serves a person's session through its agent, and root (UID 0) has none: run this as the person"
      : "; GeoClue needs an agent in the person's session, which allows this program"
  }

  /// Once each, since the same trouble comes again with every attempt.
  private func say(_ sentence: String) {
    if said.insert(sentence).inserted { ends.tell(.notice(sentence + ".")) }
  }
}

extension ConversationFailure.Kind {
  fileprivate var phase: ProviderStatus.Phase {
    switch self {
    case .refused: .refused
    case .absent, .silent: .absent
    case .lost, .closed: .lost
    }
  }
}

/// Where a provider's events go, its alarm, and how it stands; from any thread.
final class ProviderEnds: Sendable {
  private struct State {
    var events: (@Sendable (ProviderEvent) -> Void)?
    var alarm: (any Alarm)?
    var status: ProviderStatus
  }

  private let state: Locked<State>

  init(name: String) {
    state = Locked(State(status: ProviderStatus(name: name)))
  }

  /// Once, before anything else.
  func set(_ events: @escaping @Sendable (ProviderEvent) -> Void, _ alarm: any Alarm) {
    state.withLock { ($0.events, $0.alarm) = (events, alarm) }
  }

  var alarm: (any Alarm)? { state.withLock { $0.alarm } }

  var status: ProviderStatus { state.withLock { $0.status } }

  func note(
    _ phase: ProviderStatus.Phase, _ problem: String? = nil, _ obstacle: Obstacle? = nil, fixAt: Instant? = nil
  ) {
    state.withLock { state in
      state.status.phase = phase
      state.status.problem = problem
      state.status.obstacle = obstacle
      if let fixAt { state.status.lastFixAt = fixAt }
    }
  }

  func tell(_ event: ProviderEvent) {
    state.withLock { $0.events }?(event)
  }
}

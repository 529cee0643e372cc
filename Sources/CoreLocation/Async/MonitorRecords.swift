import Foundation
import LinuxIO
import LocationEngine
import LocationModel
import LocationRuntime

/// An open monitor: the app's copy of its conditions and records, and the events on their way to its reader.
///
/// What a slow reader has not taken does not grow: of each condition the two newest events wait, which are opposite, so
/// that what is left tells the same in the end.
final class MonitorRecords: @unchecked Sendable {
  /// An event and the addition that it belongs to: an event of a condition that was replaced or removed is void.
  struct PendingEvent: Sendable {
    let event: ConditionEvent
    let addition: UInt64
  }

  private struct Entry {
    let condition: any CLCondition
    let addition: UInt64
    /// The last event that the app has handled (behaviour 9.34).
    var record: ConditionEvent
    /// The last one that came; a service that comes back may say it again.
    var newest: ConditionEvent
  }

  private struct State {
    var entries: [Entry] = []
    var lastAddition: UInt64 = 0
    var manager: ManagerIdentifier?
    var opened: OneAnswer = .awaited(nil)
    /// The service keeps the monitor.
    var isKept = false
    var isIterated = false
  }

  /// How the service answered the opening, and who waits for it.
  private enum OneAnswer {
    case awaited(CheckedContinuation<Void, Never>?)
    case given
  }

  private let connection: any LocationConnection
  private let state = Locked(State())
  private let queue: ElementQueue<PendingEvent>

  /// Opens the monitor of this name (behaviour 9.30). One that is open already, or has no name, is not kept: its
  /// conditions say `persistenceUnavailable`.
  init(name: String) async {
    connection = ServiceLookup.connection()
    queue = ElementQueue("CLMonitor(\"\(name)\").events") { waiting in
      guard let identifier = waiting.last?.event.identifier else { return }
      let own = waiting.indices.filter { waiting[$0].event.identifier == identifier }
      for index in own.dropLast(2).reversed() { waiting.remove(at: index) }
    }
    queue.tell(connection.listeners)
    let manager = connection.addStream { [weak self, connection] event in
      guard let self else { return connection.didDeliver(1) }
      self.hear(event)
    }
    state.withLock { $0.manager = manager }
    connection.whenProcessEnds(manager) { [weak self, queue] in
      self?.open(nil)
      queue.finish()
    }
    connection.send(.openMonitor(name), from: manager)
    await withCheckedContinuation { continuation in
      let isGiven = state.withLock { state -> Bool in
        if case .given = state.opened { return true }
        state.opened = .awaited(continuation)
        return false
      }
      if isGiven { continuation.resume() }
    }
  }

  deinit {
    let left = queue.finish()
    if let manager = state.withLock({ $0.manager }) { connection.removeManager(manager) }
    if left > 0 { connection.didDeliver(left) }
  }

  private func send(_ request: Request) {
    guard let manager = state.withLock({ $0.manager }) else { return }
    connection.send(request, from: manager)
  }

  // MARK: From the service

  private func hear(_ event: ManagerEvent) {
    switch event {
    case .monitorOpened(let stored):
      open(stored)
      connection.didDeliver(1)
    case .conditionChanged(let event):
      take(event)
    default:
      connection.didDeliver(1)
    }
  }

  private func open(_ stored: StoredMonitor?) {
    let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.isKept = stored != nil
      for condition in stored?.conditions ?? [] {
        state.lastAddition += 1
        state.entries.append(
          Entry(
            condition: CLMonitor.condition(condition.shape), addition: state.lastAddition, record: condition.record,
            newest: condition.record))
      }
      defer { state.opened = .given }
      guard case .awaited(let continuation) = state.opened else { return nil }
      return continuation
    }
    waiting?.resume()
    for pending in stored?.conditions.compactMap(\.pending) ?? [] { addEvent(pending) }
  }

  private func take(_ event: ConditionEvent) {
    let dropped = addEvent(event)
    if dropped > 0 { connection.didDeliver(dropped) }
  }

  /// How many events of the service are not to be taken any more.
  @discardableResult
  private func addEvent(_ event: ConditionEvent) -> Int {
    var event = event
    event.time = event.time ?? WallTime(Date())
    let addition = state.withLock { state -> UInt64? in
      guard let index = state.entries.firstIndex(where: { $0.record.identifier == event.identifier }),
        !event.tellsTheSame(as: state.entries[index].newest)
      else { return nil }
      state.entries[index].newest = event
      return state.entries[index].addition
    }
    guard let addition else { return 1 }
    return queue.add(PendingEvent(event: event, addition: addition))
  }

  // MARK: From the app

  var identifiers: [String] {
    state.withLock { $0.entries.map(\.record.identifier) }
  }

  func record(for identifier: String) -> CLMonitor.Record? {
    state.withLock { state in
      state.entries.first { $0.record.identifier == identifier }
        .map { CLMonitor.Record(condition: $0.condition, lastEvent: CLMonitor.Event($0.record)) }
    }
  }

  func add(_ condition: any CLCondition, identifier: String, assuming assumed: CLMonitor.Event.State) {
    let record = ConditionEvent(
      identifier: identifier, state: ConditionState(rawValue: assumed.rawValue) ?? .unknown, time: WallTime(Date()))
    let isKept = state.withLock { state -> Bool in
      state.lastAddition += 1
      let entry = Entry(condition: condition, addition: state.lastAddition, record: record, newest: record)
      if let index = state.entries.firstIndex(where: { $0.record.identifier == identifier }) {
        state.entries[index] = entry
      } else {
        state.entries.append(entry)
      }
      return state.isKept
    }
    guard let shape = CLMonitor.shape(of: condition) else {
      send(.removeCondition(identifier))
      return addOwn(.conditionUnsupported, after: record)
    }
    guard isKept else { return addOwn(.persistenceUnavailable, after: record) }
    send(.addCondition(StoredCondition(identifier: identifier, shape: shape, record: record)))
  }

  /// An event that the service knows nothing of.
  private func addOwn(_ diagnostics: ServiceDiagnostics, after record: ConditionEvent) {
    guard record.state != .unmonitored else { return }
    addEvent(
      ConditionEvent(identifier: record.identifier, state: .unmonitored, time: nil, diagnostics: diagnostics))
  }

  func remove(_ identifier: String) {
    state.withLock { $0.entries.removeAll { $0.record.identifier == identifier } }
    send(.removeCondition(identifier))
  }

  // MARK: The reader

  /// The oldest event that still concerns a watched condition; nil when the task is cancelled.
  func nextEvent(isolation: isolated (any Actor)? = #isolation) async -> PendingEvent? {
    let isFirst = state.withLock { state in
      defer { state.isIterated = true }
      return !state.isIterated
    }
    if isFirst { send(.iterateConditions) }
    while let pending = await queue.next() {
      connection.didDeliver(1)
      let concerns = state.withLock { $0.entries.contains { $0.addition == pending.addition } }
      if concerns { return pending }
    }
    return nil
  }

  /// Who has an event in hand does not come back for the next one.
  func readerHasLeft() { queue.readerHasLeft() }

  /// The app has handled the event: the record shows it from now on.
  func settle(_ pending: PendingEvent) {
    let isKept = state.withLock { state -> Bool in
      guard let index = state.entries.firstIndex(where: { $0.addition == pending.addition }) else { return false }
      state.entries[index].record = pending.event
      return state.isKept
    }
    if isKept { send(.settleCondition(pending.event)) }
  }
}

/// One iteration of a monitor's events. The monitor goes on when it ends.
final class MonitorReading: Sendable {
  private let records: MonitorRecords
  private let hasEvent = Locked(false)

  init(_ records: MonitorRecords) {
    self.records = records
  }

  deinit {
    if hasEvent.withLock({ $0 }) { records.readerHasLeft() }
  }

  func hasEvent(_ has: Bool) { hasEvent.withLock { $0 = has } }
}

extension WallTime {
  init(_ date: Date) {
    self.init(secondsSince1970: date.timeIntervalSince1970)
  }
}

extension CLMonitor {
  /// As the service knows it; nil for a type that it does not.
  static func shape(of condition: any CLCondition) -> Region.Shape? {
    switch condition {
    case let circle as CircularGeographicCondition:
      return .circle(
        center: Coordinate(latitude: circle.center.latitude, longitude: circle.center.longitude),
        radiusMeters: circle.radius)
    case let beacons as BeaconIdentityCondition:
      return .beacons(BeaconConstraint(beacons))
    default:
      return nil
    }
  }

  static func condition(_ shape: Region.Shape) -> any CLCondition {
    switch shape {
    case .circle(let center, let radiusMeters):
      return CircularGeographicCondition(center: CLLocationCoordinate2D(center), radius: radiusMeters)
    case .beacons(let beacons):
      return BeaconIdentityCondition(beacons)
    }
  }
}

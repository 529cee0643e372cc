import LinuxIO
import LocationEngine
import LocationRuntime

/// One iteration of live updates: begins with the first element that is asked for, and ends with the iterator, or with
/// the task that iterates (behaviour 9.1).
///
/// A reader that is slower than the receivers makes nothing grow: of what waits the newest `waitingMax` are kept, and
/// plain locations go first, so that what says why there is none, and the last location before a rest, stay.
final class LiveListening: @unchecked Sendable {
  static let waitingMax = 100

  private struct Session {
    let connection: any LocationConnection
    let manager: ManagerIdentifier
  }

  private let configuration: LiveUpdateConfiguration
  private let queue: ElementQueue<CLLocationUpdate>
  private let session = Locked<Session?>(nil)
  private let hasBegun = Locked(false)

  init(_ configuration: LiveUpdateConfiguration) {
    self.configuration = configuration
    queue = ElementQueue("CLLocationUpdate.liveUpdates()") { waiting in
      guard waiting.count > Self.waitingMax else { return }
      waiting.remove(at: waiting.firstIndex(where: \.isPlainLocation) ?? waiting.startIndex)
    }
  }

  deinit {
    end()
  }

  /// Nil once the task is cancelled: the receivers are let go then, whoever still holds the iterator.
  func next(isolation: isolated (any Actor)? = #isolation) async -> CLLocationUpdate? {
    begin()
    guard let update = await queue.next() else {
      end()
      return nil
    }
    session.withLock { $0 }?.connection.didDeliver(1)
    return update
  }

  private func begin() {
    let isFirst = hasBegun.withLock { begun in
      defer { begun = true }
      return !begun
    }
    guard isFirst, !Task.isCancelled else { return }
    let connection = ServiceLookup.connection()
    queue.tell(connection.listeners)
    let manager = connection.addStream { [queue] event in
      guard case .liveUpdated(let update) = event else { return connection.didDeliver(1) }
      let dropped = queue.add(CLLocationUpdate(update))
      if dropped > 0 { connection.didDeliver(dropped) }
    }
    connection.whenProcessEnds(manager) { [weak self] in self?.end() }
    session.withLock { $0 = Session(connection: connection, manager: manager) }
    connection.send(.startLiveUpdates(configuration), from: manager)
  }

  private func end() {
    let ended = session.withLock { session in
      defer { session = nil }
      return session
    }
    // Nothing is on its way any more before the reader is said to have gone.
    if let ended { ended.connection.removeManager(ended.manager) }
    let left = queue.finish()
    if left > 0 { ended?.connection.didDeliver(left) }
  }
}

extension LiveUpdateConfiguration {
  init(_ configuration: CLLocationUpdate.LiveConfiguration) {
    switch configuration {
    case .default: self = .default
    case .automotiveNavigation: self = .automotiveNavigation
    case .otherNavigation: self = .otherNavigation
    case .fitness: self = .fitness
    case .airborne: self = .airborne
    }
  }
}

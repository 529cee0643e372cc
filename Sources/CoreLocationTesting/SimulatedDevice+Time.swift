import CoreLocation
import LocationModel
import LocationRuntime

/// Time moves only by these. Each carries out one thing, a fix, an answer, an alarm, a launch, and hands over what
/// comes of it before the next.
///
/// The forms without `await` are for apps of delegates; callbacks come on the calling thread. Where tasks iterate over
/// live updates, a monitor or a session, or sleep on `clock`, use the forms with `await`: after each event they wait
/// until every such task has come back for the next one, has ended, or sleeps.
extension SimulatedDevice {
  /// The device's time of day.
  public var now: Date { Date(timeIntervalSince1970: host.clock.wallTime.secondsSince1970) }

  /// Since the device's start.
  public var elapsed: Duration { .nanoseconds(host.clock.now.nanoseconds) }

  package var seconds: Double {
    host.clock.now.seconds(since: .zero)
  }

  // MARK: For delegates

  /// Moves time on.
  public func advance(by duration: Duration) {
    refuseListeners()
    host.advance(to: end(after: duration))
  }

  /// Moves time on until something is so; throws `SimulationFailure` where it is not within `limit`.
  public func advance(
    within limit: Duration, until sentence: String, fileID: StaticString = #fileID, line: UInt = #line,
    _ isSo: () throws -> Bool
  ) throws {
    guard host.listeners.isEmpty else { throw failure(Self.listenersNeedAwait, fileID, line) }
    let end = end(within: limit)
    host.settle()
    while !(try isSo()) {
      guard host.clock.ringNext(until: end) else { break }
      host.settle()
    }
    try expect("\(sentence), within \(limit)", fileID: fileID, line: line, isSo)
  }

  /// The device goes on a journey, to its end.
  public func play(_ journey: Journey) {
    begin(journey)
    advance(by: journey.duration)
  }

  package func advance(bySeconds seconds: Double) {
    host.advance(bySeconds: seconds)
  }

  /// Moves time to so many seconds after the start.
  package func advance(toSecond second: Double) {
    host.advance(to: Instant.zero.advanced(bySeconds: second))
  }

  /// Hands over what waits; time stands still.
  package func settle() {
    host.settle()
  }

  private static let listenersNeedAwait =
    "tasks of the app iterate over live updates, a monitor or a session, or sleep on the device's clock: "
    + "write `try await device.advance(…)` or `play(…)` in an async test, so that time waits for them"

  /// - Returns: when time has moved on by so much.
  private func end(after duration: Duration) -> Instant {
    let seconds = TestMistake.refuseNegative(duration, "time moves on by")
    TestMistake.refuseBeyondClock(host.clock.wallTime, advancedBySeconds: seconds)
    return host.clock.now.advanced(bySeconds: seconds)
  }

  /// However far a limit is: there are no more than the years of the clock.
  private func end(within limit: Duration) -> Instant {
    host.clock.now.advanced(bySeconds: TestMistake.refuseNegative(limit, "time moves on by"))
  }

  private func refuseListeners() {
    precondition(host.listeners.isEmpty, Self.listenersNeedAwait)
  }

  // MARK: For tasks

  /// Moves time on, and waits for every listener after each event. Throws `SimulationFailure` with the names of those
  /// that do not come back within 10 s of real time.
  public func advance(
    by duration: Duration, isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    line: UInt = #line
  ) async throws {
    try await move(to: end(after: duration), (fileID, line)) { false }
  }

  /// Moves time on until something is so; throws `SimulationFailure` where it is not within `limit`.
  public func advance(
    within limit: Duration, until sentence: String, isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, line: UInt = #line, _ isSo: () throws -> Bool
  ) async throws {
    try await move(to: end(within: limit), (fileID, line), until: isSo)
    try expect("\(sentence), within \(limit)", fileID: fileID, line: line, isSo)
  }

  /// The device goes on a journey, to its end.
  public func play(
    _ journey: Journey, isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    line: UInt = #line
  ) async throws {
    begin(journey)
    try await advance(by: journey.duration, fileID: fileID, line: line)
  }

  /// Time stands still until so many tasks wait: those that iterate over events of the device and those that sleep on
  /// its clock. A task that has just been started has not asked for its first element yet; without this it would miss
  /// what happens before it does.
  public func listening(
    _ count: Int, isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID, line: UInt = #line
  ) async throws {
    let watch = ListenerWatch(host.listeners, secondsMax: realSecondsToComeBack)
    defer { watch.stop() }
    guard await host.listeners.areWaiting(count) else {
      throw failure(
        "Fewer than \(count) tasks wait for something of the device after \(realSecondsToComeBack) s", fileID, line)
    }
  }

  private func move(
    to end: Instant, _ place: (StaticString, UInt), isolation: isolated (any Actor)? = #isolation,
    until isOver: () throws -> Bool
  ) async throws {
    let watch = ListenerWatch(host.listeners, secondsMax: realSecondsToComeBack)
    defer { watch.stop() }
    try await handOver(place)
    while !(try isOver()) {
      guard host.inOrder({ host.clock.ringNext(until: end) }) else { return }
      try await handOver(place)
    }
  }

  private func handOver(_ place: (StaticString, UInt), isolation: isolated (any Actor)? = #isolation) async throws {
    try await tasksComeBack(place)
    while host.inOrder({ host.handOverNext() }) { try await tasksComeBack(place) }
  }

  private func tasksComeBack(
    _ place: (StaticString, UInt), isolation: isolated (any Actor)? = #isolation
  ) async throws {
    guard await host.listeners.areAllBack() else {
      let names = host.listeners.atWork.joined(separator: ", ")
      throw failure(
        "A task that iterates over \(names) has not asked for the next element in "
          + "\(realSecondsToComeBack) s of real time", place.0, place.1)
    }
  }
}

/// Gives up waiting for tasks that do not come back. It is a task itself: where others keep all threads, nobody comes
/// back and no time is up.
private struct ListenerWatch {
  private static let tickSeconds = 0.25
  /// A task that was woken and neither sleeps again nor ends waits for something that is not the device's.
  private static let wokenTicks: UInt64 = 4
  private let ticking: Task<Void, Never>

  init(_ listeners: ListenerRegister, secondsMax: Double) {
    let ticks = UInt64(max(1, (secondsMax / Self.tickSeconds).rounded()))
    ticking = Task.detached { [weak listeners] in
      while (try? await Task.sleep(for: .seconds(Self.tickSeconds))) != nil {
        listeners?.tick(givingUpAfter: ticks, onWokenAfter: Self.wokenTicks)
      }
    }
  }

  func stop() { ticking.cancel() }
}

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

  /// Moves time on, by zero or more: zero hands over what waits. A duration below zero, one that leads beyond the year
  /// 2261, and tasks that iterate or sleep on `clock` end the process with a sentence and the test's line.
  public func advance(by duration: Duration, fileID: StaticString = #fileID, line: UInt = #line) {
    if !host.listeners.isEmpty { TestMistake.end(Self.listenersNeedAwait, fileID, line) }
    if let mistake = mistake(movingOnBy: duration) { TestMistake.end(mistake, fileID, line) }
    host.advance(to: end(after: duration))
  }

  /// Moves time on until something is so: it is asked at once and after each event. Throws `SimulationFailure` where it
  /// is not within `limit`, where `limit` is below zero, and where tasks iterate or sleep on `clock`.
  public func advance(
    within limit: Duration, until sentence: String, fileID: StaticString = #fileID, line: UInt = #line,
    _ isSo: () throws -> Bool
  ) throws {
    guard host.listeners.isEmpty else { throw failure(Self.listenersNeedAwait, fileID, line) }
    if let mistake = Self.mistake(movingWithin: limit) { throw failure(mistake, fileID, line) }
    let end = end(after: limit)
    host.settle()
    while !(try isSo()) {
      guard host.clock.ringNext(until: end) else { break }
      host.settle()
    }
    try expect("\(sentence), within \(limit)", fileID: fileID, line: line, isSo)
  }

  /// The device goes on a journey, to its end; one that takes no time is a place where it is put. Ends the process as
  /// `advance(by:)` does.
  public func play(_ journey: Journey, fileID: StaticString = #fileID, line: UInt = #line) {
    begin(journey)
    advance(by: journey.duration, fileID: fileID, line: line)
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

  /// What is wrong with moving on by so much; nil where nothing is.
  private func mistake(movingOnBy duration: Duration) -> String? {
    Self.mistake(movingWithin: duration)
      ?? TestMistake.beyondClock(host.clock.wallTime, advancedBySeconds: duration.inSeconds)
  }

  /// However far a limit is: there are no more than the years of the clock.
  private static func mistake(movingWithin limit: Duration) -> String? {
    limit < .zero ? "time moves on by 0 s or longer, not \(limit.inSeconds) s" : nil
  }

  /// - Returns: when time has moved on by so much.
  private func end(after duration: Duration) -> Instant { host.clock.now.advanced(bySeconds: duration.inSeconds) }

  // MARK: For tasks

  /// Moves time on, by zero or more, and waits for every listener after each event. Throws `SimulationFailure` with the
  /// names of those that do not come back within 10 s of real time; for a duration below zero, and one that leads
  /// beyond the year 2261; and where another task moves the device's time already.
  public func advance(
    by duration: Duration, isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    line: UInt = #line
  ) async throws {
    if let mistake = mistake(movingOnBy: duration) { throw failure(mistake, fileID, line) }
    try await move(to: end(after: duration), (fileID, line)) { false }
  }

  /// Moves time on until something is so: it is asked at once and after each event. Throws `SimulationFailure` where it
  /// is not within `limit`, where `limit` is below zero, and as `advance(by:)` with `await` does.
  public func advance(
    within limit: Duration, until sentence: String, isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, line: UInt = #line, _ isSo: () throws -> Bool
  ) async throws {
    if let mistake = Self.mistake(movingWithin: limit) { throw failure(mistake, fileID, line) }
    try await move(to: end(after: limit), (fileID, line), until: isSo)
    try expect("\(sentence), within \(limit)", fileID: fileID, line: line, isSo)
  }

  /// The device goes on a journey, to its end; one that takes no time is a place where it is put. Throws as
  /// `advance(by:)` with `await` does.
  public func play(
    _ journey: Journey, isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    line: UInt = #line
  ) async throws {
    begin(journey)
    try await advance(by: journey.duration, fileID: fileID, line: line)
  }

  /// Time stands still until so many tasks wait: those that iterate over events of the device and those that sleep on
  /// its clock. A task that has just been started has not asked for its first element yet; without this it would miss
  /// what happens before it does. Zero and fewer are waited for no moment; where more than there are do not come within
  /// 10 s of real time it throws `SimulationFailure`, which names those that wait.
  public func listening(
    _ count: Int, isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID, line: UInt = #line
  ) async throws {
    let watch = ListenerWatch(self)
    defer { watch.stop() }
    guard await host.listeners.areWaiting(count) else {
      throw failure(tooFewListening(count), fileID, line)
    }
  }

  private func move(
    to end: Instant, _ place: (StaticString, UInt), isolation: isolated (any Actor)? = #isolation,
    until isOver: () throws -> Bool
  ) async throws {
    guard beginsMoving() else { throw failure(Self.movedTwice, place.0, place.1) }
    defer { endsMoving() }
    let watch = ListenerWatch(self)
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
    guard await host.listeners.areAllBack() else { throw failure(notBack, place.0, place.1) }
  }
}

/// What a failure says of tasks, and what to do.
extension SimulatedDevice {
  private static let movedTwice =
    "another task moves the time of this device already: a device is driven by one task of one test. An app's own task "
    + "does not move time: it sleeps on device.clock"

  private var notBack: String {
    "Time stands still: after \(realSecondsToComeBack) s of real time " + host.listeners.atWork.joined(separator: ", ")
      + ". It waits for something that is not the device's: a network, the real clock, a lock, another task. "
      + "What to do: have it wait on device.clock, give it something in the test that answers at once, or let a Task "
      + "of its own do what takes long" + othersWait
  }

  private func tooFewListening(_ count: Int) -> String {
    let waitingCount = host.listeners.waiting.count
    return "Fewer than \(count) tasks wait for something of the device after \(realSecondsToComeBack) s of real time: "
      + "\(waitingCount) \(waitingCount == 1 ? "does" : "do"). A task that is missed has "
      + "ended (an error that it threw is its result: look at `try await task.value`), was started by Task.detached "
      + "or outside device.run and launch, or waits for something that is not the device's" + othersWait
  }

  private var othersWait: String {
    let waiting = host.listeners.waiting
    return waiting.isEmpty
      ? ". No task waits for the device" : ". For the device wait: " + waiting.joined(separator: "; ")
  }
}

/// Gives up waiting for tasks that do not come back. It is a task itself: where others keep all threads, nobody comes
/// back and no time is up.
private struct ListenerWatch {
  private static let tickSeconds = 0.25
  private let ticking: Task<Void, Never>

  init(_ device: SimulatedDevice) {
    let ticks = Self.ticks(device.realSecondsToComeBack)
    let wokenTicks = Self.ticks(device.realSecondsForWoken)
    let listeners = device.host.listeners
    ticking = Task.detached { [weak listeners] in
      while (try? await Task.sleep(for: .seconds(Self.tickSeconds))) != nil {
        listeners?.tick(givingUpAfter: ticks, onWokenAfter: wokenTicks)
      }
    }
  }

  private static func ticks(_ seconds: Double) -> UInt64 { UInt64(max(1, (seconds / tickSeconds).rounded())) }

  func stop() { ticking.cancel() }
}

import LinuxIO
import LocationModel
import LocationProviders
import LocationRuntime

/// The clock of a simulated device, for app code that waits: it takes `any Clock<Duration>`, gets a `ContinuousClock`
/// in the product and this one in a test. Sleeping on it takes no real time.
///
/// While a task sleeps on it, time does not wait for that task; once woken, the task has its turn before time goes on.
/// Nobody is woken while the app is suspended: what was due meanwhile is due when it goes on. With the app's process
/// its sleeps end, too, by `CancellationError`.
public struct SimulatedClock: Clock, Sendable {
  public struct Instant: InstantProtocol, Sendable {
    /// Since the device's start.
    public var offset: Duration

    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private let sleepers: SleepingTasks

  init(_ sleepers: SleepingTasks) {
    self.sleepers = sleepers
  }

  /// The app's process is gone.
  func endSleeps() { sleepers.endAll() }

  public var now: Instant { Instant(offset: .nanoseconds(sleepers.now.nanoseconds)) }
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Ends when the test has moved time to `deadline`, and at once where that is not in the future; throws
  /// `CancellationError` where the task is cancelled first. A deadline beyond the clock, which ends after 292 years, is
  /// never reached.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await sleepers.sleep(until: LocationModel.Instant.zero.advanced(bySeconds: deadline.offset.inSeconds))
  }
}

/// The tasks that sleep on a device's clock. They are woken one at a time, in the order of their deadlines.
final class SleepingTasks: Sendable {
  private struct Sleeper {
    let number: UInt64
    let task: RunningTask
    let deadline: Instant
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var sleepers: [Sleeper] = []
    var lastNumber: UInt64 = 0
    var alarm: (any Alarm)?
    var isSuspended = false
  }

  private let clock: any SessionClock
  private let register: ListenerRegister
  private let state = Locked(State())

  init(_ clock: any SessionClock, _ register: ListenerRegister) {
    self.clock = clock
    self.register = register
    let alarm = clock.makeAlarm { [weak self] in self?.wakeNext() }
    state.withLock { $0.alarm = alarm }
  }

  var now: Instant { clock.now }

  /// A suspended app gets no processor time, however long it is.
  func setSuspended(_ isSuspended: Bool) {
    state.withLock { state in
      state.isSuspended = isSuspended
      setAlarm(&state)
    }
  }

  /// The process is gone, and what it waited for with it.
  func endAll() {
    let sleepers = state.withLock { $0.sleepers }
    for sleeper in sleepers { end(sleeper.number, hasSlept: false) }
  }

  private func setAlarm(_ state: inout State) {
    state.alarm?.set(state.isSuspended ? nil : state.sleepers.first?.deadline)
  }

  func sleep(until deadline: Instant) async throws {
    try Task.checkCancellation()
    guard deadline > clock.now else { return }
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    let task = RunningTask.current
    register.willSleep(task)
    let hasSlept = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        add(Sleeper(number: number, task: task, deadline: deadline, continuation: continuation))
      }
    } onCancel: {
      end(number, hasSlept: false)
    }
    if !hasSlept { throw CancellationError() }
  }

  private func add(_ sleeper: Sleeper) {
    let isCancelled = state.withLock { state -> Bool in
      // A cancellation that came before is seen here; one that comes later finds the sleeper.
      if Task.isCancelled { return true }
      let index = state.sleepers.firstIndex { $0.deadline > sleeper.deadline } ?? state.sleepers.endIndex
      state.sleepers.insert(sleeper, at: index)
      setAlarm(&state)
      // Last: time may go on from here.
      register.sleeps(sleeper.task, until: sleeper.deadline)
      return false
    }
    if isCancelled { sleeper.continuation.resume(returning: false) }
  }

  private func wakeNext() {
    guard let first = state.withLock({ $0.isSuspended ? nil : $0.sleepers.first }), first.deadline <= clock.now
    else { return }
    end(first.number, hasSlept: true)
  }

  private func end(_ number: UInt64, hasSlept: Bool) {
    let sleeper = state.withLock { state -> Sleeper? in
      guard let index = state.sleepers.firstIndex(where: { $0.number == number }) else { return nil }
      let sleeper = state.sleepers.remove(at: index)
      setAlarm(&state)
      register.wakes(sleeper.task)
      return sleeper
    }
    sleeper?.continuation.resume(returning: hasSlept)
  }
}

extension Duration {
  var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
